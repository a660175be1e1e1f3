#!/usr/bin/env python3
"""Checks what a red cell does in shear: check.py [OUTPUT_DIRECTORY]"""

import math
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from case_files import Checks, mean, run_of
from membrane_figures import (at, flow_axis, intrinsic_viscosity, judge_energy, judge_momentum, judge_volume, peaks,
                              swing, turns, vertex_files)
from surfaces import red_cell, surfaces

PAPER = 2562  # vertices of a cell at the paper's resolution, of 8832 sample sites to 864 data sites
TURNS, SHORTEST = 2, 20  # that are judged; and units of strain that one of them takes, at least

run = run_of(__file__)
s = run.settings
(kind,) = s.blocks("surface")
rate, radius = s.real("drive.shear_rate"), s.real(f"surface.{kind}.radius")
run.must_reach(TURNS * SHORTEST / rate)
capillary = s.real("fluid.viscosity") * rate * radius / s.real(f"surface.{kind}.shear_modulus")
vertices = s.real(f"surface.{kind}.vertices")
coarse = max(1.0, PAPER / vertices) if s.text(f"surface.{kind}.representation") == "triangles" else 1.0
file = next(vertex_files(run), None)
shape = surfaces(file)[0] if file else None

checks = Checks(f"A red cell in shear, Ca = {capillary:.4g}")
volume, area = red_cell(radius)
checks.near("volume at the start [um3]", 1e18 * run.log["volume"][0], 1e18 * volume, relative=0.005 * coarse)
checks.near("area at the start [um2]", 1e12 * run.log["area"][0], 1e12 * area, relative=0.005 * coarse)
if shape:
    checks.near("volume of the first vertex file over the log's", shape.volume / run.log["volume"][0], 1, absolute=1e-9)
    checks.near("deformation of the same over the log's", shape.deformation(flow_axis(s)) / run.log["deformation"][0], 1,
                absolute=1e-6)
    judge_volume(checks, run, 1e-3 * coarse)
    judge_momentum(checks, run)
else:  # radial surfaces have sites, and no triangles
    checks.at_most("enclosed volume, largest relative drift", max(abs(v) for v in run.log["volume_drift"]), 1e-3)
checks.at_most("area, largest relative drift", max(abs(a) for a in run.log["area_drift"]),
               3 / s.real(f"surface.{kind}.area_ratio"))

whole = turns(run)
checks.between("turns of the membrane", abs(run.log["tank_treading"][-1]) / (2 * math.pi), TURNS, math.inf)
if len(whole) > 1:
    first, last = whole[0], whole[-1]
    period = (last - first) / (len(whole) - 1)
    low, inclination, high = (math.degrees(a) for a in swing(run.column("inclination", first)))
    checks.between("least inclination after one turn [degrees]: no tumbling", low, 0, 45)
    checks.between("greatest [degrees]", high, 0, 45)
    checks.between("period of tank-treading times the shear rate", period * rate, SHORTEST, 50)
    crests = peaks(run, "deformation", first)
    checks.between("breaths after one turn", len(crests), 2, math.inf)
    if len(crests) > 1:
        breath = (crests[-1] - crests[0]) / (len(crests) - 1)
        checks.near("breaths to a turn", period / breath, 2, relative=0.1)
    least, deformation, most = swing(run.column("deformation", first))
    checks.between("swing of the deformation by breathing", most - least, 0.02, 0.3)
    begin = last - period
    judge_energy(checks, run, begin, last)
    energies = [at(run, "elastic_energy", t) + at(run, "bending_energy", t) for t in (begin, last)]
    checks.report("elastic and bending energy after a turn over before", energies[1] / energies[0])
    checks.report("turns to a unit of strain", 1 / (period * rate), "1/(4 pi) = .0796 of a sphere")
    checks.report("inclination, mean [degrees]", inclination, f"{low:.3g} to {high:.3g}")
    checks.report("deformation, mean", deformation, f"{least:.3g} to {most:.3g}")
    checks.report("intrinsic viscosity by what is dissipated", intrinsic_viscosity(run, begin, last),
                  "2.5 of rigid spheres")
else:
    judge_energy(checks, run, 0, run.times()[-1])
checks.report("longest edge over that without stress", max(run.log["longest_stretch"]))
size = s.reals("grid.size")
centre = [mean(run.log[f"centre_{a}"]) - 0.5 * w for a, w in zip("xyz", size)]
checks.at_most("way of the centre from the middle, over the radius", max(map(abs, centre)) / radius, 0.05)
sys.exit(checks.end())
