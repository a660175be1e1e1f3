"""What `check` says of memory, against the peak of a run; and that it says so at once, whatever the case asks for."""

import os
import re
import subprocess
import unittest

from command import CORRAL, CaseTest, corral

BOX = """
[case]
driver = mppic
[grid]
cells = {cells}
size = {size} mm
[sides]
z_high = outlet
[solids]
density = 2500 kg/m3
[size.grains]
diameter = 0.3 mm
[seed.bed]
solids_fraction = 0.01
parcels = {parcels}
[time]
dt = 1e-4 s
end = 1 s
[output]
log = 0
fields = 0
parcels = 0
"""


class Memory(CaseTest):
    def box(self, cells, parcels):
        name = "_".join(map(str, cells)) + f"_{parcels}"
        size = ", ".join(str(5 * n) for n in cells)
        return self.write_case(BOX.format(cells=", ".join(map(str, cells)), size=size, parcels=parcels), name)

    def compare(self, cells, parcels, threads):
        case = self.box(cells, parcels)
        said = float(re.search(r"memory +about (\d+) MB", corral("check", case).stdout)[1])
        run = subprocess.Popen([CORRAL, "run", case, "--quiet", "--steps", "1", "--threads", str(threads)])
        _, status, usage = os.wait4(run.pid, 0)
        run.returncode = os.waitstatus_to_exitcode(status)
        self.assertEqual(run.returncode, 0)
        peak = usage.ru_maxrss * 1024 / 1e6
        self.assertGreater(peak, 200)
        self.assertLess(abs(said - peak), 0.15 * peak, f"{said} MB said, {peak} MB taken")

    def test_many_cells(self):
        self.compare((52, 52, 52), 12_000, 1)

    def test_many_parcels(self):
        self.compare((8, 8, 16), 500_000, 2)

    def test_one_cell_thick(self):
        self.compare((1, 250, 250), 100_000, 2)


if __name__ == "__main__":
    unittest.main()
