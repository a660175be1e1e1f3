#!/usr/bin/env python3
"""Runs the host code that nvcc makes, without a device: host_code.py REPOSITORY HOST_BUILD DEVICE_BUILD CXX NINJA

The command, and steps.cpp, are linked as HOST_BUILD links the command, with the device objects of DEVICE_BUILD and a stand-in of the
CUDA runtime, of cuFFT and of cuBLAS (runtime.cu). That is done in two orders of these objects: of templates that several have the linker takes the
first. Then they run on that device, which has memory and no arithmetic. What such steps find is worthless, and some parts end
where a solver or books say so. That each launch has its entry, and sizes that a device takes, is what is looked at.
"""

import os
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

REPOSITORY, HOST, DEVICE = (Path(argument).resolve() for argument in sys.argv[1:4])
CXX, NINJA = sys.argv[4:6]
ROOMS = ("engine", "fluid", "run", "mppic", "structure", "membrane", "body")


def device_objects():
    """By rooms: what their device code was compiled to."""
    folders = [folder for room in ROOMS for folder in sorted((DEVICE / room / "CMakeFiles").glob("corral_*"))
               if re.search(r"_(device|gpu_objects)\.dir$", folder.name)]
    return [path for folder in folders for path in sorted(folder.rglob("*.o"))]


def linked(folder, name, objects, program):
    """`program`, object files, or "" for the command's own: linked as the command is, with device objects in an order."""
    said = subprocess.run([NINJA, "-C", HOST, "-t", "commands", "app/corral"], capture_output=True, text=True, check=True).stdout
    link = said.splitlines()[-1].removeprefix(": && ").removesuffix(" && :")
    before, after = link.split(" -o app/corral ")
    if program:
        before = re.sub(r"app/CMakeFiles/corral\.dir/\S+\.o", "", before) + f" {program}"
    (folder / "objects").write_text("\n".join(map(str, objects)))
    subprocess.run(f"{before} -o {folder / name} @{folder / 'objects'} {after}", shell=True, cwd=HOST, check=True)
    return folder / name


class HostCode(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory()
        cls.folder = Path(cls.temporary.name)
        cuda = Path(os.environ.get("CUDA_HOME", "/usr/local/cuda"))
        for source in (REPOSITORY / "tests/device_host_code" / name for name in ("runtime.cu", "faults.cu", "steps.cpp")):
            subprocess.run([CXX, "-std=c++20", "-O1", f"-I{REPOSITORY}", f"-I{REPOSITORY}/engine", f"-I{cuda}/include", "-x", "c++",
                            "-c", source, "-o", cls.folder / f"{source.stem}.o"], check=True)
        objects = device_objects()
        cls.orders = {"forward": objects, "reverse": objects[::-1]}

    @classmethod
    def tearDownClass(cls):
        cls.temporary.cleanup()

    def program(self, order, source):
        path = self.folder / f"{order}_{source}"
        if not path.exists():
            linked(self.folder, path.name, [self.folder / "runtime.o", *self.orders[order]],
                   source and f"{self.folder}/{source}.o {self.folder}/faults.o")
        return path

    def run_program(self, order, source, *arguments):
        """What became of it, and {entry: launches} of all entries that its objects have."""
        launches = self.folder / "launches"
        done = subprocess.run([self.program(order, source), *map(str, arguments)], capture_output=True, text=True, check=False,
                              timeout=100, env=os.environ | {"CORRAL_STAND_IN_LAUNCHES": str(launches)})
        self.assertNotIn(done.returncode, (70, -6, -11), done.stderr)
        return done, {entry: int(count) for count, _, entry in map(str.split, launches.read_text().splitlines())}

    def test_the_build_links_all_of_it_into_the_command(self):
        said = subprocess.run([NINJA, "-C", DEVICE, "-t", "inputs", "app/corral"], capture_output=True, text=True, check=True).stdout
        parts = set(said.splitlines())
        self.assertEqual([path for path in self.orders["forward"] if str(path.relative_to(DEVICE)) not in parts], [])

    def test_faults_are_found(self):
        for fault, said in (("entry", "which is no entry"), ("threads", "2048 threads a block"), ("blocks", "0 x 1 x 1 blocks"),
                            ("shared", "100000 bytes of shared memory"), ("memory", "which is not that memory")):
            done = subprocess.run([self.program("forward", "steps"), fault], capture_output=True, text=True, check=False, timeout=100)
            self.assertEqual(done.returncode, 70, done.stdout + done.stderr)
            self.assertIn(said, done.stderr)

    def test_steps(self):
        (one, launches), (other, others) = (self.run_program(order, "steps") for order in self.orders)
        self.assertEqual(one.returncode, 0, one.stderr)
        self.assertEqual(one.stdout, other.stdout)
        self.assertEqual(launches, others)
        ends = [line for line in one.stdout.splitlines() if not line.endswith(": done")]
        for line in ends:
            self.assertRegex(line, "gas: a solve of the pressure equation came to no end|the books of the solid .* do not balance|step: membrane 0 has turned inside out")
        self.assertLess(len(ends), 0.1 * len(one.stdout.splitlines()))
        # Others are models that no scene has, and of membranes iterations that end where all products are 0.
        for room, share in (("mppic", 0.65), ("structure", 0.7), ("membrane", 0.5)):
            of_room = [count for entry, count in launches.items() if room in entry]
            self.assertGreater(sum(count > 0 for count in of_room), share * len(of_room), room)

    def test_command(self):
        on_device = "--set", "lattice.processor=device"
        gpu = "--backend", "gpu"
        for case, options, ends in (("column", gpu, "a solve of the pressure equation came to no end on the device (step 0, 0 s;"),
                                    ("red_cell_lattice", gpu, "deformation of log.csv is"),
                                    ("red_cell_in_shear", gpu, "deformation of log.csv is"), ("falling_sphere", gpu, ""),
                                    ("cylinder_20", on_device, ""), ("red_cell_lattice", on_device, "")):
            for order in self.orders:
                done, launches = self.run_program(order, "", "run", REPOSITORY / "cases" / case, "--quiet", "--overwrite", "--steps", 3,
                                                  "--output", self.folder / "out", *options)
                self.assertEqual(done.returncode, 1 if ends else 0, done.stderr)
                self.assertIn(ends, done.stderr)
                self.assertGreater(sum(launches.values()), 10)


if __name__ == "__main__":
    if not (HOST / "app/corral").exists():
        print(f"{HOST} has no command: nothing is linked")
        sys.exit(77)
    unittest.main(argv=sys.argv[:1])
