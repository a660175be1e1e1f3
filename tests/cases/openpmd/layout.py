#!/usr/bin/env python3
"""Reads files as the base standard of openPMD 1.1 has them, checkpoints or output: layout.py FILE..."""

import re
import sys

import h5py
import numpy


def text(value):
    return value.decode() if isinstance(value, bytes) else value


def components(record):
    """The data sets of a record by name, "" where it is the component itself."""
    return {"": record} if isinstance(record, h5py.Dataset) else dict(record.items())


def check_head(file, name):
    """Attributes of the file; returns its one iteration."""
    assert text(file.attrs["openPMD"]) == "1.1.0" and file.attrs["openPMDextension"] == 0
    assert text(file.attrs["basePath"]) == "/data/%T/" and text(file.attrs["software"]) == "corral"
    (step,) = file["data"]
    encoding, form = text(file.attrs["iterationEncoding"]), text(file.attrs["iterationFormat"])
    if encoding == "fileBased":
        digits = re.fullmatch(re.escape(form).replace("%T", r"(\d+)"), name.rsplit("/", 1)[-1])
        assert int(digits[1]) == int(step), (form, name)
    else:
        assert (encoding, form) == ("groupBased", "/data/%T/")
    iteration = file["data"][step]
    assert iteration.attrs["timeUnitSI"] == 1 and (iteration.attrs["dt"] > 0 or step == "0")
    for path in ("meshesPath", "particlesPath"):  # named where there are any, and nowhere else
        assert (path in file.attrs) == (path.replace("Path", "").replace("meshes", "fields") in iteration), path
    return iteration


def check_mesh(name, record):
    assert len(record.attrs["unitDimension"]) == 7, name
    assert text(record.attrs["geometry"]) == "cartesian" and text(record.attrs["dataOrder"]) == "C", name
    assert [text(a) for a in record.attrs["axisLabels"]] == ["z", "y", "x"], name
    assert len(record.attrs["gridSpacing"]) == len(record.attrs["gridGlobalOffset"]) == 3, name
    assert record.attrs["gridUnitSI"] == 1, name
    shapes = set()
    for component in components(record).values():
        position = list(component.attrs["position"])
        assert component.attrs["unitSI"] == 1 and len(position) == 3, name
        assert component.ndim == 3 and numpy.isfinite(component[...]).all(), name
        shapes.add(component.shape)
        if name[-2:] in ("_x", "_y", "_z"):  # on the faces along that axis
            assert position == [0 if axis == name[-1] else 0.5 for axis in "zyx"], (name, position)
    assert len(shapes) == 1, (name, shapes)


def check_species(name, species):
    count = species["position"]["x"].shape[0]
    assert species["id"].dtype == numpy.uint64 if "id" in species else True, name
    for axis in "xyz":
        assert species["positionOffset"][axis].attrs["value"] == 0, name
        assert species["positionOffset"][axis].attrs["shape"] == count, name
    for key, record in species.items():
        assert len(record.attrs["unitDimension"]) == 7 and "timeOffset" in record.attrs, (name, key)
        for component in components(record).values():
            assert component.attrs["unitSI"] == 1, (name, key)
            assert isinstance(component, h5py.Group) or component.shape == (count,), (name, key)


def check(name):
    with h5py.File(name, "r") as file:
        iteration = check_head(file, name)
        for mesh, record in iteration.get("fields", {}).items():
            check_mesh(mesh, record)
        for species, records in iteration.get("particles", {}).items():
            check_species(species, records)
        for velocity in {"gas_velocity_z", "velocity_z"} & set(iteration.get("fields", {})):
            assert list(iteration["fields"][velocity].attrs["unitDimension"]) == [1, 0, -1, 0, 0, 0, 0]


if __name__ == "__main__":
    for path in sys.argv[1:]:
        check(path)
