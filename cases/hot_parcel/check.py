#!/usr/bin/env python3
"""Checks the temperature of a grain in a stream against its own equation: check.py [OUTPUT_DIRECTORY]"""

import math
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from case_files import Checks, run_of

run = run_of(__file__)
s = run.settings
(inlet,), (seed,), (size,) = s.blocks("inlet"), s.blocks("seed"), s.blocks("size")
rho, mu, c, k = (s.real(f"gas.{key}") for key in ("density", "viscosity", "heat_capacity", "conductivity"))
d, slip = s.real(f"size.{size}.diameter"), s.real(f"inlet.{inlet}.velocity")
re, pr = rho * slip * d / mu, mu * c / k
nu = {"ranz_marshall": lambda: 2 + 0.6 * re**0.5 * pr ** (1 / 3),
      "gunn": lambda: 2 * (1 + 0.7 * re**0.2 * pr ** (1 / 3)) + 0.13 * re**0.7 * pr ** (1 / 3),  # at gas fraction 1
      "constant": lambda: s.real("heat.nusselt")}[s.text("heat.model")]()
t_h = s.real("solids.density") * s.real("solids.heat_capacity") * d**2 / (6 * nu * k)
run.must_reach()
start, gas, dt = s.real(f"seed.{seed}.temperature"), s.real("gas.temperature"), s.real("time.dt")

checks = Checks(f"Hot parcel, Nu = {nu:.5g}, t_h = {t_h:.6g} s")
times, found = run.times(), run.log["solids_temperature"]
steps = [round(t / dt) for t in times]
scheme = [gas + (start - gas) * (1 + dt / t_h) ** -n for n in steps]
checks.at_most("from implicit steps' own [K]", max(abs(a - b) for a, b in zip(found, scheme)), 1e-4)
checks.near(f"after {times[-1]:g} s [K]", found[-1], gas + (start - gas) * math.exp(-times[-1] / t_h),
            absolute=1e-4 + abs(gas - start) * min(1, 0.6 * dt / t_h))
low, high = min(start, gas) - 1e-9, max(start, gas) + 1e-9
checks.between("least [K]", min(run.log["solids_temperature_min"]), low, high)
checks.between("most [K]", max(run.log["solids_temperature_max"]), low, high)
checks.at_most("heat_residual", max(run.log["heat_residual"]), 1e-12)
sys.exit(checks.end())
