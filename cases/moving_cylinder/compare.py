#!/usr/bin/env python3
"""Runs the cylinder on its way, held in a stream, and half of both, and compares their drag:
compare.py [DIRECTORY_OF_RESULTS [OPTIONS_OF_RUNS...]]"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from case_files import Checks
from cylinders import PASSED_FOR, Cylinder, drag_after
from many_runs import run_all

runs = run_all(__file__, {
    "moving": {},
    "held": {"drive.velocity": "4, 0, 0 mm/s", "bodies.one.motion": "fixed", "bodies.one.velocity": ""},
    "half": {"drive.velocity": "2, 0, 0 mm/s", "bodies.one.velocity": "-2, 0, 0 mm/s"},
    "aslant": {"drive.velocity": "2, 1, 0 mm/s", "bodies.one.velocity": "-2, 1, 0 mm/s"},  # the stream carries it aside
})
drag = {name: [drag_after(Cylinder(run), interval) for interval in PASSED_FOR] for name, run in runs.items()}
checks = Checks("Drag of a cylinder on its way over that of one that is held")
for name in ("moving", "half", "aslant"):
    for (begin, end), one, held in zip(PASSED_FOR, drag[name], drag["held"]):
        checks.near(f"{name}, from {begin} to {end} diameters of way", one / held, 1, absolute=0.01)
sys.exit(checks.end())
