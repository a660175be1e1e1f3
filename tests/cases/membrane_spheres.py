"""The cases of spheres, whole or on coarser grids, and that their checks can fail."""

import re
import subprocess
import sys
import unittest

from command import CASES, CaseTest, settings


class MembraneSpheres(CaseTest):
    def assert_fails(self, case, run, *lines):
        """The case's check fails, of these lines and maybe others."""
        done = subprocess.run([sys.executable, CASES / case / "check.py", run.directory], capture_output=True, text=True,
                              check=False)
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        failed = [line for line in done.stdout.splitlines() if line.endswith("FAIL")]
        for begin in lines:
            self.assertTrue(any(line.startswith(begin) for line in failed), done.stdout)

    def test_static_sphere(self):
        self.check("static_sphere", self.run_case("static_sphere"))

    def test_static_sphere_without_stress(self):
        keys = {f"surface__drop__{key}": value for key, value in
                {"law": "skalak", "tension": 0, "shear_modulus": 2.5e-6, "area_ratio": 100}.items()}
        self.check("static_sphere", self.run_case("static_sphere", "--steps", 5, *settings(
            grid__cells="32, 32, 32", surface__drop__vertices=642, time__dt="2 us", **keys)))

    def test_static_sphere_on_a_mesh_that_leaks(self):
        run = self.run_case("static_sphere", *settings(surface__drop__vertices=162, time__end="20 us",
                                                       output__fields="20 us", output__vertices="20 us"))
        self.assert_fails("static_sphere", run, "jump of the pressure", "largest velocity")

    def test_sphere_array(self):
        coarse = {"grid__cells": "32, 32, 32", "surface__sphere__vertices": 1002}
        self.check("sphere_array", self.run_case("sphere_array", *settings(**coarse)))

    def test_sphere_array_that_is_no_cube(self):
        """The drag of spheres in rows that are farther apart is another."""
        run = self.run_case("sphere_array", *settings(
            grid__cells="32, 64, 64", grid__size="16, 32, 32 um", surface__sphere__vertices=1002,
            membranes__one__position="8.1, 16, 16 um"))
        self.assert_fails("sphere_array", run, "radius by which", "drag over")

    def test_sphere_array_beyond_the_formula(self):
        """Where the drag is not known nothing is judged."""
        run = self.run_case("sphere_array", "--steps", 2, *settings(
            grid__cells="16, 16, 16", surface__sphere__vertices=642, surface__sphere__radius="5.6 um", output__log="0.1 us",
            time__dt="0.1 us", time__end="0.2 us"))
        done = subprocess.run([sys.executable, CASES / "sphere_array" / "check.py", run.directory], capture_output=True,
                              text=True, check=False)
        self.assertEqual(done.returncode, 2, done.stdout + done.stderr)
        self.assertIn("the formula of their drag holds up to 0.2", done.stderr)

    def test_sphere_relaxation(self):
        coarse = {"grid__cells": "32, 32, 32", "surface__sphere__vertices": 1002, "time__dt": "0.4 us"}
        self.check("sphere_relaxation", self.run_case("sphere_relaxation", *settings(**coarse)))

    def slight_stretch(self, cells, vertices, dt):
        return self.run_case("sphere_relaxation", *settings(
            surface__sphere__stretch="1, 0.9900990099, 1.01", surface__sphere__radius="2 um",
            surface__sphere__vertices=vertices, grid__cells=f"{cells}, {cells}, {cells}", fluid__motion="stokes",
            time__dt=dt, time__end="614.4 us", output__log="6.4 us", output__fields=0, output__vertices="614.4 us",
            output__cells=0))

    def test_sphere_relaxation_by_theory(self):
        self.check("sphere_relaxation", self.slight_stretch(48, 642, "1.6 us"))

    def test_sphere_relaxation_of_another_fluid(self):
        """A check that is told of another viscosity does not find the rate of theory."""
        run = self.slight_stretch(24, 162, "6.4 us")
        used = run.directory / "used.ini"
        text, changes = re.subn(r"(?m)^( *viscosity *= *)\S+", r"\g<1>2e-3", used.read_text(encoding="utf-8"))
        self.assertEqual(changes, 1)
        used.write_text(text, encoding="utf-8")
        self.assert_fails("sphere_relaxation", run, "rate at which")


class Whole(CaseTest):
    """As shipped, and what their READMEs have beside that: minutes."""

    def test_static_sphere_by_kernels(self):
        for kernel in ("linear", "roma3", "peskin4", "ib6", "composite54"):
            run = self.run_case("static_sphere", *settings(coupling__kernel=kernel), name=kernel)
            self.check("static_sphere", run)

    def test_sphere_array(self):
        for radius, vertices in (("2.978 um", 2562), ("3.970 um", 4002), ("4.963 um", 6252)):
            run = self.run_case("sphere_array", *settings(surface__sphere__radius=radius,
                                                          surface__sphere__vertices=vertices), name=f"of_{vertices}")
            self.check("sphere_array", run)
        for kernel in ("roma3", "peskin4", "ib6"):
            run = self.run_case("sphere_array", *settings(coupling__kernel=kernel, time__step="adaptive", time__dt="1 us",
                                                          output__log="1 us"), name=kernel)
            self.check("sphere_array", run)

    def test_sphere_relaxation(self):
        self.check("sphere_relaxation", self.run_case("sphere_relaxation"))
        for scheme in ("predictor", "midpoint"):
            run = self.run_case("sphere_relaxation", *settings(
                coupling__scheme=scheme, surface__sphere__representation="radial", surface__sphere__vertices=625,
                surface__sphere__sites=3520), name=scheme)
            self.check("sphere_relaxation", run)


if __name__ == "__main__":
    unittest.main()
