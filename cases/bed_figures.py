"""What the checks of beds share: figures of a bed from its parcel files, apart from those that the driver logs, and
judgements on energy and rest.

A column that log.csv lacks fails by name, and what the parcel files can tell without it is judged all the same.
"""

import cmath
import math

from case_files import VtkFile, mean, median, root
from drag_laws import law_of, minimum_fluidisation


class Bed:
    """The parcels of one file; all of one density."""

    def __init__(self, settings, file):
        self.time = file.time
        self.positions, self.velocities = file.values("Points"), file.values("velocity")
        self.volumes = file.values("volume")
        self.density = settings.real("solids.density")
        self.gravity = settings.reals("forces.gravity")
        self.cells = [int(n) for n in settings.reals("grid.cells")]
        self.size = settings.reals("grid.size")

    def mass(self):
        return self.density * math.fsum(self.volumes)

    def rms_speed(self):
        """Over the parcels, whatever their mass [m/s]."""
        return math.sqrt(mean([dot(u, u) for u in self.velocities]))

    def fastest(self):
        return math.sqrt(max(dot(u, u) for u in self.velocities))

    def centre(self):
        """Height of the centre of mass [m]."""
        return math.fsum(v * x[2] for v, x in zip(self.volumes, self.positions)) / math.fsum(self.volumes)

    def kinetic_energy(self):
        return 0.5 * self.density * math.fsum(v * dot(u, u) for v, u in zip(self.volumes, self.velocities))

    def potential_energy(self):
        """Of the box's lower corner, or wherever the file's origin lies, none [J]."""
        return -self.density * math.fsum(v * dot(self.gravity, x) for v, x in zip(self.volumes, self.positions))

    def energy(self):
        return self.kinetic_energy() + self.potential_energy()

    def half_layers(self):
        """Occupancy of the layers half a cell high, from the floor up: the volume of the parcels whose centres lie in
        them over their own."""
        count = 2 * self.cells[2]
        thickness = self.size[2] / count
        layers = [0.0] * count
        for v, x in zip(self.volumes, self.positions):
            layers[min(max(int(x[2] / thickness), 0), count - 1)] += v
        return [layer / (self.size[0] * self.size[1] * thickness) for layer in layers]

    def floor_occupancy(self):
        """Occupancy of the lowest half cells over the bed's: of the cells below four fifths of its height."""
        layers = self.half_layers()
        height = 2 * self.centre()  # of an even bed
        whole = max(int(0.8 * height / self.size[2] * self.cells[2]), 1)
        return layers[0] / mean(layers[: 2 * whole])


def dot(a, b):
    return sum(x * y for x, y in zip(a, b))


def largest_rise(values):
    """How much a value lies above the least before it, at most."""
    least, rise = math.inf, 0.0
    for value in values:
        least = min(least, value)
        rise = max(rise, value - least)
    return rise


def judge_energy(checks, run, beds, begin=-math.inf):
    """Without gas that flows nothing feeds a bed: kinetic and potential energy together never rise, not from any
    moment to a later one, and not in a step; and no contact, wall, friction or collision does work on it."""
    energies = [bed.energy() for bed in run.since(begin, "parcels", beds)]
    greatest = max(energies)
    checks.at_most("energy, largest rise between parcel files, over the greatest", largest_rise(energies) / greatest,
                   1e-4)
    if run.has("kinetic_energy", "potential_energy"):
        rows = [k + p for k, p in zip(run.column("kinetic_energy", begin), run.column("potential_energy", begin))]
        greatest = max(rows)
        checks.at_most("energy, largest rise between rows, over the greatest", largest_rise(rows) / greatest, 1e-4)
    else:
        checks.missing("energy, largest rise between rows", run, "kinetic_energy", "potential_energy")
    if run.has("energy_rise"):
        rise = max(run.column("energy_rise", begin)) / greatest
        checks.at_most("energy, largest rise in a step, over the greatest", rise, 1e-6)
    else:
        checks.missing("energy, largest rise in a step", run, "energy_rise")
    judge_books(checks, run, greatest, begin)


WORKS = ("gravity", "drag", "pressure", "contact", "walls", "friction", "collisions")
ROUND_OFF_OF_BOOKS = 1e-9  # sums over all parcels and steps of a row, each of round-off


