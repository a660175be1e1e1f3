"""`[start] from`: a case begins with the parcels of another run's newest checkpoint, or is refused with the reason."""

import shutil
import unittest

from case_files import Run, VtkFile
from command import CASES, CaseTest, corral, settings

GAS = """
[case]
driver = mppic
[time]
dt = 1 ms
end = {end}
[grid]
cells = {cells}
size = {size}
[gas]
density = {density}
viscosity = 1.8e-5
[output]
parcels = 0.05
"""
BEADS = """
[solids]
density = 2500
[size.beads]
diameter = 0.5 mm
"""
BED = """
[seed.bed]
high = 10, 10, 60 mm
solids_fraction = 0.55
parcels_at_packing = 20
"""
TWO = """
[solid.{0}]
density = 2500
size = {0}
[solid.{1}]
density = 1500
size = {1}
[size.{0}]
diameter = 0.5 mm
[size.{1}]
diameter = 0.8 mm
"""


def gas(end=0.2, cells="2, 2, 24", size="10, 10, 120 mm", density=1.2):
    return GAS.format(end=end, cells=cells, size=size, density=density)


def start(results="../bed/out", more=""):
    return f"[start]\nfrom = {results}\n{more}"


COLUMNS = ("Points", "velocity", "diameter", "volume")


