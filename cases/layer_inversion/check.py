#!/usr/bin/env python3
"""Checks which of two solids lies below in a stream of liquid: check.py [OUTPUT_DIRECTORY]"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from case_files import Checks, root, run_of
from drag_laws import wen_yu

run = run_of(__file__)
run.must_reach()
s = run.settings
U, rho, mu = s.real("inlet.floor.velocity"), s.real("gas.density"), s.real("gas.viscosity")
g = -s.reals("forces.gravity")[2]


def buoyed_layer(solid):
    """(1 - eps)(rho_p - rho) [kg/m3] of the layer that the solid alone forms in the stream."""
    d = s.real(f"size.{s.text(f'solid.{solid}.size')}.diameter")
    weight = (s.real(f"solid.{solid}.density") - rho) * g
    # K u/eps = eps (rho_p - rho) g in Model A, u/eps the slip of the superficial velocity u
    eps = root(lambda e: wen_yu(e, U / e, d, rho, mu) * U / e - e * weight, 0.41, 1.0)
    return (1 - eps) * weight / g


def mean_height(solid):
    return run.mean(f"centre_z_{solid}", 0.9 * run.times()[-1])


one, other = s.blocks("solid")
below, above = (one, other) if buoyed_layer(one) > buoyed_layer(other) else (other, one)
checks = Checks(f"Two solids in water of {U:g} m/s: {below} lies below ({buoyed_layer(below):.4g} to "
                f"{buoyed_layer(above):.4g} kg/m3)")
cell = s.reals("grid.size")[2] / s.reals("grid.cells")[2]
checks.between(f"height of {above} over that of {below}, last tenth [m]", mean_height(above) - mean_height(below), cell, 1)
checks.at_most("momentum residual", max(run.log["momentum_residual"]), 1e-12)
checks.at_most("mixture residual", max(run.log["mixture_residual"]), 1.01 * s.real("gas.tolerance"))
checks.equal("parcels that left", run.log["left"][-1], 0)
sys.exit(checks.end())
