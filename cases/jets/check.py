#!/usr/bin/env python3
"""Checks that facing jets stay bounded and even: check.py [OUTPUT_DIRECTORY]"""

import math
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from bed_figures import Bed, parcels_astray
from case_files import Checks, mean, run_of

run = run_of(__file__)
run.must_reach()
s = run.settings
inlets = s.blocks("inlet")
(size,) = s.blocks("size")
speed = max(s.real(f"inlet.{inlet}.solids_velocity") for inlet in inlets)
end = run.times()[-1]
beds = [Bed(s, file) for file in run.parcels()]
later = run.since(0.5 * end, "parcels", beds)
parcel = s.real("solids.density") * math.pi / 6 * s.real(f"size.{size}.diameter") ** 3
entered = sum(int(end * s.real(f"inlet.{i}.solids_rate") / (parcel * s.real(f"inlet.{i}.particles_per_parcel")))
              for i in inlets)

checks = Checks(f"Facing jets of {speed:g} m/s")
unreal = sum(not math.isfinite(value) for column in run.log.values() for value in column)
checks.equal("figures that are no numbers", unreal, 0)
checks.near("parcels that entered", run.log["created"][-1], entered, absolute=2 * len(inlets))
checks.equal("parcels rejected", run.log["rejected"][-1], 0)
checks.equal("parcels astray", parcels_astray(run), 0)
# What both jets bring leaves up and down: through a slot as high as a jet is thick, it would be as fast as they are.
checks.at_most("fastest parcel, over the jets' speed", max(run.log["speed_max"]) / speed, 4)
middle = mean([mean([x[0] for x in bed.positions]) for bed in later]) / s.reals("grid.size")[0]
checks.near("mean place of the parcels between the walls", middle, 0.5, absolute=0.05)
# What enters as fast as the gas is exchanges next to nothing with it at first, and the residual is relative to that.
checks.at_most("momentum residual, from a tenth of the run on", max(run.column("momentum_residual", 0.1 * end)), 1e-12)
checks.at_most("mixture residual", max(run.log["mixture_residual"]), 1.01 * s.real("gas.tolerance"))
checks.report("theta, largest of all", max(run.log["theta_max"]))
sys.exit(checks.end())
