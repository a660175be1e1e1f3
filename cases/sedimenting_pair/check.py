#!/usr/bin/env python3
"""Checks how two spheres fall together: check.py [OUTPUT_DIRECTORY]"""

import math
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from case_files import Checks, run_of


def drag_in_line(distance):
    """Of each of two spheres one behind the other, over a sphere's alone (Stimson and Jeffery 1926); distance in radii."""
    alpha = math.acosh(distance / 2)
    total = 0.0
    for n in range(1, 60):
        k = 2 * n + 1
        numerator = 4 * math.sinh(k * alpha / 2) ** 2 - k**2 * math.sinh(alpha) ** 2
        denominator = 2 * math.sinh(k * alpha) + k * math.sinh(2 * alpha)
        total += n * (n + 1) / ((2 * n - 1) * (2 * n + 3)) * (1 - numerator / denominator)
        if k * alpha > 300:
            break
    return 4 / 3 * math.sinh(alpha) * total


run = run_of(__file__)
s = run.settings
radius, viscosity = s.real("beads.radius"), s.real("fluid.viscosity")
gravity = s.reals("forces.gravity")
first, second = (s.reals(f"group.{name}.position") for name in s.blocks("group"))
apart = [b - a for a, b in zip(first, second)]
distance = math.hypot(*apart)
direction, r = [x / distance for x in apart], distance / radius
# A sphere alone; what the other one adds along the line of centres and across it, by Rotne, Prager and Yamakawa.
alone = [2 / 9 * radius**2 / viscosity * (s.real("beads.density") - s.real("fluid.density")) * g for g in gravity]
along, across = 3 / (2 * r) - 1 / r**3, 3 / (4 * r) + 1 / (2 * r**3)
in_line = sum(a * d for a, d in zip(alone, direction))
expected = [(1 + across) * a + (along - across) * in_line * d for a, d in zip(alone, direction)]
stokes = math.hypot(*alone)
tilt = math.degrees(math.acos(min(1.0, abs(in_line) / stokes)))
tolerance = 20 * s.real("mobility.tolerance")

checks = Checks(f"Two spheres {r:.3g} radii apart, their line {tilt:.3g} degrees from the vertical")
for d, axis in enumerate("xyz"):
    found = run.column(f"velocity_{axis}")
    worst = max(found, key=lambda v: abs(v - expected[d]))
    checks.near(f"velocity along {axis}, the worst, over Stokes'", worst / stokes, expected[d] / stokes, absolute=tolerance)
beside = max(run.column("fastest"))
checks.at_most("velocities beside each other over Stokes'", beside / stokes, tolerance)
gaps = run.column("gap")
checks.near("least gap over the radius", min(gaps), min(r - 2, 2), absolute=1e-4)
fallen = math.hypot(*[run.column(f"centre_{a}")[-1] - run.column(f"centre_{a}")[0] for a in "xyz"])
checks.near("way over time and speed", fallen / run.times()[-1] / math.hypot(*expected), 1, absolute=tolerance)
if tilt < 1e-3:
    exact = 1 / drag_in_line(r)
    checks.near("speed over Stokes' beside Stimson and Jeffery's", math.hypot(*expected) / stokes, exact, absolute=4 / r**4)
sys.exit(checks.end())
