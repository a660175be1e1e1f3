#!/usr/bin/env python3
"""Compares a red cell in a lattice fluid with the same in the spectral one: check.py [OUTPUT_DIRECTORY]"""

import math
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from case_files import Checks, mean, run_of
from membrane_figures import at, intrinsic_viscosity, judge_energy, judge_momentum, judge_volume, swing, turns

# Of the spectral fluid, by strain: Taylor's deformation and inclination [degrees]; the means from strain 30 to 60, the greatest
# deformation there, and the strain after which the membrane has gone round once.
BY_STRAIN = {2: (0.5269, 7.68), 5: (0.5508, 13.10), 10: (0.6209, 18.52), 15: (0.6319, 14.21)}
DEFORMATION, INCLINATION, GREATEST, TURN = 0.6053, 15.78, 0.638, 31.66
FIRST, LAST = 30, 60

run = run_of(__file__)
s = run.settings
(kind,) = s.blocks("surface")
rate, radius = s.real("drive.shear_rate"), s.real(f"surface.{kind}.radius")
run.must_reach(2 / rate)
step, spacing = s.real("time.dt"), s.reals("grid.size")[0] / s.reals("grid.cells")[0]
viscosity = s.real("fluid.viscosity") / s.real("fluid.density")
end = rate * run.times()[-1]

checks = Checks(f"A red cell on a lattice, {radius / spacing:.3g} cells to a radius")
checks.report("tau", 0.5 + 3 * viscosity * step / spacing**2)
checks.at_most("Mach number", math.sqrt(3) * max(run.column("fluid_speed_max", 1 / rate)) * step / spacing, 0.1)
checks.report("Reynolds number", rate * radius**2 / viscosity)
for strain, (deformation, inclination) in BY_STRAIN.items():
    if strain > end:
        break
    checks.near(f"deformation at a strain of {strain}", at(run, "deformation", strain / rate), deformation, relative=0.03)
    checks.near("inclination there [degrees]", math.degrees(at(run, "inclination", strain / rate)), inclination, absolute=1)
if end >= 0.999 * LAST:
    _, deformation, greatest = swing(run.column("deformation", FIRST / rate))
    checks.near("deformation, mean of the last half", deformation, DEFORMATION, relative=0.03)
    checks.near("deformation, greatest there", greatest, GREATEST, relative=0.03)
    inclination = math.degrees(mean(run.column("inclination", FIRST / rate)))
    checks.near("inclination, mean of the last half [degrees]", inclination, INCLINATION, relative=0.03)
    whole = turns(run)
    checks.near("strain in which the membrane goes round once", rate * whole[0] if whole else math.inf, TURN, relative=0.03)
    checks.report("intrinsic viscosity by what is dissipated", intrinsic_viscosity(run, FIRST / rate, end / rate),
                  "2.5 of rigid spheres")
judge_volume(checks, run, 0.01)
checks.at_most("area, largest relative drift", max(abs(a) for a in run.log["area_drift"]),
               3 / s.real(f"surface.{kind}.area_ratio"))
judge_energy(checks, run, min(FIRST, 0.5 * end) / rate, end / rate, 0.02 if end > FIRST else 0.05)
judge_momentum(checks, run)
middle = 0.5 * s.reals("grid.size")[0]
away = max(abs(run.log[f"centre_{a}"][-1] - middle) for a in "xyz")
checks.at_most("way of the centre from the middle, over the radius", away / radius, 0.05)
sys.exit(checks.end())