class Start(CaseTest):
    def setUp(self):
        super().setUp()
        self.bed = self.write_case(gas() + BEADS + BED, "bed")

    def settle(self, case=None, *options):
        case = case or self.bed
        done = corral("run", case, "--quiet", *options)
        self.assertEqual(done.returncode, 0, done.stderr)
        return Run(case / "out")

    def begin(self, text, name="next", *options):
        case = self.write_case(text, name)
        done = corral("run", case, *options)
        self.assertEqual(done.returncode, 0, done.stderr)
        return Run(case / "out"), done.stdout

    def refused(self, text, name, *words, line=None):
        """By check and by run, with exit status 2 and nothing written."""
        case = self.write_case(text, name)
        for command in ("check", "run"):
            done = corral(command, case)
            self.assertEqual(done.returncode, 2, done.stdout + done.stderr)
            self.assertFalse((case / "out").exists())
            self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
            for word in words:
                self.assertIn(word, done.stderr)
            if line:
                number = text.splitlines().index(line) + 1
                self.assertTrue(done.stderr.startswith(f"{case}/case.ini:{number}: "), done.stderr)

    def columns(self, file, *more):
        vtk = VtkFile(file)
        return dict(zip(vtk.values("id"), zip(*(vtk.values(name) for name in (*COLUMNS, *more)))))

    def assert_same(self, one, other):
        """Without the diff of thousands of parcels that assertEqual would look for."""
        self.assertEqual(len(one), len(other))
        self.assertEqual([i for i in one if one[i] != other.get(i)][:5], [])

    def ends(self, run):
        return run.files("parcels")[-1]

    def begins(self, run):
        return run.files("parcels")[0]

    def test_same_case(self):
        """Parcels are the same to the bit, and keep their numbers where none had left; what lay goes on lying."""
        bed = self.settle()
        again, said = self.begin(gas(end=0.02).replace("[output]", "[output]\nlog = 1e-9") + BEADS + start())
        self.assert_same(self.columns(self.begins(again)), self.columns(self.ends(bed)))
        parcels = len(self.columns(self.ends(bed)))
        self.assertIn(f"start     {parcels} parcels from {bed.directory}/checkpoint/000000000200 (step 200, 0.2 s); gas begins "
                      "as it was there\n", said)
        self.assertEqual((again.log["created"][0], again.log["parcels"][0], again.log["time"][0]), (parcels, parcels, 0))
        weight = bed.log["weight"][-1]
        for step in (1, 2, 20):
            self.assertAlmostEqual(again.log["floor_contact"][step], weight, delta=1e-4 * weight)
            self.assertLess(again.log["speed_rms"][step], 1.5 * bed.log["speed_rms"][-1])
        self.assert_books(again)
        self.assert_same_however_run(again, self.directory / "next", cut=7)

    def test_other_gas(self):
        """A bed that settled in air is then in water, from below which it is blown through; the run there is not asked for
        any more once this one goes on."""
        bed = self.settle()
        water, said = self.begin(gas(density=1000, end=0.1).replace("1.8e-5", "1e-3") + BEADS + start() +
                                 "[sides]\nz_high = outlet\n[inlet.floor]\nside = z_low\nvelocity = 5 mm/s\n")
        self.assert_same(self.columns(self.begins(water)), self.columns(self.ends(bed)))
        self.assertGreater(water.log["pressure_drop"][-1], 100)
        self.assert_books(water)
        shutil.rmtree(self.bed)
        self.assertIn('from = "/', (water.directory / "used.ini").read_text())
        done = corral("resume", self.directory / "next", "--set", "time.end=0.12", "--strict")
        self.assertEqual(done.returncode, 2 if "warning" in said else 0, done.stderr)
        done = corral("resume", self.directory / "next", "--set", "time.end=0.12")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("start     was read when the run began\n", done.stdout)

    def test_other_cells(self):
        """A larger box of other cells takes the parcels and the gas; what leaves there, and enters here, has numbers of its
        own."""
        bed = self.settle()
        box = gas(cells="3, 3, 20", size="12, 12, 100 mm", end=0.05)
        wide, said = self.begin(box + BEADS + start() + "[seed.above]\nlow = 0, 0, 70 mm\nhigh = 12, 12, 90 mm\n"
                                "solids_fraction = 0.2\nparcels_per_cell = 8\n[sides]\nz_high = outlet\n[inlet.side]\n"
                                "side = z_low\nvelocity = 1\nsolids_rate = 0.05\nsolids_velocity = 0.5\nparticles_per_parcel = 100\n")
        self.assertIn("gas begins as it was there, on other cells", said)
        before = self.columns(self.ends(bed))
        begun = self.columns(self.begins(wide))
        self.assert_same({i: begun[i] for i in range(len(before))}, before)
        self.assertEqual(sorted(begun), list(range(len(begun))))
        self.assertGreater(len(begun), len(before))
        ids = VtkFile(self.ends(wide)).values("id")
        self.assertEqual(len(ids), len(set(ids)))
        self.assertGreater(wide.log["created"][-1], len(begun))
        self.assert_books(wide)

    def test_finer_cells(self):
        """What lay on coarse cells lies on finer ones within some steps, though these hold few parcels each."""
        bed = self.settle()
        fine, said = self.begin(gas(cells="3, 3, 36", end=0.15) + BEADS + start())
        self.assertIn("of close packing, for few of them lie in a cell", said)
        weight = bed.log["weight"][-1]
        self.assertAlmostEqual(fine.log["floor_contact"][-1], weight, delta=1e-3 * weight)
        self.assertLess(fine.log["speed_rms"][-1], 1e-3)
        self.assertLess(fine.log["theta_max"][-1], 1.02 * 0.6)
        self.assertAlmostEqual(fine.log["centre_z"][-1], bed.log["centre_z"][-1], delta=0.01 * bed.log["centre_z"][-1])
        self.assertGreater(sum(fine.log["displacement_given"]), 0)
        self.assert_books(fine)

    def test_left(self):
        """Where some have left, the others are numbered anew in their order, and gas that the case gives begins as given."""
        blown = self.write_case(gas(end=0.05) + BEADS + BED + "[sides]\nz_high = outlet\n[inlet.floor]\nside = z_low\n"
                                "velocity = 5\n", "blown")
        end = self.columns(self.ends(self.settle(blown)))
        self.assertLess(len(end), max(end) + 1)
        text = gas(end=0.01).replace("[output]", "[forces]\ngravity = 0, 0, -1\n[output]").replace(
            "viscosity", "velocity = 0, 0, 1\nviscosity") + BEADS + start("../blown/out") + "[sides]\nz_high = outlet\n"
        run, said = self.begin(text)
        self.assertIn("gas begins as the case says", said)
        self.assert_same(self.columns(self.begins(run)), {i: end[old] for i, old in enumerate(sorted(end))})
        self.assert_books(run)

    def test_solids(self):
        """By their names, wherever their blocks stand; a nameless one is of the solid that the case says."""
        below = BED.replace("bed", "glass").replace("60", "20") + "solid = glass\n"
        above = BED.replace("bed", "wood").replace("high", "low = 0, 0, 20 mm\nhigh").replace("60", "40") + "solid = wood\n"
        there = self.settle(self.write_case(gas(end=0.05) + TWO.format("glass", "wood") + below + above, "two"))
        swapped = TWO.format("wood", "glass").replace("2500", "x").replace("1500", "2500").replace("x", "1500")
        run, _ = self.begin(gas(end=0.01) + swapped + start("../two/out"))
        before, after = (self.columns(file, "solid") for file in (self.ends(there), self.begins(run)))
        self.assert_same(after, {i: (*values, 1 - solid) for i, (*values, solid) in before.items()})
        for solid in ("glass", "wood"):
            for column in ("parcels_", "mass_"):
                self.assertAlmostEqual(run.log[column + solid][0], there.log[column + solid][-1], delta=1e-12)
        self.settle()
        other = gas(end=0.01) + TWO.format("glass", "sand")
        self.refused(other + start("../two/out"), "unknown", "there is no [solid.wood] (the run that the case begins with has "
                     "parcels of it)", line="from = ../two/out")
        self.refused(other + start("../two/out", "solid = glass\n"), "named", "they keep their names", line="solid = glass")
        self.refused(other + start(), "unnamed", "[start] does not say which [solid.NAME] it means")
        self.refused(other + start(more="solid = wool\n"), "wool", "there is no [solid.wool]", line="solid = wool")
        run, _ = self.begin(other + start(more="solid = sand\n"), "nameless")
        self.assertEqual(set(VtkFile(self.begins(run)).values("solid")), {1})

    def test_heat(self):
        heat = "[heat]\nmodel = gunn\n"
        warm = (gas(end=0.05) + BEADS + BED + "temperature = 400\n" + heat).replace("2500", "2500\nheat_capacity = 800")
        there = self.settle(self.write_case(warm, "warm"))
        beads = BEADS.replace("2500", "2500\nheat_capacity = 800")
        run, _ = self.begin(gas(end=0.01) + beads + heat + start("../warm/out"))
        self.assert_same(*(self.columns(f, "temperature") for f in (self.ends(there), self.begins(run))))
        self.refused(gas() + beads + heat + start("../warm/out", "temperature = 350\n"), "both", "they keep them",
                     line="temperature = 350")
        self.settle()
        run, _ = self.begin(gas(end=0.01) + beads + heat + start(more="temperature = 350\n"), "cold")
        self.assertEqual(set(VtkFile(self.begins(run)).values("temperature")), {350})
        self.begin(gas(end=0.01) + BEADS + start("../warm/out"), "without")

    def test_frozen(self):
        """What never moves has no velocity."""
        self.settle(None, "--steps", 20)
        run, _ = self.begin(gas(end=0.01) + BEADS.replace("2500", "2500\nfrozen = true") + start())
        self.assertEqual(set(VtkFile(self.begins(run)).values("velocity")), {(0, 0, 0)})

    def test_refused(self):
        line = "from = ../bed/out"
        text = gas(end=0.01) + BEADS + start()
        self.refused(text, "nothing", "bed/out does not exist", line=line)
        self.settle()
        self.refused(text.replace("bed/out", "bed"), "case", f"{self.bed}/out: name that", line="from = ../bed")
        self.refused(gas(size="10, 10, 20 mm", cells="2, 2, 4") + BEADS + start(), "low", " parcels of ", "lie outside the box (0.01 x "
                     "0.01 x 0.02 m; there it was 0.01 x 0.01 x 0.12 m)", line=line)
        self.refused(gas(cells="8, 8, 96") + BEADS + start(), "fine", "would fill 1.9", "take larger cells", line=line)
        self.refused(text.replace("density = 2500", "density = 2500\nclose_packing = 0.4"), "loose",
                     "the parcels that are taken fill cell", "solids.close_packing", line=line)
        self.refused(text + BED, "twice", "[seed.bed] and the parcels that [start] takes together fill cell",
                     line="solids_fraction = 0.55")
        self.refused(gas() + BEADS + "[start]\nsolid = beads\n", "alone", "solid without from (nothing would read it)", line="solid = beads")
        self.refused(text.replace("../bed/out", "case.ini"), "file", "case.ini is no directory", line="from = case.ini")
        case = self.bed
        (case / "case.ini").write_text(text, encoding="utf-8")
        before = {p: p.read_bytes() for p in (case / "out").rglob("*") if p.is_file()}
        done = corral("run", case, "--overwrite", "--set", "start.from=out")
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertIn("would replace what it begins with", done.stderr)
        self.assertEqual(before, {p: p.read_bytes() for p in (case / "out").rglob("*") if p.is_file()})

    def test_damaged(self):
        """The one before is taken, with a warning; where none is whole the case is refused."""
        bed = self.settle(None, *settings(checkpoint__steps=150))
        checkpoints = sorted(p for p in (bed.directory / "checkpoint").iterdir() if p.name.isdigit())
        self.assertEqual(len(checkpoints), 2)
        text = gas(end=0.01) + BEADS + start()
        for number, checkpoint in enumerate(reversed(checkpoints)):
            with (checkpoint / "state.h5").open("r+b") as file:
                file.seek(5000)
                file.write(b"?")
            if number:
                self.refused(text, "none", "holds no checkpoint that is whole", "is left aside", line="from = ../bed/out")
                continue
            _, said = self.begin(text)
            self.assertIn("(step 150, 0.15 s)", said)
            self.assertIn("warning   start.from: checkpoint 000000000200 is left aside: ", said)
            self.assertEqual(corral("check", self.directory / "next", "--strict").returncode, 2)

    def test_of_membranes(self):
        done = corral("run", CASES / "sphere_relaxation", "--steps", 1, "--quiet", "--output", self.directory / "membrane",
                      *settings(grid__cells="16, 16, 16"))
        self.assertEqual(done.returncode, 0, done.stderr)
        self.refused(gas() + BEADS + start("../membrane"), "next", "is of a run of the driver membrane", line="from = ../membrane")


if __name__ == "__main__":
    unittest.main()
