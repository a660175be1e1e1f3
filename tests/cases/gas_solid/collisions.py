"""Collisions: cooling, isotropy, jets that merge, and mixtures of sizes that lie and do not sort themselves."""

import unittest

from command import CASES, LONG, THOROUGH, CaseTest, settings

MIXED = """
[case]
driver = mppic
[grid]
cells = 4, 4, 28
size = 12, 12, 84 mm
[sides]
x_low = free_slip
x_high = free_slip
y_low = free_slip
y_high = free_slip
z_high = outlet
[gas]              # half of what fluidises the smaller
velocity = 0, 0, 0.106 m/s
[solids]
density = 2500 kg/m3
[size.small]
diameter = 0.5 mm
[size.large]
diameter = 1 mm
[seed.small]
high = 12, 12, 60 mm
solids_fraction = 0.29
parcels_per_cell = 8
size = small
[seed.large]
high = 12, 12, 60 mm
solids_fraction = 0.29
parcels_per_cell = 8
size = large
[inlet.floor]
side = z_low
velocity = 0.106 m/s
[time]
dt = 1e-3 s
end = 5 s
[output]
log = 0.1 s
fields = 0
parcels = 0.5 s
audit = true
"""

AIR = {"gas__motion": "solved", "gas__density": 1.2, "gas__viscosity": 1.8e-5, "solids__coupling": "two_way",
       "solids__drag": "gidaspow_blended"}
COARSE = {"inlet__rising__particles_per_parcel": 48, "inlet__falling__particles_per_parcel": 48, "output__log": 5e-5}


class CoolingBox(CaseTest):
    def judge(self, name, **keys):
        self.check("cooling_box", self.run_case("cooling_box", *settings(**keys), name=name))

    def test_shipped(self):
        self.judge("shipped")

    def test_granular_temperature(self):
        """Seeds that fluctuate from the start, in place of beams: as warm, and along two directions alone."""
        self.judge("fluctuating", seed__there__velocity="0, 0, 0 m/s", seed__back__velocity="0, 0, 0 m/s",
                   seed__there__granular_temperature="0.04, 0.02, 0 m2/s2",
                   seed__back__granular_temperature="0.01, 0, 0 m2/s2")

    def test_any_step(self):
        for dt in (1, 0.1, 1e-3):
            for rate in ("equilibrium", "far_from_equilibrium"):
                with self.subTest(dt=dt, rate=rate):
                    self.judge(f"{rate}_{dt}", time__dt=dt, contact__collision_rate=rate, contact__isotropy="off")

    def test_sizes(self):
        text = (CASES / "cooling_box" / "case.ini").read_text(encoding="utf-8")
        case = self.write_case(text + "\n[size.small]\ndiameter = 0.5 mm\n")
        for rate in ("equilibrium", "far_from_equilibrium"):
            self.check("cooling_box", self.run_case(case, *settings(
                contact__collision_rate=rate, contact__isotropy="off", seed__back__size="small",
                seed__there__solids_fraction=0.08), name=rate))

    def test_elastic(self):
        """Isotropy alone, 1e5 parcels, one step and several."""
        for dt in (0.02, 0.002):
            self.judge(str(dt), time__dt=dt, time__end=0.04, output__parcels=0.02, contact__restitution=1,
                       seed__there__parcels=50_000, seed__back__parcels=50_000)


class CollidingJets(CaseTest):
    def judge(self, name, **keys):
        run = self.run_case("colliding_jets", "--until", 2 if LONG else 0.1, *settings(**({} if LONG else COARSE), **keys), name=name)
        self.check("colliding_jets", run)
        self.assert_books(run)
        return run

    def test_damped(self):
        self.judge("far")
        if THOROUGH:
            self.judge("equilibrium", contact__collision_rate="equilibrium")

    def test_undamped(self):
        self.judge("undamped", contact__collisions="off")

    def test_in_air(self):
        for collisions in ("off", "orourke_snider") if THOROUGH else ("orourke_snider",):
            run = self.judge(collisions, contact__collisions=collisions, **AIR)
            self.assertLessEqual(max(run.log["momentum_residual"][2:]), 1e-12)


class MixedBed(CaseTest):
    """At rest in gas that blows at half of what would fluidise the smaller: drag is larger for these."""

    def apart(self, acceleration):
        """Mean heights of the small less the large, over the bed's height."""
        case = self.write_case(MIXED, acceleration)
        run = self.run_case(case, "--until", 5 if LONG else 1.5, *settings(contact__acceleration=acceleration), name=f"{acceleration}_out")
        self.assertLess(max(run.log["energy_residual"]), 1e-12)
        self.assertLess(max(run.log["momentum_books"]), 1e-12)
        last = list(run.parcels())[-1]
        parcels = list(zip(last.values("diameter"), last.values("volume"), [x[2] for x in last.values("Points")]))

        def height(chosen):
            return sum(v * z for _, v, z in chosen) / sum(v for _, v, _ in chosen)

        small, large = [p for p in parcels if p[0] < 0.75e-3], [p for p in parcels if p[0] > 0.75e-3]
        return (height(small) - height(large)) / (2 * height(parcels))

    def test_sizes(self):
        self.assertLess(abs(self.apart("blended")), 0.005)
        self.assertGreater(self.apart("own"), 0.03)


if __name__ == "__main__":
    unittest.main()
