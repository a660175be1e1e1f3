"""What the scripts of decaying vortices share."""

import math


class Vortices:
    """A run of vortices that decay, and how far it is from theory."""

    def __init__(self, run):
        self.run, s = run, run.settings
        self.lengths, self.cells = s.reals("grid.size")[:2], [int(n) for n in s.reals("grid.cells")[:2]]
        self.k, self.l = (2 * math.pi / length for length in self.lengths)
        self.speed, self.viscosity = s.real("drive.vortices"), s.real("fluid.viscosity") / s.real("fluid.density")
        self.rate = self.viscosity * (self.k**2 + self.l**2)  # of the velocity [1/s]

    def error(self):
        """Of the last file of fields: root of the mean square of the velocity's error, over that of the velocity in theory."""
        file = self.run.last_fields()
        nx, ny = self.cells
        u, speed = file.values("velocity"), self.speed * math.exp(-self.rate * file.time)
        missed, whole = [], []
        for j in range(ny):
            for i in range(nx):
                x, y = self.k * self.lengths[0] * (i + 0.5) / nx, self.l * self.lengths[1] * (j + 0.5) / ny
                theory = speed * math.cos(x) * math.sin(y), -speed * self.k / self.l * math.sin(x) * math.cos(y)
                missed += [(u[i + nx * j][d] - theory[d]) ** 2 for d in (0, 1)]
                whole += [t * t for t in theory]
        return math.sqrt(math.fsum(missed) / math.fsum(whole))

    def decay(self):
        """Of the velocity, by the kinetic energy from the first row to the last [1/s]."""
        energy, times = self.run.log["kinetic_energy"], self.run.times()
        return -0.5 * math.log(energy[-1] / energy[0]) / (times[-1] - times[0])
