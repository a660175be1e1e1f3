#!/usr/bin/env python3
"""Checks how a drop of grains falls: check.py [OUTPUT_DIRECTORY]"""

import math
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from case_files import Checks, VtkFile, median, run_of

run = run_of(__file__)
s = run.settings
(name,) = s.blocks("group")
radius, grain, viscosity = s.real(f"group.{name}.ball_radius"), s.real("beads.radius"), s.real("fluid.viscosity")
gravity = math.hypot(*s.reals("forces.gravity"))
weight = 4 / 3 * math.pi * grain**3 * (s.real("beads.density") - s.real("fluid.density")) * gravity
count = run.column("beads")[0]
speed = weight * (count / (5 * math.pi * viscosity * radius) + 1 / (6 * math.pi * viscosity * grain))
found = [math.hypot(*v) for v in zip(*(run.column(f"velocity_{axis}") for axis in "xyz"))]
time = [t * speed / radius for t in run.times()]
checks = Checks(f"A drop of {count:.0f} grains, {radius / grain:.3g} of their radii large, until {time[-1]:.3g} R/V")
checks.near("speed at the start over theory's", found[0] / speed, 1, absolute=2 / math.sqrt(count) + s.real("mobility.tolerance"))


def shape(file):
    """(height over width, share within half its radius, share in the tail) of the drop; its width is that of nine tenths of it."""
    points = file.values("Points")
    middle = [median([p[d] for p in points]) for d in range(3)]
    drop = [[p[d] - middle[d] for d in range(3)] for p in points if abs(p[2] - middle[2]) < 2 * radius]
    across = sorted(math.hypot(p[0], p[1]) for p in drop)
    height = sorted(abs(p[2]) for p in drop)
    wide = across[int(0.9 * len(drop))]
    inner = sum(r < 0.35 * wide for r in across) / len(drop)
    return height[int(0.9 * len(drop))] / wide, inner, 1 - len(drop) / len(points)


files = [VtkFile(path) for path in run.files("beads", 2)]
first, last = shape(files[0]), shape(files[-1])
checks.report("height over width, at the start", first[0])
checks.report("height over width, at the end", last[0])
checks.report("share within a third of the width, at the start", first[1])
checks.report("share within a third of the width, at the end", last[1])
checks.report("share in the tail", last[2])
if time[-1] > 50:
    checks.at_most("height over width beside that at the start", last[0] / first[0], 0.95)
    checks.between("speed at the end over that at the start", found[-1] / found[0], 0.4, 1)
if time[-1] > 150:
    checks.at_most("share within a third of the width beside that at the start", last[1] / first[1], 0.7)
sys.exit(checks.end())
