"""Gas-solid cases whose steps run on a CUDA device, which is emulated (tests/cuda_on_host), beside the CPU's: the same files, and
in them the same numbers but for round-off and what solvers leave over."""

import json
import os
import re
import subprocess
import unittest

from case_files import Run, VtkFile
from command import CASES, CaseTest, corral, results, settings

ON_DEVICE = os.environ["CORRAL_ON_DEVICE"]
GPU = ("--backend", "gpu")

COLUMN = settings(grid__cells="1, 1, 20", size__grains__diameter="0.3 mm", seed__column__parcels=300,
                  seed__column__particles_per_parcel=7182, time__dt="1 ms", time__end="10 ms", output__log="2 ms",
                  output__fields="5 ms", output__parcels="5 ms")
BED = """
[case]
driver = mppic
[grid]
cells = 4, 4, 8
size = 0.02, 0.02, 0.04 m
[sides]
x_low = free_slip
x_high = free_slip
y_low = periodic
y_high = periodic
z_high = outlet
[gas]
density = 1.2 kg/m3
viscosity = 1.8e-5 Pa s
[solids]
density = 2500 kg/m3
close_packing = 0.6
[size.beads]
diameter = 1 mm
[seed.bed]
arrangement = cell_lattice
high = 0.02, 0.02, 0.02 m
solids_fraction = 0.55
lattice = 2, 2, 3
[inlet.floor]
side = z_low
velocity = 0.8 m/s
times = 0, 4 ms
factors = 0.5, 1
[time]
step = fixed
dt = 1 ms
end = 8 ms
[output]
format = both
log = 2 ms
fields = 4 ms
parcels = 4 ms
[checkpoint]
steps = 2
keep = 2
"""
COUNTS = ("iterations", "rounds", "failures", "residual", "maps", "isotropy", "drift")  # of solvers, or round-off itself


def on_device(*arguments, **environment):
    """The command that has a device, in an environment of its own. Padding of what loops capture holds anything, what looks
    like a pointer to the host, too."""
    return subprocess.run([ON_DEVICE, *map(str, arguments)], capture_output=True, text=True, check=False,
                          env=os.environ | {"CORRAL_CUDA_SEARCH_STRUCTS": "0"} | {name: str(value) for name, value in environment.items()})


class Devices(CaseTest):
    def bed(self):
        directory = self.directory / "bed"
        return directory if directory.exists() else self.write_case(BED, "bed")

    def run_there(self, case, *options, name="there", order="forward", verb="run"):
        done = on_device(verb, CASES / case if isinstance(case, str) else case, "--quiet", *GPU, "--output", self.directory / name,
                         *options, CORRAL_CUDA_ORDER=order)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return Run(self.directory / name)

    def assert_near(self, a, b, scale, what, tolerance):
        share = 10 * tolerance if "contact" in what else tolerance
        self.assertLessEqual(abs(a - b), share * scale, f"{what}: {a} and {b}")

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

    def assert_near_runs(self, here, there, tolerance=1e-3):
        """Contact is solved for to 1e-6 of a cell's volume, and the backends stop at other places within that: where packed
        solids hardly give way their pressure differs by many times that, and the more from step to step."""
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


class BesideTheCpu(Devices):
    def test_column(self):
        here = self.run_case("column", *COLUMN)
        self.assert_near_runs(here, self.run_there("column", *COLUMN), 1e-7)

    def test_bed_in_several_orders_of_threads(self):
        here = self.run_case(self.bed())
        there = self.run_there(self.bed())
        self.assert_near_runs(here, there)
        again = self.run_there(self.bed(), name="reverse", order="reverse")
        self.assert_same_results(there.directory, again.directory)
        one, other = self.summary(here), self.summary(there)
        self.assertEqual((one["backend"], other["backend"]), ("cpu", "gpu"))
        self.assertNotIn("device_arrays_bytes", one)
        self.assertEqual([p["name"] for p in one["phases"]], [p["name"] for p in other["phases"]])
        self.assertEqual([p["calls"] for p in one["phases"]], [p["calls"] for p in other["phases"]])
        for phase in other["phases"]:
            self.assertGreaterEqual(phase["seconds"], 0, phase)
        self.assertLessEqual(sum(p["seconds"] for p in other["phases"]), 1.01 * other["wall_seconds"])


