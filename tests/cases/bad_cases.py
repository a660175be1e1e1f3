"""Cases that are refused before anything is written: one clear message with file and line, exit 2."""

import itertools
import unittest

from command import CASES, CaseTest, corral, settings

GOOD = (CASES / "column" / "case.ini").read_text(encoding="utf-8")


class BadCases(CaseTest):
    def refuse(self, case, line, words, *options):
        """Expects FILE:LINE: and the words in the message, and the directory as it was."""
        before = sorted(self.directory.rglob("*"))
        done = corral("run", case, *options)
        self.assertEqual(done.returncode, 2, done.stdout + done.stderr)
        self.assertEqual(done.stdout, "")
        messages = done.stderr.strip().splitlines()
        self.assertEqual(len(messages), 1, done.stderr)
        self.assertIn(f"{case / 'case.ini'}:{line}:", messages[0])
        for word in words:
            self.assertIn(word, messages[0])
        self.assertEqual(before, sorted(self.directory.rglob("*")))

    def refuse_line(self, good, bad, words):
        """A good case with one of its lines replaced."""
        lines = GOOD.splitlines()
        number = lines.index(good)
        lines[number] = bad
        self.refuse(self.write_case("\n".join(lines) + "\n"), number + 1, words)

    def test_good(self):
        self.assertEqual(corral("check", self.write_case(GOOD)).returncode, 0)

    def test_gas_that_cannot_leave(self):
        """The complaint stands where the inlet says on which side it is."""
        text = GOOD.replace("z_high = outlet", "z_high = no_slip") + "\n[inlet.floor]\nvelocity = 1\nside = z_low\n"
        self.refuse(self.write_case(text), len(text.splitlines()), ["cannot leave", "outlet"])

    def test_inlet_beside_its_side(self):
        text = GOOD + "\n[inlet.jet]\nvelocity = 1\nside = z_low\nlow = 0, 0, 0.1\nhigh = 0.01, 0.01, 0.2\n"
        self.refuse(self.write_case(text), len(text.splitlines()) - 1, ["inlet.jet", "z_low"])

    def test_more_solids_than_fit_through_an_inlet(self):
        text = GOOD + ("\n[inlet.feed]\nside = z_low\nvelocity = 1\nsolids_velocity = 0.1\n"
                       "particles_per_parcel = 100\nsolids_rate = 1\n")
        self.refuse(self.write_case(text), len(text.splitlines()), ["inlet.feed", "close packing"])

    def test_seed_beyond_close_packing(self):
        self.refuse_line("particles_per_parcel = 750", "solids_fraction = 0.65", ["seed.column", "close packing"])

    def test_fall_through_cells(self):
        """A fixed step in which solids pass what they should land on; adaptive ones get shorter, and unsafe is unsafe."""
        fixed = ("--set", "time.step=fixed", "--set", "time.dt=6 ms")
        said = corral("check", self.write_case(GOOD, "falls"), *fixed)
        self.assertEqual(said.returncode, 2)
        self.assertRegex(said.stderr, r"what \[seed.column\] holds falls by .* cells in time.dt \(0.5 at most.*time.dt to ")
        cure = said.stderr.split("time.dt to ")[1].split(" s;")[0]
        for good in (("time.step=adaptive", "time.dt=6 ms"), ("time.step=fixed", f"time.dt={cure}"),
                     ("time.step=fixed", "time.dt=6 ms", "time.unsafe=true")):
            options = [word for setting in good for word in ("--set", setting)]
            said = corral("check", self.write_case(GOOD, "_".join(good).replace(" ", "")), *options)
            self.assertEqual(said.returncode, 0, said.stderr)

    def test_strict(self):
        """Warnings of a case are told, and refuse it where they are to."""
        text = GOOD.replace("[contact]", "[contact]\nfriction = 3")
        said = corral("check", self.write_case(text, "warned"))
        self.assertEqual(said.returncode, 0, said.stderr)
        self.assertIn("warning   ", said.stdout)
        for command in ("check", "run"):
            said = corral(command, self.write_case(text, command), "--strict")
            self.assertEqual(said.returncode, 2, said.stderr)
            self.assertIn("the case is refused by --strict, for a warning: ", said.stderr)
            self.assertFalse((self.directory / command / "out").exists())
        self.assertEqual(corral("check", self.write_case(GOOD, "calm"), "--strict").returncode, 0)

    def test_misspelt_key(self):
        self.refuse_line("density = 1.2 kg/m3", "densty = 1.2 kg/m3", ["densty", "density"])

    def test_misspelt_section(self):
        self.refuse_line("[contact]", "[contct]", ["contct", "contact"])

    def test_key_of_another_section(self):
        """A size's density is that of the solids, not of the gas."""
        text = GOOD.replace("diameter = 0.3 mm", "diameter = 0.3 mm\ndensity = 2500")
        self.refuse(self.write_case(text), text.splitlines().index("density = 2500") + 1,
                    ["is not known (it is a key of [solid.*]: density of the particles"])

    def test_two_counts(self):
        counts = {"parcels": 9, "parcels_per_cell": 9, "parcels_at_packing": 9, "lattice": "3, 3, 3"}
        seed = "[seed.more]\nparticles_per_parcel = 1\nhigh = 1, 1, 1 mm\narrangement = {}\n{}"
        number = 0
        for first, second in itertools.combinations(counts, 2):
            for arrangement in ("random", "cells", "lattice"):
                number += 1
                keys = "".join(f"{key} = {counts[key]}\n" for key in (first, second))
                idle = [key for key in (first, second) if (key == "lattice") != (arrangement == "lattice")]
                text = GOOD + seed.format(arrangement, keys)
                case = self.write_case(text, f"case_{number}")
                with self.subTest(first=first, second=second, arrangement=arrangement):
                    if idle:
                        said = corral("check", case).stderr.strip().splitlines()
                        self.assertEqual(len(said), len(idle), said)
                        for key, message in zip(idle, said):
                            self.assertIn(f"{key} with arrangement = {arrangement} (it is for ", message)
                        continue
                    self.refuse(case, len(text.splitlines()),
                                [f"[seed.more] says more than once how many parcels (by {first} and {second}; "
                                 f"arrangement = {arrangement} needs", "keep one of them"])

    def test_count_of_another_arrangement(self):
        seed = GOOD + "[seed.more]\nparticles_per_parcel = 1\narrangement = "
        for number, (words, said) in enumerate((("lattice\nparcels = 9", "parcels with arrangement = lattice (it is for "),
                                                ("cells\nlattice = 2, 2, 2", "lattice with arrangement = cells (it is for "))):
            text = seed + words + "\n"
            self.refuse(self.write_case(text, f"case_{number}"), len(text.splitlines()), [said, "or leave it out"])

    def test_size_table_in_another_encoding(self):
        case = self.write_case(GOOD.replace("diameter = 0.3 mm", "distribution = table\nfile = sizes.csv"))
        table = "0.1 mm, 0\n0.2 mm, 1\n"
        for encoding, status in (("utf-8", 0), ("utf-8-sig", 0), ("utf-16", 2), ("utf-16-le", 2), ("utf-32-be", 2)):
            (case / "sizes.csv").write_text(table, encoding=encoding)
            done = corral("check", case)
            self.assertEqual(done.returncode, status, done.stderr)
            if status:
                self.assertEqual(done.stderr, f"{case / 'sizes.csv'}:1: the file is {encoding[:6].upper()} "
                                              "(a size table is plain text) save it as UTF-8\n")

    def test_line_break_in_a_path(self):
        case = self.write_case(GOOD, "line\nbreak")
        for words in (["run", case], ["check", case], ["run", self.write_case(GOOD), "--output", case / "out"]):
            done = corral(*words)
            self.assertEqual(done.returncode, 2)
            self.assertEqual(done.stderr.count("\n"), 1)
            self.assertIn("line?break", done.stderr)

    def test_negative_diameter(self):
        self.refuse_line("diameter = 0.3 mm", "diameter = -0.3 mm", ["diameter", "-0.0003", "1e-9 to 100"])

    def test_not_a_number(self):
        self.refuse_line("viscosity = 1.8e-5 Pa s", "viscosity = nan", ["viscosity", "nan"])

    def test_infinite(self):
        self.refuse_line("end = 4 s", "end = inf", ["end", "inf"])

    def test_inlet_outside_the_box(self):
        text = GOOD + "\n[inlet.jet]\nside = z_low\nvelocity = 1 m/s\nhigh = 5, 50, 0 mm\n"
        self.refuse(self.write_case(text), len(text.splitlines()), ["inlet.jet", "outside the box"])

    def test_inlet_on_an_outlet(self):
        text = GOOD + "\n[inlet.jet]\nside = z_high\nvelocity = 1 m/s\n"
        self.refuse(self.write_case(text), len(text.splitlines()) - 1, ["inlet.jet", "outlet"])

    def test_schedule_without_factors(self):
        text = GOOD + "\n[inlet.jet]\nside = z_low\nvelocity = 1 m/s\ntimes = 1, 2 s\n"
        self.refuse(self.write_case(text), len(text.splitlines()), ["factors"])

    def test_schedule_backwards(self):
        text = GOOD + "\n[inlet.jet]\nside = z_low\nvelocity = 1 m/s\nfactors = 1, 2\ntimes = 2, 1 s\n"
        self.refuse(self.write_case(text), len(text.splitlines()), ["times"])

    def test_table_that_is_missing(self):
        text = GOOD.replace("diameter = 0.3 mm", "distribution = table\nfile = sizes.csv")
        self.refuse(self.write_case(text), text.splitlines().index("file = sizes.csv") + 1, ["sizes.csv"])

    def test_missing_case(self):
        self.refuse(self.directory / "nowhere", 1, ["exist"])

    def test_empty_file(self):
        self.refuse(self.write_case(""), 1, ["no settings"])

    def test_directory_in_place_of_the_file(self):
        case = self.directory / "case"
        (case / "case.ini").mkdir(parents=True)
        self.refuse(case, 1, ["directory"])

    def test_line_of_10_megabytes(self):
        self.refuse(self.write_case(GOOD + "[output]\nlog = " + "1" * 10_000_000 + "\n"),
                    len(GOOD.splitlines()) + 2, ["large"])

    def test_override(self):
        done = corral("run", self.write_case(GOOD), *settings(gas__densty=1))
        self.assertEqual(done.returncode, 2)
        self.assertIn("densty", done.stderr)
        self.assertEqual([p.name for p in (self.directory / "case").iterdir()], ["case.ini"])


if __name__ == "__main__":
    unittest.main()
