#!/usr/bin/env python3
"""What a machine that has only what `tools/packages build` installs sees when CMake configures corral: no tests, since
Catch2 is missing, and one calm line for each thing that is. configure.py REPOSITORY CMAKE GENERATOR"""

import re
import subprocess
import sys
import tempfile

ALARMING = re.compile(r"not ?found|could not|fail|error|warning|missing|cannot", re.IGNORECASE)
OPTIONAL = ("Catch2", "MPI", "Python3", "catalyst")


def configured(repository, cmake, generator, folder, *settings):
    asked = [f"-DCMAKE_DISABLE_FIND_PACKAGE_{name}=ON" for name in OPTIONAL]
    asked += ["-DCORRAL_CUDA=OFF", "-DCORRAL_FORTRAN=OFF", *settings]
    run = subprocess.run([cmake, "-S", repository, "-B", folder, "-G", generator, *asked], stdout=subprocess.PIPE,
                         stderr=subprocess.STDOUT, text=True, check=False)
    return run.returncode, run.stdout.splitlines()


def main():
    corral = sys.argv[1:4]
    faults = []
    with tempfile.TemporaryDirectory() as folder:
        status, lines = configured(*corral, folder)
        if status != 0:
            faults += [f"configuring without {', '.join(OPTIONAL)} ends with {status}", *lines[-20:]]
        faults += [f"alarming: {line}" for line in lines if ALARMING.search(line)]
        if sum("adds the tests" in line for line in lines) != 1:
            faults.append("no line says what would add the tests")
        if sum("adds many ranks" in line for line in lines) != 1:
            faults.append("no line says what would add many ranks")
        status, lines = configured(*corral, folder, "-DCORRAL_TESTS=ON")
        if status == 0 or not any("tools/packages test" in line for line in lines):
            faults.append("tests that are asked for are left out without Catch2")
    print("\n".join(faults) or "calm")
    return bool(faults)


if __name__ == "__main__":
    sys.exit(main())
