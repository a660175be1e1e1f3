#!/usr/bin/env python3
"""Reads every record with openpmd-api and compares it with what h5py reads: reader.py PATTERN ("out/openpmd_%T.h5")"""

import sys
from pathlib import Path

import h5py
import numpy
import openpmd_api


def data_sets(pattern):
    """All arrays of meshes and species as h5py finds them, by place."""
    found = {}
    for path in sorted(pattern.parent.glob(pattern.name.replace("%T", "*"))):
        with h5py.File(path, "r") as file:
            file["data"].visititems(
                lambda name, o: found.update({"/data/" + name: o[...]}) if isinstance(o, h5py.Dataset) else None)
    return found


def values(series, component):
    chunk = component.load_chunk()
    series.flush()
    return chunk


def records(iteration):
    """Records of meshes and species with their places."""
    for name in iteration.meshes:
        yield f"fields/{name}", iteration.meshes[name]
    for species in iteration.particles:
        for name in iteration.particles[species]:
            yield f"particles/{species}/{name}", iteration.particles[species][name]


def main(pattern):
    expected = data_sets(pattern)
    series = openpmd_api.Series(str(pattern), openpmd_api.Access.read_only)
    read = constant = 0
    for step in series.iterations:
        for place, record in records(series.iterations[step]):
            assert len(record.unit_dimension) == 7, place
            for name in record:
                at = f"/data/{step}/{place}" + (f"/{name}" if name in ("x", "y", "z") else "")
                there = values(series, record[name])
                assert record[name].unit_SI == 1, at
                if at not in expected:
                    assert record[name].constant and not there.any(), at
                    constant += 1
                    continue
                same = expected.pop(at)
                assert same.dtype == there.dtype and same.tobytes() == numpy.ascontiguousarray(there).tobytes(), at
                read += 1
    assert not expected, f"not read: {sorted(expected)}"
    print(f"{len(list(series.iterations))} iterations, {read} arrays and {constant} constants read, bit for bit")


main(Path(sys.argv[1]))
