"""Gas-solid cases whose parcels ranks share out, beside the same on one process: the same parcels, and the same numbers but for
round-off, which sums over parcels have in another order."""

import json
import re
import unittest

from case_files import Run, VtkFile
from command import CASES, THOROUGH, corral, results, settings
from ranks import RanksTest, over

COLUMN = settings(grid__cells="1, 1, 20", size__grains__diameter="0.3 mm", seed__column__parcels=2000, seed__column__particles_per_parcel=1077,
                  time__dt="1 ms", time__end="100 ms", output__log="10 ms", output__fields="50 ms", output__parcels="50 ms")
SETTLING = settings(time__end="100 ms", output__log="10 ms", output__fields="50 ms", output__parcels="50 ms")

# All that a step has: two solids, inlets and outlets of both phases, heat, collisions far from equilibrium, books of every step.
BED = """
[case]
driver = mppic
[grid]
cells = 4, 3, 9
size = 0.02, 0.015, 0.045 m
[sides]
x_low = free_slip
x_high = no_slip
y_low = periodic
y_high = periodic
z_high = outlet
[gas]
density = 1.2 kg/m3
viscosity = 1.8e-5 Pa s
temperature = 300 K
[heat]
model = gunn
[solids]
close_packing = 0.6
heat_capacity = 800 J/(kg K)
[solid.heavy]
density = 2500 kg/m3
size = beads
[solid.light]
density = 900 kg/m3
size = grains
[size.beads]
diameter = 1 mm
[size.grains]
diameter = 0.6 mm
[contact]
isotropy = orourke_snider
collision_rate = far_from_equilibrium
[seed.below]
solid = heavy
arrangement = cell_lattice
high = 0.02, 0.015, 0.02 m
solids_fraction = 0.4
lattice = 2, 2, 3
jitter = 0.5 mm
temperature = 350 K
[seed.above]
solid = light
arrangement = cell_lattice
low = 0, 0, 0.03 m
high = 0.02, 0.015, 0.045 m
solids_fraction = 0.1
lattice = 2, 2, 2
velocity = 0.2, 0, 2 m/s
granular_temperature = 0.01, 0.01, 0.01 m2/s2
[inlet.floor]
side = z_low
velocity = 0.9 m/s
[inlet.jet]
side = x_low
low = 0, 0.005, 0.025 m
high = 0, 0.010, 0.030 m
velocity = 2 m/s
solid = light
size = grains
solids_rate = 0.02 kg/s
solids_velocity = 2 m/s
particles_per_parcel = 20
temperature = 400 K
[time]
dt = 1 ms
end = 20 ms
[output]
format = both
audit = true
log = 1 ms
fields = 10 ms
parcels = 10 ms
[checkpoint]
steps = 7
keep = 2
"""
# Without what asks for parcels' sums in all cells.
PLAIN = re.sub(r"(?m)^(temperature|heat_|audit|collision_rate|specific_heat).*\n|^\[heat\]\n([^\[].*\n)*", "", BED)
# Three solids that share what contact gives them, with restitutions of their own, falling in a gas that bears their weight.
SUSPENSION = """
[case]
driver = mppic
[grid]
cells = 4, 4, 8
size = 0.02, 0.02, 0.04 m
[sides]
x_low = periodic
x_high = periodic
y_low = free_slip
y_high = free_slip
z_low = periodic
z_high = periodic
[forces]
weight = borne
[gas]
density = 1.2 kg/m3
viscosity = 1.8e-5 Pa s
momentum = conservative
[solids]
close_packing = 0.6
drag = beetstra_polydisperse
[contact]
acceleration = blended
""" + "".join(f"""
[solid.{name}]
density = {density} kg/m3
restitution = {restitution}
[size.{name}]
diameter = {diameter} mm
[seed.{name}]
solid = {name}
size = {name}
arrangement = cell_lattice
high = 0.02, 0.02, {height} m
solids_fraction = {fraction}
lattice = 2, 1, 2
jitter = 1 mm
""" for name, density, restitution, diameter, height, fraction in (
    ("heavy", 2500, 0.9, 1, 0.02, 0.29), ("middle", 1500, 0.7, 0.8, 0.02, 0.26), ("light", 900, 0.97, 0.5, 0.04, 0.03))) + """
[time]
dt = 0.5 ms
end = 10 ms
[output]
log = 1 ms
fields = 5 ms
parcels = 5 ms
"""
# Of solvers, or round-off itself.
LEFT_OVER = ("iterations", "rounds", "failures", "residual", "drift", "books", "isotropy")


