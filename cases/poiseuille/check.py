#!/usr/bin/env python3
"""Checks the profile of a flow between walls to round-off: check.py [OUTPUT_DIRECTORY]"""

import math
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from case_files import Checks, run_of

run = run_of(__file__)
s = run.settings
nx, ny, _ = (int(n) for n in s.reals("grid.cells"))
width, force = s.reals("grid.size")[1], s.reals("drive.body_force")[0]
density, viscosity, h, dt = s.real("fluid.density"), s.real("fluid.viscosity"), width / ny, s.real("time.dt")
decay = math.pi**2 * viscosity / (density * width**2)  # of what is missing most slowly [1/s]
run.must_reach(33 / decay)
tau = 0.5 + 3 * viscosity / density * dt / h**2
collision = s.text("lattice.collision")
magic = {"trt": s.real("lattice.magic"), "bgk": (tau - 0.5) ** 2, "regularised": 0.5 * (tau - 0.5)}[collision]
slip = 2 / 3 * (magic - 3 / 16) * h**2 * force / viscosity

fields = run.last_fields()
u = [v[0] for v in fields.values("velocity")]
theory = [0.5 * force / viscosity * y * (width - y) + slip for y in (h * (j + 0.5) for j in range(ny))]
peak = max(theory)
checks = Checks(f"Flow between walls {ny} cells apart, {collision}, tau = {tau:.4g}, magic number {magic:.4g}")
checks.report("Reynolds number by the mean velocity", density * (sum(theory) / ny) * width / viscosity)
checks.report("slip at the walls over the largest velocity, in theory", slip / peak)
apart = max(abs(u[i + nx * j] - theory[j]) for j in range(ny) for i in range(nx))
checks.at_most("largest error of the profile over the largest velocity", apart / peak, 1e-12)
across = max(abs(v[1]) for v in fields.values("velocity"))
checks.at_most("velocity across over the largest velocity", across / peak, 1e-12)
volume = math.prod(s.reals("grid.size"))
checks.near("force of the walls over the body force", -run.log["sides_force_x"][-1] / (force * volume), 1, absolute=1e-10)
sys.exit(checks.end())
