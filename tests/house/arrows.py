#!/usr/bin/env python3
"""Checks that includes point down the house, and that no two rooms include each other: arrows.py REPOSITORY

The house, from the roof down: app, drivers, structure and stokes, run, fluid, geometry, distributed, engine, kernels. See
docs/design.md.
"""

import os
import re
import sys
from collections import defaultdict
from pathlib import Path

LEVEL = {"app": 8, "mppic": 7, "membrane": 7, "body": 7, "beads": 7, "stokes": 6, "structure": 6, "run": 5, "fluid": 4, "geometry": 3, "distributed": 2, "engine": 1, "kernels": 0}
ENTRANCES = {"bench", "examples", "tests"}  # may include anything of the house; nothing of it may include them,
DOORS = {"bench/maps.hpp", "bench/lattice/suite.hpp", "bench/stokes/suite.hpp"}  # but for app/, which hands `corral bench` to these
PUBLIC = ("engine/corral/", "kernels/")  # what is installed, and what those who write a driver have beside that
PUBLIC_FOR_EXAMPLES = (*PUBLIC, "stokes/sum_plan.hpp", "stokes/mobility.hpp", "stokes/stokes.h", "distributed/domain.hpp", "distributed/halo.hpp",
                       "distributed/mpi.hpp", "distributed/ranks.hpp", "distributed/session.hpp", "distributed/maps/order.hpp",
                       "distributed/particles/migrate.hpp", "distributed/particles/rank_particles.hpp")
PUBLIC_FOR_DRIVERS = (*PUBLIC, "run/", "fluid/", "app/run.hpp")
SOURCES = {".hpp", ".h", ".cpp", ".c", ".cuh", ".cu"}

# Rooms of the engine that rooms above it may look into: how code is compiled per instruction set and chosen, what large arrays
# lie on, what calls for C do with their arguments, and where a particle or a point beyond a side lies, which says whose it is.
OPEN_ROOMS = ("engine/corral/", "engine/cpu/machine/instruction_sets.hpp", "engine/cpu/machine/huge_pages.hpp", "engine/c/guard.hpp",
              "engine/shared/cell_key.hpp", "engine/shared/support.hpp")

# Where a library may be seen: prefixes of paths below the repository, or endings.
LIBRARIES = [
    (r"(oneapi/)?tbb[/.]", ("engine/cpu/",), ()),
    (r"hwy/", ("engine/cpu/", "fluid/spectral/", "stokes/near/", "tests/engine/"), ()),
    (r"kissfft/|kissfft\.hh", ("fluid/spectral/", "tests/cuda_on_host/"), ()),
    (r"cublas", ("structure/radial/device/", "tests/cuda_on_host/", "tests/device_host_code/"), ()),
    (r"cufft", ("fluid/spectral/device/", "tests/cuda_on_host/", "tests/device_host_code/"), ()),
    (r"fftw", ("tests/", "bench/"), ()),
    (r"Eigen/", ("structure/radial/", "stokes/near/", "stokes/rigid/", "tests/structure/"), ()),
    (r"(cuda|cub/|thrust/|nv/|cooperative_groups)", ("engine/gpu/", "tests/cuda_on_host/", "tests/engine_gpu/", "tests/body_gpu/", "tests/fluid_gpu/", "tests/membrane_gpu/", "tests/mppic_gpu/", "tests/run_gpu/"), (".cu", ".cuh")),
    (r"boost/", ("app/", "run/"), ()),
    (r"hdf5|H5", ("app/openpmd/",), ()),
    (r"xxhash", ("app/system/",), ()),
    (r"Random123/", ("run/", "tests/run/"), ()),
    (r"HYPRE|_hypre", ("tests/", "bench/"), ()),
    (r"mpi\.h", ("distributed/", "tests/", "bench/", "examples/"), ()),
    (r"petsc", ("distributed/", "examples/"), ()),
    (r"lammps/", ("examples/",), ()),
    (r"vtk|Python\.h", ("app/insitu/catalyst/",), ()),
    (r"catalyst\.h|conduit", ("app/insitu/catalyst2/",), ()),
]


