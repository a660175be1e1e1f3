"""All models at once on a mixed bed that hot gas blows through: every book, and the same bytes however it is run."""

import math
import unittest

from command import CaseTest, settings

ALL = {"output__audit": "true", "heat__model": "gunn", "solids__heat_capacity": 800, "inlet__floor__temperature": 500,
       "inlet__floor__velocity": 1, "gas__momentum": "conservative", "gas__viscous_force": "stress",
       "gas__turbulence": "smagorinsky", "contact__isotropy": "orourke_snider", "solids__drag": "beetstra_polydisperse",
       "solid__heavy__restitution": 0.9, "solid__light__restitution": 0.6,
       "contact__collision_rate": "far_from_equilibrium", "contact__acceleration": "blended",
       "time__end": 0.03, "output__log": 1e-3, "output__parcels": 0.01, "output__fields": 0.01}
RESIDUALS = ("momentum_residual", "momentum_books", "energy_residual", "heat_residual", "heat_drift", "gas_books",
             "isotropy_momentum", "isotropy_energy")


class Together(CaseTest):
    def test_books_and_bytes(self):
        keys = settings(**ALL)
        run = self.run_case("mixed_bed_at_rest", *keys, "--threads", 1)
        self.assert_books(run)
        for name in RESIDUALS:
            self.assertLess(max(map(abs, run.log[name])), 1e-12, name)
        self.assert_same_however_run(run, "mixed_bed_at_rest", *keys, cut=17)

    def test_next_to_nothing(self):
        """No parcels, and a few that all lie in one cell."""
        for name, keys in {
            "none": {f"seed__{s}__{k}": v for s in ("heavy", "light")
                     for k, v in {"arrangement": "random", "lattice": "", "jitter": "", "parcels": 0}.items()},
            "one_cell": {f"seed__{s}__{k}": v for s in ("heavy", "light")
                         for k, v in {"arrangement": "random", "lattice": "", "jitter": "", "parcels": 20,
                                      "high": "5, 5, 5 mm"}.items()},
        }.items():
            with self.subTest(name):
                run = self.run_case("mixed_bed_at_rest", *settings(**(ALL | keys)), name=name)
                for column, values in run.log.items():
                    self.assertTrue(all(map(math.isfinite, values)), column)
                for column in RESIDUALS:
                    self.assertLess(max(map(abs, run.log[column])), 1e-12, column)

    def test_restitution_of_solids(self):
        """A solid's own is what counts, and that of [contact] where it has none."""
        keys = {"inlet__floor__velocity": 1, "time__end": 0.03, "output__log": 1e-3}
        logs = {}
        for name, own in {
            "contact's": {"contact__restitution": 0.6},
            "own": {"contact__restitution": 0.1, "solid__heavy__restitution": 0.6, "solid__light__restitution": 0.6},
            "one its own": {"contact__restitution": 0.6, "solid__heavy__restitution": 0.9},
        }.items():
            logs[name] = self.run_case("mixed_bed_at_rest", *settings(**(keys | own)), name=name[:3]).log
        self.assertEqual(logs["own"], logs["contact's"])
        self.assertNotEqual(logs["one its own"], logs["contact's"])


if __name__ == "__main__":
    unittest.main()
