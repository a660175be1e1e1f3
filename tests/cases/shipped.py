"""The shipped cases, as far as they fit into a test: whole where they are short, their first second where not."""

import unittest

from case_files import mean, median
from command import CASES, THOROUGH, CaseTest, corral, settings


class PackedBed(CaseTest):
    """The published numbers of Ergun's and Beetstra's laws [Pa], beside what the check expects."""

    def pressure_drop(self, drag, superficial):
        inlet = settings(solids__drag=drag, inlet__floor__velocity=superficial)
        run = self.run_case("packed_bed", *inlet, name=f"{drag}_{superficial}")
        self.check("packed_bed", run)
        return run.log["pressure_drop"][-1]

    def test_numbers(self):
        for drag, superficial, expected in (("gidaspow", 0.05, 80.9), ("gidaspow", 0.2, 382.5),
                                            ("beetstra", 0.05, 92.8), ("beetstra", 0.2, 420.4)):
            with self.subTest(drag=drag, superficial=superficial):
                self.assertLess(abs(self.pressure_drop(drag, superficial) / expected - 1), 0.01)


class Heat(CaseTest):
    """The cases of heat: numbers that have been published, beside what the checks expect."""

    def judge(self, case, name, **keys):
        run = self.run_case(case, *settings(**keys), name=name)
        self.check(case, run)
        return run

    def test_hot_parcel(self):
        run = self.judge("hot_parcel", "hot_parcel")
        self.assertLess(abs(run.log["solids_temperature"][-1] - 337.565), 0.01)
        self.judge("hot_parcel", "gunn", heat__model="gunn")
        self.judge("hot_parcel", "long_steps", size__grain__diameter="10 um", time__dt=0.04, output__log=0.04)

    def test_two_solids(self):
        """Light beads hold twice the heat of heavy ones: the mean that all of it comes to, and the books."""
        run = self.judge_books("mixed_bed_at_rest", time__end=0.05, heat__model="gunn", solid__light__heat_capacity=2000,
                               solid__heavy__heat_capacity=500, seed__light__temperature=400,
                               seed__heavy__temperature=300)
        self.assertLess(abs(run.log["solids_temperature"][0] - (500 * 2500 * 300 + 2000 * 1250 * 400) / 3.75e6), 1e-9)
        self.assertLess(run.log["solids_heat"][-1], run.log["solids_heat"][0])
        self.assertGreater(run.log["solids_temperature_min"][-1], 300)

    def judge_books(self, case, **keys):
        run = self.run_case(case, *settings(**keys))
        self.assertLess(max(run.log["heat_residual"]), 1e-12)
        self.assertLess(max(run.log["heat_drift"]), 1e-12)
        return run

    def test_heated_cavity(self):
        self.judge("heated_cavity", "constant", grid__cells="20, 1, 20")
        self.judge("heated_cavity", "sutherland", grid__cells="20, 1, 20", gas__viscosity_law="sutherland",
                   gas__reference_temperature=600, gas__sutherland_temperature=110.5, gas__momentum="conservative",
                   gas__viscous_force="stress", heat__advection="van_leer")

    def test_heated_bed(self):
        self.judge("heated_bed", "heated_bed", grid__cells="1, 1, 40", time__dt=0.02)


class WarmBed(CaseTest):
    """A bubbling bed that hot gas and a wall warm: books over the run, and the same bytes however it is run."""

    keys = settings(grid__cells="1, 8, 24", heat__model="gunn", solids__heat_capacity=840, seed__bed__temperature=300,
                    seed__bed__lattice="3, 21, 49", seed__bed__particles_per_parcel=8, inlet__floor__temperature=500,
                    heat__y_low_temperature=600, heat__y_low_coefficient=200, output__log=0.01, output__fields=0.02,
                    output__parcels=0.02, time__end=0.1)

    def test_books_and_bytes(self):
        run = self.run_case("goldschmidt", *self.keys, "--threads", 1)
        stored = [a + b for a, b in zip(run.log["gas_heat"], run.log["solids_heat"])]
        sides = [name for name in run.log if name.startswith(("heat_gas_", "heat_solids_", "heat_wall_"))]
        self.assertGreaterEqual(len(sides), 4)
        given = sum(sum(run.log[name]) for name in sides)
        self.assertGreater(given, 10)
        self.assertLess(abs(stored[-1] - stored[0] - given) / stored[-1], 1e-11)
        self.assertLess(max(run.log["heat_residual"]), 1e-12)
        self.assertLess(max(run.log["heat_drift"]), 1e-12)
        self.assertGreater(run.log["solids_temperature"][-1], 300)
        self.assertLessEqual(max(run.log["gas_temperature_max"]), 600)
        self.assert_balances(run)
        self.run_case("goldschmidt", *self.keys, "--threads", 3, name="three")
        self.assert_same_results(self.directory / "out", self.directory / "three")
        self.run_case("goldschmidt", *self.keys, "--threads", 2, "--steps", 123, name="cut")
        done = corral("resume", CASES / "goldschmidt", "--quiet", "--output", self.directory / "cut", *self.keys)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assert_same_results(self.directory / "out", self.directory / "cut")


