"""Membranes in either fluid whose steps run on a CUDA device, which is emulated (tests/cuda_on_host), beside the CPU's: the same
files, and in them the same numbers but for round-off."""

import re
import unittest

from command import settings, some
from devices import FLUID_ALONE, GPU, Devices, on_device

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
TOLERANCE = 1e-9
# Bytes of a marker and of a cell in a step.
IN_A_LATTICE = {"sort": (90, 0), "interpolate": (366, 200), "move": (90, 0), "forces": (457, 0), "spread": (0, 57), "fluid": (0, 352),
                "books": (0, 143), "measure": (457, 0)}
IN_STOKES_FLOW = IN_A_LATTICE | {"interpolate": (366, 48), "fluid": (0, 536), "books": (0, 72)}
WITH_INERTIA = IN_STOKES_FLOW | {"fluid": (0, 1048)}


class Membranes(Devices):
    def assert_near(self, a, b, scale, what, tolerance):
        """Resultants, and what books miss, are round-off of what cancels in them."""
        if not re.match("force|momentum|energy_residual|stress|velocity_", what):
            super().assert_near(a, b, scale, what, tolerance)
        elif what.startswith("velocity"):
            self.assertLessEqual(abs(a - b), 1e-9 * max(scale, 1e-3), what)

    def assert_counted(self, here, there, of_a_step):
        run = self.summary(there)
        super().assert_counted(here, there, {phase: run["steps"] * (marker * run["vertices"] + cell * run["cells"])
                                             for phase, (marker, cell) in of_a_step.items()})


class BesideTheCpu(Membranes):
    def test_files(self):
        self.assert_counted(*self.run_beside("red_cell_lattice", *FEW, tolerance=TOLERANCE), IN_A_LATTICE)

    def test_files_of_an_incompressible_fluid(self):
        for name, case, options, counted in (("triangles", "red_cell_in_shear", FEW, IN_STOKES_FLOW), ("blood", "blood_channel", BLOOD, WITH_INERTIA)):
            self.assert_counted(*self.run_beside(case, *options, tolerance=TOLERANCE, name=name, order="random"), counted)
        self.run_beside("red_cell_in_shear", *settings(**RADIAL), tolerance=1e-6, name="radial", order="random")
        thick = settings(**KEYS | {"surface__red_cell__viscosity_ratio": 5, "time__end": "8 us"})  # iterations end where they may
        self.run_beside("red_cell_in_shear", *thick, tolerance=1e-5, name="thick", order="random")

    def test_tables(self):
        runs = self.run_case("red_cell_lattice", *FEW), self.run_there("red_cell_lattice", *FEW)
        for name in ("cells.csv", "profile.csv"):
            self.assert_near_tables(*runs, name, 1e-8, 1e-6)


class GoesOn(Membranes):
    def test_on_the_device_in_the_same_bits(self):
        for name, options in (("doubles", []), ("floats", settings(lattice__precision="float"))):
            self.assert_goes_on_in_the_same_bits("red_cell_lattice", *FEW, *options, name=name)

    def test_in_an_incompressible_fluid(self):
        short = {"time__dt": "20 ns", "time__end": "240 ns"} | {f"output__{what}": "80 ns" for what in ("log", "fields", "vertices", "cells", "profile")}
        inertia = settings(**KEYS | short, fluid__motion="navier_stokes")
        for name, keys in (("stokes", FEW), ("inertia", inertia)):
            self.assert_goes_on_in_the_same_bits("red_cell_in_shear", *keys, name=name)

    def test_there_and_back(self):
        for case in ("red_cell_lattice", "red_cell_in_shear"):
            self.assert_goes_on_elsewhere(case, *FEW, tolerance=TOLERANCE, name=case)


class Refused(Membranes):
    def test_what_the_cpu_alone_has(self):
        self.assert_refused(on_device, "--backend gpu with fluid.projection = PmII (on a device velocity and pressure are found together) choose "
                            "exact", "capsule_in_shear", *GPU,
                            *settings(fluid__motion="navier_stokes", time__step="adaptive", fluid__projection="PmII"))
        self.assert_refused(on_device, "--backend gpu with coupling.method = columns (it is one of the CPU alone) take another, or automatic",
                            "red_cell_lattice", *GPU, *settings(coupling__method="columns"))

    def test_too_large(self):
        self.assert_refused(on_device, "GB of cells and membranes (the device has 0.001 GB free)", "red_cell_lattice", *GPU, CORRAL_CUDA_BYTES=10**6)


class Memory(Membranes):
    def test_is_told_before_it_is_taken(self):
        """For few cells and many, few vertices and many, and the widest kernel."""
        for cells, vertices, others in some((("16, 16, 16", 642, {}), ("24, 24, 24", 162, {"lattice__scheme": "two_lattices"}),
                                             ("16, 16, 16", 162, {"coupling__kernel": "ib6"}),
                                             ("16, 16, 16", 162, {"surface__red_cell__membrane_viscosity": "1e-8"}))):
            self.assert_told("red_cell_lattice", settings(**KEYS | {"grid__cells": cells, "surface__red_cell__vertices": vertices, "time__end": "4 us"} | others))

    def test_of_a_fluid_alone(self):
        alone = "[case]\ndriver = membrane" + FLUID_ALONE
        self.assert_told(self.write_case(alone), [])
        self.assert_told(self.write_case(alone.replace("method = lattice", ""), "incompressible"), settings(grid__cells="24, 24, 24"))

    def test_in_an_incompressible_fluid(self):
        for cells, vertices, others in some((("24, 24, 24", 162, {"sides__y_low": "no_slip", "sides__y_high": "no_slip", "surface__red_cell__viscosity_ratio": 5}),
                                             ("16, 18, 15", 642, {}), ("32, 32, 32", 162, {"fluid__motion": "navier_stokes", "time__dt": "20 ns"}),
                                             ("16, 16, 16", 162, {"coupling__kernel": "ib6"}),
                                             ("16, 16, 16", 162, {"surface__red_cell__membrane_viscosity": "1e-8"}),
                                             ("16, 18, 15", 642, {"surface__red_cell__viscosity_ratio": 5}))):
            self.assert_told("red_cell_in_shear", settings(**KEYS | {"grid__cells": cells, "surface__red_cell__vertices": vertices, "time__end": "4 us"} | others),
                             "--steps", 2)

    def test_of_radial_surfaces(self):
        for numbers in ({}, {"surface__red_cell__vertices": 300, "surface__red_cell__sites": 3000, "surface__red_cell__forces": "variational"},
                        {"membranes__one__arrangement": "lattice", "membranes__one__lattice": "3, 3, 3", "grid__size": "48, 48, 48 um"}):
            self.assert_told("red_cell_in_shear", settings(**RADIAL | numbers), "--steps", 2)


if __name__ == "__main__":
    unittest.main()
