#!/usr/bin/env python3
"""Checks that jets merge where collisions damp them, and cross where not: check.py [OUTPUT_DIRECTORY]"""

import math
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from bed_figures import parcels_astray
from case_files import Checks, mean, run_of

run = run_of(__file__)
s = run.settings
inlets = s.blocks("inlet")
(size,) = s.blocks("size")
rates = [s.real(f"inlet.{i}.solids_rate") for i in inlets]
speeds = [[s.real(f"inlet.{i}.solids_velocity"), *s.reals(f"inlet.{i}.solids_tangential_velocity")[1:]] for i in inlets]
rate, end, width = sum(rates), run.times()[-1], s.reals("grid.size")[0]
merged = [sum(q * u[d] for q, u in zip(rates, speeds)) / rate for d in range(3)]
entering = sum(q * sum(v * v for v in u) for q, u in zip(rates, speeds)) / rate
kept = sum(v * v for v in merged) / entering
parcel = s.real("solids.density") * math.pi / 6 * s.real(f"size.{size}.diameter") ** 3
damped = s.text("contact.collisions") != "off" and s.real("contact.restitution") < 1
vacuum = s.text("gas.motion") == "prescribed" and s.real("gas.density") < 1e-3
across = width / merged[0]  # time of the flight
begin = 3 * across
run.must_reach(4 * across)

checks = Checks(f"Colliding jets, {'damped' if damped else 'undamped'}")
entered = sum(int(end * q / (parcel * s.real(f"inlet.{i}.particles_per_parcel"))) for i, q in zip(inlets, rates))
checks.near("parcels that entered", run.log["created"][-1], entered, absolute=2 * len(inlets))
checks.equal("parcels rejected", run.log["rejected"][-1], 0)
checks.equal("parcels astray", parcels_astray(run), 0)
checks.at_most("energy residual", max(run.log["energy_residual"]), 1e-12)
checks.at_most("momentum books", max(run.log["momentum_books"]), 1e-12)
log = run.log
missing = log["kinetic_energy"][-1] - log["kinetic_energy"][0] - sum(
    sum(log[name]) * sign
    for name, sign in [(name, 1) for name in log if name.startswith("work_")] + [("kinetic_entered", 1), ("kinetic_left", -1)])
checks.at_most("energy that the books of all rows miss, over what entered", abs(missing) / sum(log["kinetic_entered"]), 1e-11)
mass = log["mass_entered"], log["mass_left"]
held = sum(mass[0]) - sum(mass[1]) - s.real("solids.density") * (log["solids_volume"][-1] - log["solids_volume"][0])
checks.at_most("mass that they miss, over what entered [-]", abs(held) / sum(mass[0]), 1e-11)
if vacuum:
    left = [(m, k) for m, k, t in zip(log["mass_left"], log["kinetic_left"], run.times()) if t > begin]
    brought = entering / 2
    share = sum(k for _, k in left) / (sum(m for m, _ in left) * brought)
    checks.near("energy of what leaves, over that of what entered", share, kept if damped else 1,
                relative=0.01 if damped else 1e-9)
    away, leaving = [], []
    for file in run.parcels():
        if file.time <= begin:
            continue
        for x, u in zip(file.values("Points"), file.values("velocity")):
            if x[0] > width - 0.02:
                leaving.append(u)
                away.append(abs(x[2] - 0.5 * s.reals("grid.size")[2]))
    if damped:
        speed = math.sqrt(sum(v * v for v in merged))
        checks.near("velocity at the outlet, along [m/s]", mean([u[0] for u in leaving]), speed, relative=0.003)
        checks.near("and across", mean([u[2] for u in leaving]), 0, absolute=0.01 * speed)
        checks.at_most("rms across, over the jets' own",
                       math.sqrt(mean([u[2] ** 2 for u in leaving])) / abs(speeds[0][2]), 0.2)
    else:
        # Nobody has met anybody: velocities are those of the inlets, and both jets are past each other.
        strange = sum(min(math.dist(u, v) for v in speeds) > 1e-9 * math.sqrt(entering) for u in leaving)
        checks.equal("parcels at the outlet of another velocity than an inlet's", strange, 0)
        checks.at_most("-least distance of these from the middle [m]", -min(away), -0.05)
sys.exit(checks.end())
