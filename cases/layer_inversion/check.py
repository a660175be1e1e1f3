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


def diameter(solid):
    return s.real(f"size.{s.text(f'solid.{solid}.size')}.diameter")


def layer_of(solid):
    """Gas fraction of the layer that the solid alone forms in the stream, and the layer's density [kg/m3]."""
    d, density = diameter(solid), s.real(f"solid.{solid}.density")
    # K u/eps = eps (rho_p - rho) g in Model A, u/eps the slip of the superficial velocity u
    eps = root(lambda e: wen_yu(e, U / e, d, rho, mu) * U / e - e * (density - rho) * g, 0.41, 1.0)
    return eps, eps * rho + (1 - eps) * density


def velocity_in(solid, other):
    """Of one grain of the solid in the layer of the other [m/s]; upwards."""
    eps, density = layer_of(other)
    weight = (s.real(f"solid.{solid}.density") - density) * g
    return U / eps - root(lambda u: wen_yu(eps, u, diameter(solid), rho, mu) * u - weight, 0.0, 10.0)


def mean_height(solid):
    return run.mean(f"centre_z_{solid}", 0.9 * run.times()[-1])


def height_of_solids(solid):
    """Their volume over the area of the floor [m]."""
    return run.log[f"mass_{solid}"][-1] / s.real(f"solid.{solid}.density") / run.floor_area()


one, other = s.blocks("solid")
below, above = (one, other) if layer_of(one)[1] > layer_of(other)[1] else (other, one)
sinks, rises = velocity_in(below, above), velocity_in(above, below)
apart = mean_height(above) - mean_height(below)
layers = sum(height_of_solids(solid) / (1 - layer_of(solid)[0]) for solid in (above, below)) / 2
densities = f"{layer_of(below)[1]:.5g} to {layer_of(above)[1]:.5g} kg/m3"
if rises > 0 > sinks:  # each grain leaves the other's layer
    checks = Checks(f"Two solids in water of {U:g} m/s: {below} lies below ({densities})")
    low, high = 0.75, 1.05
else:
    checks = Checks(f"Two solids in water of {U:g} m/s: {below} would lie below ({densities}), but grains enter the other's "
                    f"layer ({sinks:.2g} and {rises:.2g} m/s), and all mix")
    low, high = -0.4, 0.4
checks.between(f"height of {above} over that of {below}, last tenth, over that of layers", apart / layers, low, high)
checks.at_most("momentum residual", max(run.log["momentum_residual"]), 1e-12)
checks.at_most("mixture residual", max(run.log["mixture_residual"]), 1.01 * s.real("gas.tolerance"))
checks.equal("parcels that left", run.log["left"][-1], 0)
sys.exit(checks.end())
