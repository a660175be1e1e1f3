"""What the scripts of a sphere in a stream share."""

import math


def schiller_naumann(reynolds):
    """Drag coefficient of a sphere, from experiments, within some five percent up to Re 800 (Schiller and Naumann 1933)."""
    return 24 / reynolds * (1 + 0.15 * reynolds**0.687)


class Sphere:
    """A run of one sphere that is held in a stream along x, and its figures."""

    def __init__(self, run):
        self.run, s = run, run.settings
        (shape,) = s.blocks("shape")
        self.diameter, self.speed = 2 * s.real(f"shape.{shape}.radius"), s.reals("drive.velocity")[0]
        self.spacing = s.reals("grid.size")[0] / s.reals("grid.cells")[0]
        self.density = s.real("fluid.density")
        self.reynolds = self.density * self.speed * self.diameter / s.real("fluid.viscosity")
        self.time = self.diameter / self.speed  # in which the stream crosses it [s]

    def coefficients(self, name, begin, end=math.inf):
        """Of a force in log.csv, row by row."""
        unit = 0.5 * self.density * self.speed**2 * 0.25 * math.pi * self.diameter**2
        return [f / unit for f in self.run.column(name, begin, end)]
