"""Runs of membranes that cannot go on: exit 1, the cause in words, whole files and a dump."""

import json
import re
import resource
import subprocess
import unittest

from command import CORRAL, CaseTest, corral, settings
from hostile_membranes import GOOD

MANY = {"membranes__one__position": "", "membranes__one__arrangement": "lattice", "membranes__one__lattice": "2, 2, 2",
        "surface__cell__radius": "3.5 um", "surface__cell__vertices": 42}


class MembraneFaults(CaseTest):
    def fail(self, *words, **keys):
        """A run of the good case with other settings that ends so, with these words; its directory."""
        case = self.write_case(GOOD)
        done = corral("run", case, "--quiet", "--steps", 4000, *settings(**keys))
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        for word in words:
            self.assertIn(word, done.stderr)
        self.assertEqual(done.stderr.count("\n"), 1)
        self.assertNotRegex(done.stderr, r"\bnan\b|\binf\b")
        summary = json.loads((case / "out" / "summary.json").read_text())
        self.assertEqual(summary["outcome"], "failed")
        self.assertTrue((case / "out" / "dump_vertices.vtp").exists())
        self.assertTrue((case / "out" / "dump_fields.vti").exists())
        self.assert_whole_rows(case / "out" / "log.csv")
        return case

    def assert_whole_rows(self, file, at_once=1):
        rows = file.read_text().splitlines(keepends=True)
        self.assertTrue(all(row.endswith("\n") and row.count(",") == rows[0].count(",") for row in rows))
        self.assertEqual((len(rows) - 1) % at_once, 0)
        return rows

    def test_force_that_is_too_strong_for_the_step(self):
        self.fail("the fluid crosses", "cells in a step of 1e-6 s", "or time.step = adaptive", drive__body_force="0, 0, 1e9")

    def test_adaptive_step_that_shrinks(self):
        self.fail("the adaptive step has fallen to", "set time.dt_least lower", drive__body_force="0, 0, 1e6",
                  time__step="adaptive", time__dt="1 us", time__dt_least="0.9 us")

    def test_membrane_that_is_torn(self):
        self.fail("membrane 0 has torn", "5 are allowed", pull__tips__force="30 nN", time__dt="0.1 us")

    def test_step_that_is_too_long(self):
        done = corral("run", self.write_case(GOOD), "--quiet", *settings(time__dt="10 ms"))
        self.assertEqual(done.returncode, 2)
        self.assertIn("a step is stable up to", done.stderr)
        self.assertIn("the modulus 1e-5 N/m of [surface.cell]", done.stderr)
        self.assertFalse((self.directory / "case" / "out").exists())

    def test_step_that_is_said_to_be_stable(self):
        """It is accepted as it is said."""
        case = self.write_case(GOOD)
        for modulus in (f"{1e-5 * 1.07**i:.6g}" for i in range(8)):
            with self.subTest(modulus=modulus):
                keys = {"surface__cell__shear_modulus": modulus, "time__dt": "10 ms"}
                longest = re.search(r"stable up to (\S+) s", corral("check", case, *settings(**keys)).stderr)[1]
                done = corral("check", case, *settings(**keys | {"time__dt": longest}))
                self.assertEqual(done.returncode, 0, done.stderr)

    def test_tables_that_may_not_grow(self):
        """Rows of a moment are in the file together, or none of them is."""
        for limit in range(20_000, 20_700, 131):
            with self.subTest(limit=limit):
                case = self.write_case(GOOD, f"limit_{limit}")
                run = subprocess.run([CORRAL, "run", case, "--quiet", *settings(output__log=0, output__fields=0, output__vertices=0,
                                                                               output__cells="1 us", **MANY)],
                                     capture_output=True, text=True, check=False,
                                     preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit)))
                self.assertEqual(run.returncode, 1)
                self.assertIn("cells.csv (File too large)", run.stderr)
                rows = self.assert_whole_rows(case / "out" / "cells.csv", 8)
                self.assertGreater(len(rows), 20)


if __name__ == "__main__":
    unittest.main()
