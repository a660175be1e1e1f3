#!/usr/bin/env python3
"""Checks the drag of a simple cubic array of spheres: check.py [OUTPUT_DIRECTORY]"""

import math
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from case_files import Checks, run_of

# Share of volume, drag over a sphere's alone (Zick and Homsy 1982).
EXACT = [(0.001, 1.213), (0.008, 1.525), (0.027, 2.008), (0.064, 2.810), (0.125, 4.292), (0.216, 7.442), (0.343, 15.4), (0.45, 28.1)]


def series(c):
    """Sangani and Acrivos 1982, to c^10/3: within a few parts in a thousand to c = .2."""
    x = c ** (1 / 3)
    return 1 / (1 - 1.7601 * x + c - 1.5593 * c**2 + 3.9799 * c ** (8 / 3) - 3.0734 * c ** (10 / 3))


def exact(c):
    for share, drag in EXACT:
        if abs(share / c - 1) < 2e-3:
            return drag * series(c) / series(share), 2e-3  # three digits are known
    return series(c), 2e-3 + 3 * c**4


run = run_of(__file__)
s = run.settings
edge = s.reals("box.size")
(name,) = s.blocks("group")
shell = s.text(f"group.{name}.shape") == "shell"
radius = s.real(f"group.{name}.shell_radius") if shell else s.real("beads.radius")
c = 4 / 3 * math.pi * radius**3 / math.prod(edge)
drag = [1 / found for found in run.column("settling")]
checks = Checks(f"A simple cubic array of {100 * c:.3g} % spheres, " + ("shells of beads" if shell else "beads without higher moments"))
if max(edge) / min(edge) > 1 + 1e-12:
    sys.exit("the cell is no cube (Zick and Homsy have numbers of cubes) give box.size three equal edges")
if shell:
    expected, known = exact(c)
    # Shells are as good as their beads are small, and where spheres come near to gaps of a bead they squeeze too little.
    gap = edge[0] / radius - 2
    resolved = 0.3 * s.real("beads.radius") / radius * c
    checks.near("drag over Stokes', Zick and Homsy", drag[-1], expected, relative=known + resolved + 0.06 * math.exp(-3 * gap))
else:
    x = c ** (1 / 3)
    checks.near("drag over Stokes', Hasimoto to c", drag[-1], 1 / (1 - 1.7601 * x + c), relative=1e-3)
spread = (max(drag) - min(drag)) / drag[-1]
checks.at_most("its spread over places in the grid", spread, 20 * s.real("mobility.tolerance"))
aside = max(abs(v) for axis in "xy" for v in run.column(f"velocity_{axis}"))
checks.at_most("velocity aside over that of the fall", aside / abs(run.column("velocity_z")[-1]), 50 * s.real("mobility.tolerance"))
sys.exit(checks.end())
