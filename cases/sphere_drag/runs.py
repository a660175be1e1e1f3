#!/usr/bin/env python3
"""Runs the sphere at Reynolds numbers of 10 to 200, a quarter of an hour in all, and prints its drag beside Schiller and Naumann's:
runs.py [DIRECTORY_OF_RESULTS [OPTIONS_OF_RUNS...]]"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from case_files import Checks, mean
from many_runs import run_all
from spheres import Sphere, schiller_naumann, tolerance

CELLS = {10: 8, 20: 8, 50: 8, 100: 12, 200: 16}  # to the diameter, by the Reynolds number, which the viscosity sets
CALM = {"sides.x_low": "free_slip"}  # where U h/nu is above 10, ripples grow at inlets in sides that do not let slip


def keys(reynolds, cells):
    return {"fluid.viscosity": f"{100 / reynolds} cP", "grid.cells": f"{10 * cells}, {8 * cells}, {8 * cells}", "time.dt": f"{50 / cells} ms"} | (CALM if reynolds / cells > 10 else {})


runs = run_all(__file__, {str(re): keys(re, cells) for re, cells in CELLS.items()})
checks = Checks("Drag of a sphere over Schiller and Naumann's")
for re, run in zip(CELLS, runs.values()):
    sphere = Sphere(run)
    drag = mean(sphere.coefficients("force_x", run.times()[-1] - 3 * sphere.time))
    checks.report(f"drag at Re {re}", drag)
    checks.near("the same without the box over theirs", sphere.unbounded(drag) / schiller_naumann(re), 1, absolute=tolerance(sphere))
sys.exit(checks.end())
