#!/usr/bin/env python3
"""Runs the sphere at Reynolds numbers of 10 to 100, four minutes in all, and prints its drag beside Schiller and Naumann's:
runs.py [DIRECTORY_OF_RESULTS [OPTIONS_OF_RUNS...]]"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from case_files import Checks, mean
from many_runs import run_all
from spheres import Sphere, schiller_naumann, tolerance

REYNOLDS = (10, 20, 50, 100)  # by the viscosity
runs = run_all(__file__, {str(re): {"fluid.viscosity": f"{100 / re} cP"} for re in REYNOLDS})
checks = Checks("Drag of a sphere over Schiller and Naumann's")
for re, run in zip(REYNOLDS, runs.values()):
    sphere = Sphere(run)
    drag = mean(sphere.coefficients("force_x", run.times()[-1] - 3 * sphere.time))
    checks.report(f"drag at Re {re}", drag)
    checks.near("the same over theirs", drag / schiller_naumann(re), 1, absolute=tolerance(sphere))
sys.exit(checks.end())
