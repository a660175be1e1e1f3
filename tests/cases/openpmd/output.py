"""Files by openPMD: laid out as the standard has it, with the values of those by VTK; read by openPMD's own reader."""

import os
import subprocess
import sys
import unittest
from pathlib import Path

from command import CASES, CaseTest, corral, settings
from threads import MEMBRANES, PATH

HERE = Path(__file__).parent
PYTHON = "/usr/bin/python3"  # Debian's, which has h5py


class OpenpmdTest(CaseTest):
    def script(self, python, name, *arguments):
        done = subprocess.run([python, "-B", HERE / name, *arguments], capture_output=True, text=True, check=False)
        if "No module named 'h5py'" in done.stderr:
            self.skipTest("h5py is not installed (python3-h5py)")
        self.assertEqual((done.returncode, done.stderr), (0, ""), done.stdout + done.stderr)
        return done.stdout

    def runs(self):
        """A bed on thin axes, one that has no parcels at first, surfaces and sites between walls, a box without walls.
        Particles are not due in every step, fields are."""
        membranes = self.write_case(MEMBRANES, "membranes")
        (membranes / "path.csv").write_text(PATH, encoding="utf-8")
        for case, keys in {CASES / "column": settings(output__parcels="2e-3"),
                           CASES / "jets": settings(output__parcels="2e-3"),
                           membranes: settings(output__vertices="2e-6", output__sites="3e-6"),
                           CASES / "sphere_relaxation": []}.items():
            keys += settings(output__format="both", output__fields="1e-12", output__log="1e-12")
            yield case.name, self.run_case(case, "--steps", 5, *keys, name=case.name).directory


class BesideVtk(OpenpmdTest):
    def test_same_values(self):
        for name, output in self.runs():
            with self.subTest(name):
                files = sorted(output.glob("openpmd_*.h5"))
                self.assertEqual(len(files), 6)
                said = self.script(PYTHON, "beside_vtk.py", output)
                print(name, said.strip())
                for kind in {"membranes": ("vertices", "sites"), "sphere_relaxation": ("vertices",)}.get(name, ("parcels",)):
                    self.assertIn(f"'{kind}'", said)
                self.script(PYTHON, "layout.py", *files, *output.glob("checkpoint/0*/state.h5"))


class Files(OpenpmdTest):
    def test_formats(self):
        keys = settings(output__fields="1e-12")
        out = self.directory / "out"
        for form, there in ("openpmd", {".h5", ".pmd"}), ("vtk", {".vti", ".vtp", ".pvd"}):
            run = corral("run", CASES / "column", "--quiet", "--steps", 2, "--output", out, "--overwrite", *keys,
                         *settings(output__format=form))
            self.assertEqual(run.returncode, 0, run.stderr)
            found = {p.suffix for p in out.iterdir() if p.is_file()} - {".csv", ".json", ".ini"}
            self.assertEqual(found, there)  # those of the run before are gone
            again = corral("run", CASES / "column", "--quiet", "--steps", 2, "--output", out, *keys)
            self.assertEqual(again.returncode, 2)
            self.assertIn("holds results", again.stderr)

    def test_info(self):
        run = self.run_case("column", "--steps", 2, *settings(output__format="openpmd", output__fields="1e-12"))
        said = corral("info", run.directory / "openpmd_000000000000.h5")
        self.assertEqual(said.returncode, 0, said.stderr)
        self.assertIn("step 0, 0 s, ", said.stdout)
        self.assertIn("/data/0/fields/gas_velocity_z", said.stdout)
        self.assertIn("/data/0/particles/parcels/id", said.stdout)


class Reader(OpenpmdTest):
    """openPMD's own reader and validator, from PyPI, in an environment of their own in the build folder."""

    def environment(self):
        place = Path(os.environ["OPENPMD_ENVIRONMENT"])
        python = place / "bin" / "python"
        install = [python, "-m", "pip", "--disable-pip-version-check", "install", "--quiet", "openpmd-api",
                   "openpmd-validator", "h5py"]
        if not python.exists():
            subprocess.run([sys.executable, "-m", "venv", place], check=True)
        done = subprocess.run(install, capture_output=True, text=True, check=False)
        if done.returncode:
            self.skipTest("openpmd-api cannot be installed (is PyPI out of reach?): " + done.stderr.strip().split("\n")[-1])
        return python

    def test_reader(self):
        python = self.environment()
        for name, output in self.runs():
            with self.subTest(name):
                checkpoint = next(output.glob("checkpoint/0*/state.h5"))
                for pattern in output / "openpmd_%T.h5", checkpoint:
                    print(name, self.script(python, "reader.py", pattern).strip())
                for file in (*output.glob("openpmd_*.h5"), checkpoint):
                    said = subprocess.run([python.parent / "openPMD_check_h5", "-i", file], capture_output=True,
                                          text=True, check=False)
                    self.assertIn("Result: 0 Errors", said.stdout, file)


if __name__ == "__main__":
    unittest.main(verbosity=2)
