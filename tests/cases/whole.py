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


class MinimumFluidisation(CaseTest):
    def test_polyethylene(self):
        """870 um, 860 kg/m3, experiment .182 m/s; blended Gidaspow fails it as Ergun's law does (see the case)."""
        for law in ("beetstra", "tang", "plessis_masliyah"):
            with self.subTest(law=law):
                run = self.run_case("minimum_fluidisation", *settings(
                    size__beads__diameter="870 um", solids__density="860", inlet__floor__velocity="0.182",
                    solids__drag=law), name=law)
                self.check("minimum_fluidisation", run, "0.182")


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
