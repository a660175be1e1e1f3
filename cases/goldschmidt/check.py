#!/usr/bin/env python3
"""Checks a run of the bed against the books of force and the peer's figures: check.py [OUTPUT_DIRECTORY]"""

import cmath
import math
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from bed_figures import report_bubbles
from case_files import Checks, deviation, mean, median, run_of

BEGIN = 1.0  # s: means are taken from here on, after the first eruption
PEER = {"centre": 0.1066, "height_99": 0.239, "drop_deviation": 0.21, "frequency": "2.0 to 2.7"}


def main_frequency(times, values, lowest=0.25, highest=10.0, step=0.05):
    """The frequency [Hz] with the most power in a Fourier transform of the deviations from the mean."""
    stride = max(1, len(times) // 2000)
    blocks = range(0, len(times) - stride + 1, stride)
    middle = [mean(times[i : i + stride]) for i in blocks]
    offset = mean(values)
    signal = [mean(values[i : i + stride]) - offset for i in blocks]

    def power(frequency):
        return abs(sum(s * cmath.exp(-2j * cmath.pi * frequency * t) for s, t in zip(signal, middle)))

    frequencies = [lowest + step * i for i in range(int((highest - lowest) / step) + 1)]
    return max(frequencies, key=power)


run = run_of(__file__)
checks = Checks("Goldschmidt's bed, means from 1 s on")
weight = run.mean("weight", BEGIN)
drop = run.column("pressure_drop", BEGIN)
theta = run.column("theta_max", BEGIN)
cp = run.settings.real("solids.close_packing")
end = run.times()[-1]
carried = sum(run.mean(part, BEGIN) for part in ("pressure_drop", "floor_contact", "wall_impulse"))
g = -run.settings.reals("forces.gravity")[2]
inertia = (run.bed_velocity(end) - run.bed_velocity(BEGIN)) / (end - BEGIN) / g
created = run.log["created"][0]
astray = max(abs(inside + left - created) for inside, left in zip(run.log["parcels"], run.log["left"]))

checks.between("pressure drop / weight", mean(drop) / weight, 0.95, 1.03)
checks.near("the same + floor contact + wall impulse - change of momentum", carried / weight - inertia, 1,
            relative=0.005)
checks.near("centre of mass [m]", run.mean("centre_z", BEGIN), PEER["centre"], relative=0.1)
checks.at_most("theta, largest of a step, median", median(theta), cp + 0.005)
checks.at_most("theta, largest of all steps", max(theta), cp + 0.03)
checks.equal("parcels astray", astray, 0)
checks.at_most("mixture residual", max(run.log["mixture_residual"]), 1.01 * run.settings.real("gas.tolerance"))
drift = math.sqrt(mean([d * d for d in run.log["theta_drift_rms"]]))
if run.settings.real("time.dt") <= 2e-4:  # it grows with the step; what matters then is that theta keeps its limit
    checks.at_most("theta drift, rms over cells and steps", drift, 5e-4)
else:
    checks.report("theta drift, rms over cells and steps", drift)
checks.at_most("momentum residual", max(run.log["momentum_residual"]), 1e-12)
checks.report("pressure drop + floor contact + wall impulse, over weight", carried / weight, "1, in the long run")
checks.report("pressure drop / weight, standard deviation", deviation(drop) / weight,
              f"peer {PEER['drop_deviation']}")
checks.report("main frequency [Hz]", main_frequency(run.column("time", BEGIN), drop), f"peer {PEER['frequency']}")
checks.report("99 % height [m]", run.mean("height_99", BEGIN), f"peer {PEER['height_99']}")
report_bubbles(checks, run, BEGIN)
checks.report("fastest parcel [m/s]", max(run.column("speed_max", BEGIN)))
checks.report("parcels that left", run.log["left"][-1])
sys.exit(checks.end())