class GoesOn(Devices):
    def test_on_the_device_in_the_same_bits(self):
        whole = self.run_there(self.bed(), name="whole")
        self.run_there(self.bed(), "--steps", 5, name="cut")
        self.assert_same_results(whole.directory, self.run_there(self.bed(), name="cut", verb="resume").directory)

    def test_there_and_back(self):
        """From a checkpoint of the one on the other, which is said."""
        whole = self.run_case(self.bed(), name="whole")
        for first, then, name, said in ((GPU, (), "to_cpu", "a GPU, and goes on on the CPU"), ((), GPU, "to_gpu", "the CPU, and goes on on a GPU")):
            cut = self.directory / name
            for verb, options in (("run", (*first, "--steps", "5")), ("resume", then)):
                done = on_device(verb, self.bed(), "--output", cut, *options)
                self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
                self.assertEqual("not bit for bit" in done.stderr, verb == "resume", done.stderr)
            self.assertTrue(any(said in notice for notice in self.summary(Run(cut))["notices"]))
            self.assert_near_runs(whole, Run(cut))


class Refused(Devices):
    def assert_refused(self, command, text, case, *options, **environment):
        for verb in ("check", "run"):
            output = [] if verb == "check" else ["--output", self.directory / "none"]
            done = command(verb, CASES / case, *output, *options, **environment)
            self.assertEqual(done.returncode, 2, done.stdout + done.stderr)
            self.assertIn(text, done.stderr)
            self.assertEqual(len(done.stderr.strip().splitlines()), 1)
            self.assertFalse((self.directory / "none").exists())

    def test_no_device(self):
        self.assert_refused(corral, "--backend gpu (this corral was built without CUDA) run on the CPU", "column", *GPU)
        self.assert_refused(on_device, "--backend gpu (no CUDA device is found here) run on the CPU", "column", *GPU, CORRAL_CUDA_DEVICES=0)
        self.assert_refused(on_device, "--device 1 (there is one device, 0)", "column", *GPU, "--device", 1)

    def test_nothing_for_a_device(self):
        self.assert_refused(on_device, "--backend gpu with driver = beads", "sedimenting_pair", *GPU)
        self.assert_refused(on_device, "--device 0 with driver = mppic on the CPU (nothing of it is on a device) add --backend gpu", "column",
                            "--device", 0)
        self.assert_refused(on_device, "--device 0 with driver = body on the CPU", "cylinder_20", "--device", 0)

    def test_a_lattice_on_a_device_of_its_number(self):
        said = on_device("check", CASES / "cylinder_20", *settings(lattice__processor="device"), "--device", 0)
        self.assertEqual(said.returncode, 0, said.stderr)
        self.assert_refused(on_device, "--device 3 (there is one device, 0)", "cylinder_20", *settings(lattice__processor="device"), "--device", 3)

    def test_too_large(self):
        self.assert_refused(on_device, "GB of cells and parcels (the device has 0.001 GB free)", "column", *GPU, CORRAL_CUDA_BYTES=10**6)


class Memory(Devices):
    def test_is_told_before_it_is_taken(self):
        """Within 10 %, for few cells and many, few parcels and many, and some models."""
        models = settings(gas__momentum="conservative", contact__acceleration="blended", contact__isotropy="orourke_snider",
                          contact__collision_rate="far_from_equilibrium", output__audit="true")
        for cells, lattice, others in (("16, 16, 16", "1, 1, 2", []), ("3, 3, 6", "5, 5, 6", models),
                                       ("8, 8, 8", "3, 3, 3", settings(solids__frozen="true"))):
            options = [*settings(grid__cells=cells, seed__bed__lattice=lattice, time__end="2 ms"), *others]
            said = on_device("check", self.bed(), *GPU, *options)
            told = 1e6 * float(re.search(r"device +CUDA on the host: about ([\d.]+) MB", said.stdout)[1])
            taken = self.summary(self.run_there(self.bed(), *options, name=cells + lattice))["device_arrays_bytes"]
            self.assertLess(abs(told / taken - 1), 0.1, f"{told} said, {taken} taken")


class Fails(Devices):
    def test_in_the_middle(self):
        """The call is named, the checkpoints are whole, and the run goes on elsewhere."""
        output = self.directory / "lost"
        for calls in (int(1000 * 1.5**k) for k in range(12)):
            done = on_device("run", self.bed(), "--quiet", "--overwrite", *GPU, "--output", output, CORRAL_CUDA_LOST=calls)
            self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
            if list(output.glob("checkpoint/0*")):
                break
        self.assertTrue(list(output.glob("checkpoint/0*")))
        self.assertRegex(done.stderr, r"failed on the device \(unspecified launch failure\)")
        self.assertIn("the state could not be dumped", done.stderr)
        self.assertEqual(self.summary(Run(output))["outcome"], "failed")
        self.assertEqual(corral("info", output).returncode, 0)
        done = corral("resume", self.bed(), "--quiet", "--output", output)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assert_near_runs(self.run_case(self.bed(), name="whole"), Run(output))


if __name__ == "__main__":
    unittest.main()
