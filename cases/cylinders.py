"""What the checks of cylinders share: coefficients of drag and lift, periods, the length of the eddies, and what others found."""

import math

from case_files import Checks, mean, run_of

# Drag in the literature by Reynolds number: Calhoun 2002, Russell and Wang 2003, Silva et al. 2003, Xu and Wang 2006, Zhou et
# al. 2012, Valero-Lara et al. 2014.
DRAG = {20: (2.04, 2.30), 40: (1.54, 1.70), 100: (1.33, 1.43)}
LIFT = {100: (0.298, 0.34)}
STROUHAL = {100: (0.164, 0.168)}
EDDIES = {20: (0.91, 0.94), 40: (2.13, 2.35)}  # Coutanceau and Bouard 1977, Dennis and Chang 1970, over the diameter


class Cylinder:
    """A run of one cylinder in a stream along x, and its figures."""

    def __init__(self, run):
        self.run, s = run, run.settings
        (shape,), (body,) = s.blocks("shape"), s.blocks("bodies")
        self.diameter = 2 * s.real(f"shape.{shape}.radius")
        own = s.reals(f"bodies.{body}.velocity")[0] if s.text(f"bodies.{body}.motion") != "fixed" else 0.0
        self.speed = abs(s.reals("drive.velocity")[0] - own)
        self.density, self.viscosity = s.real("fluid.density"), s.real("fluid.viscosity")
        self.thickness = s.reals("grid.size")[2]
        self.spacing = s.reals("grid.size")[0] / s.reals("grid.cells")[0]
        self.reynolds = self.density * self.speed * self.diameter / self.viscosity
        self.time = self.diameter / self.speed  # in which the stream crosses it [s]

    def coefficients(self, name, begin, end=math.inf):
        """Of a force in log.csv, row by row."""
        unit = 0.5 * self.density * self.speed**2 * self.diameter * self.thickness
        return [f / unit for f in self.run.column(name, begin, end)]

    def blockage(self, drag):
        """How much faster a stream is past a cylinder and its wake between slip walls (Allen and Vincenti 1944)."""
        share = self.diameter / self.run.settings.reals("grid.size")[1]
        return 1 + 0.25 * drag * share + 0.82 * share**2

    def eddies(self):
        """From the cylinder's rear to where fluid on its axis flows on, over the diameter; None where the last file of fields
        has no such point."""
        fields = self.run.last_fields()
        s = self.run.settings
        nx, ny = (int(n) for n in s.reals("grid.cells")[:2])
        (body,) = s.blocks("bodies")
        x0, y0 = s.reals(f"bodies.{body}.position")[:2]
        u = [v[0] for v in fields.values("velocity")]
        row = min(range(ny), key=lambda j: abs((j + 0.5) * self.spacing - y0))
        before = None
        for i in range(nx):
            x = (i + 0.5) * self.spacing - x0 - 0.5 * self.diameter
            now = u[i + nx * row]
            if x > self.spacing and before is not None and before < 0 <= now:
                return (x - self.spacing * now / (now - before)) / self.diameter
            before = now
        return None


PASSED_FOR = ((2, 4), (8, 12), (16, 20))  # diameters of the way through the fluid, from one time to another


def drag_after(cylinder, interval):
    """The drag's mean over a part of the way through the fluid [-]."""
    begin, end = (diameters * cylinder.time for diameters in interval)
    return mean(cylinder.coefficients("force_x", begin, end))


