"""The shipped cases to their end, and the variants that their documents promise. Minutes each."""

import unittest

from command import CaseTest, settings


class Goldschmidt(CaseTest):
    def test_whole(self):
        run = self.run_case("goldschmidt")
        self.check("goldschmidt", run)

    def test_large_step(self):
        """Five times the time step: stable, and no parcel faster than 5 m/s after the first second."""
        run = self.run_case("goldschmidt", *settings(time__dt="1e-3 s", output__log="1e-3 s"))
        self.assert_books(run)
        self.assert_balances(run)
        self.assertLess(max(run.column("speed_max", 1)), 5)
        self.assertLess(max(run.column("theta_max", 1)), 0.68)
        self.assertLess(run.mean("pressure_iterations", 4), 1.2 * run.mean("pressure_iterations", 1, 2) + 1)


class Column(CaseTest):
    def test_time_steps(self):
        for dt in ("2e-4", "5e-4", "1e-3", "2e-3", "4e-3"):
            with self.subTest(dt=dt):
                self.check("column", self.run_case("column", *settings(time__dt=dt), name=dt))


class Settling(CaseTest):
    def settle(self, theta0, speed, *options):
        run = self.run_case("settling", *settings(seed__suspension__solids_fraction=theta0,
                                                  seed__suspension__velocity=f"0, 0, {-speed}"), *options)
        self.check("settling", run)

    def test_tenth(self):
        self.settle(0.1, 0.030052)

    def test_fifth(self):
        self.settle(0.2, 0.017378)

    def test_twentieth(self):
        self.settle(0.05, 0.038646)

    def test_wen_yu(self):
        self.settle(0.1, 0.025, *settings(solids__drag="wen_yu"))


if __name__ == "__main__":
    unittest.main()
