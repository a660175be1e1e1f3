#!/usr/bin/env python3
"""Tells the relative viscosity of a suspension: check.py [OUTPUT_DIRECTORY]"""

import math
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from case_files import Checks, VtkFile, mean, run_of
from spheres import Suspension, krieger_dougherty

SETTLED = 4  # strains, after which places are no longer those of the start


def stress_at_walls(run, begin):
    """Viscous stress of the fluid at both walls, from the velocities in the two cells before them: mean of the files from a time on [Pa]."""
    s = run.settings
    (nx, ny, nz), (_, height, _) = (int(n) for n in s.reals("grid.cells")), s.reals("grid.size")
    h, wall, mu = height / ny, 0.5 * s.real("drive.shear_rate") * height, s.real("fluid.viscosity")
    files = run.since(begin, "fields", [VtkFile(path) for path in run.files("fields")])
    slopes = []
    for file in files:
        u = file.values("velocity")
        rows = [mean([u[i + nx * (j + ny * k)][0] for k in range(nz) for i in range(nx)]) for j in (0, 1, ny - 2, ny - 1)]
        slopes += [(9 * (rows[0] + wall) - (rows[1] + wall)) / (3 * h), (9 * (wall - rows[3]) - (wall - rows[2])) / (3 * h)]
    return mu * mean(slopes)


run = run_of(__file__)
s, suspension = run.settings, Suspension(run)
rate, fraction = suspension.rate, suspension.fraction
run.must_reach(10 / rate)
begin = SETTLED / rate
viscosity = suspension.viscosity(begin)
checks = Checks(f"A suspension of {suspension.count} spheres, {fraction:.3g} of the volume, "
                f"{2 * suspension.radius / suspension.spacing:.3g} cells to a diameter")
checks.report("Reynolds number of a sphere, by shear rate and radius", suspension.reynolds)
checks.report("relative viscosity", viscosity)
checks.report("the same of Krieger and Dougherty's formula", krieger_dougherty(fraction))
checks.between("relative viscosity over that", viscosity / krieger_dougherty(fraction), 0.7, 1.3)
checks.at_most("Einstein's 1 + 5/2 of the fraction, over it", (1 + 2.5 * fraction) / viscosity, 1)
half = 0.5 * (begin + run.times()[-1])
checks.near("the same in the second half of the time over that", suspension.viscosity(half) / viscosity, 1,
            absolute=0.8 / math.sqrt(suspension.count))
fluid = suspension.mu * rate
checks.near("what the fluid's shear at the walls says over that", stress_at_walls(run, begin) / fluid / viscosity, 1, absolute=0.1)
normal = [run.mean(f"stress_{d}{d}", begin) / fluid for d in "xyz"]
checks.report("first difference of normal stresses over mu times the rate", normal[0] - normal[1])
checks.report("second one", normal[1] - normal[2])
checks.report("pairs in contact, mean", run.mean("contacts", begin))
away = max(abs(a - b) for a, b in zip(run.column("force_x", begin), run.column("momentum_force_x", begin)))
area = s.reals("grid.size")[0] * s.reals("grid.size")[2]
checks.at_most("force by points and by momentum, apart, over mu times the rate and the walls' area", away / (fluid * area), 0.02)  # near walls forces are mirrored
checks.at_most("slip over the speed of the walls", max(run.column("slip", begin)) / (0.5 * rate * s.reals("grid.size")[1]), 0.1)
sys.exit(checks.end())