def complaint_about_library(path, included):
    for pattern, folders, endings in LIBRARIES:
        if re.match(pattern, included) and not path.startswith(folders) and not path.endswith(endings):
            return f"includes {included} (it belongs into {', '.join(folders + endings)})"
    return None


def file_of(included):
    """Where a header stands: <corral/...> in engine/corral, and in kernels/ what is <corral/kernels/...> for users."""
    if included.startswith("corral/kernels/"):
        return included.removeprefix("corral/")
    return "engine/" + included if included.startswith("corral/") else included


def complaint_about_house(path, included):
    target = file_of(included)
    here, there = path.split("/")[0], target.split("/")[0]
    if here == "app" and included in DOORS:
        return None
    if there in ENTRANCES and here in LEVEL:
        return f"includes {included} (nothing of the house knows {there}/)"
    if there not in LEVEL:
        return None
    if here in ENTRANCES:
        public = PUBLIC_FOR_DRIVERS if path.startswith("examples/own_driver/") else PUBLIC_FOR_EXAMPLES
        if here == "examples" and not target.startswith(public):
            return f"includes {included} (examples use public headers alone)"
        return None
    if path.startswith(("engine/corral/", "kernels/")) and not included.startswith("corral/"):
        return f"includes {included} (installed headers find each other as <corral/...>)"
    if included == "corral/host_device.hpp" or here == there:
        return complaint_within_engine(path, target)
    if LEVEL[there] >= LEVEL[here]:
        return f"includes {included} (arrows point downward: {here} may not know {there})"
    if there == "engine" and not target.startswith(OPEN_ROOMS):
        return f"includes {included} (beyond the engine only <corral/...> is public)"
    return None


def complaint_within_engine(path, target):
    if not path.startswith("engine/"):
        return None
    room, wanted = path.split("/")[1], target.split("/")[1]
    known = {
        "corral": {"corral"},
        "c": {"corral", "c", "shared"}, # the same requirements, told before anything is made
        "shared": {"corral", "shared"},
        "reference": {"corral", "shared", "reference"},
        "cpu": {"corral", "shared", "cpu"},
        "gpu": {"corral", "shared", "gpu"},
    }
    if target.startswith("engine/") and wanted not in known.get(room, {wanted}):
        return f"includes {target} (engine/{room} may not know engine/{wanted})"
    return None


INCLUDE = re.compile(r'^\s*#\s*include\s*[<"]([^>"]+)[>"]')


def complaints(path, text):
    """What is wrong with the file, a line each."""
    found = []
    for number, line in enumerate(text.splitlines(), 1):
        include = INCLUDE.match(line)
        if not include:
            continue
        said = complaint_about_library(path, include[1]) or complaint_about_house(path, include[1])
        if said:
            found.append(f"{path}:{number}: {said}")
    return found


def target_of(path, included, files):
    """The file of the house that an include leads to, or None: it may be written from the file's own folder."""
    for target in (file_of(included), os.path.normpath(Path(path).parent / included)):
        if target in files:
            return target
    return None


def folders_apart(path, target):
    """The first folders on the way to two files that differ: they stand side by side. None where one holds the other."""
    here, there = path.split("/")[:-1], target.split("/")[:-1]
    for depth, (a, b) in enumerate(zip(here, there)):
        if a != b:
            return "/".join(here[:depth + 1]), "/".join(there[:depth + 1])
    return None


