"""Rigid bodies in a lattice fluid whose steps run on a CUDA device, which is emulated (tests/cuda_on_host), beside the CPU's: the
same files, and in them the same numbers but for round-off."""

import re
import unittest

from case_files import Run
from command import CASES, settings
from device_steps import GPU, Devices, on_device

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
EVERY_TWO = settings(checkpoint__steps=2, checkpoint__keep=2)
# One that is held in a stream.
HELD = settings(grid__cells="200, 75, 1", time__dt="50 ms", time__end="0.5 s", output__log="0.25 s", output__fields="0.25 s", output__points="0.25 s")
TOLERANCE = 1e-9
ALONE = """
[case]
driver = body
[grid]
cells = 24, 24, 24
size = 24, 24, 24 mm
[sides]
x_low = periodic
x_high = periodic
y_low = no_slip
y_high = no_slip
z_low = periodic
z_high = periodic
[fluid]
method = lattice
density = 1000 kg/m3
viscosity = 1 cP
[drive]
shear_rate = 0.1 1/s
[time]
dt = 100 ms
end = 0.3 s
[output]
fields = 0.2 s
"""


class Bodies(Devices):
    def falling(self):
        directory = self.directory / "falling"
        return directory if directory.exists() else self.write_case(FALLING, "falling")

    def cut_and_resumed(self, first, then, name, *options):
        cut = self.directory / name
        for verb, backend in (("run", (*first, "--steps", "5")), ("resume", then)):
            done = on_device(verb, self.falling(), "--output", cut, *EVERY_TWO, *options, *backend)
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return Run(cut), done.stderr

    def assert_near(self, a, b, scale, what, tolerance):
        """Of vectors that lie along an axis other components are round-off, as are sums over cells of what cancels in them."""
        if re.match("force|momentum|torque|stress|sides_force|velocity|turning|slip", what):
            scale = max(scale, {"m": 1e-3, "f": 1e-4, "s": 1e-4, "t": 1e-5, "v": 1e-4}[what[0]])
        super().assert_near(a, b, scale, what, tolerance)


class BesideTheCpu(Bodies):
    def test_free_bodies(self):
        here = self.run_case(self.falling())
        there = self.run_there(self.falling())
        self.assertGreater(max(here.log["contacts"]), 0)
        self.assert_near_runs(here, there, TOLERANCE)
        again = self.run_there(self.falling(), name="reverse", order="reverse")
        self.assert_same_results(there.directory, again.directory)
        one, other = self.summary(here), self.summary(there)
        self.assertEqual((one["backend"], other["backend"]), ("cpu", "gpu"))
        self.assertEqual([p["name"] for p in one["phases"]], [p["name"] for p in other["phases"]])
        rows = [(run.directory / "bodies.csv").read_text().splitlines() for run in (here, there)]
        self.assertEqual(len(rows[0]), len(rows[1]))
        self.assertGreater(len(rows[0]), 8)
        for a, b in zip(*rows):
            if a != b:
                for x, y in zip(map(float, a.split(",")), map(float, b.split(","))):
                    self.assertLessEqual(abs(x - y), 1e-9 * max(abs(x), 1e-3))

    def test_held_in_a_stream_with_each_scheme(self):
        for scheme in ("one_pass", "two_pass", "multi_direct"):
            options = [*HELD, *settings(forcing__scheme=scheme)]
            here = self.run_case("cylinder_20", "--overwrite", *options)
            self.assert_near_runs(here, self.run_there("cylinder_20", "--overwrite", *options), TOLERANCE)


class GoesOn(Bodies):
    def test_on_the_device_in_the_same_bits(self):
        for options in ([], settings(lattice__precision="float")):
            name = f"whole_{len(options)}"
            whole = self.run_there(self.falling(), *EVERY_TWO, *options, name=name)
            resumed, _ = self.cut_and_resumed(GPU, GPU, f"cut_{len(options)}", *options)
            self.assert_same_results(whole.directory, resumed.directory)

    def test_there_and_back(self):
        whole = self.run_case(self.falling(), *EVERY_TWO)
        for first, then, name in ((GPU, (), "to_cpu"), ((), GPU, "to_gpu")):
            resumed, said = self.cut_and_resumed(first, then, name)
            self.assertIn("not bit for bit", said)
            self.assert_near_runs(whole, resumed, TOLERANCE)


class Refused(Bodies):
    def assert_refused(self, text, case, *options, **environment):
        output = self.directory / "none"
        done = on_device("run", CASES / case, *GPU, "--output", output, *options, **environment)
        self.assertEqual(done.returncode, 2, done.stdout + done.stderr)
        self.assertIn(text, done.stderr)
        self.assertFalse(output.exists())

    def test_what_the_cpu_alone_has(self):
        self.assert_refused("--backend gpu with fluid.method = spectral (bodies are on a device in a lattice fluid alone) set fluid.method = "
                            "lattice", "moving_cylinder", *settings(fluid__method="spectral"))
        self.assert_refused("--backend gpu with forcing.placement = at_once (which shares out threads of the host, and points are on the "
                            "device) set forcing.placement = together", "falling_sphere", *settings(forcing__placement="at_once"))

    def test_too_large(self):
        self.assert_refused("GB of cells and bodies (the device has 0.001 GB free)", "falling_sphere", CORRAL_CUDA_BYTES=10**6)


class Memory(Bodies):
    def test_is_told_before_it_is_taken(self):
        """Within 10 %, for few cells and many, few points and many, and a wide kernel."""
        for others in ({}, {"lattice__scheme": "two_lattices", "lattice__precision": "float"}, {"shape__sphere__spacing": "0.6 mm"},
                       {"forcing__kernel": "ib6"}, {"grid__cells": "40, 48, 40", "time__dt": "0.5 ms"}):
            self.assert_told(self.falling(), settings(**{"time__end": "3 ms", "output__points": "3 ms"} | others))
        self.assert_told("cylinder_20", HELD)

    def test_of_a_fluid_alone(self):
        self.assert_told(self.write_case(ALONE, "alone"), [])

    def assert_told(self, case, options):
        said = on_device("check", CASES / case if isinstance(case, str) else case, *GPU, *options)
        told = 1e6 * float(re.search(r"device +CUDA on the host: about ([\d.]+) MB", said.stdout)[1])
        taken = self.summary(self.run_there(case, "--overwrite", *options))["device_arrays_bytes"]
        self.assertLess(abs(told / taken - 1), 0.1, f"{told} said, {taken} taken")


if __name__ == "__main__":
    unittest.main()