def judge_books(checks, run, greatest, begin=-math.inf):
    """The works between rows: those of contact, walls, friction and collisions take energy or none."""
    names = [f"work_{name}" for name in WORKS] + ["lift_displacement", "energy_residual", "momentum_books"]
    if not run.has(*names):
        checks.missing("works of the audit", run, *names)
        return
    for name in WORKS[3:]:
        checks.at_most(f"work of {name}, largest of a row, over the greatest energy",
                       max(run.column(f"work_{name}", begin)) / greatest, 1e-5)
    for name, column in (("energy", "energy_residual"), ("momentum", "momentum_books")):
        worst = max(map(abs, run.column(column, begin)))
        checks.at_most(f"residual of the books of {name}", worst, ROUND_OFF_OF_BOOKS)


def judge_rest(checks, run, beds, begin):
    """A bed that lies from `begin` on: nothing moves, creeps, or crowds on the floor, and something carries it."""
    lying = run.since(begin, "parcels", beds)
    checks.at_most("rms speed, largest of the parcel files [m/s]", max(bed.rms_speed() for bed in lying), 1e-3)
    if run.has("speed_rms"):
        checks.at_most("rms speed, largest of the rows [m/s]", max(run.column("speed_rms", begin)), 1e-3)
    else:
        checks.missing("rms speed, largest of the rows", run, "speed_rms")
    heights = run.column("centre_z", begin)
    checks.at_most("creep of the centre of mass, over its height", (max(heights) - min(heights)) / mean(heights), 1e-3)
    carried, weight = books_of_force(run, begin)
    checks.near("pressure drop + floor contact + wall impulse, over weight", carried / weight, 1, relative=0.005)


def contact_pressure(settings):
    """Ps of contact [Pa], where the case does not say it by what one solid weighs in the gas."""
    if settings.given("contact.pressure"):
        return settings.real("contact.pressure")
    buoyed = abs(settings.real("solids.density") - settings.real("gas.density"))
    return max(10 * min(buoyed / 800, 1), 0.01)


def lying_centres(run, layers=1000):
    """Heights of the centre of mass [m] of a bed that lies evenly: packed throughout, and as loose as contact's law has
    it under the weight of what lies above. Contact that only stops leaves a bed between the two."""
    s = run.settings
    cp, beta, ps = s.real("solids.close_packing"), s.real("contact.exponent"), contact_pressure(s)
    solids = run.log["solids_volume"][-1] / run.floor_area()  # height of the solids alone [m]
    load = (s.real("solids.density") - s.real("gas.density")) * -s.reals("forces.gravity")[2] * solids / layers
    z, moment = 0.0, 0.0
    for k in range(layers):
        pressure = load * (layers - k - 0.5)
        theta = root(lambda t: ps * t**beta - pressure * (cp - t), 0.0, cp)
        thickness = solids / layers / theta
        moment += (z + 0.5 * thickness) / layers
        z += thickness
    return 0.5 * solids / cp, moment


def sinking_time(run):
    """How long a seeded bed takes to pack through its gas [s]: what it sinks over its minimum fluidisation velocity, at
    which gas leaves what is not yet packed. Next to nothing for beads, seconds for powder."""
    s = run.settings
    (seed,) = s.blocks("seed")
    cp, theta = s.real("solids.close_packing"), s.real(f"seed.{seed}.solids_fraction")
    weight = cp * (s.real("solids.density") - s.real("gas.density")) * -s.reals("forces.gravity")[2]
    height = run.log["solids_volume"][0] / run.floor_area() / theta
    return height * max(1 - theta / cp, 0) / minimum_fluidisation(law_of(s), 1 - cp, weight)


def books_of_force(run, begin):
    """What carries the bed, and its buoyed weight, both over the floor area [Pa]; means."""
    return (sum(run.mean(part, begin) for part in ("pressure_drop", "floor_contact", "wall_impulse")),
            run.mean("weight", begin))


def judge_floor(checks, run, bed, begin, stirred):
    """The lowest half cells hold what the bed holds; `bed` is the last one. Where a bed was stirred, chance has put
    each parcel of the lowest cells into one of their halves, and three standard deviations of that are allowed."""
    layer = bed.size[2] / bed.cells[2]
    lowest = sum(x[2] < layer for x in bed.positions)
    tolerance = max(0.05, 3 / math.sqrt(lowest)) if stirred else 0.05
    checks.near("occupancy of the lowest half cells over the bed's, last parcel file", bed.floor_occupancy(), 1,
                relative=tolerance)
    if run.has("floor_occupancy"):
        checks.near("the same in the log, mean", run.mean("floor_occupancy", begin), 1, relative=tolerance)
    else:
        checks.missing("the same in the log", run, "floor_occupancy")
    if run.has("half_cells"):
        checks.report("imbalance of the halves of packed cells, rms, mean", run.mean("half_cells", begin))