def two_way_pairs(files):
    """Folders side by side, at any depth, that include each other, with an include for each way. `files`: path to text."""
    arrows = defaultdict(list)
    for path, text in files.items():
        for line in text.splitlines():
            include = INCLUDE.match(line)
            target = include and target_of(path, include[1], files)
            if target and target != "engine/corral/host_device.hpp":  # the word that marks device code belongs to all
                arrows[folders_apart(path, target)].append(f"{path} includes {target}")
    arrows.pop(None, None)  # within a folder and what it holds
    return {(a, b): (arrows[a, b][0], arrows[b, a][0]) for a, b in list(arrows) if a < b and (b, a) in arrows}


def complaints_about_pairs(files):
    return [f"{a}/ and {b}/ include each other: {there}, and {back} (what both need belongs into a room below them)"
            for (a, b), (there, back) in sorted(two_way_pairs(files).items())]


# Breaches that the rules must find, and lines that they must let pass.
PLANTED = [
    ("fluid/a.cpp", '#include "run/driver.hpp"'),
    ("mppic/a.hpp", '#include "membrane/step/step.hpp"'),
    ("fluid/a.cpp", '#include "stokes/sum_plan.hpp"'),
    ("structure/a.hpp", '#include "membrane/setup/setup.hpp"'),
    ("structure/a.hpp", '#include "stokes/sum_plan.hpp"'),
    ("stokes/a.hpp", '#include "structure/placing/placing.hpp"'),
    ("stokes/a.hpp", '#include "beads/setup/setup.hpp"'),
    ("beads/a.hpp", '#include "body/setup/setup.hpp"'),
    ("mppic/a.hpp", '#include "app/system/text.hpp"'),
    ("fluid/a.cpp", '#include "engine/cpu/cells/row_plan.hpp"'),
    ("fluid/a.cpp", '#include "engine/cpu/machine/pack-inl.hpp"'),
    ("engine/corral/a.hpp", '#include "engine/cpu/cells/row_plan.hpp"'),
    ("engine/shared/a.hpp", '#include "engine/cpu/cells/row_plan.hpp"'),
    ("engine/cpu/a.cpp", '#include "engine/reference/reference.hpp"'),
    ("engine/corral/a.hpp", "#include <oneapi/tbb/parallel_for.h>"),
    ("engine/corral/a.hpp", "  #  include <cuda_runtime.h>"),
    ("mppic/a.t.hpp", "#include <cub/cub.cuh>"),
    ("kernels/a.hpp", "#include <corral/grid.hpp>"),
    ("kernels/a.hpp", '#include "kernels/linear.hpp"'),
    ("engine/corral/a.hpp", '#include "kernels/linear.hpp"'),
    ("engine/c/a.cpp", '#include "engine/cpu/cells/row_plan.hpp"'),
    ("fluid/a.cpp", "#include <lammps/library.h>"),
    ("app/insitu/a.cpp", "#include <vtkNew.h>"),
    ("app/checkpoint/a.cpp", "#include <hdf5.h>"),
    ("app/insitu/a.cpp", "#include <catalyst.h>"),
    ("fluid/a.cpp", "#include <_hypre_utilities.h>"),
    ("run/a.cpp", '#include "tests/tolerance.hpp"'),
    ("distributed/a.cpp", '#include "fluid/domain.hpp"'),
    ("engine/cpu/a.cpp", '#include "distributed/domain.hpp"'),
    ("distributed/a.cpp", '#include "engine/cpu/cells/row_plan.hpp"'),
    ("mppic/a.cpp", "#include <mpi.h>"),
    ("run/a.cpp", "#include <petscdmda.h>"),
    ("examples/a.cpp", '#include "distributed/maps/passes.hpp"'),
    ("examples/a.cpp", '#include "fluid/domain.hpp"'),
    ("examples/a.cpp", '#include "run/driver.hpp"'),
    ("stokes/a.cpp", '#include "engine/c/arguments.hpp"'),
    ("examples/own_driver/a.cpp", '#include "app/run_loop.hpp"'),
    ("mppic/a.cpp", '#include "bench/maps.hpp"'),
    ("app/a.cpp", '#include "bench/scene/plain_loop.hpp"'),
]
ALLOWED = [
    ("app/a.cpp", '#include "bench/maps.hpp"'),
    ("app/a.cpp", '#include "mppic/driver.hpp"'),
    ("beads/a.cpp", '#include "stokes/mobility.hpp"'),
    ("beads/a.cpp", '#include "structure/placing/placing.hpp"'),
    ("mppic/a.cpp", "#include <corral/spread.hpp>"),
    ("distributed/a.cpp", '#include "engine/shared/cell_key.hpp"'),
    ("run/a.cpp", '#include "distributed/domain.hpp"'),
    ("examples/a.cpp", '#include "distributed/domain.hpp"'),
    ("fluid/a.cpp", '#include "engine/cpu/machine/instruction_sets.hpp"'),
    ("mppic/a.cu", "#include <cuda_runtime.h>"),
    ("kernels/a.hpp", "#include <corral/host_device.hpp>"),
    ("kernels/a.hpp", "#include <corral/kernels/linear.hpp>"),
    ("engine/corral/a.hpp", "#include <corral/kernels/linear.hpp>"),
    ("examples/a.cpp", "#include <corral/kernels/linear.hpp>"),
    ("examples/a.cpp", '#include "stokes/sum_plan.hpp"'),
    ("examples/a.c", '#include "stokes/stokes.h"'),
    ("stokes/a.cpp", '#include "engine/c/guard.hpp"'),
    ("examples/own_driver/a.cpp", '#include "run/driver.hpp"'),
    ("engine/cpu/a.cpp", "#include <oneapi/tbb/task_arena.h>"),
    ("tests/engine/a.cpp", '#include "engine/reference/reference.hpp"'),
    ("fluid/a.cpp", "#include <cmath>"),
]

