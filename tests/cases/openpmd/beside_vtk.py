#!/usr/bin/env python3
"""Compares a run's files by openPMD with those by VTK, bit for bit: beside_vtk.py OUTPUT. Prints what was compared."""

import sys
from pathlib import Path

import h5py
import numpy

from case_files import VtkFile


def means(faces, axis, cells):
    """Of opposite faces; the last upper one along a periodic axis is the first lower one."""
    upper = numpy.roll(faces, -1, axis) if faces.shape[axis] == cells else faces.take(range(1, cells + 1), axis)
    return 0.5 * (faces.take(range(cells), axis) + upper)


def same(one, other):
    one, other = numpy.ascontiguousarray(one), numpy.ascontiguousarray(other)
    return one.shape == other.shape and one.dtype == other.dtype and one.tobytes() == other.tobytes()


def names(vtk, element):
    return [node.get("Name") for node in vtk.root.findall(f".//{element}/DataArray")]


def compare_fields(vtk, fields):
    extent = [int(n) for n in vtk.root.find("ImageData").get("WholeExtent").split()[1::2]]
    for name in names(vtk, "CellData"):
        values = numpy.array(vtk.values(name))
        if name in fields:
            assert same(fields[name][...].ravel(), values), name
        else:
            there = [means(fields[f"{name}_{'xyz'[d]}"][...], 2 - d, extent[d]).ravel() for d in range(3)]
            assert same(numpy.stack(there, axis=1), values), name
    image = vtk.root.find("ImageData")
    for record in fields.values():
        assert list(record.attrs["gridSpacing"])[::-1] == [float(h) for h in image.get("Spacing").split()]
        assert list(record.attrs["gridGlobalOffset"])[::-1] == [float(x) for x in image.get("Origin").split()]
    shown = {name.removesuffix(f"_{axis}") if name.endswith(f"_{axis}") else None for name in fields for axis in "xyz"}
    assert set(fields) - set(names(vtk, "CellData")) == {f"{n}_{a}" for n in shown - {None} for a in "xyz"}


def of_species(record):
    return record[...] if isinstance(record, h5py.Dataset) else numpy.stack([record[a][...] for a in "xyz"], axis=1)


def compare_particles(vtk, species, beside, set_name):
    pairs = {name: name for name in names(vtk, "PointData")} | {"position": "Points"}
    assert set(pairs) | {"positionOffset"} == set(species), (set(pairs), set(species))
    for name, name_in_vtk in pairs.items():
        found = numpy.array(vtk.values(name_in_vtk), dtype=numpy.uint64 if name == "id" else float)
        there = of_species(species[name])
        assert same(there, found.reshape(there.shape)), name
    if names(vtk, "Polys") and int(vtk.root.find(".//Piece").get("NumberOfPolys")):
        corners = numpy.array(vtk.values("connectivity")).reshape(-1, 3)
        assert (beside[f"{set_name}.triangles"][...] == corners).all()
    for name in names(vtk, "CellData"):
        assert same(beside[f"{set_name}.{name}"][...], numpy.array(vtk.values(name))), name


def main(output):
    compared = []
    at_time = {}
    for path in sorted(output.glob("openpmd_*.h5")):
        file = h5py.File(path, "r")
        (iteration,) = file["data"].values()
        at_time[iteration.attrs["time"]] = (iteration, file["corral/state"])
    held = {(sort, time) for time, (iteration, _) in at_time.items()
            for sort in [*(["fields"] if "fields" in iteration else []), *iteration.get("particles", {})]}
    for path in sorted([*output.glob("*_0*.vti"), *output.glob("*_0*.vtp")]):
        vtk, sort = VtkFile(path), path.name.rsplit("_", 1)[0]
        iteration, beside = at_time[vtk.time]
        if sort == "fields":
            compare_fields(vtk, iteration["fields"])
        else:
            compare_particles(vtk, iteration["particles"][sort], beside, sort)
        held.remove((sort, vtk.time))
        compared.append(sort)
    assert not held, held
    print({sort: compared.count(sort) for sort in sorted(set(compared))})


main(Path(sys.argv[1]))
