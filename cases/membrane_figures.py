"""What the checks of membranes share: vertex files, what membranes do to a shear flow, turns and breaths, and
judgements on volume, energy and momentum.
"""

import math

from case_files import VtkFile, mean
from surfaces import dot, surfaces

AXES = {"x": 0, "y": 1, "z": 2}


def vertex_files(run):
    """Vertex files in order of time; none of radial surfaces."""
    return (VtkFile(p) for p in run.files("vertices", least=0))


def last_vertices(run):
    return VtkFile(run.files("vertices")[-1])


def flow_axis(settings):
    return AXES[settings.text("drive.shear_along")]


def turns(run, axis="tank_treading"):
    """When the marked point has gone round once, twice, ...: times [s]."""
    times, angles = run.times(), [abs(a) for a in run.log[axis]]
    found = []
    for i in range(1, len(times)):
        while angles[i] >= 2 * math.pi * (len(found) + 1):
            share = (2 * math.pi * (len(found) + 1) - angles[i - 1]) / (angles[i] - angles[i - 1])
            found.append(times[i - 1] + share * (times[i] - times[i - 1]))
    return found


def at(run, name, time):
    """A column's value at a time, linear between rows."""
    times, values = run.times(), run.log[name]
    for i in range(1, len(times)):
        if times[i] >= time:
            share = (time - times[i - 1]) / (times[i] - times[i - 1])
            return values[i - 1] + share * (values[i] - values[i - 1])
    return values[-1]


def box_volume(settings):
    return math.prod(settings.reals("grid.size"))


def walled(settings):
    return settings.text("sides.y_low") == "no_slip"


def disturbance(run, begin, end):
    """What viscosity dissipated beyond the shear flow of the empty box [J]. In a periodic one that is nearly all in the
    row of the jump, and falls where membranes resist: the force that holds the jump is constant."""
    s = run.settings
    rows = 1 if walled(s) else s.reals("grid.cells")[1] - 1
    empty = rows * s.real("fluid.viscosity") * s.real("drive.shear_rate") ** 2 * box_volume(s) * (end - begin)
    return at(run, "dissipated", end) - at(run, "dissipated", begin) - empty


def intrinsic_viscosity(run, begin, end):
    """(mu_apparent/mu - 1)/(volume fraction) by the stress that membranes add [-]: 2.5 of few rigid spheres (Einstein)."""
    s = run.settings
    rate, volume = s.real("drive.shear_rate"), box_volume(s)
    stress = disturbance(run, begin, end) / (rate * volume * (end - begin)) * (1 if walled(s) else -1)
    return stress / (s.real("fluid.viscosity") * rate) / (run.log["volume"][-1] / volume)


def judge_volume(checks, run, bound=1e-3):
    """Of every membrane, by the log and by the last vertex file apart from it."""
    checks.at_most("enclosed volume, largest relative drift", max(abs(v) for v in run.log["volume_drift"]), bound)
    file = last_vertices(run)
    found = math.fsum(s.volume for s in surfaces(file)) / at(run, "volume", file.time)
    checks.near("enclosed volume of the last vertex file over the log's", found, 1, absolute=1e-6)


def judge_energy(checks, run, begin, end, relative=0.02):
    """The balance closes between two times, against what viscosity dissipated, and what of that the membranes cause."""
    missing = at(run, "energy_residual", end) - at(run, "energy_residual", begin)
    whole = at(run, "dissipated", end) - at(run, "dissipated", begin)
    checks.at_most("energy balance, what is missing over what is dissipated", abs(missing) / max(whole, 1e-300), relative)
    if run.settings.real("drive.shear_rate") != 0:
        caused = abs(disturbance(run, begin, end))
        checks.at_most("the same over what membranes change of that", abs(missing) / max(caused, 1e-300), relative)


def judge_momentum(checks, run, bound=1e-9):
    """Free membranes have no net force: it is round-off of the forces at the vertices."""
    forces = last_vertices(run).values("force")
    size = math.fsum(math.sqrt(dot(f, f)) for f in forces)
    net = [math.fsum(f[d] for f in forces) for d in range(3)]
    checks.at_most("net force of all membranes over the sum of forces", math.sqrt(dot(net, net)) / max(size, 1e-300), bound)


def swing(values):
    """Least, mean and greatest."""
    return min(values), mean(values), max(values)


def peaks(run, name, begin):
    """Times [s] of a column's crests from `begin` on: the greatest values between two passages through the middle."""
    rows = [(t, v) for t, v in zip(run.times(), run.log[name]) if t > begin]
    low, _, high = swing([v for _, v in rows])
    middle = 0.5 * (low + high)
    found, best, above = [], None, rows[0][1] > middle
    whole = not above  # a crest that had begun before is not one
    for t, v in rows:
        if v > middle:
            if not above:
                above, whole, best = True, True, None
            best = (v, t) if best is None or v > best[0] else best
        elif above:
            above = False
            if whole and best:
                found.append(best[1])
    return found


def judge_cells(checks, run, kind, volume):
    """What holds whatever red cells of one kind do, in a run that came to its end: `volume` is how far theirs may drift."""
    s, end = run.settings, run.times()[-1]
    checks.equal("figures that are no numbers", sum(not math.isfinite(v) for c in run.log.values() for v in c), 0)
    judge_volume(checks, run, volume)
    checks.at_most("area, largest relative drift", max(abs(a) for a in run.log["area_drift"]),
                   3 / s.real(f"surface.{kind}.area_ratio"))
    judge_energy(checks, run, 0, end)
