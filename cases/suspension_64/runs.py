#!/usr/bin/env python3
"""Runs the suspension with a tenth, a fifth and nearly a third of spheres, and prints its relative viscosity beside formulas:
runs.py [DIRECTORY_OF_RESULTS [OPTIONS_OF_RUNS...]]"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from case_files import Checks
from many_runs import run_all
from spheres import Suspension, krieger_dougherty

BOXES = {"0.1": (56, 55, 56), "0.2": (44, 44, 44), "0.3": (38, 40, 38)}  # cells of a millimetre

runs = run_all(__file__, {name: {"grid.cells": "{}, {}, {}".format(*box), "grid.size": "{}, {}, {} mm".format(*box)}
                          for name, box in BOXES.items()})
checks = Checks("Relative viscosity of 64 spheres in shear")
for run in runs.values():
    suspension = Suspension(run)
    fraction, found = suspension.fraction, suspension.viscosity(4 / suspension.rate)
    checks.report(f"with {fraction:.3g} of spheres", found, f"{krieger_dougherty(fraction):.3f} by Krieger and Dougherty")
    checks.between("the same over theirs", found / krieger_dougherty(fraction), 0.7, 1.3)
sys.exit(checks.end())
