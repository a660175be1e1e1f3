#!/usr/bin/env python3
"""Checks a static sphere's pressure and what little flow there is: check.py [OUTPUT_DIRECTORY]"""

import math
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from case_files import Checks, cannot_judge, mean, run_of
from membrane_figures import judge_energy, judge_momentum, judge_volume, last_vertices
from surfaces import surfaces

# Largest velocity times mu/gamma of a sphere of eight cells' radius; it depends on where the sphere lies between cells.
SPURIOUS = {"linear": 3.6e-3, "roma3": 1.7e-3, "peskin4": 8.2e-4, "ib6": 6.4e-4, "composite43": 2.7e-4}


def pressures(run, centre, radius):
    """Means inside and outside, four cells and more from the membrane [Pa]."""
    s = run.settings
    cells = [int(n) for n in s.reals("grid.cells")]
    spacing = [w / n for w, n in zip(s.reals("grid.size"), cells)]
    origin, away = s.reals("grid.origin"), 4 * max(spacing)
    inside, outside = [], []
    for at, pressure in enumerate(run.last_fields().values("pressure")):
        place = (at % cells[0], at // cells[0] % cells[1], at // (cells[0] * cells[1]))
        r = math.dist([o + (i + 0.5) * h for i, o, h in zip(place, origin, spacing)], centre)
        if r < radius - away:
            inside.append(pressure)
        elif r > radius + away:
            outside.append(pressure)
    return mean(inside), mean(outside)


run = run_of(__file__)
s = run.settings
(kind,) = s.blocks("surface")
radius, tension, viscosity = (s.real(k) for k in (f"surface.{kind}.radius", f"surface.{kind}.tension", "fluid.viscosity"))
kernel = s.text("coupling.kernel")
if s.text(f"surface.{kind}.representation") != "triangles":
    cannot_judge("the check is for surfaces of triangles (radial ones have no files of vertices that carry forces)")
spacing = max(w / n for w, n in zip(s.reals("grid.size"), s.reals("grid.cells")))
run.must_reach(2 * s.real("output.log"))
speeds = run.log["fluid_speed_max"][1:]
shape = surfaces(last_vertices(run))[0]

if tension == 0:
    checks = Checks(f"A static sphere without stress, {kernel}")
    modulus = s.real(f"surface.{kind}.shear_modulus")
    checks.at_most("largest velocity, mu u/G_s", max(speeds) * viscosity / modulus, 1e-12)
    sys.exit(checks.end())

checks = Checks(f"A static sphere with tension, {radius / spacing:.3g} cells to a radius, {kernel}")
inside, outside = pressures(run, shape.centroid, radius)
# Forces act at the vertices, on a sphere of radius r: F.x adds up to 2 gamma A of the triangles, and to 4 pi r^3 p.
r = mean([math.dist(x, shape.centroid) for x in shape.points])
checks.near("jump of the pressure over 2 gamma/R", (inside - outside) * radius / (2 * tension), 1, absolute=2e-3)
checks.near("the same over gamma A/(2 pi r^3) of its triangles",
            (inside - outside) * 2 * math.pi * r**3 / (tension * shape.area), 1,
            absolute=2e-4 if kernel == "linear" else 5e-5)
spurious = [u * viscosity / tension for u in speeds]
if kernel in SPURIOUS and abs(radius / spacing - 8) < 0.01:
    checks.at_most("largest velocity, mu u/gamma", max(spurious), 1.3 * SPURIOUS[kernel])
else:
    checks.report("largest velocity, mu u/gamma", max(spurious))
checks.at_most("the same in the end over that at the start", spurious[-1] / spurious[0], 1)
checks.at_most("the Taylor deformation in the end", abs(run.log["deformation"][-1]), 1e-4)
judge_volume(checks, run, 1e-6 if kernel.startswith("composite") else 1e-3)
checks.at_most("growth of the area, which tension shrinks", run.log["area"][-1] / run.log["area"][0] - 1, 0)
judge_energy(checks, run, run.times()[0], run.times()[-1])
judge_momentum(checks, run)
sys.exit(checks.end())
