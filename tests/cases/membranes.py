"""The membranes' cases to their end, and the variants that their documents promise. Minutes each, FineCapsule more:

    CORRAL=... PYTHONPATH=cases tests/cases/membranes.py [CapsuleInShear.test_tenth ...]
"""

import math
import unittest

from command import CaseTest, settings

STIFF = {"surface__capsule__shear_modulus": 3.33333333e-5, "time__dt": "20 us", "time__end": "10 ms"}  # Ca = .025


class Membranes(CaseTest):
    def judge(self, case, name="out", **keys):
        run = self.run_case(case, *settings(**keys), name=name)
        self.check(case, run)
        return run


class CapsuleInShear(Membranes):
    def test_tenth(self):
        self.judge("capsule_in_shear")

    def test_fortieth(self):
        self.judge("capsule_in_shear", **STIFF)


    def test_thick(self):
        """Five times as viscous inside, Ca = .005: linear theory."""
        self.judge("capsule_in_shear", grid__cells="32, 64, 32", surface__capsule__vertices=642,
                   surface__capsule__shear_modulus=1.6666667e-4, surface__capsule__viscosity_ratio=5,
                   time__step="adaptive", time__dt="20 us", time__end="8 ms")

    def test_viscous(self):
        """Whose membrane is as viscous as 20 times the fluid times its radius, Ca = .02: linear theory."""
        self.judge("capsule_in_shear", grid__cells="32, 64, 32", surface__capsule__vertices=642,
                   surface__capsule__shear_modulus=4.1666667e-5, surface__capsule__membrane_viscosity=8e-8,
                   time__step="adaptive", time__dt="40 us", time__end="16 ms")


class FineCapsule(Membranes):
    """128 cells across: 4 million."""

    fine = {"grid__cells": "128, 256, 128", "surface__capsule__vertices": 10242, "time__step": "adaptive"}

    def test_tenth(self):
        self.judge("capsule_in_shear", **self.fine)

    def test_fortieth(self):
        self.judge("capsule_in_shear", **self.fine | STIFF)


class RedCellInShear(Membranes):
    def test_two_turns(self):
        self.judge("red_cell_in_shear")


class RedCellLattice(Membranes):
    def test_two_turns(self):
        self.judge("red_cell_lattice")


class ThickRedCell(Membranes):
    """At 400/s the red cell treads; five times as viscous inside it tumbles (docs/membranes.md)."""

    def turns(self, ratio):
        run = self.run_case("red_cell_in_shear", *settings(
            grid__cells="24, 24, 24", surface__red_cell__vertices=362, surface__red_cell__area_ratio=10,
            surface__red_cell__viscosity_ratio=ratio, drive__shear_rate=400, time__step="adaptive", time__dt="100 us",
            time__end=0.1, output__log="0.25 ms"), name=f"ratio_{ratio or 1}")
        dissipated, missing = run.log["dissipated"][-1], run.log["energy_residual"][-1]
        self.assertLess(abs(missing), 1e-6 * dissipated)
        angles = run.log["inclination"]
        # Of an axis: what is beyond a quarter of a turn has come round.
        change = sum((b - a + math.pi / 2) % math.pi - math.pi / 2 for a, b in zip(angles, angles[1:]))
        return change / math.pi, angles[len(angles) // 2:]

    def test_threshold(self):
        treads, angles = self.turns("")
        self.assertLess(abs(treads), 0.2)
        self.assertGreater(min(angles), math.radians(5))
        tumbles, _ = self.turns(5)
        self.assertLess(tumbles, -2)


class RedCellStretch(Membranes):
    def test_three_cells(self):
        self.judge("red_cell_stretch")


class RedCells8(Membranes):
    def test_eight(self):
        self.judge("red_cells_8")

    def test_without_repulsion(self):
        self.judge("red_cells_8", repulsion__range=0, repulsion__stiffness=0)


class BloodChannel(Membranes):
    def test_cells_leave_the_walls(self):
        self.judge("blood_channel")


if __name__ == "__main__":
    unittest.main()
