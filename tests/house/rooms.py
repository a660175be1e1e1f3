#!/usr/bin/env python3
"""Checks that no room is crowded and no source file long: rooms.py REPOSITORY

A room is a folder. A reader takes one in at a glance, and a file at a sitting.
"""

import sys
from collections import Counter
from pathlib import Path

HOUSE = ["app", "bench", "cases", "cmake", "docs", "engine", "examples", "fluid", "geometry", "kernels", "membrane", "mppic", "run",
         "structure", "tests", "tools"]
SOURCES = {".hpp", ".h", ".cpp", ".c", ".cuh", ".cu", ".py", ".f90", ".cmake", ".sh"}
WRITTEN = SOURCES | {".md", ".txt", ".ini", ".in", ""}  # not what runs and compilers leave
EVERYWHERE = {"README.md", "CMakeLists.txt"}  # these crowd no room
MOST_FILES = 20
MOST_LINES = 300
CROWDED_WITH_REASON = {"docs": "pages, which its README lists"}  # room: reason
LONG_WITH_REASON = {"engine/fortran/corral.f90": "one module, which users compile with their own compiler"}


def complaints(files):
    """What is wrong, a line each. `files`: path to number of lines."""
    rooms = Counter(path.rpartition("/")[0] for path in files if path.rpartition("/")[2] not in EVERYWHERE)
    found = [f"{room}/ holds {count} files (more than {MOST_FILES}) move what belongs together into a room of its own, "
             "named for what it does" for room, count in sorted(rooms.items())
             if count > MOST_FILES and room not in CROWDED_WITH_REASON]
    found += [f"{path} has {lines} lines (more than {MOST_LINES}) delete what can go, then split it where a reader "
              "would; what both halves need becomes a header of the room" for path, lines in sorted(files.items())
              if lines > MOST_LINES and Path(path).suffix in SOURCES and path not in LONG_WITH_REASON]
    return found


PLANTED = [
    {f"fluid/{i}.cpp": 100 for i in range(MOST_FILES + 1)},
    {f"tests/engine/maps/{i}.hpp": 100 for i in range(MOST_FILES)} | {"tests/engine/maps/check.py": 100},
    {"app/a.cpp": MOST_LINES + 1},
    {"tests/cuda_on_host/a.cu": MOST_LINES + 1},
    {"tools/a.py": MOST_LINES + 1},
]
ALLOWED = [
    {f"fluid/{i}.cpp": 100 for i in range(MOST_FILES)} | {"fluid/README.md": 100, "fluid/CMakeLists.txt": 100},
    {f"fluid/{i}.cpp": 100 for i in range(MOST_FILES)} | {f"fluid/pressure/{i}.cpp": 100 for i in range(MOST_FILES)},
    {"app/a.cpp": MOST_LINES, "docs/a.md": 2 * MOST_LINES},
]


def main(repository):
    for files in PLANTED:
        assert complaints(files), f"the rules let pass: {files}"
    for files in ALLOWED:
        assert not complaints(files), complaints(files)
    files = {path.relative_to(repository).as_posix(): len(path.read_bytes().splitlines())
             for folder in HOUSE for path in (repository / folder).rglob("*")
             if path.suffix in WRITTEN and path.is_file() and not any(part.is_symlink() for part in path.parents)}
    assert len(files) > 100, f"{len(files)} files found in {repository}: is this the repository?"
    for exception in CROWDED_WITH_REASON.keys() | LONG_WITH_REASON.keys():
        assert (repository / exception).exists(), f"{exception} is excepted here, and gone"
    found = complaints(files)
    print("\n".join(found) or f"{len(files)} files: no room is crowded, no source file long")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]).resolve()))
