#!/usr/bin/env python3
"""Checks where the pressure drop of a bed falls below its weight: check.py [OUTPUT_DIRECTORY [EXPERIMENT]]

EXPERIMENT is a measured minimum fluidisation velocity [m/s] to compare with, too, within 15 %.
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from case_files import Checks, cannot_judge, mean, root, run_of
from drag_laws import law_of, minimum_fluidisation

SETTLING = 0.4  # share of each plateau, from its beginning, that no mean includes
SHORTEST = 0.2  # s: what is shorter is no plateau
STILL = 0.01    # of the gas's velocity: a bed that sinks faster is carried by the gas that leaves it, and is not fixed


def plateaus(settings, inlet):
    """(begin, end, superficial velocity) wherever the velocity stays the same for longer than SHORTEST."""
    velocity = settings.real(f"inlet.{inlet}.velocity")
    times, factors = settings.reals(f"inlet.{inlet}.times"), settings.reals(f"inlet.{inlet}.factors")
    ends = times + [settings.real("time.end")]
    begins, levels = [0.0] + times, [factors[0]] + factors
    after = factors + [factors[-1]]
    return [(b, e, velocity * level) for b, e, level, next_level in zip(begins, ends, levels, after)
            if e - b > SHORTEST and level == next_level > 0]


def fixed_bed_curve(points):
    """a >= 0 and b >= 0 of the least-squares fit drop = a U + b U^2, each error relative to its drop.

    Fine grains have next to no b, and scatter of the points may ask for a negative one, with which no velocity would
    carry the bed: drag that falls with velocity does not exist, so the fit then is the viscous part alone.
    """
    rows = [(u / drop, u * u / drop) for u, drop in points]
    s11, s12, s22 = (sum(r[i] * r[j] for r in rows) for i, j in ((0, 0), (0, 1), (1, 1)))
    t1, t2 = sum(r[0] for r in rows), sum(r[1] for r in rows)
    determinant = s11 * s22 - s12 * s12
    a, b = (s22 * t1 - s12 * t2) / determinant, (s11 * t2 - s12 * t1) / determinant
    if b < 0:
        return t1 / s11, 0.0
    if a < 0:
        return 0.0, t2 / s22
    return a, b


run = run_of(__file__)
s = run.settings
(inlet,) = s.blocks("inlet")
run.must_reach(s.reals(f"inlet.{inlet}.times")[-1] + SHORTEST)
law = law_of(s)
buoyed_weight = (s.real("solids.density") - s.real("gas.density")) * -s.reals("forces.gravity")[2]  # [N/m3]


def plateau(begin, end, superficial):
    """Velocity, pressure drop [Pa], weight [Pa], gas fraction: means over a plateau; and the surface's velocity."""
    begin += SETTLING * (end - begin)
    # A bed of even voidage has its centre at half its height.
    height = 2 * run.mean("centre_z", begin, end)
    eps = 1 - run.mean("solids_volume", begin, end) / run.floor_area() / height
    centres = run.column("centre_z", begin, end)
    return (superficial, run.mean("pressure_drop", begin, end), run.mean("weight", begin, end), eps,
            2 * (centres[-1] - centres[0]) / (end - begin))


measured = [plateau(*p) for p in plateaus(s, inlet)]
slowest = measured[-1]  # surely a fixed bed
guess = minimum_fluidisation(law, slowest[3], (1 - slowest[3]) * buoyed_weight)
fixed = [m for m in measured if m[0] < 0.8 * guess and abs(m[4]) < STILL * m[0]]
if not fixed:
    cannot_judge("no plateau below .8 of the law's minimum fluidisation velocity on which the bed lies still (it still sinks) "
                 "make the plateaus longer: inlet." + inlet + ".times")
a, b = fixed_bed_curve([m[:2] for m in fixed])
weight = mean([m[2] for m in fixed])
found = root(lambda u: a * u + b * u * u - weight, 0.0, 100.0)
voidage = mean([m[3] for m in fixed])
expected = minimum_fluidisation(law, voidage, (1 - voidage) * buoyed_weight)

checks = Checks(f"Minimum fluidisation, {s.text('solids.drag')}")
checks.near("minimum fluidisation velocity [m/s]", found, expected, relative=0.03)
if len(sys.argv) > 2:
    checks.near("the same against experiment [m/s]", found, float(sys.argv[2]), relative=0.15)
for u, drop, carried, eps, rises in measured:
    checks.report(f"pressure drop / weight at {u:.4g} m/s", drop / carried,
                  f"gas fraction {eps:.4f}, surface {1e3 * rises:.3g} mm/s")
last = run.times()[-1]
checks.at_most("theta, largest of the last second", max(run.column("theta_max", last - 1)),
               s.real("solids.close_packing") + 0.03)
sys.exit(checks.end())
