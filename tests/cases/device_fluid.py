"""Cases whose lattice fluid moves on a CUDA device, which is emulated (tests/cuda_on_host), beside the host's. Fields have its
bits there; what is summed over cells has another order of sums."""

import os
import subprocess
import unittest

from case_files import Run
from command import CASES, CaseTest, corral, results, settings

ON_DEVICE = os.environ["CORRAL_ON_DEVICE"]
DEVICE, HOST = settings(lattice__processor="device"), settings(lattice__processor="host")
ORDERS = ("forward", "reverse", "random:3")

FIXED = ("cylinder_20", settings(grid__cells="200, 75, 1", time__dt="50 ms", time__end="1 s", output__log="0.25 s",
                                 output__fields="0.5 s", output__bodies="0.5 s"))
PASSES = ("cylinder_20", [*FIXED[1], *settings(forcing__scheme="multi_direct")])
FALLING = ("falling_sphere", settings(grid__cells="30, 48, 30", time__dt="1.5 ms", time__end="30 ms", output__log="6 ms",
                                      output__bodies="6 ms", output__fields="15 ms", bodies__one__position="50, 9, 50 mm"))
KEPT = ("moving_cylinder", settings(grid__cells="160, 80, 1", time__dt="12.5 ms", time__end="0.25 s", output__log="125 ms",
                                    output__fields="125 ms"))
CELL = ("red_cell_lattice", settings(grid__cells="12, 12, 12", time__dt="2.2 us", time__end="88 us", output__log="22 us",
                                     output__fields="44 us", output__vertices="44 us", surface__red_cell__vertices=162))


def on_device(*arguments, **environment):
    """The command that has a device, in an environment of its own."""
    return subprocess.run([ON_DEVICE, *map(str, arguments)], capture_output=True, text=True, check=False,
                          env=os.environ | {name: str(value) for name, value in environment.items()})


class Devices(CaseTest):
    def run_there(self, case, *options, name="device", order="forward"):
        done = on_device("run", CASES / case, "--quiet", "--output", self.directory / name, *options, *DEVICE,
                         CORRAL_CUDA_ORDER=order)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return Run(self.directory / name)

    def assert_same_but_sums(self, host, device):
        """The same files with the same bytes; in tables what differs is round-off of sums over cells."""
        one, other = results(host.directory), results(device.directory)
        self.assertEqual(sorted(one), sorted(other))
        others = {name for name in one if one[name] != other[name]}
        self.assertLessEqual(others, {"log.csv", "used.ini"})
        sizes, u = host.settings.reals("grid.size"), max(host.log["fluid_speed_max"])
        momentum = 1e-14 * host.settings.real("fluid.density") * sizes[0] * sizes[1] * sizes[2] * u
        for column in host.log:
            sum_of_cells = momentum if column.startswith("momentum") else 0
            if column.startswith(("sides_force", "momentum_force")):
                sum_of_cells = momentum / host.settings.real("time.dt")
            for a, b in zip(host.log[column], device.log[column]):
                self.assertLessEqual(abs(a - b), sum_of_cells, column)


class BesideTheHost(Devices):
    def compare(self, case, options, orders=ORDERS):
        host = self.run_case(case, *options)
        for order in orders:
            self.assert_same_but_sums(host, self.run_there(case, *options, name=order, order=order))

    def test_fixed_between_an_inlet_and_an_outlet(self):
        self.compare(*FIXED)

    def test_several_passes(self):
        self.compare(*PASSES, orders=("reverse",))

    def test_falling_to_the_floor(self):
        self.compare(*FALLING)

    def test_mean_flow_that_is_kept(self):
        self.compare(*KEPT, orders=("random:5",))

    def test_red_cell_in_a_sheared_box(self):
        self.compare(*CELL, orders=("forward", "random:7"))

    def test_no_bodies_and_other_populations(self):
        options = settings(grid__cells="32, 32, 1", time__dt="5 ms", time__end="0.1 s", output__log="20 ms", lattice__precision="float",
                           lattice__scheme="two_lattices", output__fields="0.1 s")
        host = self.run_case("cavity", *options)
        self.assert_same_but_sums(host, self.run_there("cavity", *options))


    def test_too_fast_for_a_lattice(self):
        case, options = FIXED
        options = [*options, *settings(drive__body_force="15, 0, 0")]
        said = []
        for command, keys in ((corral, HOST), (on_device, DEVICE)):
            done = command("run", CASES / case, "--quiet", "--output", self.directory / keys[-1], *options, *keys)
            self.assertEqual(done.returncode, 1, done.stderr)
            said.append(done.stderr.replace(keys[-1], ""))
        self.assertIn("on the lattice (up to 0.3 it follows)", said[0])
        self.assertEqual(*said)


class GoesOn(Devices):
    """From a checkpoint of the one on the other, and back."""

    def test_there_and_back(self):
        for case, options in (FALLING, CELL):
            whole = self.run_case(case, *options, name=f"{case}_whole")
            for first, then, name in ((on_device, corral, "to_host"), (corral, on_device, "to_device")):
                there, back = (DEVICE if command is on_device else HOST for command in (first, then))
                cut = self.directory / f"{case}_{name}"
                done = first("run", CASES / case, "--quiet", "--output", cut, *options, *there, "--steps", 13)
                self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
                done = then("resume", CASES / case, "--quiet", "--output", cut, *options, *back)
                self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
                self.assert_same_but_sums(whole, Run(cut))


class Refused(Devices):
    def assert_refused(self, command, text, case=FIXED[0], options=FIXED[1], **environment):
        for verb in ("check", "run"):
            output = [] if verb == "check" else ["--output", self.directory / "none"]
            done = command(verb, CASES / case, *output, *options, *DEVICE, **environment)
            self.assertEqual(done.returncode, 2, done.stdout + done.stderr)
            self.assertIn(text, done.stderr)
            self.assertEqual(len(done.stderr.strip().splitlines()), 1)
            self.assertFalse((self.directory / "none").exists())

    def test_no_device(self):
        self.assert_refused(corral, "lattice.processor = device (this corral was built without CUDA)")
        self.assert_refused(on_device, "lattice.processor = device (no CUDA device is found here)", CORRAL_CUDA_DEVICES=0)

    def test_too_large(self):
        self.assert_refused(on_device, "GB of a lattice (the device has 17.2 GB free)", "cavity", settings(
            grid__cells="12000, 12000, 1", grid__size="12, 12, 0.001 mm", time__dt="0.1 us"))
        self.assert_refused(on_device, "cells (their numbers have 32 bits there)", "cavity", settings(
            grid__cells="70000, 70000, 1", grid__size="70, 70, 0.001 mm", time__dt="0.1 us"))

    def test_threads_of_points(self):
        self.assert_refused(on_device, "forcing.placement = at_once with lattice.processor = device",
                            options=[*FIXED[1], *settings(forcing__placement="at_once")])

    def test_memory_is_said(self):
        done = on_device("check", CASES / FALLING[0], *FALLING[1], *DEVICE)
        self.assertRegex(done.stdout, r"device +\w.*: about \d+ MB of its memory")
        self.assertNotIn("device ", corral("check", CASES / FALLING[0], *FALLING[1]).stdout)


if __name__ == "__main__":
    unittest.main()
