#!/usr/bin/env python3
"""Checks the drag of an array of spheres: check.py [OUTPUT_DIRECTORY]"""

import math
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from case_files import Checks, cannot_judge, root, run_of
from membrane_figures import at, judge_energy, judge_volume

# Drag over Stokes' of a simple cubic array, by the share c of the volume (Zick and Homsy 1982).
TABLE = {0.027: 2.008, 0.064: 2.810, 0.125: 4.292}


# Up to which share of the volume the formula below holds.
DENSEST = 0.2


def drag_over_stokes(c):
    """Of a simple cubic array, for a share of the volume up to DENSEST (Sangani and Acrivos 1982; Hasimoto's 1959 and more)."""
    x = c ** (1 / 3)
    return 1 / (1 - 1.7601 * x + c - 1.5593 * c**2 + 3.9799 * x**8 - 3.0734 * x**10)


def speed_inside(run, radius, far):
    """Largest speed of the fluid in cells whose centres are `far` and more within the sphere [m/s]."""
    s = run.settings
    cells = [int(n) for n in s.reals("grid.cells")]
    spacing = [w / n for w, n in zip(s.reals("grid.size"), cells)]
    origin, centre = s.reals("grid.origin"), [run.log[f"centre_{d}"][-1] for d in "xyz"]
    most = 0.0
    for i, u in enumerate(run.last_fields().values("velocity")):
        place = (i % cells[0], i // cells[0] % cells[1], i // (cells[0] * cells[1]))
        r = math.dist([o + (k + 0.5) * h for k, o, h in zip(place, origin, spacing)], centre)
        if r < radius - far:
            most = max(most, math.hypot(*u))
    return most


run = run_of(__file__)
run.must_reach()
s = run.settings
(kind,) = s.blocks("surface")
radius, viscosity, speed = s.real(f"surface.{kind}.radius"), s.real("fluid.viscosity"), s.real("drive.velocity")
size, cells = s.reals("grid.size"), s.reals("grid.cells")
spacing = max(w / n for w, n in zip(size, cells))
volume = math.prod(size)
fraction = 4 / 3 * math.pi * radius**3 / volume
end = run.times()[-1]
force, side_force = -run.log["force_x"][-1], max(abs(run.log[f"force_{d}"][-1]) for d in "yz")
thickness = 0.6 # of the membrane, beyond the radius, in cells: as thick as the kernel
largest = radius + thickness * spacing
if fraction * (largest / radius) ** 3 > DENSEST:
    cannot_judge(f"the spheres fill {fraction:.3g} of the box, with the kernel's thickness {fraction * (largest / radius) ** 3:.3g} "
                 f"(the formula of their drag holds up to {DENSEST}) take smaller spheres, or a larger box")
found = force / (6 * math.pi * viscosity * radius * speed)
expected = drag_over_stokes(fraction)


def excess(radius_of_drag):
    share = 4 / 3 * math.pi * radius_of_drag**3 / volume
    return 6 * math.pi * viscosity * radius_of_drag * speed * drag_over_stokes(share) - force


checks = Checks(f"An array of spheres, {fraction:.3g} of the volume, {radius / spacing:.3g} cells to a radius, "
                f"{s.text('coupling.kernel')}")
for share, known in TABLE.items():
    if abs(fraction / share - 1) < 0.01:
        checks.near("formula of the drag, by what was tabulated", expected, known, relative=0.005)
# The drag is that of a sphere larger by about a quarter to half a cell.
widest = min(radius + 2 * spacing, radius * (DENSEST / fraction) ** (1 / 3))
wider = (root(excess, 0.5 * radius, widest) - radius) / spacing
checks.between("radius by which the drag is right, less the sphere's, in cells", wider, 0, thickness)
checks.between("drag over Stokes'", found, expected,
               drag_over_stokes(fraction * (largest / radius) ** 3) * largest / radius)
checks.near("mean velocity of the box [m/s]", run.log["momentum_x"][-1] / (s.real("fluid.density") * volume), speed, relative=1e-9)
checks.at_most("force across the flow over the drag", side_force / force, 1e-3)
half = at(run, "force_x", 0.5 * end)
checks.at_most("change of the drag in the second half of the run, over it", abs(-half / force - 1), 1e-3)
power = (at(run, "dissipated", end) - at(run, "dissipated", 0.5 * end)) / (0.5 * end)
checks.near("what viscosity takes, over drag times velocity", power / (force * speed), 1, absolute=2e-3)
checks.at_most("way that the tethers give, in cells",
               abs(run.log["centre_x"][-1] - run.log["centre_x"][0]) / spacing, 0.1)
# What kernels average at the membrane is 0: half of it is the flow outside, so that fluid inside is driven back there.
checks.at_most("largest speed three cells and more within the sphere, over the mean",
               speed_inside(run, radius, 3 * spacing) / speed, 0.8 * found * spacing / radius)
judge_volume(checks, run, 1e-6 if s.text("coupling.kernel").startswith("composite") else 1e-3)
judge_energy(checks, run, 0.0, end, 1e-3)
sys.exit(checks.end())
