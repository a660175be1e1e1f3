#!/usr/bin/env python3
"""Checks blood in a plane channel: check.py [OUTPUT_DIRECTORY]"""

import math
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from case_files import Checks, VtkFile, mean, run_of
from membrane_figures import at, box_volume, flow_axis, judge_cells, swing
from surfaces import edge_of_the_core, share_of_planes, surfaces

PAPER = 2562  # vertices of a cell at the paper's resolution
PLANES, BINS = 96, 32  # of the profile across, of the core's edge along the flow


def glass_tubes(diameter, hematocrit):
    """Apparent viscosity of human blood in glass tubes over its plasma's [-] (Pries, Neuhaus and Gaehtgens 1992);
    diameter [um]."""
    at_45 = 220 * math.exp(-1.3 * diameter) + 3.2 - 2.44 * math.exp(-0.06 * diameter**0.645)
    wide = 1 / (1 + 1e-11 * diameter**12)
    power = (0.8 + math.exp(-0.075 * diameter)) * (wide - 1) + wide
    return 1 + (at_45 - 1) * ((1 - hematocrit) ** power - 1) / ((1 - 0.45) ** power - 1)


class Core:
    """Where the cells of a vertex file are."""

    def __init__(self, file, size):
        self.time, self.cells = file.time, surfaces(file)
        self.free = [edge_of_the_core(self.cells, size, BINS, high) for high in (False, True)]
        heights = [(i + 0.5) * size[1] / PLANES for i in range(PLANES)]
        self.profile = share_of_planes(self.cells, heights, size)


run = run_of(__file__)
run.must_reach()
s = run.settings
(kind,) = s.blocks("surface")
size, force = s.reals("grid.size"), s.reals("drive.body_force")[flow_axis(s)]
height, viscosity = size[1], s.real("fluid.viscosity")
coarse = max(1.0, PAPER / s.real(f"surface.{kind}.vertices"))
end = run.times()[-1]
begin = 0.75 * end  # what is averaged
cores = [Core(file, size) for file in map(VtkFile, run.files("vertices"))]
late = run.since(begin, "vertices", cores)
fraction = run.log["volume"][-1] / box_volume(s)

checks = Checks(f"{len(cores[0].cells)} red cells in a channel {1e6 * height:.3g} um high")
judge_cells(checks, run, kind, 3e-3 * coarse)
reach = min(min(x[1], size[1] - x[1]) for core in cores for cell in core.cells for x in cell.points)
checks.between("nearest vertex to a wall of all files [m]", reach, 0, height)
total = share = 0.0
for core in late:
    total += mean(core.profile)
    share += math.fsum(cell.volume for cell in core.cells) / box_volume(s)
checks.near("volume fraction by planes over that by volumes", total / share, 1, relative=0.01)

mass = s.real("fluid.density") * box_volume(s)
speeds = [m / mass for m in run.column(f"momentum_{'xyz'[flow_axis(s)]}", begin)]
speed = mean(speeds)
least, _, most = swing(speeds)
checks.at_most("swing of the mean velocity, last quarter", (most - least) / speed, 0.1)
apparent = force * height**2 / (12 * viscosity * speed)
spheres = (1 - fraction / 0.63) ** -1.575
checks.between("apparent viscosity over the plasma's", apparent, 1, spheres)
given, taken = (at(run, name, end) - at(run, name, begin) for name in ("work", "dissipated"))
checks.near("dissipation over the work of pressure, last quarter", taken / given, 1, relative=0.05)
free = mean([d for core in late for d in core.free])
checks.between("cell-free layer, last quarter, over that of the start", free / mean(cores[0].free), 1, math.inf)
middle = [mean(core.profile[PLANES // 4 : -PLANES // 4]) for core in late]
checks.between("volume fraction in the middle half over the mean, last quarter", mean(middle) / fraction, 1, 2)
checks.report("volume fraction", fraction)
checks.report("rigid spheres' viscosity at that (Krieger and Dougherty)", spheres)
checks.report("blood's in a glass tube as wide (Pries et al. 1992)", glass_tubes(1e6 * height, fraction))
checks.report("blood's in a glass tube of the hydraulic diameter", glass_tubes(2e6 * height, fraction))
checks.report("cell-free layer [um], start", 1e6 * mean(cores[0].free))
checks.report("cell-free layer [um], last quarter", 1e6 * free)
checks.report("shear rate at the walls [1/s]", 0.5 * force * height / viscosity)
checks.report("lengths of the channel that the blood has gone", speed * end / size[flow_axis(s)])
for i in range(0, PLANES // 2, PLANES // 12):
    both = [p for core in late for p in core.profile[i : i + PLANES // 12] + core.profile[-i - PLANES // 12 : PLANES - i]]
    checks.report(f"volume fraction from {i / PLANES:.3f} to {i / PLANES + 1 / 12:.3f} of the height", mean(both))
sys.exit(checks.end())
