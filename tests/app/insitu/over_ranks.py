#!/usr/bin/env python3
"""Runs a small case with a script of ParaView Catalyst on one process and over ranks: over_ranks.py CORRAL OVER_RANKS PLUGIN MPIEXEC FLAG

Sums over all ranks are one process's, and so are the area of a contour, which has no seam where ranks meet, and the picture. A script
that fails on one rank alone is said once. Results have the same bits with and without. Exits with 77 where ParaView is missing.
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from with_paraview import skip_without_paraview

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "cases"))
from shared_cases import CELLS  # no corral is needed for it

LOOKS = '''# script-version: 2.0
import numpy
from paraview.simple import *
from vtkmodules.util.numpy_support import vtk_to_numpy
from vtkmodules.vtkCommonCore import vtkDoubleArray
from vtkmodules.vtkParallelCore import vtkCommunicator, vtkMultiProcessController

fields, vertices = TrivialProducer(registrationName="fields"), TrivialProducer(registrationName="vertices")
at_points = CellDatatoPointData(Input=fields)
contour = Contour(Input=at_points)
contour.ContourBy, contour.Isosurfaces = ["POINTS", "inside"], [0.5]
turning = Gradient(Input=fields, ScalarArray=["CELLS", "velocity"])
turning.ComputeGradient, turning.ComputeVorticity, turning.VorticityArrayName = 0, 1, "vorticity"
integral, of_turning = IntegrateVariables(Input=contour), IntegrateVariables(Input=turning)
view = CreateView("RenderView")
view.ViewSize = [300, 240]
view.OrientationAxesVisibility = 0
place = Calculator(Input=contour, ResultArrayName="place", Function="coordsX+coordsZ")
ColorBy(Show(place, view), ("POINTS", "place"))  # by a range that nobody gives
Show(Outline(Input=fields), view).AmbientColor = [0, 0, 0]
view.CameraFocalPoint, view.CameraPosition, view.CameraViewUp = [4.5e-6, 3.75e-6, 4e-6], [2.5e-5, 1.2e-5, 1.6e-5], [0, 1, 0]
picture = CreateExtractor("PNG", view)
picture.Trigger = "TimeStep"
picture.Writer.FileName = "view.png"
picture.Writer.ImageResolution = [300, 240]
picture.Writer.Format = "PNG"
from paraview import catalyst
options = catalyst.Options()
options.ExtractsOutputDirectory = "."

def over_ranks(values):
    mine, of_all = vtkDoubleArray(), vtkDoubleArray()
    for value in values:
        mine.InsertNextValue(float(value))
    of_all.SetNumberOfValues(len(values))
    vtkMultiProcessController.GetGlobalController().AllReduce(mine, of_all, vtkCommunicator.SUM_OP)
    return [of_all.GetValue(i) for i in range(len(values))]

def catalyst_execute(info):
    image = fields.GetClientSideObject().GetOutputDataObject(0)
    cells = image.GetCellData()
    ghost = cells.GetArray("vtkGhostType")
    own = vtk_to_numpy(ghost) == 0 if ghost else numpy.ones(image.GetNumberOfCells(), bool)
    values = {"cells": own.sum()}
    for name in ("pressure", "velocity", "inside"):
        array = numpy.array([cells.GetArray(name).GetTuple(i) for i in range(image.GetNumberOfCells())])[own]
        values[name], values[name + " squared"] = array.sum(), (array**2).sum()
    vertices.UpdatePipeline()
    body = vertices.GetClientSideObject().GetOutputDataObject(0)
    values["vertices"], values["triangles"] = body.GetNumberOfPoints(), body.GetNumberOfPolys()
    for name, value in zip(values, over_ranks(list(values.values()))):
        print("SUM", name, "|", value.hex(), flush=True)
    for name, one, of, array in (("area", integral, "CellData", "Area"), ("vorticity", of_turning, "CellData", "vorticity")):
        one.UpdatePipeline()
        found = getattr(one.GetClientSideObject().GetOutputDataObject(0), "Get" + of)().GetArray(array)
        if found and found.GetNumberOfTuples():
            print("SUM", name, "|", float(found.GetTuple(0)[-1]).hex(), flush=True)
'''
THROWS_ON_ONE = '''# script-version: 2.0
from paraview.simple import *
from vtkmodules.vtkParallelCore import vtkMultiProcessController
fields = TrivialProducer(registrationName="fields")
def catalyst_execute(info):
    if vtkMultiProcessController.GetGlobalController().GetLocalProcessId() == 1:
        raise ValueError("only here")
'''
THROWS_ON_ALL = "# script-version: 2.0\nfrom paraview.simple import *\ndef catalyst_execute(info):\n    return 1 / 0\n"


def pixels(file):
    from vtkmodules.util.numpy_support import vtk_to_numpy
    from vtkmodules.vtkIOImage import vtkPNGReader
    reader = vtkPNGReader()
    reader.SetFileName(str(file))
    reader.Update()
    return vtk_to_numpy(reader.GetOutput().GetPointData().GetScalars()).astype(float)


def sums(said):
    return {line.split("|")[0]: float.fromhex(line.split("|")[1]) for line in said.splitlines() if line.startswith("SUM")}


def results(out):
    return {f.name: f.read_bytes() for f in out.iterdir() if f.is_file() and f.name not in ("summary.json", "used.ini")}


def main(corral, over_ranks, plugin, mpiexec, flag):
    folder = Path(tempfile.mkdtemp())
    case = folder / "case"
    case.mkdir()
    scripts = {"looks": LOOKS, "one": THROWS_ON_ONE, "all": THROWS_ON_ALL}
    blocks = "".join(f"[insitu.{name}]\nscript = {name}.py\ninterval = 3.75 us\n" for name in scripts)
    (case / "case.ini").write_text(CELLS + blocks)
    for name, script in scripts.items():
        (case / f"{name}.py").write_text(script)
    env = {k: v for k, v in os.environ.items() if k != "DISPLAY"} | {"CORRAL_INSITU_PLUGIN": plugin}

    def run(ranks, *options):
        out = folder / f"out_{ranks}{len(options)}"
        words = [mpiexec, flag, str(ranks), over_ranks] if ranks > 1 else [corral]
        done = subprocess.run([*words, "run", case, "--steps", "3", "--threads", "1", "--output", out, *options], capture_output=True, text=True, env=env,
                              timeout=200)
        assert done.returncode == 0, done.stdout + done.stderr
        return out, done.stdout, json.loads((out / "summary.json").read_text())["notices"], done.stderr

    one, said_by_one, notices_of_one, _ = run(1)
    three, said, notices, errors = run(3)
    plain, _, _, _ = run(3, "--set", "output.watch=false")
    assert results(three) == results(plain), "results differ where a run is watched"

    told = "in situ, {} is off, the run goes on: {}"
    on_all = told.format("all", "ZeroDivisionError: division by zero (all.py, line 4)")
    assert notices_of_one == [on_all], notices_of_one
    assert notices == [told.format("one", "rank 1: ValueError: only here (one.py, line 7)"), on_all], (notices, errors)

    whole, together = sums(said_by_one), sums(said)
    assert len(whole) == 11 and whole.keys() == together.keys(), (whole, together)
    assert whole["SUM area "] > 0 and whole["SUM triangles "] == 640, whole
    for name, value in whole.items():
        scale = whole.get(f"{name}squared ", value**2) ** 0.5
        assert abs(together[name] - value) <= 1e-9 * scale, (name, value, together[name])

    a, b = pixels(one / "insitu/looks/view.png"), pixels(three / "insitu/looks/view.png")
    assert a.std() > 10 and abs(a - b).mean() < 0.5, (a.std(), abs(a - b).mean())
    shutil.rmtree(folder)
    print("in agreement")


if __name__ == "__main__":
    skip_without_paraview()
    main(*sys.argv[1:])
