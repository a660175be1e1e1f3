"""Reads what write_vtk_sample writes with ParaView's own readers and checks every value.

usage: read_vtk.py WRITE_VTK_SAMPLE; needs vtkmodules (python3-paraview or python3-vtk9)."""
import subprocess
import sys
import tempfile

import numpy
from vtkmodules.vtkCommonCore import vtkOutputWindow
from vtkmodules.vtkCommonExecutionModel import vtkStreamingDemandDrivenPipeline
from vtkmodules.vtkIOXML import vtkXMLImageDataReader, vtkXMLPolyDataReader
from vtkmodules.util.numpy_support import vtk_to_numpy

try:
    from paraview.modules.vtkPVVTKExtensionsIOCore import vtkPVDReader
except ImportError:
    vtkPVDReader = None

CELLS = (4, 3, 2)
COUNTS = (5000, 1, 0)
TIMES = (0.1, 0.2, 0.4)


def read(reader, path):
    errors = []
    reader.AddObserver("ErrorEvent", lambda *_: errors.append(path))
    reader.SetFileName(path)
    reader.Update()
    assert not errors, f"{path} is not read without errors"
    return reader.GetOutput()


def time_of(data):
    return data.GetFieldData().GetArray("TimeValue").GetValue(0)


def names(attributes):
    return sorted(attributes.GetArrayName(i) for i in range(attributes.GetNumberOfArrays()))


def check_fields(path, time):
    data = read(vtkXMLImageDataReader(), path)
    assert data.GetDimensions() == tuple(n + 1 for n in CELLS), data.GetDimensions()
    assert data.GetOrigin() == (-1, 0.5, 2), data.GetOrigin()
    assert data.GetSpacing() == (0.1, 0.2, 0.3), data.GetSpacing()
    assert time_of(data) == time
    assert names(data.GetCellData()) == ["code", "gas"], names(data.GetCellData())
    code = vtk_to_numpy(data.GetCellData().GetArray("code"))
    assert (code == numpy.arange(24)).all(), code
    gas = vtk_to_numpy(data.GetCellData().GetArray("gas"))
    k, j, i = numpy.indices(CELLS[::-1]).reshape(3, -1)
    wrapped = 0.5 * (i + (i + 1) % 4)  # the upper face of the last cell is the first cell's lower one
    assert (gas == numpy.stack([wrapped, j + 100.5, k + 200.5], axis=1)).all(), gas


def check_parcels(path, time, n):
    data = read(vtkXMLPolyDataReader(), path)
    assert data.GetNumberOfPoints() == n, data.GetNumberOfPoints()
    assert data.GetNumberOfVerts() == (1 if n else 0), data.GetNumberOfVerts()
    assert time_of(data) == time
    assert names(data.GetPointData()) == ["diameter", "id", "kind", "strain", "velocity"], names(data.GetPointData())
    if n == 0:
        return
    assert data.GetCell(0).GetNumberOfPoints() == n
    assert [data.GetCell(0).GetPointId(p) for p in range(n)] == list(range(n))
    x = numpy.arange(n, dtype=float)
    vector = numpy.stack([x + 0.1 * d for d in range(3)], axis=1)
    array = data.GetPointData().GetArray
    assert (vtk_to_numpy(data.GetPoints().GetData()) == vector).all()
    assert (vtk_to_numpy(array("velocity")) == numpy.stack([-x - 0.1 * d for d in range(3)], axis=1)).all()
    assert (vtk_to_numpy(array("diameter")) == 1e-3 * x).all()
    assert (vtk_to_numpy(array("strain")) == numpy.stack([x + 0.1 * c for c in range(6)], axis=1)).all()
    kinds = vtk_to_numpy(array("kind"))
    assert kinds.dtype == numpy.int64, kinds.dtype
    assert (kinds == -numpy.arange(n)).all()
    ids = vtk_to_numpy(array("id"))
    assert ids.dtype == numpy.uint64, ids.dtype
    assert (ids == numpy.uint64(1 << 63) + numpy.arange(n, dtype=numpy.uint64)).all()


def check_triangles(path):
    data = read(vtkXMLPolyDataReader(), path)
    assert (data.GetNumberOfPoints(), data.GetNumberOfVerts(), data.GetNumberOfPolys()) == (4, 0, 4)
    corners = [[data.GetCell(c).GetPointId(p) for p in range(data.GetCell(c).GetNumberOfPoints())] for c in range(4)]
    assert corners == [[0, 1, 2], [0, 3, 1], [1, 3, 2], [2, 3, 0]], corners
    assert names(data.GetCellData()) == ["tension"], names(data.GetCellData())
    assert (vtk_to_numpy(data.GetCellData().GetArray("tension")) == [0, 0.5, 1, 1.5]).all()


def check_bonds(path):
    data = read(vtkXMLPolyDataReader(), path)
    assert (data.GetNumberOfPoints(), data.GetNumberOfVerts(), data.GetNumberOfLines()) == (5, 1, 3)
    ends = [[data.GetCell(c).GetPointId(p) for p in range(data.GetCell(c).GetNumberOfPoints())] for c in range(1, 4)]
    assert ends == [[0, 1], [1, 2], [4, 3]], ends


def check_series(path):
    if vtkPVDReader is None:
        return
    reader = vtkPVDReader()
    reader.SetFileName(path)
    reader.UpdateInformation()
    times = reader.GetOutputInformation(0).Get(vtkStreamingDemandDrivenPipeline.TIME_STEPS())
    assert times == TIMES, times


def main():
    vtkOutputWindow.GetInstance().SetDisplayModeToNever()
    with tempfile.TemporaryDirectory() as directory:
        subprocess.run([sys.argv[1], directory], check=True)
        for number, (n, time) in enumerate(zip(COUNTS, TIMES)):
            check_fields(f"{directory}/fields_{number:06}.vti", time)
            check_parcels(f"{directory}/parcels_{number:06}.vtp", time, n)
        check_triangles(f"{directory}/vertices.vtp")
        check_bonds(f"{directory}/beads.vtp")
        for name in ("fields", "parcels"):
            check_series(f"{directory}/{name}.pvd")
    print("all values read back" + ("" if vtkPVDReader else "; no reader for series here"))


main()
