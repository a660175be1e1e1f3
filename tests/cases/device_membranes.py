"""Membranes in either fluid whose steps run on a CUDA device, which is emulated (tests/cuda_on_host), beside the CPU's: the same
files, and in them the same numbers but for round-off."""

import re
import unittest

from case_files import Run
from command import CASES, settings
from device_steps import GPU, Devices, on_device

KEYS = {"grid__cells": "16, 16, 16", "surface__red_cell__vertices": 162, "time__dt": "2 us", "time__end": "24 us", "output__log": "4 us",
        "output__fields": "12 us", "output__vertices": "12 us", "output__cells": "8 us", "output__profile": "12 us", "output__format": "both"}
FEW = settings(**KEYS)
RADIAL = KEYS | {"surface__red_cell__representation": "radial", "surface__red_cell__vertices": 100, "surface__red_cell__sites": 402,
                 "surface__red_cell__stretch": "1.05, 1, 1", "time__end": "8 us"} | {f"output__{what}": "4 us" for what in ("log", "fields", "vertices", "cells", "profile")}
# Blood between walls, with inertia, in steps as long as they may be.
SQUEEZED = {"grid__cells": "16, 16, 16", "grid__size": "16, 16, 16 um", "surface__red_cell__vertices": 162, "membranes__blood__volume_fraction": "0.05",
            "fluid__motion": "navier_stokes", "time__end": "1 us", "output__log": "0.2 us", "output__fields": "0.5 us",
            "output__vertices": "0.5 us", "output__cells": "0.5 us"}
BLOOD = settings(**SQUEEZED)
EVERY_TWO = settings(checkpoint__steps=2, checkpoint__keep=2)
TOLERANCE = 1e-9
ALONE = """
[case]
driver = membrane
[grid]
cells = 16, 16, 16
size = 16, 16, 16 um
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
shear_rate = 500 1/s
[time]
dt = 0.2 us
end = 0.6 us
[output]
fields = 0.4 us
"""


class Membranes(Devices):
    def cut_and_resumed(self, first, then, name, *options, case="red_cell_lattice", keys=FEW):
        cut = self.directory / name
        for verb, backend in (("run", (*first, "--steps", "5")), ("resume", then)):
            done = on_device(verb, CASES / case, "--output", cut, *keys, *EVERY_TWO, *options, *backend)
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return Run(cut), done.stderr

    def assert_near(self, a, b, scale, what, tolerance):
        """Resultants, and what books miss, are round-off of what cancels in them."""
        if not re.match("force|momentum|energy_residual|stress|velocity_", what):
            super().assert_near(a, b, scale, what, tolerance)
        elif what.startswith("velocity"):
            self.assertLessEqual(abs(a - b), 1e-9 * max(scale, 1e-3), what)


class BesideTheCpu(Membranes):
    def test_files(self):
        here = self.run_case("red_cell_lattice", *FEW)
        there = self.run_there("red_cell_lattice", *FEW)
        self.assert_near_runs(here, there, TOLERANCE)
        again = self.run_there("red_cell_lattice", *FEW, name="reverse", order="reverse")
        self.assert_same_results(there.directory, again.directory)
        one, other = self.summary(here), self.summary(there)
        self.assertEqual((one["backend"], other["backend"]), ("cpu", "gpu"))
        self.assertEqual([p["name"] for p in one["phases"]], [p["name"] for p in other["phases"]])

    def test_files_of_an_incompressible_fluid(self):
        for name, case, options, tolerance in (("triangles", "red_cell_in_shear", FEW, TOLERANCE), ("blood", "blood_channel", BLOOD, TOLERANCE),
                                               ("radial", "red_cell_in_shear", settings(**RADIAL), 1e-6)):
            here = self.run_case(case, *options, name=name)
            there = self.run_there(case, *options, name=f"{name}_there")
            self.assert_near_runs(here, there, tolerance)
            again = self.run_there(case, *options, name=f"{name}_random", order="random")
            self.assert_same_results(there.directory, again.directory)

    def test_tables(self):
        runs = self.run_case("red_cell_lattice", *FEW), self.run_there("red_cell_lattice", *FEW)
        for name in ("cells.csv", "profile.csv"):
            one, other = ((run.directory / name).read_text().splitlines() for run in runs)
            self.assertEqual(len(one), len(other))
            self.assertGreater(len(one), 3)
            for a, b in zip(one, other):
                if a != b:
                    a, b = (list(map(float, line.split(","))) for line in (a, b))
                    for x, y in zip(a, b):
                        self.assertLessEqual(abs(x - y), 1e-8 * max(abs(x), 1e-6), name)


