"""Runs whose steps are on a CUDA device, which is emulated (tests/cuda_on_host), beside the CPU's.

Needs CORRAL_ON_DEVICE beside what command.py does: the command that has a device.
"""

import json
import os
import re
import subprocess

from case_files import Run, VtkFile
from command import CASES, CaseTest, results, settings

ON_DEVICE = os.environ["CORRAL_ON_DEVICE"]
GPU = ("--backend", "gpu")
EVERY_TWO = settings(checkpoint__steps=2, checkpoint__keep=2)
COUNTS = ("iterations", "rounds", "failures", "residual", "maps", "isotropy", "drift")  # of solvers, or round-off itself
# What a driver of immersed things makes of a box without any.
FLUID_ALONE = """
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


def on_device(*arguments, **environment):
    """The command that has a device, in an environment of its own. Padding of what loops capture holds anything, what looks
    like a pointer to the host, too."""
    return subprocess.run([ON_DEVICE, *map(str, arguments)], capture_output=True, text=True, check=False,
                          env=os.environ | {"CORRAL_CUDA_SEARCH_STRUCTS": "0"} | {name: str(value) for name, value in environment.items()})


class Devices(CaseTest):
    def written(self, text):
        """The case's directory, in which a test writes it once."""
        directory = self.directory / "case"
        return directory if directory.exists() else self.write_case(text)

    def run_there(self, case, *options, name="there", order="forward"):
        done = on_device("run", CASES / case if isinstance(case, str) else case, "--quiet", *GPU, "--output", self.directory / name,
                         *options, CORRAL_CUDA_ORDER=order)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return Run(self.directory / name)

    def run_beside(self, case, *options, tolerance, name="out", order="reverse"):
        """On the CPU, and near that on the device, where another order of threads leaves the bits."""
        here = self.run_case(case, *options, name=name)
        there = self.run_there(case, *options, name=f"{name}_there")
        self.assert_near_runs(here, there, tolerance)
        again = self.run_there(case, *options, name=f"{name}_{order}", order=order)
        self.assert_same_results(there.directory, again.directory)
        one, other = self.summary(here), self.summary(there)
        self.assertEqual((one["backend"], other["backend"]), ("cpu", "gpu"))
        self.assertEqual([p["name"] for p in one["phases"]], [p["name"] for p in other["phases"]])
        return here, there

    def cut_and_resumed(self, case, first, then, name, *options):
        """Five steps with the options `first`, the rest with `then`, which is said where that is another processor."""
        cut = self.directory / name
        for verb, backend in (("run", (*first, "--steps", "5")), ("resume", then)):
            done = on_device(verb, CASES / case if isinstance(case, str) else case, "--output", cut, *EVERY_TWO, *options, *backend)
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
            self.assertEqual("not bit for bit" in done.stderr, verb == "resume" and first != then, done.stderr)
            self.assertEqual("of copies" in done.stdout, "gpu" in backend, done.stdout)
        return Run(cut)

    def assert_goes_on_in_the_same_bits(self, case, *options, name="whole"):
        whole = self.run_there(case, *EVERY_TWO, *options, name=name)
        self.assert_same_results(whole.directory, self.cut_and_resumed(case, GPU, GPU, f"{name}_cut", *options).directory)

    def assert_goes_on_elsewhere(self, case, *options, tolerance, name="whole"):
        """From a checkpoint of the one on the other, and back."""
        whole = self.run_case(case, *EVERY_TWO, *options, name=name)
        for first, then, to, said in ((GPU, (), "to_cpu", "a GPU, and goes on on the CPU"), ((), GPU, "to_gpu", "the CPU, and goes on on a GPU")):
            resumed = self.cut_and_resumed(case, first, then, f"{name}_{to}", *options)
            self.assertTrue(any(said in notice for notice in self.summary(resumed)["notices"]))
            self.assert_near_runs(whole, resumed, tolerance)

    def assert_refused(self, command, text, case, *options, **environment):
        for verb in ("check", "run"):
            output = [] if verb == "check" else ["--output", self.directory / "none"]
            done = command(verb, CASES / case, *output, *options, **environment)
            self.assertEqual(done.returncode, 2, done.stdout + done.stderr)
            self.assertIn(text, done.stderr)
            self.assertEqual(len(done.stderr.strip().splitlines()), 1)
            self.assertFalse((self.directory / "none").exists())

    def assert_told(self, case, options, *how_far):
        """The device's memory by `corral check`, within 10 % of what a run takes."""
        said = on_device("check", CASES / case if isinstance(case, str) else case, *GPU, *options)
        told = 1e6 * float(re.search(r"device +CUDA on the host: about ([\d.]+) MB", said.stdout)[1])
        taken = self.summary(self.run_there(case, "--overwrite", *options, *how_far))["device_arrays_bytes"]
        self.assertLess(abs(told / taken - 1), 0.1, f"{told} said, {taken} taken")

    def assert_counted(self, here, there, bytes_of):
        """A run on a device tells the bytes of these phases, and of no others, and their share of what its copies move in the phase's
        time; one on the CPU tells none."""
        one, other = self.summary(here), self.summary(there)
        self.assertNotIn("copy_bytes_per_second", one)
        for phase in one["phases"]:
            self.assertFalse({"bytes", "share_of_copies"} & phase.keys(), phase)
        counted = [phase for phase in other["phases"] if {"bytes", "share_of_copies"} & phase.keys()]
        self.assertEqual({phase["name"]: phase["bytes"] for phase in counted}, bytes_of)
        for phase in counted:
            copies = phase["seconds"] * other["copy_bytes_per_second"]
            self.assertAlmostEqual(phase["share_of_copies"] * copies / phase["bytes"], 1)

    def assert_near(self, a, b, scale, what, tolerance):
        self.assertLessEqual(abs(a - b), tolerance * scale, f"{what}: {a} and {b}")

    def assert_near_tables(self, here, there, name, share, least):
        """Lines of the same bytes, or numbers apart by a share of themselves, or of `least` where they are less."""
        one, other = ((run.directory / name).read_text().splitlines() for run in (here, there))
        self.assertEqual(len(one), len(other))
        self.assertGreater(len(one), 3)
        for a, b in zip(one, other):
            if a != b:
                for x, y in zip(map(float, a.split(",")), map(float, b.split(","))):
                    self.assertLessEqual(abs(x - y), share * max(abs(x), least), name)

    def assert_near_arrays(self, here, there, tolerance):
        """Each array of a VTK file, to the largest of its values."""
        for node in here.root.iter("DataArray"):
            if node.get("format") != "appended":
                continue
            name = node.get("Name")
            one, other = ([v for row in file.values(name) for v in (row if isinstance(row, tuple) else (row,))] for file in (here, there))
            self.assertEqual(len(one), len(other), name)
            scale = max(map(abs, one), default=0)
            for a, b in zip(one, other):
                self.assert_near(a, b, scale, name, tolerance)

    def assert_near_runs(self, here, there, tolerance):
        """The same files with the same columns and arrays, which hold nearly the same numbers."""
        one, other = results(here.directory), results(there.directory)
        self.assertEqual(sorted(one), sorted(other))
        self.assertEqual(list(here.log), list(there.log))
        for name, column in here.log.items():
            if not any(word in name for word in COUNTS):
                scale = max(map(abs, column))
                for a, b in zip(column, there.log[name]):
                    self.assert_near(a, b, scale, name, tolerance)
        for name in one:
            if name.endswith((".vti", ".vtp")):
                self.assert_near_arrays(VtkFile(here.directory / name), VtkFile(there.directory / name), tolerance)

    def summary(self, run):
        return json.loads((run.directory / "summary.json").read_text())
