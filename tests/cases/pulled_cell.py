"""A red cell that is pulled out to nearly twice its length: triangles stretched more than the grid's cells are wide make
shear waves stiff, and steps have to follow (docs/membranes.md, "What stretched triangles add")."""

import unittest

from command import CaseTest, corral, settings

CASE = """
[case]
driver = membrane
title = one red cell pulled hard
[grid]
cells = 48, 24, 24
size = 24, 12, 12 um
[fluid]
motion = stokes
[surface.red_cell]
shape = red_cell
radius = 3.87 um
vertices = 642
law = skalak
shear_modulus = 2.5 uN/m
area_ratio = 100
bending = helfrich
bending_modulus = 2e-19 J
[membranes.one]
[pull.hard]
force = 150 pN
share = 0.08
ramp = 2 ms
[time]
step = adaptive
dt = 10 us
end = 4.2 ms
[output]
fields = 0
vertices = 0
log = 50 us
"""
THREADS = ("--threads", 1)


class PulledCell(CaseTest):
    def assert_calm(self, run):
        """No energy is made: without the bound of the shape the books have 12 times the work too much."""
        self.assertLess(abs(run.log["energy_residual"][-1]), 1e-4 * run.log["work"][-1])
        self.assertLess(max(abs(drift) for drift in run.log["volume_drift"]), 5e-3)
        self.assertGreater(run.log["longest_stretch"][-1], 1.8)

    def test_steps_shrink_as_triangles_stretch(self):
        """Longer ones than 4.1 us, and 2 us with the narrower kernel, blow up where edges are 1.85 times as long."""
        case = self.write_case(CASE)
        for kernel, most in (("composite43", 4.1e-6), ("linear", 2e-6)):
            with self.subTest(kernel=kernel):
                run = self.run_case(case, *THREADS, *settings(coupling__kernel=kernel), name=kernel)
                self.assert_calm(run)
                self.assertLess(run.log["dt"][-1], most)
                self.assertGreater(run.log["dt"][-1], 0.4 * most)

    def test_fixed_steps_that_make_energy_end_the_run(self):
        case = self.write_case(CASE)
        done = corral("run", case, "--quiet", *THREADS, *settings(time__step="fixed", time__dt="6 us"))
        self.assertEqual(done.returncode, 1, done.stderr)
        for words in ("membranes gain energy that nothing gave them", "in the last steps of 6e-6 s",
                      "the stiffest motion of the membranes' points on this grid", "or time.step = adaptive"):
            self.assertIn(words, done.stderr)

    def test_the_same_bytes_where_a_run_is_cut(self):
        """And for any number of threads: looks at the stiffest motion are as good after a cut."""
        case = self.write_case(CASE)
        options = settings(surface__red_cell__vertices=362, grid__cells="24, 12, 12", coupling__kernel="linear",
                           pull__hard__ramp="0.1 ms", time__dt="20 us", time__end="3 ms", output__vertices="1 ms")
        run = self.run_case(case, *THREADS, *options)
        self.assertLess(run.log["dt"][-1], 0.8 * max(run.log["dt"][20:]))
        self.assert_same_however_run(run, case, *options, cut=381)


if __name__ == "__main__":
    unittest.main()
