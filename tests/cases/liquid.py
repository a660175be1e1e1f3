"""The closed box of liquid with parcels of nearly its density, where closing on the gas alone blows up."""

import os
import unittest

from case_files import mean
from command import THOROUGH, CaseTest, settings
from drag_laws import hindered_settling, law_of

END = float(os.environ.get("END", "1.2"))  # s


class Liquid(CaseTest):
    def settle(self, density, theta0):
        run = self.run_case("settling", *settings(solids__density=density, seed__suspension__solids_fraction=theta0,
                                                  seed__suspension__velocity="0, 0, 0", gas__start="uniform",
                                                  time__end=END),
                            name=f"{density}_{theta0}")
        s = run.settings
        expected = hindered_settling(law_of(s), 1 - theta0, density - s.real("gas.density"), 9.81)
        self.assertLess(max(run.column("speed_max", 1)), 2 * expected)
        self.assertLessEqual(max(run.log["theta_max"]), s.real("solids.close_packing") + 0.03)
        self.assertLess(mean(run.column("pressure_iterations", END - 0.2)),
                        1.2 * mean(run.column("pressure_iterations", 0.1, 0.3)) + 1)
        self.assert_books(run)
        self.assert_balances(run)

    def test_dilute(self):
        for density in (1200, 1500, 2500) if THOROUGH else (1500,):
            with self.subTest(density=density):
                self.settle(density, 0.1)

    def test_dense(self):
        for density in (1200, 1500, 2500) if THOROUGH else (1200,):
            with self.subTest(density=density):
                self.settle(density, 0.4)


if __name__ == "__main__":
    unittest.main()