class GoesOn(Membranes):
    def test_on_the_device_in_the_same_bits(self):
        for options in ([], settings(lattice__precision="float")):
            name = f"whole_{len(options)}"
            whole = self.run_there("red_cell_lattice", *FEW, *EVERY_TWO, *options, name=name)
            resumed, _ = self.cut_and_resumed(GPU, GPU, f"cut_{len(options)}", *options)
            self.assert_same_results(whole.directory, resumed.directory)

    def test_in_an_incompressible_fluid(self):
        short = {"time__dt": "20 ns", "time__end": "240 ns"} | {f"output__{what}": "80 ns" for what in ("log", "fields", "vertices", "cells", "profile")}
        inertia = settings(**KEYS | short, fluid__motion="navier_stokes")
        for name, keys in (("stokes", FEW), ("inertia", inertia)):
            whole = self.run_there("red_cell_in_shear", *keys, *EVERY_TWO, name=name)
            resumed, _ = self.cut_and_resumed(GPU, GPU, f"{name}_cut", case="red_cell_in_shear", keys=keys)
            self.assert_same_results(whole.directory, resumed.directory)

    def test_there_and_back(self):
        for case in ("red_cell_lattice", "red_cell_in_shear"):
            whole = self.run_case(case, *FEW, *EVERY_TWO, name=case)
            for first, then, name in ((GPU, (), "to_cpu"), ((), GPU, "to_gpu")):
                resumed, said = self.cut_and_resumed(first, then, f"{case}_{name}", case=case)
                self.assertIn("not bit for bit", said)
                self.assert_near_runs(whole, resumed, TOLERANCE)


class Refused(Membranes):
    def assert_refused(self, text, case, *options):
        output = self.directory / "none"
        done = on_device("run", CASES / case, *GPU, "--output", output, *options)
        self.assertEqual(done.returncode, 2, done.stdout + done.stderr)
        self.assertIn(text, done.stderr)
        self.assertFalse(output.exists())

    def test_what_the_cpu_alone_has(self):
        self.assert_refused("--backend gpu with fluid.projection = PmII (on a device velocity and pressure are found together) choose exact",
                            "capsule_in_shear", *settings(fluid__motion="navier_stokes", time__step="adaptive", fluid__projection="PmII"))
        self.assert_refused("--backend gpu with viscosity_ratio of [surface.capsule] (on a device the fluid has one viscosity) leave it out",
                            "capsule_in_shear", *settings(surface__capsule__viscosity_ratio=5))
        self.assert_refused("--backend gpu with coupling.method = columns (it is one of the CPU alone) take another, or automatic",
                            "red_cell_lattice", *settings(coupling__method="columns"))

    def test_too_large(self):
        done = on_device("run", CASES / "red_cell_lattice", *GPU, "--output", self.directory / "none", CORRAL_CUDA_BYTES=10**6)
        self.assertEqual(done.returncode, 2)
        self.assertIn("GB of cells and membranes (the device has 0.001 GB free)", done.stderr)


class Memory(Membranes):
    def test_is_told_before_it_is_taken(self):
        """Within 10 %, for few cells and many, few vertices and many, and the widest kernel."""
        for cells, vertices, others in (("16, 16, 16", 642, {}), ("24, 24, 24", 162, {"lattice__scheme": "two_lattices"}),
                                        ("16, 16, 16", 162, {"coupling__kernel": "ib6"}),
                                        ("16, 16, 16", 162, {"surface__red_cell__membrane_viscosity": "1e-8"})):
            self.assert_told("red_cell_lattice", settings(**KEYS | {"grid__cells": cells, "surface__red_cell__vertices": vertices, "time__end": "4 us"} | others))

    def test_of_a_fluid_alone(self):
        self.assert_told(self.write_case(ALONE, "alone"), [])
        self.assert_told(self.write_case(ALONE.replace("method = lattice", ""), "incompressible"), settings(grid__cells="24, 24, 24"))

    def test_in_an_incompressible_fluid(self):
        for cells, vertices, others in (("16, 18, 15", 642, {}), ("32, 32, 32", 162, {"fluid__motion": "navier_stokes", "time__dt": "20 ns"}),
                                        ("24, 24, 24", 162, {"sides__y_low": "no_slip", "sides__y_high": "no_slip"}),
                                        ("16, 16, 16", 162, {"coupling__kernel": "ib6"}),
                                        ("16, 16, 16", 162, {"surface__red_cell__membrane_viscosity": "1e-8"})):
            self.assert_told("red_cell_in_shear", settings(**KEYS | {"grid__cells": cells, "surface__red_cell__vertices": vertices, "time__end": "4 us"} | others),
                             "--steps", 2)

    def test_of_radial_surfaces(self):
        for numbers in ({}, {"surface__red_cell__vertices": 300, "surface__red_cell__sites": 3000, "surface__red_cell__forces": "variational"},
                        {"membranes__one__arrangement": "lattice", "membranes__one__lattice": "3, 3, 3", "grid__size": "48, 48, 48 um"}):
            self.assert_told("red_cell_in_shear", settings(**RADIAL | numbers), "--steps", 2)

    def assert_told(self, case, options, *how_far):
        said = on_device("check", CASES / case if isinstance(case, str) else case, *GPU, *options)
        told = 1e6 * float(re.search(r"device +CUDA on the host: about ([\d.]+) MB", said.stdout)[1])
        taken = self.summary(self.run_there(case, "--overwrite", *options, *how_far))["device_arrays_bytes"]
        self.assertLess(abs(told / taken - 1), 0.1, f"{told} said, {taken} taken")


if __name__ == "__main__":
    unittest.main()
