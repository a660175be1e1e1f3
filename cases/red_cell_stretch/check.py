#!/usr/bin/env python3
"""Checks red cells that are pulled at against cells in optical tweezers: check.py [OUTPUT_DIRECTORY]"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from case_files import Checks, VtkFile, run_of
from membrane_figures import judge_energy, judge_momentum, judge_volume, last_vertices
from surfaces import red_cell, surfaces

# Mills et al. (2004): force [pN], bars of the transverse and of the axial diameter [um].
MEASURED = ((0, (7.5, 8.0), (7.5, 8.0)), (38.4, (5.09, 6.82), (9.72, 12.1)), (108.9, (3.40, 5.58), (11.8, 15.5)))
AXES = "xyz"

run = run_of(__file__)
run.must_reach()
s = run.settings
(kind,) = s.blocks("surface")
radius, stiff = s.real(f"surface.{kind}.radius"), s.real(f"surface.{kind}.area_ratio")
coarse = max(1.0, 2562 / s.real(f"surface.{kind}.vertices"))  # over the paper's resolution
groups = s.blocks("membranes")
pulls = {s.text(f"pull.{name}.membranes"): name for name in s.blocks("pull")}
files = [VtkFile(path) for path in run.files("vertices", least=2)]
before, cells = surfaces(files[-2]), surfaces(files[-1])

checks = Checks(f"{len(cells)} red cells in tweezers")
volume, area = red_cell(radius)
checks.near("volume at the start [um3]", 1e18 * run.log["volume"][0] / len(cells), 1e18 * volume, relative=0.005 * coarse)
checks.near("area at the start [um2]", 1e12 * run.log["area"][0] / len(cells), 1e12 * area, relative=0.005 * coarse)
for group, last, cell in zip(groups, before, cells):
    pulled = group in pulls
    axial = AXES.index(s.text(f"pull.{pulls[group]}.axis")) if pulled else 0
    across = 1 if axial == 0 else 0
    force = 1e12 * s.real(f"pull.{pulls[group]}.force") if pulled else 0.0
    title = f"{group}, {force:.4g} pN:"
    widths = [1e6 * cell.extent(axis) for axis in (across, axial)]
    for name, width, earlier, column in zip(("transverse", "axial"), widths, (last.extent(across), last.extent(axial)), (1, 2)):
        bars = [row[column] for row in MEASURED if abs(row[0] - force) < 0.01]
        if bars:
            checks.between(f"{title} {name} diameter [um]", width, *bars[0])
        else:
            checks.report(f"{title} {name} diameter [um]", width)
        checks.near(f"{title} the same a file before over that", 1e6 * earlier / width, 1, relative=0.01)
    checks.near(f"{title} volume over that at rest", cell.volume / volume, 1, relative=0.005 * coarse)
    checks.near(f"{title} area over that at rest", cell.area / area, 1, relative=0.005 * coarse + 3 / stiff)
    if not pulled:
        checks.near(f"{title} thickness [um]", 1e6 * cell.extent(2), 2.572 * radius / 3.91e-6, relative=0.02 * coarse)
judge_volume(checks, run, 1e-3 * coarse)
judge_momentum(checks, run)
judge_energy(checks, run, 0, run.times()[-1])
stored = sum(run.log[name][-1] - run.log[name][0] for name in ("elastic_energy", "bending_energy"))
checks.between("energy that membranes store over the work of pulls", stored / run.log["work"][-1], 0.05, 1)
checks.report("longest edge over that without stress", max(run.log["longest_stretch"]))
checks.report("largest speed of the fluid at the end [um/s]", 1e6 * run.log["fluid_speed_max"][-1])
sys.exit(checks.end())
