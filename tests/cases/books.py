"""Whatever is created is inside, has left or was rejected, in every step of every shipped bed: exactly; what the gas
gets of momentum is what parcels lose."""

import unittest

from command import CASES, LONG, CaseTest, settings

STEPS = 1000 if LONG else 40


class Books(CaseTest):
    def test_all(self):
        rows = cases = 0
        for ini in sorted(CASES.glob("*/case.ini")):
            if any(f"driver = {other}" in ini.read_text(encoding="utf-8") for other in ("membrane", "body", "beads")):
                continue
            with self.subTest(ini.parent.name):
                run = self.run_case(ini.parent, "--steps", STEPS, *settings(output__log="1e-12", output__fields=0, output__parcels=0),
                                    name=ini.parent.name)
                self.assertEqual(len(run.log["created"]), STEPS + 1)
                self.assert_books(run)
                # What enters as fast as the gas exchanges nothing in its first step, and residuals are relative to that.
                self.assertLessEqual(max(run.log["momentum_residual"][2:]), 1e-12)
                rows, cases = rows + STEPS + 1, cases + 1
        self.assertGreater(cases, 9)
        self.bodies()
        print(f"promise books: {rows} steps of {cases} cases, no parcel missing, momentum to 1e-12")

    def bodies(self):
        """What bodies get of momentum is what the fluid and its sides lose."""
        for case in ("cylinder_20", "falling_sphere"):
            with self.subTest(case):
                run = self.run_case(case, "--steps", STEPS, *settings(output__log="1e-12", output__fields=0, output__points=0), name=case)
                largest = max(abs(force) for d in "xyz" for force in run.log[f"force_{d}"])
                for d in "xyz":
                    for force, lost in zip(run.log[f"force_{d}"], run.log[f"momentum_force_{d}"]):
                        self.assertLessEqual(abs(force - lost), 1e-9 * largest)


if __name__ == "__main__":
    unittest.main(verbosity=2)
