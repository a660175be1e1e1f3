#!/usr/bin/env python3
"""Reads a file as the base standard of openPMD 1.1 has it: read_openpmd.py FILE"""

import sys

import h5py
import numpy

file = h5py.File(sys.argv[1], "r")


def text(value):
    return value.decode() if isinstance(value, bytes) else value


assert text(file.attrs["openPMD"]) == "1.1.0" and file.attrs["openPMDextension"] == 0
assert text(file.attrs["basePath"]) == "/data/%T/" and text(file.attrs["iterationEncoding"]) == "groupBased"
(step,) = file["data"]
iteration = file["data"][step]
assert iteration.attrs["timeUnitSI"] == 1 and iteration.attrs["dt"] > 0


def components(record):
    return [record] if isinstance(record, h5py.Dataset) else [record[name] for name in record]


meshes = iteration[text(file.attrs["meshesPath"])]
for name, record in meshes.items():
    assert len(record.attrs["unitDimension"]) == 7, name
    assert text(record.attrs["geometry"]) == "cartesian" and text(record.attrs["dataOrder"]) == "C", name
    assert [text(a) for a in record.attrs["axisLabels"]] == ["z", "y", "x"], name
    assert len(record.attrs["gridSpacing"]) == len(record.attrs["gridGlobalOffset"]) == 3, name
    for component in components(record):
        assert component.attrs["unitSI"] == 1 and len(component.attrs["position"]) == 3, name
        assert component.ndim == 3 and numpy.isfinite(component[...]).all(), name
assert set(meshes["gas_velocity"]) == {"x", "y", "z"}
assert list(meshes["gas_velocity"]["z"].attrs["position"]) == [0, 0.5, 0.5]
assert list(meshes["gas_velocity"].attrs["unitDimension"]) == [1, 0, -1, 0, 0, 0, 0]

for name, species in iteration[text(file.attrs["particlesPath"])].items():
    count = species["position"]["x"].shape[0]
    for axis in "xyz":
        assert species["positionOffset"][axis].attrs["value"] == 0
        assert species["positionOffset"][axis].attrs["shape"] == count
    for record in species.values():
        assert "unitDimension" in record.attrs and "timeOffset" in record.attrs, name
