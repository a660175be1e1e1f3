#!/usr/bin/env python3
"""Checks squirmers that swim among each other: check.py [OUTPUT_DIRECTORY]"""

import math
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from case_files import Checks, run_of

run = run_of(__file__)
s = run.settings
(name,) = s.blocks("group")
radius, speed, dipole = (s.real(f"group.{name}.{key}") for key in ("shell_radius", "speed", "dipole"))
count = round(s.real(f"group.{name}.count")) if s.given(f"group.{name}.count") else 1
share = count * 4 / 3 * math.pi * radius**3 / math.prod(s.reals("box.size"))
checks = Checks(f"{count} squirmer{'s' if count > 1 else ''}, B2/B1 = {dipole:g}, {100 * share:.3g} % of the box")
swimming = run.column("swimming")
# One alone has its speed but for its images, whose dipoles cancel at its place by symmetry. Others pull and push each at any
# place, and as many one way as the other: the mean of n goes by what one gets over the root of n.
others = 3 * (1.5 * abs(dipole) + 1) * share ** (2 / 3) / math.sqrt(count)
checks.near("speed along axes at the start, over a squirmer's alone", swimming[0] / speed, 1, absolute=share + others)
time, way = run.times(), run.column("square_displacement")
early = [k for k, t in enumerate(time) if 0 < t * speed < 0.5 * radius]
if early and count > 1:
    k = early[-1]
    checks.between("root mean square way over speed and time, early", math.sqrt(way[k]) / (speed * time[k]), 0.8, 1.6)
if count > 1:
    checks.at_most("overlap over a bead's radius", -min(run.column("gap")), 0.2)
elif way[-1] > 0:
    checks.near("way over speed and time", math.sqrt(way[-1]) / (speed * time[-1]), 1, absolute=share + 0.01)
sys.exit(checks.end())
