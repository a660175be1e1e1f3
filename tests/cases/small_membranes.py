"""The membranes' cases, small: coarse grids and short times, each judged by its case's check. membranes.py has the whole
ones."""

import subprocess
import sys
import unittest

from command import CASES, CaseTest, corral, settings
from membrane_figures import last_vertices
from surfaces import surfaces


class Membranes(CaseTest):
    def judge(self, case, name="out", threads=1, **keys):
        run = self.run_case(case, *settings(**keys), "--threads", threads, name=name)
        self.check(case, run)
        return run


class CapsuleInShear(Membranes):
    coarse = {"grid__cells": "32, 64, 32", "surface__capsule__vertices": 642, "time__dt": "40 us", "time__end": "10 ms"}

    def test_tenth(self):
        self.judge("capsule_in_shear", **self.coarse)

    def test_fortieth(self):
        self.judge("capsule_in_shear", surface__capsule__shear_modulus=3.33333333e-5,
                   **self.coarse | {"time__dt": "20 us", "time__end": "8 ms"})

    def test_inertia(self):
        """The Reynolds number .01 changes the shape by less than 1 %."""
        keys = {"grid__cells": "16, 16, 16", "grid__size": "16, 16, 16 um", "surface__capsule__vertices": 162,
                "time__end": "4 ms", "output__vertices": "4 ms"}
        still = self.run_case("capsule_in_shear", *settings(**keys), name="stokes")
        moving = self.run_case("capsule_in_shear", *settings(**keys, fluid__motion="navier_stokes", time__step="adaptive"),
                               name="navier_stokes")
        for figure in ("deformation", "inclination"):
            self.assertAlmostEqual(moving.log[figure][-1] / still.log[figure][-1], 1, delta=0.01)


