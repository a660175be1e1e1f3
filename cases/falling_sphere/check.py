#!/usr/bin/env python3
"""Checks how fast a sphere falls: check.py [OUTPUT_DIRECTORY]"""

import math
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from case_files import Checks, run_of

# ten Cate, Nieuwstad, Derksen and Van den Akker 2002: density and viscosity of the oil, and the largest velocity [m/s].
MEASURED = {(970, 0.373): 0.0360, (965, 0.212): 0.0572, (962, 0.113): 0.0873, (960, 0.058): 0.1222}

run = run_of(__file__)
s = run.settings
(shape,), (body,) = s.blocks("shape"), s.blocks("bodies")
radius, density, viscosity = s.real(f"shape.{shape}.radius"), s.real("fluid.density"), s.real("fluid.viscosity")
spacing = s.reals("grid.size")[0] / s.reals("grid.cells")[0]
fall = [-v for v in run.column("velocity_y")]
peak = max(fall)
when = run.times()[fall.index(peak)]
reynolds = density * peak * 2 * radius / viscosity
checks = Checks(f"A falling sphere, Re = {reynolds:.3g}, {2 * radius / spacing:.3g} cells to its diameter")
if fall[-1] >= peak * 0.999:
    run.must_reach(1.5 * run.times()[-1])  # it still gathers speed
measured = [v for (rho, mu), v in MEASURED.items() if math.isclose(rho, density) and math.isclose(mu, viscosity)]
if measured:
    checks.near("largest velocity over the measured one", peak / measured[0], 1, absolute=0.04 if radius / spacing > 4 else 0.1)
else:
    checks.report("largest velocity", peak)
weight = (s.real(f"bodies.{body}.density") - density) * 4 / 3 * math.pi * radius**3 * abs(s.reals("forces.gravity")[1])
at_peak = [f for t, f in zip(run.times(), run.column("force_y")) if abs(t - when) < 0.05 * when]
checks.near("the fluid's force at the largest velocity over the weight", sum(at_peak) / len(at_peak) / weight, 1, absolute=0.03)
away = max(abs(a - b) for a, b in zip(run.column("force_y"), run.column("momentum_force_y")))
checks.at_most("force by points and by momentum, apart, over the weight", away / weight, 1e-6)
middle = [o + 0.5 * w for o, w in zip(s.reals("grid.origin"), s.reals("grid.size"))]
aside = max(max(abs(x - middle[0]) for x in run.column("centre_x")), max(abs(z - middle[2]) for z in run.column("centre_z")))
checks.at_most("way aside over the radius", aside / radius, 0.05 if radius / spacing > 4 else 0.1)  # points have no symmetry
gap = min(run.column("centre_y")) - s.reals("grid.origin")[1] - radius
checks.between("least gap to the floor, in cells", gap / spacing, 0, math.inf)
sys.exit(checks.end())
