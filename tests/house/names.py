#!/usr/bin/env python3
"""Checks that no two types of the house have one name: names.py REPOSITORY

Members of a class are its own matter; what stands in a namespace is met by everybody who searches for it.
"""

import re
import sys
from collections import defaultdict
from pathlib import Path

HOUSE = ["app", "bench", "engine", "fluid", "geometry", "kernels", "membrane", "mppic", "run", "structure"]
SOURCES = {".hpp", ".h", ".cpp", ".cuh", ".cu"}

TYPE = re.compile(r"^(?:template <[^{;]*> )?(?:class|struct|enum class|union)"
                  r"(?: CORRAL_PUBLIC| CORRAL_PRIVATE| alignas\([^)]*\))* (\w+)(?: final)?(?: :[^:].*)? ?(?:\{|$)", re.M)

# Twins: one thing on two processors, of which a translation unit sees one.
TWINS = [{"engine/cpu", "engine/gpu"}, {"engine/gpu"}]


def types(text):
    """The types that a file defines at the level of a namespace: lines that are not indented."""
    return TYPE.findall(re.sub(r"//.*", "", text))


def are_twins(paths):
    rooms = {"/".join(p.split("/")[:2]) for p in paths}
    one_each = len(rooms) == len(paths) or any("absent" in p for p in paths)
    return one_each and rooms in TWINS


def complaints(files):
    """`files`: path to text."""
    places = defaultdict(set)
    for path, text in files.items():
        for name in types(text):
            places[name].add(path)
    return [f"{name}: {', '.join(sorted(paths))} (one word, one thing: rename one)"
            for name, paths in sorted(places.items()) if len(paths) > 1 and not are_twins(paths)]


PLANTED = [
    {"fluid/a.hpp": "struct Row {\n};", "engine/cpu/b.hpp": "template <class T, int N> struct Row {\n"},
    {"app/a.hpp": "class Schedule {", "fluid/b.hpp": "class CORRAL_PUBLIC Schedule final : public Base {"},
    {"engine/cpu/a.hpp": "struct Sums {", "engine/cpu/order/b.hpp": "struct Sums {"},
    {"run/a.hpp": "enum class Kind : int {", "app/b.hpp": "enum class Kind {"},
]
ALLOWED = [
    {"fluid/a.hpp": "struct A {\n  struct Row {};\n};", "run/b.hpp": "struct Row {"},  # a member
    {"fluid/a.hpp": "struct Row;", "run/b.hpp": "struct Row {"},  # a declaration
    {"engine/cpu/a.hpp": "struct MapCall {", "engine/gpu/b.cuh": "template <class T> struct MapCall {"},
    {"engine/gpu/absent.cpp": "struct Data {", "engine/gpu/order.cuh": "struct Data {"},
    {"fluid/a.hpp": "template <> struct A<int> {", "run/b.hpp": "struct A {"},  # a specialisation
]


def main(repository):
    for files in PLANTED:
        assert complaints(files), f"the rules let pass: {files}"
    for files in ALLOWED:
        assert not complaints(files), complaints(files)
    files = {str(path.relative_to(repository)): path.read_text()
             for folder in HOUSE for path in sorted((repository / folder).rglob("*"))
             if path.suffix in SOURCES and not any(part.is_symlink() for part in path.parents)}
    found = complaints(files)
    print("\n".join(found))
    print(f"{len(files)} files, {len(found)} complaints")
    return bool(found)


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]).resolve()))
