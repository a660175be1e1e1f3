"""What is known of the speed of dilute suspensions, over that of a sphere alone."""

import math


class Suspension:
    """A run of one, and its expectations."""

    def __init__(self, run):
        s = run.settings
        self.run, self.count = run, run.column("beads")[0]
        self.share = self.count * 4 / 3 * math.pi * s.real("beads.radius") ** 3 / math.prod(s.reals("box.size"))
        self.lubricated = s.text("mobility.lubrication") == "pairs"
        self.range = s.real("mobility.lubrication_range") if self.lubricated else 0

    def images(self):
        """By how much a box of so many falls slower than one without end: Hasimoto's array of boxes, as far as places are at
        random (Ladd 1990; Mo and Sangani 1994), with S(0) of hard spheres."""
        c = self.share
        structure = (1 - c) ** 4 / ((1 + 2 * c) ** 2 + c**3 * (c - 4))
        return 1.7601 * (c / self.count) ** (1 / 3) * structure

    def scatter(self):
        """Standard deviation of one arrangement: that of the longest modes, of which there are few. Found from 30 runs."""
        return 0.7 * self.images()

    def slowing(self):
        """Of the volume fraction: 5 by RPY, 6.55 where all of what pairs do is counted (Batchelor 1972). Lubrication that ends
        at a gap leaves out the tail of pairs' stresslets, -15/4 r^-4 of either's speed, and takes its value there from all."""
        if not self.lubricated:
            return 5.0
        r = 2 + self.range
        return 6.55 - 3.75 / r - 1.25 * (r**3 - 8) / r**4
