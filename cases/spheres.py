"""What the scripts of spheres share: one in a stream, and suspensions of many."""

import math


def schiller_naumann(reynolds):
    """Drag coefficient of a sphere, from experiments, within some five percent up to Re 800 (Schiller and Naumann 1933)."""
    return 24 / reynolds * (1 + 0.15 * reynolds**0.687)


def tolerance(sphere):
    """Of its drag over that: their scatter, with the walls' and the grid's share."""
    return 0.05 if sphere.diameter / sphere.spacing > 7 else 0.1


class Sphere:
    """A run of one sphere that is held in a stream along x, and its figures."""

    def __init__(self, run):
        self.run, s = run, run.settings
        (shape,) = s.blocks("shape")
        self.diameter, self.speed = 2 * s.real(f"shape.{shape}.radius"), s.reals("drive.velocity")[0]
        self.spacing = s.reals("grid.size")[0] / s.reals("grid.cells")[0]
        self.density = s.real("fluid.density")
        self.share = 0.25 * math.pi * self.diameter**2 / math.prod(s.reals("grid.size")[1:])  # of the box's cross-section
        self.reynolds = self.density * self.speed * self.diameter / s.real("fluid.viscosity")
        self.time = self.diameter / self.speed  # in which the stream crosses it [s]

    def coefficients(self, name, begin, end=math.inf):
        """Of a force in log.csv, row by row."""
        unit = 0.5 * self.density * self.speed**2 * 0.25 * math.pi * self.diameter**2
        return [f / unit for f in self.run.column(name, begin, end)]

    def unbounded(self, drag):
        """Without the box, in which the stream past the wake is faster by C_D/4 of the sphere's share."""
        return drag / (1 + 0.25 * drag * self.share) ** 2


def krieger_dougherty(fraction, densest=0.64):
    """Viscosity of a suspension over that of its liquid (Krieger and Dougherty 1959), with Einstein's 5/2."""
    return (1 - fraction / densest) ** (-2.5 * densest)


class Suspension:
    """A run of equal spheres in a liquid that walls of y shear along x."""

    def __init__(self, run):
        self.run, s = run, run.settings
        (shape,) = s.blocks("shape")
        self.radius, self.mu, self.rate = s.real(f"shape.{shape}.radius"), s.real("fluid.viscosity"), s.real("drive.shear_rate")
        self.spacing = s.reals("grid.size")[0] / s.reals("grid.cells")[0]
        self.count = round(run.log["bodies"][0])
        self.fraction = self.count * 4 / 3 * math.pi * self.radius**3 / math.prod(s.reals("grid.size"))
        self.reynolds = s.real("fluid.density") * self.rate * self.radius**2 / self.mu

    def viscosity(self, begin, end=math.inf):
        """Over that of the liquid, by the stress that bodies add, mean over a time."""
        return 1 + self.run.mean("stress_xy", begin, end) / (self.mu * self.rate)
