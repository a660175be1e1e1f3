#!/usr/bin/env python3
"""Checks a run of the packed bed against its drag law: check.py [OUTPUT_DIRECTORY]"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from case_files import Checks, run_of
from drag_laws import law_of, pressure_gradient

run = run_of(__file__)
run.must_reach()
s = run.settings
(inlet,), (seed,) = s.blocks("inlet"), s.blocks("seed")
eps = 1 - s.real(f"seed.{seed}.solids_fraction")
length = s.reals("grid.size")[2]
superficial = s.real(f"inlet.{inlet}.velocity")

checks = Checks(f"Packed bed, {s.text('solids.drag')}, {superficial:g} m/s")
expected = length * pressure_gradient(law_of(s), eps, superficial)
checks.near("pressure drop [Pa]", run.log["pressure_drop"][-1], expected, relative=0.01)
middle = len(run.times()) // 2
checks.near("half-way through the run [Pa]", run.log["pressure_drop"][middle], run.log["pressure_drop"][-1],
            relative=1e-4)
sys.exit(checks.end())
