#!/usr/bin/env python3
"""Checks how a stretched sphere relaxes: check.py [OUTPUT_DIRECTORY]"""

import math
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from case_files import Checks, run_of
from membrane_figures import box_volume, judge_energy, judge_momentum, judge_volume


def skalak_energy(stretch, modulus, ratio, radius, pieces=200):
    """Energy of a sphere that an affine map has stretched [J], by Gauss' rule in height and the midpoint rule around."""
    total = 0.0
    step = 2 / pieces
    for i in range(pieces):
        for offset in (-1 / math.sqrt(3), 1 / math.sqrt(3)):
            z = -1 + (i + 0.5 + 0.5 * offset) * step
            r = math.sqrt(1 - z * z)
            for k in range(pieces):
                angle = 2 * math.pi * (k + 0.5) / pieces
                c, s = math.cos(angle), math.sin(angle)
                first, second = (-s, c, 0.0), (-z * c, -z * s, r)  # tangents of the sphere
                g = [[sum(f * f * a * b for f, a, b in zip(stretch, u, v)) for v in (first, second)] for u in (first, second)]
                i1, i2 = g[0][0] + g[1][1] - 2, g[0][0] * g[1][1] - g[0][1] ** 2 - 1
                total += modulus / 4 * (i1 * i1 + 2 * i1 - 2 * i2 + ratio * i2 * i2)
    return total * 0.5 * step * (2 * math.pi / pieces) * radius**2


def slight_stretch(ratio):
    """How deformation goes on after an affine stretch that is slight, in a viscous fluid without ends: rates and
    amplitudes of two modes, in units of G_s/(mu R) and of the deformation at the start; README.md has the equations."""
    area = 1 + 2 * ratio
    stiffness = ((-4 * area, 12 * area), (2 * area, -4 - 6 * area))
    mobility = ((4 / 35, 6 / 35), (1 / 35, 1 / 7))
    decay = [[sum(mobility[i][k] * stiffness[k][j] for k in (0, 1)) for j in (0, 1)] for i in (0, 1)]
    half = 0.5 * (decay[0][0] + decay[1][1])
    apart = math.sqrt(half * half - decay[0][0] * decay[1][1] + decay[0][1] * decay[1][0])
    rates = (half + apart, half - apart)
    along = [(rate - decay[0][0]) / decay[0][1] for rate in rates]  # of a mode's part along the surface to that across
    share = (0.5 - along[1]) / (along[0] - along[1])  # the affine stretch moves half as much along
    return rates, (share, 1 - share)


run = run_of(__file__)
run.must_reach()
s = run.settings
(kind,) = s.blocks("surface")
key = f"surface.{kind}."
radius, modulus, ratio = s.real(key + "radius"), s.real(key + "shear_modulus"), s.real(key + "area_ratio")
stretch, viscosity = s.reals(key + "stretch"), s.real("fluid.viscosity")
spacing = max(w / n for w, n in zip(s.reals("grid.size"), s.reals("grid.cells")))
times, deformation = run.times(), run.log["deformation"]
fraction = run.log["volume"][0] / box_volume(s)
rates, amplitudes = slight_stretch(ratio)
radial = s.text(key + "representation") == "radial"
slight = max(abs(f - 1) for f in stretch) < 0.02
stokes = s.text("fluid.motion") == "stokes"
unit = viscosity * radius / modulus

checks = Checks(f"A stretched sphere, {radius / spacing:.3g} cells to a radius, {s.text('coupling.scheme')}, "
                f"{s.text('coupling.kernel')}")
expected = (stretch[2] - stretch[1]) / (stretch[2] + stretch[1])
# Polyhedra's error is of second order in their edges, and the same for area, energy and volume.
points = s.real(key + ("sites" if radial else "vertices"))
checks.near("deformation at the start", deformation[0], expected, relative=1e-3)
checks.near("elastic energy at the start [J]", run.log["elastic_energy"][0],
            skalak_energy(stretch, modulus, ratio, radius), relative=max(20 / points, 1e-4))
energy = [sum(run.log[f"{name}_energy"][i] for name in ("kinetic", "elastic")) for i in range(len(times))]
checks.at_most("largest growth of energy from row to row, over that at the start",
               max(b - a for a, b in zip(energy, energy[1:])) / energy[0], 1e-9)
checks.at_most("energy in the end over that at the start", energy[-1] / energy[0], 0.2 if times[-1] > 40e-6 else 1)
theory = [sum(a * math.exp(rate * t / unit) for a, rate in zip(amplitudes, rates)) for t in times]
growth = max(deformation) / deformation[0]
if slight and stokes:
    checks.near("largest deformation over that at the start", growth, max(theory), relative=0.05)
    middle, last = len(times) // 2, len(times) - 1
    rate = -math.log(deformation[last] / deformation[middle]) / (times[last] - times[middle])
    # Images in a periodic box hold it back by some three times the share of the box that it fills.
    checks.near("rate at which it relaxes, times mu R/G_s", rate * unit, -rates[0] * (1 - 3 * fraction), relative=0.1)
    checks.report("the same without images", -rates[0])
else:
    checks.between("largest deformation over that at the start: area is given back first", growth, 1.05, 1.25)
    checks.report("that of a slight stretch without inertia", max(theory))
# Spirals of nodes are not symmetric as icospheres are, which turn and shift to round-off.
symmetric = not radial and s.text(key + "nodes") == "icosphere"
checks.at_most("inclination [rad]", max(abs(a) for a in run.log["inclination"]), 1e-6 if symmetric else 1e-4)
away = max(abs(run.log[f"centre_{d}"][-1] - run.log[f"centre_{d}"][0]) for d in "xyz")
checks.at_most("way of the centre over the radius", away / radius, 1e-6 if symmetric else 1e-5)
second_order = s.text("coupling.scheme") == "midpoint"
lost = 1e-4 if s.text("coupling.kernel").startswith("composite") else 1e-2
judge_energy(checks, run, times[0], times[-1], 0.05 if stokes else 0.001 if second_order else 0.02)
if not radial:
    judge_volume(checks, run, lost)
    judge_momentum(checks, run)
else:  # whose vertex files have no triangles
    checks.at_most("enclosed volume, largest relative drift", max(abs(v) for v in run.log["volume_drift"]), lost)
checks.report("area over that at the start", run.log["area"][-1] / run.log["area"][0])
checks.report("largest speed of the fluid [m/s]", max(run.log["fluid_speed_max"]))
sys.exit(checks.end())