class OverRanks(RanksTest):
    def bed(self):
        directory = self.directory / "bed"
        return directory if directory.exists() else self.write_case(BED, "bed")

    def check_near(self, one, other, tolerance, nothing=1e-20):
        """Arrays to their largest value."""
        self.assertEqual(list(results(one)), list(results(other)))
        self.check_logs(one, other, tolerance, nothing, LEFT_OVER)
        for name in results(one):
            if name.endswith((".vti", ".vtp")):
                self.check_near_arrays(VtkFile(one / name), VtkFile(other / name), tolerance, nothing)

    def check_near_arrays(self, here, there, tolerance, nothing):
        """Points by their id: parcels of a rank stand together."""
        def rows(file, name):
            values = file.values(name)
            if "id" in names:
                values = [value for _, value in sorted(zip(file.values("id"), values, strict=True), key=lambda row: row[0])]
            return [v for row in values for v in (row if isinstance(row, tuple) else (row,))]

        names = [node.get("Name") for node in here.root.iter("DataArray")]
        for node in here.root.iter("DataArray"):
            name = node.get("Name")
            if node.get("format") != "appended" or name in ("connectivity", "offsets"):
                continue
            one, other = rows(here, name), rows(there, name)
            scale = max(map(abs, one), default=0)
            self.assertEqual(len(one), len(other), name)
            for a, b in zip(one, other):
                self.assertLessEqual(abs(a - b), 0 if name in ("id", "solid") else max(tolerance * scale, nothing), name)

    def test_column_and_settling(self):
        for case, options, ranks in (("column", COLUMN, 2), ("settling", SETTLING, 4)):
            alone = self.run_alone(CASES / case, *options, name=f"{case}_alone")
            self.check_near(alone, self.run_over(ranks, CASES / case, *options, name=case), 1e-9)

    def test_all_that_a_step_has(self):
        once = settings(output__log="1 ms", output__fields="1 ms", output__parcels="1 ms")
        step = self.run_alone(self.bed(), *once, "--steps", 1, name="step")
        self.check_near(step, self.run_over(3, self.bed(), *once, "--steps", 1), 1e-12)
        alone, log = self.run_alone(self.bed()), None
        for ranks in (2, 4) if THOROUGH else (4,):
            shared = self.run_over(ranks, self.bed())
            self.check_near(alone, shared, 1e-8)
            log = Run(shared).log
        self.assertGreater(log["created"][-1], log["created"][0], "the jet lets some in")
        self.assertGreater(log["left"][-1], 0, "some leave at the top")
        figures = json.loads((self.directory / "over_4" / "summary.json").read_text())["figures"]
        self.assertEqual((figures["ranks"], figures["parcels"]), (4, log["parcels"][-1]))
        self.assertLess(figures["imbalance"], 1.1)

    # Packed and on its way, across the planes of two ranks.
    LARGE = settings(grid__cells="32, 32, 40", seed__below__lattice="1, 1, 1", seed__below__jitter="0.1 mm", seed__below__solids_fraction=0.6,
                     seed__below__velocity="0.3, 0.1, -0.5 m/s", seed__above__lattice="1, 1, 1", inlet__jet__particles_per_parcel=1,
                     output__log="0.01 ms", output__fields="0.05 ms")

    def test_large_grids_whose_planes_are_shared(self):
        for case, shared in ((self.bed(), "the solvers' work, contact"), (self.write_case(PLAIN, "plain"), "the work on gas, contact")):
            said = corral("check", case, "-n", 3, *self.LARGE)
            self.assertIn(f"they share {shared} and displacement: each has 14 of 40 planes at most", said.stdout)
            alone = self.run_alone(case, *self.LARGE, "--steps", 3, name=f"{case.name}_alone")
            self.check_near(alone, self.run_over(3, case, *self.LARGE, "--steps", 3, name=case.name + "_over"), 1e-9)

    def test_large_grids_go_on_and_fail_as_one_process_does(self):
        """Between files each rank knows its own planes alone."""
        case = self.write_case(PLAIN, "plain")
        whole = self.run_over(2, case, *self.LARGE, "--steps", 4, name="whole")
        cut = self.run_over(2, case, *self.LARGE, "--steps", 2, name="cut")
        self.run_over(2, case, "--steps", 4, verb="resume", name="cut")
        self.assert_same_results(whole, cut)
        moved = self.run_over(3, case, *self.LARGE, "--steps", 2, name="moved")
        self.run_over(2, case, "--steps", 4, verb="resume", name="moved")
        self.check_near(whole, moved, 1e-7)
        too_long = settings(time__step="fixed", time__dt="6 ms", time__end="1 s", time__unsafe="true")
        alone, shared = self.directory / "alone_fails", self.directory / "fails"
        said = corral("run", case, "--quiet", "--output", alone, *self.LARGE, *too_long), over(2, "run", case, "--quiet", "--output", shared, *self.LARGE, *too_long)
        errors = [re.search("the flow has blown up.* near .* near .* m", done.stderr) for done in said]
        self.assertEqual(errors[0].group(), errors[1].group())
        self.check_near_arrays(VtkFile(alone / "dump_fields.vti"), VtkFile(shared / "dump_fields.vti"), 1e-7, 0)

    def test_several_solids_and_a_gas_that_bears_them(self):
        case = self.write_case(SUSPENSION, "suspension")
        alone = self.run_alone(case)
        self.check_near(alone, self.run_over(3, case), 1e-8)
        frozen = (*settings(solids__frozen="true", contact__acceleration="own"), "--steps", 3)
        # The gas stands still, but for what the weight of all parcels rounds.
        self.check_near(self.run_alone(case, *frozen, name="frozen"), self.run_over(2, case, *frozen), 1e-9, nothing=1e-16)

    def test_same_bits_with_any_threads_and_after_a_resume(self):
        whole = self.run_over(3, self.bed(), name="whole")
        threads = self.directory / "threads"
        done = over(3, "run", self.bed(), "--quiet", "--threads", 2, "--output", threads)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assert_same_results(whole, threads)
        cut = self.run_over(3, self.bed(), "--steps", 9, name="cut")
        self.run_over(3, self.bed(), verb="resume", name="cut")
        self.assert_same_results(whole, cut)

    def test_goes_on_with_other_ranks(self):
        whole = self.run_alone(self.bed(), name="whole")
        cut = self.run_over(4, self.bed(), "--steps", 9, name="cut")
        self.run_over(2, self.bed(), "--steps", 4, verb="resume", name="cut")
        self.run_alone(self.bed(), verb="resume", name="cut")
        self.check_near(whole, cut, 1e-8)

    def test_begins_with_the_bed_of_another_run(self):
        first = self.run_alone(self.bed(), name="first")
        bed = BED[:BED.index("[seed.below]")] + f"[start]\nfrom = {first}\n" + BED[BED.index("[inlet.floor]"):]
        second = self.write_case(bed, "second")
        self.check_near(self.run_alone(second, name="alone"), self.run_over(2, second), 1e-8)

    def test_a_rank_that_is_killed(self):
        long = settings(time__end="100 s", output__fields="1 s", output__parcels="1 s", output__log="1 s")
        cut = self.killed_once_it_has_a_checkpoint(3, self.bed(), *long)
        self.run_over(2, self.bed(), *long, "--steps", 20, verb="resume", name=cut.name)

    def test_what_is_said(self):
        said = corral("check", self.bed(), "-n", 4)
        self.assertEqual(said.returncode, 0, said.stderr)
        self.assertIn("ranks     4, each with fields of 108 cells", said.stdout)
        self.assertIn("each works on all cells (ranks share larger grids", said.stdout)
        flat = settings(grid__cells="40, 40, 25")
        for ranks, text in ((12, "each has 3 of 25 planes at most"), (13, "25 planes across z are too few (12 ranks share them, and no more)")):
            self.assertIn(text, corral("check", CASES / "goldschmidt", "-n", ranks, *flat).stdout)
        few = settings(grid__cells="1, 1, 2", grid__size="0.02, 0.015, 0.045 m")
        text = "3 ranks for 2 cells"
        self.assertIn(text, corral("check", self.bed(), "-n", 3, *few).stderr)
        refused = over(3, "run", self.bed(), *few, "--output", self.directory / "none")
        self.assertEqual((refused.returncode, refused.stderr.count(text)), (2, 1), refused.stderr)
        self.assertFalse((self.directory / "none").exists())

    def test_what_fails_ends_all(self):
        """Light parcels are too cold, which one of the ranks has, and the gas around them is not: all see it together."""
        cold = settings(solid__light__heat_source="-7e10 W/m3", time__step="fixed", time__dt="0.2 ms")
        done = over(2, "run", self.bed(), "--quiet", "--output", self.directory / "cold", *cold)
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        self.assertEqual(done.stderr.count("corral: something has cooled to"), 1, done.stderr)


if __name__ == "__main__":
    unittest.main()
