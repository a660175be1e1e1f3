#!/usr/bin/env python3
"""Checks red cells that collide in shear: check.py [OUTPUT_DIRECTORY]"""

import math
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from case_files import Checks, run_of
from membrane_figures import box_volume, intrinsic_viscosity, judge_cells, judge_momentum, last_vertices, walled
from surfaces import nearest_points, surfaces

PAPER = 2562  # vertices of a cell at the paper's resolution

run = run_of(__file__)
run.must_reach()
s = run.settings
(kind,) = s.blocks("surface")
rate, radius = s.real("drive.shear_rate"), s.real(f"surface.{kind}.radius")
coarse = max(1.0, PAPER / s.real(f"surface.{kind}.vertices"))
end = run.times()[-1]
cells = surfaces(last_vertices(run))
low, size = s.reals("grid.origin"), s.reals("grid.size")

checks = Checks(f"{len(cells)} red cells in shear")
judge_cells(checks, run, kind, 2e-3 * coarse)
if s.real("repulsion.range") == 0:
    judge_momentum(checks, run)
reach = min(min(x[1] - low[1], low[1] + size[1] - x[1]) for cell in cells for x in cell.points)
checks.at_most("vertices beyond walls, farthest [m]", -reach, 0)
near = nearest_points(cells, size, not walled(s))
spacing = max(w / n for w, n in zip(size, s.reals("grid.cells")))
checks.between("nearest vertices of two cells at the end, in cells of the grid", near / spacing,
               0.3, math.inf)
checks.at_most("longest edge over that without stress", max(run.log["longest_stretch"]), 3)
begin = min(10 / rate, 0.5 * end)
viscosity = intrinsic_viscosity(run, begin, end)
checks.between("intrinsic viscosity by what is dissipated", viscosity, 1, 5)
fraction = run.log["volume"][-1] / box_volume(s)
checks.report("volume fraction", fraction)
checks.report("apparent viscosity over the fluid's", 1 + viscosity * fraction,
              f"{1 + 2.5 * fraction + 6.2 * fraction**2:.4g} of rigid spheres (Batchelor 1977)")
checks.report("nearest vertex to a wall at the end, over the radius", reach / radius)
sys.exit(checks.end())
