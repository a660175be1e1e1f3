#!/usr/bin/env python3
"""Checks how much slower a dilute suspension falls than a sphere alone: check.py [OUTPUT_DIRECTORY]"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from case_files import Checks, mean, run_of
from theory import Suspension

run = run_of(__file__)
suspension = Suspension(run)
c, slowing = suspension.share, suspension.slowing()
found = mean(run.column("settling")) + suspension.images()
lubricated = f", lubricated to gaps of {suspension.range:g} radii" if suspension.lubricated else ""
checks = Checks(f"{suspension.count:.0f} spheres at random, {100 * c:.3g} % of the box{lubricated}")
# Of the next order are some 10 c^2; arrangements that overlap are no hard spheres' any more.
checks.near("speed over Stokes', in a box without end", found, 1 - slowing * c, absolute=2.5 * suspension.scatter() + 10 * c**2)
if suspension.lubricated:
    checks.at_most("overlap over the radius", -min(run.column("gap")), 0.05)
print(f"slowed by {(1 - found) / c:.2f} of the volume fraction; by theory {slowing:.2f}, one arrangement within "
      f"{suspension.scatter() / c:.1f} in two cases of three; the box's images took {suspension.images():.4f}")
sys.exit(checks.end())