def morison(run, begin, end):
    """Morison's coefficients of drag and of added mass of one cylinder that oscillates along x, over whole periods, and what share of the
    force they leave; ends a check that has fewer than four rows:
      F = -1/2 rho D c_d |u| u - pi/4 rho D^2 c_m du/dt.
    By averages (Keulegan and Carpenter 1958): the formula does the force's work on u, and its work on du/dt."""
    s = run.settings
    (shape,), (body,) = s.blocks("shape"), s.blocks("bodies")
    D, density, thickness = 2 * s.real(f"shape.{shape}.radius"), s.real("fluid.density"), s.reals("grid.size")[2]
    omega, phase = 2 * math.pi * s.real(f"bodies.{body}.frequency"), s.real(f"bodies.{body}.phase")
    speed = omega * s.reals(f"bodies.{body}.amplitude")[0]
    rows = [(before, t, f) for before, t, f in zip(run.times(), run.times()[1:], run.log["force_x"][1:]) if begin < t <= end * (1 + 1e-12)]
    forces = [f for _, _, f in rows]
    mean(forces if len(forces) > 3 else [])  # says what is missing
    angles = [omega * 0.5 * (before + t) + phase for before, t, _ in rows]  # forces are means over a row
    cosines, sines = [math.cos(a) for a in angles], [math.sin(a) for a in angles]
    drags = [-0.5 * density * D * thickness * speed * abs(speed) * abs(c) * c for c in cosines]
    masses = [0.25 * math.pi * density * D**2 * thickness * speed * omega * wave for wave in sines]
    product = lambda a, b: math.fsum(x * y for x, y in zip(a, b))
    drag, mass = product(forces, cosines) / product(drags, cosines), product(forces, sines) / product(masses, sines)
    left = [f - drag * a - mass * b for f, a, b in zip(forces, drags, masses)]
    return drag, mass, math.sqrt(product(left, left) / max(product(forces, forces), 1e-300))


def crossings(times, values, least):
    """When values rise through their mean, those apart that are closer than `least`."""
    middle = mean(values)
    found = []
    for i in range(1, len(values)):
        a, b = values[i - 1] - middle, values[i] - middle
        if a < 0 <= b and (not found or times[i] - found[-1] > least):
            found.append(times[i - 1] + (times[i] - times[i - 1]) * a / (a - b))
    return found


def judge(script):
    """The check of a cylinder in a stream: judges what the literature has of its Reynolds number."""
    run = run_of(script)
    c = Cylinder(run)
    known = min(DRAG, key=lambda re: abs(math.log(c.reynolds / re)))
    checks = Checks(f"A cylinder at Re {c.reynolds:.4g}, {c.diameter / c.spacing:.3g} cells to its diameter")
    sheds = c.reynolds > 47
    run.must_reach((120 if sheds else 50) * c.time)
    end = run.times()[-1]
    begin = end - (30 if sheds else 10) * c.time
    drag, lift = c.coefficients("force_x", begin), c.coefficients("force_y", begin)
    same = abs(c.reynolds / known - 1) < 0.01
    if same:
        checks.between("drag", mean(drag), *DRAG[known])
    else:
        checks.report("drag", mean(drag))
    if sheds:
        times = run.times()[-len(lift):]
        rises = crossings(times, lift, 2 * c.time)
        strouhal = (len(rises) - 1) / (rises[-1] - rises[0]) * c.time if len(rises) > 1 else 0  # nothing is shed
        middle = mean(lift)
        amplitude = math.sqrt(2 * mean([(x - middle) ** 2 for x in lift]))
        checks.report("Strouhal number in this box", strouhal)
        unbounded = strouhal / c.blockage(mean(drag))
        if same:
            checks.between("lift", amplitude, *LIFT[known])
            checks.between("Strouhal number without bounds", unbounded, *STROUHAL[known])
        else:
            checks.report("lift", amplitude)
            checks.report("Strouhal number without bounds", unbounded)
    else:
        length = c.eddies()
        if same and length is not None:
            apart = 0.05 if c.diameter / c.spacing > 15 else 0.15  # it ends between cells
            checks.between("length of the eddies", length, EDDIES[known][0] * (1 - apart), EDDIES[known][1] * (1 + apart))
        checks.at_most("lift", max(abs(x) for x in lift), 0.01)
    away = max(abs(a - b) for a, b in zip(drag, c.coefficients("momentum_force_x", begin)))
    checks.at_most("drag by forces at points and by momentum, apart", away / mean(drag), 1e-6)
    checks.at_most("slip over the speed", max(run.column("slip", begin)) / c.speed, 0.01)
    return checks.end()
