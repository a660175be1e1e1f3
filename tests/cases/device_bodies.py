"""Rigid bodies in a lattice fluid whose steps run on a CUDA device, which is emulated (tests/cuda_on_host), beside the CPU's: the
same files, and in them the same numbers but for round-off."""

import re
import unittest

from command import settings, some
from devices import FLUID_ALONE, GPU, Devices, on_device

# Two spheres that fall onto a floor and an ellipsoid that is moved past them; few of all.
FALLING = """
[case]
driver = body
[grid]
cells = 20, 24, 20
size = 20, 24, 20 mm
[sides]
x_low = periodic
x_high = periodic
y_low = no_slip
y_high = no_slip
z_low = periodic
z_high = periodic
[fluid]
method = lattice
density = 960 kg/m3
viscosity = 58 cP
[forces]
gravity = 0, -9.81, 0 m/s2
[shape.sphere]
shape = sphere
radius = 2.5 mm
[shape.egg]
shape = ellipsoid
semi_axes = 3, 2.2, 2.2 mm
[bodies.falling]
shape = sphere
arrangement = lattice
lattice = 1, 2, 1
low = 4, 0.5, 4 mm
high = 10, 14, 10 mm
motion = free
density = 2000 kg/m3
[bodies.moved]
shape = egg
position = 14, 16, 14 mm
motion = given
velocity = 20, 0, 0 mm/s
angular_velocity = 0, 3, 1 rad/s
[time]
dt = 1 ms
end = 24 ms
[output]
format = both
log = 3 ms
fields = 12 ms
points = 12 ms
bodies = 6 ms
"""
# One that is held in a stream.
HELD = settings(grid__cells="200, 75, 1", time__dt="50 ms", time__end="0.5 s", output__log="0.25 s", output__fields="0.25 s", output__points="0.25 s")
TOLERANCE = 1e-9


class Bodies(Devices):
    def falling(self):
        return self.written(FALLING)

    def assert_near(self, a, b, scale, what, tolerance):
        """Of vectors that lie along an axis other components are round-off, as are sums over cells of what cancels in them."""
        if re.match("force|momentum|torque|stress|sides_force|velocity|turning|slip", what):
            scale = max(scale, {"m": 1e-3, "f": 1e-4, "s": 1e-4, "t": 1e-5, "v": 1e-4}[what[0]])
        super().assert_near(a, b, scale, what, tolerance)


class BesideTheCpu(Bodies):
    def test_free_bodies(self):
        here, there = self.run_beside(self.falling(), tolerance=TOLERANCE)
        self.assertGreater(max(here.log["contacts"]), 0)
        self.assertGreater(len((here.directory / "bodies.csv").read_text().splitlines()), 8)
        self.assert_near_tables(here, there, "bodies.csv", 1e-9, 1e-3)
        steps, cells, points, populations = 24, 20 * 24 * 20, 139, 19 * 8 * 24 * 24 * 20  # rows begin with a vector
        self.assert_counted(here, there, {"sort": steps * 136 * points, "volumes": steps * 400 * points,
                                          "spread": steps * 3 * (40 * cells + 60 * points),
                                          "look": (steps + 2) * (populations + 96 * cells + 60 * points),  # every sixteenth step looks once more
                                          "fluid": steps * (2 * populations + 24 * cells)})

    def test_held_in_a_stream_with_each_scheme(self):
        for scheme in some(("one_pass", "two_pass", "multi_direct")):
            options = [*HELD, *settings(forcing__scheme=scheme)]
            here = self.run_case("cylinder_20", "--overwrite", *options)
            self.assert_near_runs(here, self.run_there("cylinder_20", "--overwrite", *options), TOLERANCE)


class GoesOn(Bodies):
    def test_on_the_device_in_the_same_bits(self):
        for name, options in (("doubles", []), ("floats", settings(lattice__precision="float"))):
            self.assert_goes_on_in_the_same_bits(self.falling(), *options, name=name)

    def test_there_and_back(self):
        self.assert_goes_on_elsewhere(self.falling(), tolerance=TOLERANCE)


class Refused(Bodies):
    def test_what_the_cpu_alone_has(self):
        self.assert_refused(on_device, "--backend gpu with fluid.method = spectral (bodies are on a device in a lattice fluid alone) set "
                            "fluid.method = lattice", "moving_cylinder", *GPU, *settings(fluid__method="spectral"))
        self.assert_refused(on_device, "--backend gpu with forcing.placement = at_once (which shares out threads of the host, and points are "
                            "on the device) set forcing.placement = together", "falling_sphere", *GPU, *settings(forcing__placement="at_once"))
        self.assert_refused(on_device, "--backend gpu with forcing.method = serial (a device adds up forces by many threads) set "
                            "forcing.method = automatic", "falling_sphere", *GPU, *settings(forcing__method="serial"))

    def test_too_large(self):
        self.assert_refused(on_device, "GB of cells and bodies (the device has 0.001 GB free)", "falling_sphere", *GPU, CORRAL_CUDA_BYTES=10**6)


class Memory(Bodies):
    def test_is_told_before_it_is_taken(self):
        """For few cells and many, few points and many, and a wide kernel."""
        for others in some(({}, {"lattice__scheme": "two_lattices", "lattice__precision": "float"}, {"shape__sphere__spacing": "0.6 mm"},
                            {"grid__cells": "40, 48, 40", "time__dt": "0.5 ms"}, {"forcing__kernel": "ib6"})):
            self.assert_told(self.falling(), settings(**{"time__end": "3 ms", "output__points": "3 ms"} | others))
        self.assert_told("cylinder_20", HELD)

    def test_of_a_fluid_alone(self):
        self.assert_told(self.write_case("[case]\ndriver = body" + FLUID_ALONE), settings(grid__cells="24, 24, 24", grid__size="24, 24, 24 um"))


if __name__ == "__main__":
    unittest.main()
