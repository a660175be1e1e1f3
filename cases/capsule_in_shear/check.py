#!/usr/bin/env python3
"""Checks a capsule's steady shape in shear: check.py [OUTPUT_DIRECTORY]"""

import cmath
import math
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from case_files import Checks, run_of
from membrane_figures import (flow_axis, intrinsic_viscosity, judge_energy, judge_momentum, judge_volume,
                              last_vertices, swing, turns)
from surfaces import surfaces

# Neo-Hookean capsules of the fluid's viscosity, by Ca: Taylor's deformation and inclination [degrees] in fluid without
# bounds after 4 to 5 units of strain, by boundary integrals (free_space.py).
UNBOUNDED = {0.025: (0.1565, None), 0.05: (0.2730, 30.8), 0.1: (0.3995, 25.2), 0.2: (0.529, 20.2)}
# Deformations of a recent computation in a box of eight radii, of Ramanujan and Pozrikidis (1998), Doddi and Bagchi (2008).
PUBLISHED = {0.025: (0.152, 0.150, 0.163), 0.1: (0.382, 0.384, 0.392)}


# What shear stresses on a sphere make of velocities on it, radial and tangential of l = 2, inside and outside.
INSIDE, OUTSIDE = ((6.5, -9), (-1.5, 5)), ((-6, 6), (1, -5))


def solved(matrix, right):
    (a, b), (c, d) = matrix
    return [(right[0] * d - right[1] * b) / (a * d - b * c), (right[1] * a - right[0] * c) / (a * d - b * c)]


def small_deformation(capillary, ratio, viscosity, dilatation):
    """Deformation and inclination [rad] of an almost spherical neo-Hookean capsule, `ratio` times as viscous inside, whose
    membrane has these viscosities; README.md has the equations. In units of its radius, the shear rate and the viscosity."""
    shear = 1 / (3 * capillary)
    area = 3 * shear + 1j * dilatation
    shear += 1j * viscosity
    stiffness = ((-4 * area, 12 * area), (2 * area, -4 * shear - 6 * area))
    resistance = [[ratio * INSIDE[i][j] - OUTSIDE[i][j] for j in (0, 1)] for i in (0, 1)]
    matrix = [[1j * resistance[i][j] - stiffness[i][j] for j in (0, 1)] for i in (0, 1)]
    drive = [0.5 * (INSIDE[i][0] - OUTSIDE[i][0]) + 0.25 * (INSIDE[i][1] - OUTSIDE[i][1]) for i in (0, 1)]
    radial = solved(matrix, drive)[0]
    return abs(radial), 0.25 * math.pi + 0.5 * cmath.phase(radial)


run = run_of(__file__)
s = run.settings
(kind,) = s.blocks("surface")
radius, rate, viscosity = s.real(f"surface.{kind}.radius"), s.real("drive.shear_rate"), s.real("fluid.viscosity")
ratio = s.real(f"surface.{kind}.viscosity_ratio") if s.given(f"surface.{kind}.viscosity_ratio") else 1
of_membrane = [s.real(f"surface.{kind}.{key}") / (viscosity * radius) for key in ("membrane_viscosity",
                                                                                   "membrane_dilatation_viscosity")]
plain = ratio == 1 and not any(of_membrane)
capillary = viscosity * rate * radius / (3 * s.real(f"surface.{kind}.shear_modulus"))
spacing = max(w / n for w, n in zip(s.reals("grid.size"), s.reals("grid.cells")))
resolution = radius / spacing
tolerance = 0.1  # first order in the spacing, and the more the thinner the ends are
if resolution > 7:
    tolerance = 0.02 if capillary < 0.15 else 0.04
end = run.times()[-1]
run.must_reach((5 + 12 * capillary * max(of_membrane)) / rate)  # units of strain until its shape is steady
begin = end - 2 / rate  # what is averaged: the last two units of strain
linear, linear_angle = small_deformation(capillary, ratio, *of_membrane)

checks = Checks(f"A capsule in shear, Ca = {capillary:.4g}, {resolution:.3g} cells to a radius")
least, deformation, most = swing(run.column("deformation", begin))
low, inclination, high = (math.degrees(x) for x in swing(run.column("inclination", begin)))
for known, (expected, angle) in UNBOUNDED.items():
    if not plain or abs(capillary / known - 1) > 0.01:
        continue
    checks.near("deformation", deformation, expected, relative=tolerance)
    if angle:
        checks.near("inclination [degrees]", inclination, angle, absolute=1.5)
    if known in PUBLISHED:
        checks.report("deformation that others found", min(PUBLISHED[known]), f"to {max(PUBLISHED[known]):g}")
if capillary <= (0.05 if plain else 0.02 if ratio == 1 else 0.01):
    checks.near("inclination by small deformation [degrees]", inclination, math.degrees(linear_angle), absolute=1.5)
if capillary <= 0.01:
    checks.near("deformation by small deformation, 6.25 Ca", deformation, linear, relative=tolerance)
else:
    checks.report("deformation by small deformation", linear)
checks.at_most("swing of the deformation in the last two units of strain", (most - least) / deformation, 0.01)
checks.at_most("swing of the inclination [degrees]", high - low, 0.5)
shape = surfaces(last_vertices(run))[0]
checks.near("deformation of the last vertex file over the log's", shape.deformation(flow_axis(s)) /
            run.log["deformation"][-1], 1, absolute=1e-6)
judge_volume(checks, run)
judge_energy(checks, run, begin, end)
judge_momentum(checks, run)
middle = [o + 0.5 * w for o, w in zip(s.reals("grid.origin"), s.reals("grid.size"))]
away = max(abs(x - m) for x, m in zip(shape.centroid, middle))
checks.at_most("way of the centre from the middle, over the radius", away / radius, 0.01)
checks.report("Reynolds number", s.real("fluid.density") * rate * radius**2 / viscosity)
checks.report("area over that without stress", run.log["area"][-1] / run.log["area"][0])
checks.report("intrinsic viscosity by what is dissipated", intrinsic_viscosity(run, begin, end), "2.5 of rigid spheres")
period = turns(run)
if len(period) > 1:
    checks.report("period of tank-treading times the shear rate", rate * (period[-1] - period[-2]), "4 pi of a sphere")
sys.exit(checks.end())
