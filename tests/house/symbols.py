#!/usr/bin/env python3
"""Checks what leaves the shared library and what it needs: symbols.py REPOSITORY LIBRARY MAJOR.MINOR

Public is what the headers in engine/corral mark CORRAL_PUBLIC. Nothing else may be exported, neither internals nor
templates of the standard library, oneTBB or Highway; and all of it must be.
"""

import re
import subprocess
import sys
from pathlib import Path

NEEDED = r"lib(tbb|hwy|stdc\+\+|m|gcc_s|c)\.so|ld-linux"  # oneTBB, Highway, and what every C++ program has


def declared(repository, mark):
    """Names of the functions and classes that the public headers mark."""
    headers = [file for file in (repository / "engine/corral").iterdir() if file.suffix in {".h", ".hpp", ".cuh"}]
    text = "\n".join(file.read_text() for file in headers)
    return set(re.findall(rf"^(?!#define)[^\n]*\b{mark}\b[^(){{;]*?(\w+)\s*(?:[({{;]|:(?!:))", text, re.MULTILINE))


def exported(library):
    """(mangled, readable) names of the symbols that the library exports."""
    listed = subprocess.run(["nm", "-D", "--defined-only", library], capture_output=True, text=True, check=True).stdout
    mangled = [line.split()[-1] for line in listed.splitlines()]
    readable = subprocess.run(["c++filt"], input="\n".join(mangled), capture_output=True, text=True, check=True).stdout
    return list(zip(mangled, readable.splitlines(), strict=True))


def public_name(mangled):
    """The name that a header would declare for the symbol, None where it isn't one of corral's."""
    if re.fullmatch(r"corral_\w+", mangled):
        return mangled
    inside = re.match(r"_Z(?:T[ISV])?N?K?6corral(?:6detail)?(\d+)(.*)", mangled)
    return inside[2][: int(inside[1])] if inside else None


def is_public(mangled, readable, public, private):
    return public_name(mangled) in public and not any(f"::{name}::" in readable for name in private)


def complaints_about_symbols(symbols, public, private):
    found = [f"exported, but not public: {said}" for at, said in symbols if not is_public(at, said, public, private)]
    missing = public - {public_name(mangled) for mangled, _ in symbols}
    return found + [f"public, but not exported: {name}" for name in sorted(missing)]


def complaints_about_library(library, version):
    said = subprocess.run(["readelf", "-d", library], capture_output=True, text=True, check=True).stdout
    soname = re.search(r"\(SONAME\).*\[(.*)\]", said)[1]
    found = [] if soname.endswith(f".so.{version}") else [f"soname {soname} (it ends with .so.{version})"]
    needed = re.findall(r"\(NEEDED\).*\[(.*)\]", said)
    return found + [f"needs {name}" for name in needed if not re.match(NEEDED, name)]


# Symbols that the rules must find.
PLANTED = [
    ("_ZN6corral3cpu7RowPlanC1Ev", "corral::cpu::RowPlan::RowPlan()"),
    ("_ZN6corral9CellOrderIdE4DataC1Ev", "corral::CellOrder<double>::Data::Data()"),
    ("_ZNSt4listIN6corral4AxisESaIS1_EE5clearEv", "std::list<corral::Axis, std::allocator<corral::Axis> >::clear()"),
    ("_ZN3tbb6detail2d14taskD0Ev", "tbb::detail::d1::task::~task()"),
    ("helper", "helper"),
]


def main(repository, library, version):
    public, private = declared(repository, "CORRAL_PUBLIC"), declared(repository, "CORRAL_PRIVATE")
    assert {"CellOrder", "Error", "Grid", "spread", "corral_spread", "run_chunks"} <= public, public
    assert private == {"Data"}, private
    for symbol in PLANTED:
        assert not is_public(*symbol, public, private), symbol

    symbols = exported(library)
    found = complaints_about_symbols(symbols, public, private) + complaints_about_library(library, version)
    print("\n".join(found) or f"{len(symbols)} symbols, all of them public")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), *sys.argv[2:]))
