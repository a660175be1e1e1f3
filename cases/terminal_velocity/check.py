#!/usr/bin/env python3
"""Checks the fall of one particle against its equation of motion: check.py [OUTPUT_DIRECTORY]"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from case_files import Checks, root, run_of
from drag_laws import law_of
from theory import acceleration, fall

run = run_of(__file__)
s = run.settings
law = law_of(s)
g, updraught = -s.reals("forces.gravity")[2], s.reals("gas.velocity")[2]
rho, rho_p = s.real("gas.density"), s.real("solids.density")
accelerate = acceleration(s)

terminal = updraught - root(lambda slip: law(1.0, slip) * slip - g * (rho_p - rho), 0.0, 100.0)
run.must_reach(5 * (updraught - terminal) / g)  # by then it falls as fast as it will
periodic = s.text("sides.z_low") == "periodic"  # the box then wraps the height, and only the velocity is judged
files = run.parcels(least=2)
first = next(files)
time, z, u = first.time, first.values("Points")[0][2], first.values("velocity")[0][2]
start, worst_u, worst_z = z, 0.0, 0.0
for file in files:
    z, u = fall(accelerate, z, u, file.time - time)
    time = file.time
    found_z, found_u = file.values("Points")[0][2], file.values("velocity")[0][2]
    worst_u, worst_z = max(worst_u, abs(found_u - u)), max(worst_z, abs(found_z - z))

checks = Checks(f"Terminal velocity, {s.text('solids.drag')}")
checks.near(f"velocity after {time:g} s [m/s]", found_u, terminal, relative=0.001 if not periodic else 0.005)
checks.at_most("worst error of the velocity, over the terminal one", worst_u / abs(terminal), 0.001)
if not periodic:
    checks.at_most("worst error of the height, over the distance fallen", worst_z / abs(z - start), 0.001)
sys.exit(checks.end())
