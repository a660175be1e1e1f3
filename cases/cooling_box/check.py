#!/usr/bin/env python3
"""Checks how a box of beams cools, and becomes isotropic, against the laws: check.py [OUTPUT_DIRECTORY]"""

import math
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from case_files import Checks, mean, run_of

run = run_of(__file__)
s = run.settings
# Parcels of all seeds: radius, volume of solids [-], velocity
gas = []
fluctuating = 0.0 # mean square of what each seed's own parcels fluctuate by [m2/s2], times its volume
for seed in s.blocks("seed"):
    size = s.text(f"seed.{seed}.size") if s.given(f"seed.{seed}.size") else s.blocks("size")[0]
    gas.append((0.5 * s.real(f"size.{size}.diameter"), s.real(f"seed.{seed}.solids_fraction"),
                s.reals(f"seed.{seed}.velocity")))
    fluctuating += gas[-1][1] * sum(s.reals(f"seed.{seed}.granular_temperature"))
theta = sum(share for _, share, _ in gas)
r32 = theta / sum(share / r for r, share, _ in gas)
middle = [sum(share * u[d] for _, share, u in gas) / theta for d in range(3)]
slip = [math.dist(u, middle) for _, _, u in gas]
sigma0 = math.sqrt((fluctuating + sum(share * c * c for (_, share, _), c in zip(gas, slip))) / theta)
theta_cp, e = s.real("solids.close_packing"), s.real("contact.restitution")
eta, g0 = 0.5 * (1 + e), theta_cp / (theta_cp - theta)
far = s.text("contact.collision_rate") == "far_from_equilibrium"
isotropy = s.text("contact.isotropy") != "off"
if far:
    meet = [(share / r**3, theta / r32**3 * (r + r32) ** 2 * c) for (r, share, _), c in zip(gas, slip)]
    f = sum(n * each * each for n, each in meet) / sum(n * each for n, each in meet)
    often = math.sqrt(2) / math.pi * f / sigma0
else:
    often = 2 / math.sqrt(3 * math.pi) * theta / r32
damped = s.text("contact.collisions") != "off"
B = (8 / 3 if far else 8) * often * g0 * eta * (1 - eta) if damped else 0.0  # 1/(tau_D sigma)
C = (8 / 5 if far else 24 / 5) * often * g0 * eta * (2 - eta)                 # 1/(tau_G sigma)


def cooled(t):
    return sigma0 / (1 + 0.5 * B * sigma0 * t)


checks = Checks(f"Cooling box, {'far from' if far else 'in'} equilibrium")
carried = math.sqrt(sum(u * u for u in middle))
found = [math.sqrt(max(0.0, speed**2 - carried**2)) for speed in run.log["speed_rms"]]
worst = max(abs(sigma / cooled(t) - 1) for sigma, t in zip(found, run.times()))
if not (far and isotropy):  # which changes how often they meet
    checks.at_most("sigma, worst relative error", worst, 1e-10)
    checks.near("sigma at the end [m/s]", found[-1], cooled(run.times()[-1]), relative=1e-10)
checks.at_most("energy residual", max(run.log["energy_residual"]), 1e-12)
checks.at_most("momentum books", max(run.log["momentum_books"]), 1e-12)
checks.at_most("most that collisions gave [J]", max(run.log["work_collisions"]), 0)


def stresses(file):
    """Mean squares of the fluctuations along each axis."""
    weights, u = file.values("volume"), file.values("velocity")
    whole = sum(weights)
    m = [sum(w * v[d] for w, v in zip(weights, u)) / whole for d in range(3)]
    return [sum(w * (v[d] - m[d]) ** 2 for w, v in zip(weights, u)) / whole for d in range(3)]


files = list(run.parcels())
first = stresses(files[0])
apart = {file.time: stresses(file) for file in files}
if isotropy and not far:
    count = run.log["parcels"][-1]  # all of them in one group, so that sums have as many terms
    for what in ("momentum", "energy"):
        checks.at_most(f"isotropy, {what} of the group", max(run.log[f"isotropy_{what}"]), 2.2e-16 * (count + 100))
    errors = []
    for t, now in apart.items():
        kept = (1 + 0.5 * B * sigma0 * t) ** (-2 * C / B) if B > 0 else math.exp(-C * sigma0 * t)
        share = (first[0] - first[1]) / sum(first)
        errors.append((now[0] - now[1]) / sum(now) / share - kept)
    # Every parcel is turned or not, and what is turned has the noise of a normal distribution; so says the step.
    checks.at_most("T_xx - T_yy over its law less 1, rms of all times", math.sqrt(mean([x * x for x in errors])),
                   2 / math.sqrt(count) + 0.5 * C * sigma0 * s.real("time.dt") * (B / C))
elif not isotropy:
    kept = [(now[0] - now[1]) / sum(now) - (first[0] - first[1]) / sum(first) for now in apart.values()]
    checks.at_most("change of (T_xx - T_yy)/3T without isotropy", max(abs(x) for x in kept), 1e-10)
sys.exit(checks.end())
