#!/usr/bin/env python3
"""Checks a bed of fine powder: where it is fluidised its energy, where it is packed its pressure profile:
check.py [OUTPUT_DIRECTORY]"""

import math
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from bed_figures import Bed, largest_rise, parcels_astray
from case_files import Checks, VtkFile, mean, run_of
from drag_laws import law_of, minimum_fluidisation, pressure_gradient

CREATED = 0.005  # J/kg that may come from nowhere, less than what lifts the bed by half a millimetre


def judge_fluidised(checks, run, beds, superficial):
    """Gas does the work U dp A on the bed; its own kinetic energy is next to none."""
    s = run.settings
    end, mass = run.times()[-1], beds[0].mass()
    lifted = -s.reals("forces.gravity")[2]
    rate = superficial * run.floor_area() / mass  # of energy per pressure drop

    # Supply until each row, from the mean pressure drops of the rows' intervals [J/kg].
    supplied, times = [0.0], run.times()
    for before, now, drop in zip(times, times[1:], run.log["pressure_drop"][1:]):
        supplied.append(supplied[-1] + rate * drop * (now - before))
    nearest = [min(range(len(times)), key=lambda i: abs(times[i] - bed.time)) for bed in beds]
    created = [bed.energy() / mass - supplied[i] for bed, i in zip(beds, nearest)]
    checks.at_most("energy above what gas supplies, largest rise between parcel files [J/kg]", largest_rise(created),
                   CREATED)
    if run.has("kinetic_energy", "potential_energy"):
        energies = zip(run.log["kinetic_energy"], run.log["potential_energy"], supplied)
        created = [(k + p) / mass - e for k, p, e in energies]
        checks.at_most("the same between rows [J/kg]", largest_rise(created), CREATED)
    else:
        checks.missing("the same between rows", run, "kinetic_energy", "potential_energy")

    # No bubble is wider than the bed, and none of the solids is carried faster than it rises; the mean is far slower.
    width = min(w for w, n in zip(s.reals("grid.size"), s.reals("grid.cells")) if n > 1)
    bubble = superficial + 0.71 * math.sqrt(lifted * width)
    kinetic = max(bed.kinetic_energy() for bed in beds) / mass
    checks.at_most("kinetic energy per mass, largest [J/kg]", kinetic, 0.5 * bubble**2)
    if run.has("speed_rms"):
        checks.at_most("rms speed, largest of the rows [m/s]", max(run.log["speed_rms"]), bubble)
    else:
        checks.missing("rms speed, largest of the rows", run, "speed_rms")
    drop = run.mean("pressure_drop", 0.5 * end)
    checks.near("pressure drop / weight, second half", drop / run.mean("weight", 0.5 * end), 1, relative=0.1)
    checks.at_most("share of the parcels that left", run.log["left"][-1] / run.log["created"][-1], 0.01)
    checks.report("99 % height, second half [m]", run.mean("height_99", 0.5 * end))
    packing = s.real("solids.close_packing")
    checks.at_most("theta, largest of all", max(run.log["theta_max"]), packing + 0.1)


def judge_packed(checks, run, law):
    """Ergun's or another law between any two cells one above the other, with the solids fraction and the gas that they
    have. Gas finds the looser columns: a law of the means would be wrong by the scatter of both."""
    s = run.settings
    nx, ny, nz = (int(n) for n in s.reals("grid.cells"))
    h, head = s.reals("grid.size")[2] / nz, -s.real("gas.density") * s.reals("forces.gravity")[2]
    files = [VtkFile(p) for p in run.files("fields")[-3:]]

    def over_time(of_file):
        return [mean(values) for values in zip(*[of_file(file) for file in files])]

    pressure = over_time(lambda file: file.values("pressure"))
    theta = over_time(lambda file: file.values("solids_fraction"))
    velocity = over_time(lambda file: [u[2] for u in file.values("gas_velocity")])

    def lawful(below, above):
        solids, u = 0.5 * (theta[below] + theta[above]), 0.5 * (velocity[below] + velocity[above])
        return pressure_gradient(law, 1 - solids, (1 - solids) * u) if solids > 1e-6 else 0.0

    surface = int(run.log["height_99"][-1] / h)
    plane, ratios, found, expected = nx * ny, [], 0.0, 0.0
    for k in range(nz - 1):
        below = range(k * plane, (k + 1) * plane)
        gradient = mean([(pressure[c] - pressure[c + plane]) / h - head for c in below])
        law_says = mean([lawful(c, c + plane) for c in below])
        found, expected = found + gradient * h, expected + law_says * h
        if k < surface - 4:  # the surface is smeared over the cells of the maps and of the ripple filter
            ratios.append(gradient / law_says)
    checks.between("gradient over the law's, least of the faces", min(ratios), 0.98, 1.02)
    checks.between("gradient over the law's, largest of the faces", max(ratios), 0.98, 1.02)
    checks.near("the whole drop between the cells [Pa]", found, expected, relative=0.01)
    weight = run.mean("weight", 0.8 * run.times()[-1])
    carried = sum(run.mean(p, 0.8 * run.times()[-1]) for p in ("pressure_drop", "floor_contact", "wall_impulse"))
    checks.near("pressure drop + floor contact + wall impulse, over weight", carried / weight, 1, relative=0.005)
    beds = [Bed(s, file) for file in run.parcels()]
    checks.at_most("rms speed at the end [m/s]", beds[-1].rms_speed(), 1e-3)
    checks.report("solids fraction of the lowest cells", mean(theta[: surface // 2]))


run = run_of(__file__)
run.must_reach()
s = run.settings
(inlet,) = s.blocks("inlet")
superficial = s.real(f"inlet.{inlet}.velocity")
law, cp = law_of(s), s.real("solids.close_packing")
buoyed = (s.real("solids.density") - s.real("gas.density")) * -s.reals("forces.gravity")[2]
umf = minimum_fluidisation(law, 1 - cp, cp * buoyed)
beds = [Bed(s, file) for file in run.parcels()]

checks = Checks(f"Powder at {superficial / umf:.3g} times its minimum fluidisation velocity, {1000 * umf:.4g} mm/s")
unreal = sum(not math.isfinite(value) for column in run.log.values() for value in column)
checks.equal("figures that are no numbers", unreal, 0)
if superficial < umf:
    judge_packed(checks, run, law)
else:
    judge_fluidised(checks, run, beds, superficial)
checks.equal("parcels astray", parcels_astray(run), 0)
checks.at_most("momentum residual", max(run.log["momentum_residual"]), 1e-12)
checks.at_most("mixture residual", max(run.log["mixture_residual"]), 1.01 * s.real("gas.tolerance"))
checks.report("fastest parcel [m/s]", max(run.log["speed_max"]))
checks.report("packing that did not converge, steps", sum(run.log["contact_failures"]))
sys.exit(checks.end())
