#!/usr/bin/env python3
"""Warns of long source files: long_files.py REPOSITORY

Files are typically 100 to 250 lines, and one idea each. One that is longer is asked why, and nothing more: ctest shows
this test as skipped (status 77) where there is one.
"""

import sys
from pathlib import Path

HOUSE = ["app", "bench", "cases", "cmake", "docs", "engine", "examples", "fluid", "geometry", "kernels", "membrane", "mppic", "run",
         "structure", "tests", "tools"]
SOURCES = {".hpp", ".h", ".cpp", ".c", ".cuh", ".cu", ".py", ".f90", ".cmake", ".sh"}
MOST_LINES = 400
LONG_WITH_REASON = {"engine/fortran/corral.f90": "one module, which users compile with their own compiler"}


def warnings(files):
    """A line for each file that is long without a reason. `files`: path to number of lines."""
    return [f"{path} has {lines} lines (more than {MOST_LINES}) does it hold two ideas?" for path, lines in sorted(files.items())
            if lines > MOST_LINES and Path(path).suffix in SOURCES and path not in LONG_WITH_REASON]


def main(repository):
    assert warnings({"app/a.cpp": MOST_LINES + 1}) and warnings({"tools/a.py": MOST_LINES + 1})
    assert not warnings({"app/a.cpp": MOST_LINES, "docs/a.md": 2 * MOST_LINES, "engine/fortran/corral.f90": 2 * MOST_LINES})
    files = {path.relative_to(repository).as_posix(): len(path.read_bytes().splitlines())
             for folder in HOUSE for path in (repository / folder).rglob("*")
             if path.suffix in SOURCES and path.is_file() and not any(part.is_symlink() for part in path.parents)}
    assert len(files) > 100, f"{len(files)} files found in {repository}: is this the repository?"
    found = warnings(files)
    print("\n".join(found) or f"{len(files)} files: none is long")
    return 77 if found else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]).resolve()))
