"""The bodies' cases, small: coarse grids and short times, each judged by its case's check."""

import unittest

from case_files import Run
from command import CaseTest, settings


class Bodies(CaseTest):
    def judge(self, case, name="out", threads=1, **keys):
        run = self.run_case(case, *settings(**keys), "--threads", threads, name=name)
        self.check(case, run)
        return run


class Cylinder(Bodies):
    def test_twenty(self):
        self.judge("cylinder_20", threads=2, grid__cells="400, 150, 1", time__dt="50 ms", output__fields="250 s")

    def test_same_bytes_for_any_number_of_threads_and_resumed(self):
        short = settings(grid__cells="200, 75, 1", time__dt="50 ms", time__end="5 s", output__log="0.5 s", output__bodies="1 s",
                         output__points="2 s", output__fields="2.5 s", forcing__scheme="multi_direct")
        run = self.run_case("cylinder_20", *short, "--threads", 1)
        self.assert_same_however_run(run, "cylinder_20", *short, cut=37)

    def test_slip(self):
        run = self.run_case("cylinder_20", *settings(grid__cells="200, 75, 1", time__dt="50 ms", time__end="10 s",
                                                     forcing__scheme="multi_direct", output__fields=0), "--threads", 2)
        self.assertLessEqual(run.log["slip"][-1], 1e-3 * run.log["fluid_speed_max"][-1])


class FallingSphere(Bodies):
    coarse = {"grid__cells": "30, 48, 30", "time__dt": "1.5 ms", "output__fields": 0}

    def test_fast(self):
        self.judge("falling_sphere", threads=2, **self.coarse)

    def test_light_one_rests_at_the_ceiling(self):
        """Of half the oil's density: without virtual mass it swings there ever wider."""
        run = self.run_case("falling_sphere", *settings(**self.coarse | {
            "bodies__one__density": 500, "bodies__one__position": "50, 140, 50 mm", "time__end": "1.5 s"}), "--threads", 2)
        self.assertLess(abs(run.log["velocity_y"][-1]), 0.01)
        self.assertLess(abs(run.log["turning_z"][-1]), 0.1)

    def test_same_bytes_for_any_number_of_threads_and_resumed(self):
        short = settings(**self.coarse | {"time__end": "60 ms", "output__log": "3 ms", "output__bodies": "6 ms"})
        run = self.run_case("falling_sphere", *short, "--threads", 1)
        self.assert_same_however_run(run, "falling_sphere", *short, cut=17)


class Moving(Bodies):
    coarse = {"grid__cells": "160, 80, 1", "time__dt": "12.5 ms", "output__fields": 0}

    def test_cylinder_on_its_way_has_the_drag_of_one_that_is_passed(self):
        """In a periodic box whose mean flow is kept."""
        self.judge_many("moving_cylinder", "compare.py", *settings(**self.coarse))
        self.check("moving_cylinder", Run(self.directory / "out_moving"))


class Oscillating(Bodies):
    def test_sixteen_cells_to_the_diameter(self):
        self.judge("oscillating_cylinder", grid__cells="160, 160, 1", grid__size="100, 100, 0.625 mm", time__dt="3.125 ms", time__end="20 s",
                   bodies__one__position="50, 50, 0.3125 mm", output__fields=0, output__points=0)


class SphereDrag(Bodies):
    def test_fifty(self):
        self.judge("sphere_drag", grid__cells="50, 30, 30", grid__size="100, 60, 60 mm", bodies__one__position="30, 30, 30 mm",
                   time__dt="10 ms", time__end="10 s", output__fields=0, output__points=0)


class Suspension(Bodies):
    def test_eight(self):
        """In a box of an eighth, whose walls are nearer."""
        self.judge("suspension_64", grid__cells="22, 22, 22", grid__size="22, 22, 22 mm", bodies__all__count=8, time__dt="0.5 ms",
                   time__end="0.84 s", output__fields="42 ms", output__points=0)


if __name__ == "__main__":
    unittest.main()