class ShapeOfARun(Membranes):
    """A shape that a run wrote, as another one's beginning and as its shape without stress."""

    small = {"grid__cells": "16, 16, 16", "time__dt": "1 us", "output__cells": 0, "output__fields": 0}
    short = {"time__end": "20 us", "output__vertices": "20 us"}
    made = {"surface__sphere__vertices": 162} | short

    def written(self, run, *options):
        file = self.directory / f"{run.directory.name}{len(options)}.off"
        done = subprocess.run([sys.executable, CASES.parent / "tools" / "surface", run.directory, file, *options],
                              capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        return file

    def test_sphere_that_relaxes(self):
        first = self.run_case("sphere_relaxation", *settings(**self.small | self.made), name="first")
        begin, end = self.written(first, "--time", "0"), self.written(first)
        rest = {"surface__sphere__stress_free": end, "output__vertices": "1 us", "time__end": "2 us"}
        of_mesh = self.run_case("sphere_relaxation", *settings(**self.small | self.made | rest | {
            "surface__sphere__stretch": "1, 1, 1"}), name="of_mesh")
        self.assertGreater(of_mesh.log["elastic_energy"][0], 0)
        still = self.run_case("sphere_relaxation", *settings(**self.small | rest | {
            "surface__sphere__shape": "file", "surface__sphere__file": end, "surface__sphere__stretch": "1, 1, 1"}),
            "--set", "surface.sphere.radius=", "--set", "surface.sphere.vertices=", name="still")
        self.assertLess(still.log["elastic_energy"][0], 1e-12 * first.log["elastic_energy"][0])
        self.assertLess(max(still.log["fluid_speed_max"]), 1e-9 * max(first.log["fluid_speed_max"]))
        # From the first run's beginning, whose shape without stress was the sphere.
        sphere = self.written(of_mesh, "--time", "0")
        files = {"surface__sphere__shape": "file", "surface__sphere__file": begin, "surface__sphere__stress_free": sphere,
                 "surface__sphere__stretch": "1, 1, 1"}
        again = self.run_case("sphere_relaxation", *settings(**self.small | self.short | files),
                              "--set", "surface.sphere.radius=", "--set", "surface.sphere.vertices=", name="again")
        for figure in ("elastic_energy", "volume", "area"):
            for one, other in zip(first.log[figure], again.log[figure]):
                self.assertAlmostEqual(other / one, 1, delta=1e-9)
        sphere.write_text(sphere.read_text(encoding="utf-8").replace("OFF\n", "OFF\n#\n"), encoding="utf-8")
        done = corral("resume", CASES / "sphere_relaxation", "--quiet", "--output", again.directory, "--set", "time.end=30us")
        self.assertIn("surface.sphere.stress_free: the file is not what the run began with", done.stderr)


class RedCellInShear(Membranes):
    soft = {"surface__red_cell__area_ratio": 10, "time__step": "adaptive", "time__dt": "20 us"}

    def test_two_turns(self):
        self.judge("red_cell_in_shear", grid__cells="32, 32, 32", surface__red_cell__vertices=642, output__log="40 us",
                   time__end="80 ms", **self.soft)

    def test_beside_a_wall(self):
        """Sliding walls work at once on forces that act within the kernel's reach of them."""
        for motion in ("stokes", "navier_stokes"):
            run = self.run_case("red_cell_in_shear", *settings(
                grid__cells="16, 16, 16", surface__red_cell__vertices=162, sides__y_low="no_slip", sides__y_high="no_slip",
                membranes__one__position="8, 1.6, 8 um", time__end="2 ms", output__log="0.1 ms", fluid__motion=motion,
                **self.soft), name=motion)
            nearest = min(x[1] for s in surfaces(last_vertices(run)) for x in s.points)
            self.assertLess(nearest, 1e-6)  # a cell of the grid
            missing, dissipated = (run.log[name][-1] for name in ("energy_residual", "dissipated"))
            self.assertLess(abs(missing), 1e-4 * dissipated)  # 2e-5 to 1e-7 is found, 0.1 without the walls' part


class RedCellLattice(Membranes):
    def test_two_units_of_strain(self):
        self.judge("red_cell_lattice", threads=2, lattice__precision="float", time__end="2 ms", output__fields="2 ms")

    def test_same_bytes_for_any_number_of_threads_and_resumed(self):
        for precision in ("double", "float"):
            with self.subTest(precision=precision):
                short = settings(grid__cells="16, 16, 16", surface__red_cell__vertices=162, time__dt="5 us", time__end="0.2 ms",
                                 output__log="10 us", output__fields="0.1 ms", lattice__precision=precision)
                run = self.run_case("red_cell_lattice", *short, "--threads", 1, name=precision)
                self.assert_same_however_run(run, "red_cell_lattice", *short, cut=17)

    def test_blow_up(self):
        """What moves too fast for a lattice ends the run in the step in which it does."""
        done = corral("run", CASES / "red_cell_lattice", "--quiet", "--output", self.directory / "fast", "--steps", 200,
                      *settings(drive__body_force="1e8, 0, 0"))
        self.assertNotEqual(done.returncode, 0)
        self.assertRegex(done.stderr, r"a Mach number of 0\.3\d* on the lattice .*\(step \d+, ")


class RedCellStretch(Membranes):
    coarse = {"grid__cells": "20, 30, 12", "surface__red_cell__vertices": 642, "time__step": "adaptive",
              "time__dt": "50 us", "output__log": "0.1 ms"}

    def test_three_cells(self):
        run = self.judge("red_cell_stretch", **self.coarse)
        # Pulled cells stiffen, and steps shrink with them: those that begin small apart.
        steps = run.log["dt"]
        self.assertLess(steps[-1], 0.9 * max(steps))


class RedCells8(Membranes):
    coarse = {"grid__cells": "32, 32, 32", "surface__red_cell__vertices": 642, "time__dt": "20 us", "time__end": "10 ms",
              "output__fields": "5 ms"}

    def test_eight(self):
        self.judge("red_cells_8", **self.coarse)

    def test_same_bytes_for_any_number_of_threads(self):
        outputs = [self.run_case("red_cells_8", "--threads", n, "--until", "0.4 ms",
                                 *settings(**self.coarse | {"output__fields": "0.2 ms", "output__vertices": "0.2 ms"}),
                                 name=str(n)).directory for n in (1, 2, 3)]
        names = sorted(str(p.relative_to(outputs[0])) for p in outputs[0].rglob("*")
                       if p.is_file() and p.name != "summary.json")
        self.assertGreater(len(names), 6)
        for other in outputs[1:]:
            for name in names:
                self.assertEqual((outputs[0] / name).read_bytes(), (other / name).read_bytes(), name)


class BloodChannel(Membranes):
    coarse = {"grid__cells": "20, 30, 20", "grid__size": "16, 24, 16 um", "surface__red_cell__vertices": 252,
              "time__dt": "50 us", "time__end": "30 ms", "output__fields": "30 ms"}

    def test_cells_leave_the_walls(self):
        self.judge("blood_channel", **self.coarse)


if __name__ == "__main__":
    unittest.main()