# The same of pairs: files, and whether their rooms may be so.
DOWN, UP = '#include "a/low/x.hpp"', '#include "a/high/y.hpp"'
PLANTED_PAIRS = [
    {"a/high/y.hpp": DOWN, "a/low/x.hpp": "", "a/low/z.cpp": UP},  # by different files
    {"a/high/y.hpp": DOWN, "a/low/x.hpp": UP},
    {"a/high/y.hpp": "", "a/high/deep/z.hpp": DOWN, "a/low/x.hpp": '#include "../high/y.hpp"'},
    {"engine/corral/a.hpp": "#include <corral/kernels/b.hpp>", "kernels/b.hpp": "#include <corral/a.hpp>"},
]
ALLOWED_PAIRS = [
    {"a/high/y.hpp": DOWN, "a/low/x.hpp": ""},
    {"a/y.hpp": DOWN, "a/low/x.hpp": '#include "a/y.hpp"'},  # a room and what stands above it and its neighbours
    {"engine/corral/host_device.hpp": "", "engine/corral/a.hpp": "#include <corral/kernels/b.hpp>",
     "kernels/b.hpp": "#include <corral/host_device.hpp>"},
]


def main(repository):
    for path, text in PLANTED:
        assert complaints(path, text), f"the rules let pass: {path}: {text.strip()}"
    for path, text in ALLOWED:
        assert not complaints(path, text), complaints(path, text)

    for files in PLANTED_PAIRS:
        assert complaints_about_pairs(files), f"the rules let pass: {files}"
    for files in ALLOWED_PAIRS:
        assert not complaints_about_pairs(files), complaints_about_pairs(files)

    files = {
        file.relative_to(repository).as_posix(): file.read_text()
        for folder in sorted(LEVEL.keys() | ENTRANCES)
        for file in sorted((repository / folder).rglob("*"))
        if file.suffix in SOURCES
    }
    assert len(files) > 100, f"{len(files)} source files found in {repository}: is this the repository?"
    found = [said for path, text in files.items() for said in complaints(path, text)]
    found += complaints_about_pairs(files)
    print("\n".join(found) or f"{len(files)} files: every arrow points downward, and no two rooms include each other")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