def parcels_astray(run):
    """Parcels that are in no book, at most of a row: exact."""
    log = run.log
    return max(abs(c - i - l - r) for c, i, l, r in zip(log["created"], log["parcels"], log["left"], log["rejected"]))


def bubbles(run, begin=-math.inf, dilute=0.3):
    """Areas [m2] of the bubbles in each field file from `begin` on, of a bed that is one cell thick: regions of
    neighbouring cells below the surface with less solids than `dilute`; a column's surface is its highest cell with
    more."""
    cells = [int(n) for n in run.settings.reals("grid.cells")]
    area = math.prod(w / n for w, n in zip(run.settings.reals("grid.size"), cells) if n > 1)
    wide, high = max(cells[:2]), cells[2]
    found = []
    for path in run.files("fields"):
        file = VtkFile(path)
        if file.time < begin:
            continue
        theta = file.values("solids_fraction")
        empty = set()
        for i in range(wide):
            full = [k for k in range(high) if theta[i + wide * k] >= dilute]
            empty |= {(i, k) for k in range(max(full, default=0)) if theta[i + wide * k] < dilute}
        regions = []
        while empty:
            region, edge = 0, [empty.pop()]
            while edge:
                i, k = edge.pop()
                region += 1
                beside = {(i - 1, k), (i + 1, k), (i, k - 1), (i, k + 1)} & empty
                empty -= beside
                edge.extend(beside)
            regions.append(region * area)
        found.append(regions)
    return found


def report_bubbles(checks, run, begin):
    files = bubbles(run, begin)
    areas = [area for regions in files for area in regions]
    if not areas:
        return
    checks.report("bubbles: cells with theta < .3 below the surface, mean area [m2]", sum(areas) / len(files))
    # Of the area that a point in a bubble sees: small ones, of a cell, hardly count.
    seen = sum(a * a for a in areas) / sum(areas)
    checks.report("bubbles: equivalent diameter, weighted by area [m]", math.sqrt(4 * seen / math.pi))


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


def gas_brings_in(run):
    """Momentum that the gas brings in through inlets of the floor at full blast, less what it takes along through the
    top if it leaves evenly, over the floor's area [Pa]: a jet carries some of the bed, gas that enters evenly none."""
    s, size = run.settings, run.settings.reals("grid.size")
    flow = carried = 0.0
    for name in s.blocks("inlet"):
        key = f"inlet.{name}."
        if s.text(key + "side") != "z_low":
            continue
        low = s.reals(key + "low") if s.given(key + "low") else [0.0, 0.0]
        high = s.reals(key + "high") if s.given(key + "high") else size
        share, u = (high[0] - low[0]) * (high[1] - low[1]) / (size[0] * size[1]), s.real(key + "velocity")
        flow += share * u
        carried += share * u * u
    return s.real("gas.density") * (carried - flow * flow)


def judge_bed(checks, run, begin, over=0.005, packed_from=-math.inf):
    """What holds of any bed that gas blows through: books of force and parcels, and close packing: a step's largest
    theta is `over` it at most, and .03 in any step from `packed_from` on (seeds at random start denser)."""
    carried, weight = books_of_force(run, begin)
    end, g = run.times()[-1], -run.settings.reals("forces.gravity")[2]
    inertia = (run.bed_velocity(end) - run.bed_velocity(begin)) / (end - begin) / g
    packing = run.settings.real("solids.close_packing")
    jets = gas_brings_in(run)
    brought = " + jets" if jets else ""
    checks.near(f"pressure drop + floor contact + wall impulse{brought} - change of momentum, over weight",
                (carried + jets) / weight - inertia, 1, relative=0.005)
    checks.at_most("theta, largest of a step, median", median(run.column("theta_max", begin)), packing + over)
    checks.at_most("theta, largest of all steps", max(run.column("theta_max", packed_from)), packing + 0.03)
    checks.equal("parcels astray", parcels_astray(run), 0)
    checks.at_most("momentum residual", max(run.log["momentum_residual"]), 1e-12)
