"""Feeds of solids in time: an inlet's schedule, or the solids' own, counted in parcels; the same bytes however it is run."""

import math
import unittest

from command import CaseTest, settings

RHO_P, D, STEP = 2500, 1e-3, 1e-3
PARCEL = 10 * RHO_P * math.pi / 6 * D**3  # kg
FEED = f"""
[case]
driver = mppic
[time]
step = fixed
dt = {STEP}
end = 0.08
[grid]
cells = 3, 3, 12
size = 30, 30, 120 mm
[sides]
z_high = outlet
[solids]
density = {RHO_P}
[size.beads]
diameter = {D}
[inlet.floor]
side = z_low
velocity = 2 m/s
solids_rate = {20 * PARCEL / STEP}
solids_velocity = 0.5 m/s
particles_per_parcel = 10
[output]
log = {STEP}
fields = 0.04
parcels = 0.04
"""
NOW = {"inlet__floor__times": "0.02, 0.04, 0.06, 0.06", "inlet__floor__factors": "0, 1, 1, 0"}
OWN = {key.replace("floor__", "floor__solids_"): value for key, value in NOW.items()}


class Feeds(CaseTest):
    def created(self, case, name, **keys):
        """By the number of the step."""
        run = self.run_case(case, *settings(**keys), name=name)
        self.assert_books(run)
        self.assert_balances(run)
        return run, run.log["created"]

    def test_schedules(self):
        case = self.write_case(FEED)
        _, steady = self.created(case, "steady")
        for step in (20, 80):
            self.assertAlmostEqual(steady[step], 20 * step, delta=1)
        ramp = 20 * sum(range(1, 21)) / 20
        for name, keys in {"both": NOW, "own": OWN}.items():
            with self.subTest(name):
                run, created = self.created(case, name, **keys)
                self.assertEqual(created[20], 0)
                self.assertAlmostEqual(created[40], ramp, delta=1)
                self.assertAlmostEqual(created[59], ramp + 19 * 20, delta=1)
                self.assertEqual(created[80], created[60])  # the step that ends in the jump has one of both sides
                self.assertEqual(run.log["gas_speed_max"][15] > 1, name == "own")
                self.assert_same_however_run(run, case, *settings(**keys), cut=33)


if __name__ == "__main__":
    unittest.main()
