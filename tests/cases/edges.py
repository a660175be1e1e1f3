"""Beds of nothing, of one parcel, of one cell."""

import unittest

from command import CaseTest

BED = """
[case]
driver = mppic
[grid]
cells = {cells}
size = 40, 40, 100 mm
[sides]
z_high = outlet
[solids]
density = 2500 kg/m3
{seed}
[inlet.floor]
side = z_low
velocity = 1 m/s
[time]
dt = 5e-4 s
end = 0.1 s
[output]
log = 5e-4 s
"""

GRAINS = """
[size.grains]
diameter = 1 mm
[seed.bed]
high = 40, 40, 50 mm
arrangement = random
solids_fraction = {fraction}
parcels = {parcels}
"""


class Edges(CaseTest):
    def bed(self, cells, seed, momentum=1e-12):
        name = cells.replace(", ", "x")
        run = self.run_case(self.write_case(BED.format(cells=cells, seed=seed), name), name=f"{name}_out")
        self.assertEqual(len(run.times()), 201)
        self.assert_books(run)
        self.assert_balances(run, momentum)
        for name, column in run.log.items():
            self.assertTrue(all(value == value for value in column), name)
        return run

    def grains(self, parcels, fraction):
        return GRAINS.format(parcels=parcels, fraction=fraction)

    def test_nothing_seeded(self):
        run = self.bed("4, 4, 10", "")
        self.assertEqual(set(run.log["parcels"]), {0.0})
        self.assertEqual(next(run.parcels()).values("id"), [])
        # The gas fills the box at the inlet's velocity, and its walls hold little of it back.
        self.assertGreater(run.log["pressure_drop"][-1], 0)

    def test_no_parcels(self):
        self.assertEqual(set(self.bed("4, 4, 10", self.grains(0, 0.1)).log["parcels"]), {0.0})

    def test_one_parcel(self):
        # What one parcel exchanges with the gas passes through zero, and the residual is relative to it.
        run = self.bed("4, 4, 10", self.grains(1, 1e-6), momentum=1e-10)
        self.assertEqual(run.log["created"][-1], 1)

    def test_one_cell_along(self):
        for cells in ("1, 4, 10", "4, 1, 10", "1, 1, 10", "4, 4, 1", "1, 1, 1"):
            with self.subTest(cells=cells):
                self.assertEqual(self.bed(cells, self.grains(500, 0.4)).log["created"][-1], 500)


if __name__ == "__main__":
    unittest.main()
