"""Gas whose density and viscosity follow its temperature: a moving hot bed, and one in a closed box."""

import unittest

from command import CASES, CaseTest, settings

HOT = {"heat__model": "gunn", "solids__heat_capacity": 800, "gas__density": "", "gas__density_law": "ideal_gas",
       "gas__viscosity_law": "sutherland", "gas__prandtl": 0.7, "gas__temperature": 600, "seed__light__temperature": 900,
       "time__end": 0.03, "output__log": 1e-3, "output__parcels": 0.01, "output__fields": 0.01}
INLET = "[inlet.floor]\nside = z_low\nvelocity = 0 m/s\n"
BLOWN = {"inlet__floor__velocity": 0.5, "inlet__floor__temperature": 300}
ROUND_OFF = ("momentum_residual", "heat_residual", "heat_drift", "gas_mass_residual")


class VaryingGas(CaseTest):
    def judge(self, name, case="mixed_bed_at_rest", **keys):
        run = self.run_case(case, *settings(**HOT, **keys), "--threads", 1, name=name)
        self.assert_books(run)
        for column in ROUND_OFF + (("gas_books",) if "gas_books" in run.log else ()):
            self.assertLess(max(map(abs, run.log[column])), 1e-12, column)
        self.assertLess(run.log["mixture_residual"][-1], 1e-8)
        return run

    def test_open(self):
        """Books, and the same bytes however it is run."""
        for momentum in ("advective", "conservative"):
            run = self.judge(momentum, gas__momentum=momentum, **BLOWN)
            self.assertEqual(set(run.log["absolute_pressure"]), {101325})
            self.assertLess(run.log["gas_volume_drift"][-1], 0.1)
        keys = settings(**HOT, **BLOWN, gas__momentum="conservative")
        self.assert_same_however_run(run, "mixed_bed_at_rest", *keys, cut=17)

    def test_closed(self):
        text = (CASES / "mixed_bed_at_rest" / "case.ini").read_text(encoding="utf-8")
        case = self.write_case(text.replace("z_high = outlet", "z_high = no_slip").replace(INLET, ""))
        run = self.judge("closed", case)
        pressure = run.log["absolute_pressure"]
        self.assertGreater(pressure[-1], 1.05 * pressure[0])
        # Inner energy: that of the gas by its pressure, c - R = (1 - R/c) c.
        room = 0.02 * 0.02 * 0.2 - run.log["solids_volume"][0]
        energy = [p * room * (1005 / 287.05 - 1) + solids for p, solids in zip(pressure, run.log["solids_heat"])]
        self.assertLess(max(energy) - min(energy), 1e-11 * energy[0])
        self.assertLess(max(run.log["gas_mass"]) - min(run.log["gas_mass"]), 1e-13 * run.log["gas_mass"][0])
        self.assert_same_however_run(run, case, *settings(**HOT), cut=17, threads=(3,))


if __name__ == "__main__":
    unittest.main()
