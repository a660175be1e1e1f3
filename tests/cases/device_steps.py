"""Gas-solid cases whose steps run on a CUDA device, which is emulated (tests/cuda_on_host), beside the CPU's: the same files, and
in them the same numbers but for round-off and what solvers leave over."""

import unittest

from case_files import Run
from command import CASES, corral, settings
from devices import GPU, Devices, on_device

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
# Contact is solved for to 1e-6 of a cell's volume, and the backends stop at other places within that: where packed solids hardly
# give way their pressure differs by many times that, and the more from step to step.
TOLERANCE = 1e-3
# Bytes of a parcel and of a cell in a step, but for iterations of solvers.
OF_A_STEP = {"sort": (370, 0), "spread": (230, 184), "gas": (0, 976), "contact": (0, 584), "move": (270, 184), "displace": (110, 400)}


class Beds(Devices):
    def bed(self):
        return self.written(BED)

    def assert_near(self, a, b, scale, what, tolerance):
        super().assert_near(a, b, scale, what, 10 * tolerance if "contact" in what else tolerance)


class BesideTheCpu(Beds):
    def test_column(self):
        here = self.run_case("column", *COLUMN)
        self.assert_near_runs(here, self.run_there("column", *COLUMN), 1e-7)

    def test_bed_in_several_orders_of_threads(self):
        here, there = self.run_beside(self.bed(), tolerance=TOLERANCE)
        one, other = self.summary(here), self.summary(there)
        self.assertNotIn("device_arrays_bytes", one)
        self.assertEqual([p["calls"] for p in one["phases"]], [p["calls"] for p in other["phases"]])
        for phase in other["phases"]:
            self.assertGreaterEqual(phase["seconds"], 0, phase)
        self.assertLessEqual(sum(p["seconds"] for p in other["phases"]), 1.01 * other["wall_seconds"])
        counted = {phase: other["steps"] * (parcel * other["parcels"] + cell * other["cells"]) for phase, (parcel, cell) in OF_A_STEP.items()}
        told, iteration = {p["name"]: p.get("bytes", 0) for p in other["phases"]}, 354 * other["cells"]
        for phase in ("gas", "contact"):
            counted[phase] += iteration * max(1, (told[phase] - counted[phase]) // iteration)
        self.assert_counted(here, there, counted)


class GoesOn(Beds):
    def test_on_the_device_in_the_same_bits(self):
        self.assert_goes_on_in_the_same_bits(self.bed())

    def test_there_and_back(self):
        self.assert_goes_on_elsewhere(self.bed(), tolerance=TOLERANCE)


class Refused(Devices):
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


class Memory(Beds):
    def test_is_told_before_it_is_taken(self):
        """For few cells and many, few parcels and many, and some models."""
        models = settings(gas__momentum="conservative", contact__acceleration="blended", contact__isotropy="orourke_snider",
                          contact__collision_rate="far_from_equilibrium", output__audit="true")
        for cells, lattice, others in (("16, 16, 16", "1, 1, 2", []), ("3, 3, 6", "5, 5, 6", models),
                                       ("8, 8, 8", "3, 3, 3", settings(solids__frozen="true"))):
            options = [*settings(grid__cells=cells, seed__bed__lattice=lattice, time__end="2 ms"), *others]
            self.assert_told(self.bed(), options)
        self.assert_told("bidisperse_bed", [], "--steps", 1) # drag by both sizes, of solids of one density


class Fails(Beds):
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
        self.assert_near_runs(self.run_case(self.bed(), name="whole"), Run(output), TOLERANCE)


if __name__ == "__main__":
    unittest.main()