class SquareDuct(CaseTest):
    def test_both_forms(self):
        for form in (("conservative", "stress"), ("advective", "laplacian")):
            with self.subTest(form=form):
                run = self.run_case("square_duct", *settings(gas__momentum=form[0], gas__viscous_force=form[1]),
                                    name=form[0])
                self.check("square_duct", run)


class TerminalVelocity(CaseTest):
    def test_constant_coefficient(self):
        run = self.run_case("terminal_velocity")
        self.check("terminal_velocity", run)
        last = list(run.parcels())[-1]
        self.assertLess(abs(last.values("velocity")[0][2] / -1.0760 - 1), 0.001)

    def test_schiller_naumann(self):
        for diameter, dt, end, expected in (("50 um", 5e-5, 0.2, 0.1716), ("200 um", 2e-4, 1.5, 1.420),
                                            ("1 mm", 1e-3, 6, 6.839)):
            with self.subTest(diameter=diameter):
                run = self.run_case(
                    "terminal_velocity",
                    *settings(solids__drag="single_sphere", solids__density="2500 kg/m3",
                              size__sphere__diameter=diameter, gas__velocity="0, 0, 0", time__end=end,
                              time__dt=dt, sides__z_low="periodic", sides__z_high="periodic"),
                    name=diameter.replace(" ", "_"))
                self.check("terminal_velocity", run)
                last = list(run.parcels())[-1]
                self.assertLess(abs(-last.values("velocity")[0][2] / expected - 1), 0.005)


class MinimumFluidisation(CaseTest):
    def test_whole(self):
        run = self.run_case("minimum_fluidisation", *([] if THOROUGH else settings(time__dt="1 ms")))
        self.check("minimum_fluidisation", run)
        self.assert_books(run)
        self.assert_balances(run)


class Column(CaseTest):
    """One second: the particles lie on the floor, and tremble more than they will."""

    def test_first_second(self):
        for dt in ("2e-4", "1e-3", "4e-3"):
            with self.subTest(dt=dt):
                run = self.run_case("column", *settings(time__dt=dt), "--until", 1, name=dt)
                height = run.log["solids_volume"][0] / run.floor_area() / run.settings.real("solids.close_packing")
                self.assertLess(abs(run.mean("height_99", 0.8) / height - 1), 0.05)
                self.assertLess(abs(run.mean("centre_z", 0.8) / (0.5 * height) - 1), 0.05)
                self.assertLess(max(run.column("theta_max", 0.5)), 0.63)
                self.assert_books(run)
                self.assert_balances(run)


class Goldschmidt(CaseTest):
    """One second: the bed expands and erupts."""

    def test_first_second(self):
        run = self.run_case("goldschmidt", "--until", 1)
        self.assertEqual(run.log["created"][0], 24750)
        self.assert_books(run)
        self.assert_balances(run)
        self.assertLess(median(run.column("theta_max", 0.3)), 0.655)
        self.assertLess(max(run.log["theta_max"]), 0.68)
        self.assertLess(max(run.log["theta_drift_rms"]), 2e-3)
        self.assertEqual(max(run.log["sorts"]), 1)
        # The bed falls back meanwhile: what the forces leave over changes its momentum.
        carried = sum(run.mean(part, 0.5) for part in ("pressure_drop", "floor_contact", "wall_impulse"))
        inertia = (run.bed_velocity(1) - run.bed_velocity(0.5)) / 0.5 / 9.81
        self.assertLess(abs(carried / run.mean("weight", 0.5) - inertia - 1), 0.005)
        # Packed it would lie at 0.069 m; it starts at 0.1475 m, falls, and the first eruption throws up all of it.
        self.assertTrue(0.08 < mean(run.column("centre_z", 0.5)) < 0.2)


class Settling(CaseTest):
    def test_first_second(self):
        """A coarser box: the speed of the suspension, and the balances."""
        run = self.run_case("settling", *settings(grid__cells="2, 2, 100"), "--until", 2)
        self.assert_balances(run)
        speeds = [-u[2] for x, u in self.middle(run)]
        self.assertLess(abs(mean(speeds) / 0.030052 - 1), 0.02)

    def middle(self, run):
        last = list(run.parcels())[-1]
        return [(x, u) for x, u in zip(last.values("Points"), last.values("velocity")) if 0.3 < x[2] < 0.5]


if __name__ == "__main__":
    unittest.main()
