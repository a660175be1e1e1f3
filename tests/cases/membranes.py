"""The membranes' cases to their end, and the variants that their documents promise. Minutes each, FineCapsule more:

    CORRAL=... PYTHONPATH=cases tests/cases/membranes.py [CapsuleInShear.test_tenth ...]
"""

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
