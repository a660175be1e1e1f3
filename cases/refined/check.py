#!/usr/bin/env python3
"""Checks how densely a bubbling bed packs on a fine grid: check.py [OUTPUT_DIRECTORY]"""

import math
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from bed_figures import parcels_astray, report_bubbles
from case_files import Checks, VtkFile, mean, run_of

MANY = 10  # parcels in a packed cell, from which on the maps see an even bed as even

run = run_of(__file__)
run.must_reach()
s = run.settings
(size,), (seed,) = s.blocks("size"), s.blocks("seed")
cp = s.real("solids.close_packing")
cells, lengths = s.reals("grid.cells"), s.reals("grid.size")
cell = math.prod(length / n for length, n in zip(lengths, cells))
parcel = s.real(f"seed.{seed}.particles_per_parcel") * math.pi / 6 * s.real(f"size.{size}.diameter") ** 3
packed = cp * cell / parcel
theta = sorted(t for p in run.files("fields", least=2)[1:] for t in VtkFile(p).values("solids_fraction"))

checks = Checks(f"Goldschmidt's bed on {cells[1]:g} x {cells[2]:g} cells, {packed:.3g} parcels in a packed one")
checks.at_most("theta, largest of all", max(run.log["theta_max"]), cp + (0.03 if packed >= MANY else 0.10))
checks.at_most("theta, exceeded by .1 % of the cells of the field files", theta[int(0.999 * len(theta))], cp + 0.04)
if run.has("theta_999"):  # what no interval exceeds, the run does not
    checks.at_most("the same over cells and steps, largest of the rows", max(run.log["theta_999"]), cp + 0.04)
else:
    checks.missing("the same over cells and steps", run, "theta_999")
checks.equal("parcels astray", parcels_astray(run), 0)
checks.at_most("momentum residual", max(run.log["momentum_residual"]), 1e-12)
if run.has("half_cells"):
    checks.report("imbalance of the halves of packed cells, rms, largest", max(run.log["half_cells"]))
checks.report("occupancy, largest of the rows' moments", max(run.log["occupancy_max"]))
checks.report("theta drift, rms, largest", max(run.log["theta_drift_rms"]))
checks.report("centre of mass from 1 s on [m]", mean(run.column("centre_z", 1, least=0) or [0]))
checks.report("99 % height from 1 s on [m]", mean(run.column("height_99", 1, least=0) or [0]))
report_bubbles(checks, run, 1)
checks.report("parcels that left", run.log["left"][-1])
checks.report("fastest parcel [m/s]", max(run.log["speed_max"]))
checks.report("packing that did not converge, steps", sum(run.log["contact_failures"]))
sys.exit(checks.end())
