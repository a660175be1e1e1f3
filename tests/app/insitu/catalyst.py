#!/usr/bin/env python3
"""Runs a small case with scripts of ParaView Catalyst: catalyst.py CORRAL PLUGIN CASES

Scripts as ParaView's client exports them, of both versions, run unchanged, and so does one that ParaView itself exports
here; pictures show something; a run that is cut and goes on draws what the uncut one draws; results have the same bits
with and without; what fails is said once and does not end the run. Exits with 77 where ParaView is missing.
"""

import json
import os
import shutil
import struct
import subprocess
import sys
import tempfile
import zlib
from pathlib import Path

from with_paraview import skip_without_paraview

V1 = '''# script-version: 1.0
from paraview import coprocessing
from paraview.simple import *
def CreateCoProcessor():
    def _pipeline(processor, description):
        class Pipeline:
            parcels = processor.CreateProducer(description, "parcels")
            writer = servermanager.writers.XMLPPolyDataWriter(Input=parcels)
            processor.RegisterWriter(writer, filename="v1_%t.pvtp", freq=1, paddingamount=4)
        return Pipeline()
    class CoProcessor(coprocessing.CoProcessor):
        def CreatePipeline(self, description):
            self.Pipeline = _pipeline(self, description)
    made = CoProcessor()
    made.SetUpdateFrequencies({"parcels": [1]})
    return made
coprocessor = CreateCoProcessor()
coprocessor.EnableLiveVisualization(False, 1)
def RequestDataDescription(datadescription):
    coprocessor.LoadRequestedData(datadescription)
def DoCoProcessing(datadescription):
    coprocessor.UpdateProducers(datadescription)
    coprocessor.WriteData(datadescription)
'''

# As the client writes it of a session on corral's own files: readers by the names of files, catalyst's options.
V2 = '''# script-version: 2.0
from paraview.simple import *
paraview.simple._DisableFirstRenderCameraReset()
renderView1 = CreateView('RenderView')
renderView1.ViewSize = [200, 150]
SetActiveView(None)
layout1 = CreateLayout(name='Layout #1')
layout1.AssignView(0, renderView1)
parcelspvd = PVDReader(registrationName='parcels.pvd', FileName='/nowhere/parcels.pvd')
parcelspvd.PointArrays = ['id', 'velocity']
fieldspvd = PVDReader(registrationName='fields.pvd', FileName='/nowhere/fields.pvd')
display = Show(fieldspvd, renderView1)
display.SetRepresentationType('Surface')
ColorBy(display, ('CELLS', 'gas_velocity', 'Z'))
renderView1.ResetCamera(False)
pNG1 = CreateExtractor('PNG', renderView1, registrationName='PNG1')
pNG1.Trigger = 'TimeStep'
pNG1.Writer.FileName = 'RenderView1_{timestep:06d}{camera}.png'
pNG1.Writer.ImageResolution = [200, 150]
pNG1.Writer.Format = 'PNG'
vTP1 = CreateExtractor('VTP', parcelspvd, registrationName='VTP1')
vTP1.Trigger = 'TimeStep'
vTP1.Writer.FileName = 'parcels_{timestep:06d}.pvtp'
from paraview import catalyst
options = catalyst.Options()
options.GlobalTrigger = 'TimeStep'
options.CatalystLiveTrigger = 'TimeStep'
def catalyst_execute(info):
    parcelspvd.UpdatePipeline()
    data = parcelspvd.GetClientSideObject().GetOutputDataObject(0)
    print("own Python", info.timestep, data.GetNumberOfPoints(), data.GetPointData().GetArray("id").GetClassName(),
          data.GetPoints().GetData().GetClassName(), data.GetNumberOfCells(), flush=True)
'''

THROWS = "# script-version: 2.0\nfrom paraview.simple import *\ndef catalyst_execute(info):\n    return 1 / 0\n"
EXITS = "# script-version: 2.0\nimport sys\nsys.exit(5)\n"
WRONG = "# script-version: 2.0\nthis is no Python\n"
REMOVES = """# script-version: 2.0
import os, shutil
def catalyst_execute(info):
    os.umask(0o777)
    shutil.rmtree(os.getcwd())
"""
V1_THROWS = V1.replace("    coprocessor.UpdateProducers(datadescription)\n", "    raise ValueError('enough')\n")


def colours(file):
    """How many different pixels a PNG of 8 bits a channel has, rows compared without undoing PNG's filters."""
    data, at, packed = file.read_bytes(), 8, b""
    while at < len(data):
        length, kind = struct.unpack(">I4s", data[at : at + 8])
        packed += data[at + 8 : at + 8 + length] if kind == b"IDAT" else b""
        at += 12 + length
    return len(set(zlib.decompress(packed)))


class Bench:
    def __init__(self, corral, plugin, cases):
        self.corral, self.plugin = corral, plugin
        self.folder = Path(tempfile.mkdtemp())
        self.case = self.folder / "case"
        shutil.copytree(cases / "goldschmidt", self.case, ignore=shutil.ignore_patterns("out*"))
        text = (self.case / "case.ini").read_text()
        self.text = text[: text.index("watch = false")]

    def run(self, scripts, command="run", until="0.004", **environment):
        text = self.text
        for name, script in scripts.items():
            (self.case / f"{name}.py").write_text(script)
            text += f"\n[insitu.{name}]\nscript = {name}.py\ninterval = 0.002 s\n"
        (self.case / "case.ini").write_text(text)
        env = {k: v for k, v in os.environ.items() if k != "DISPLAY"}
        env |= {"CORRAL_INSITU_PLUGIN": self.plugin} | environment
        options = ["--until", until, "--set", "output.fields=0.002", "--set", "output.parcels=0.002"]
        options += ["--overwrite"] if command == "run" else []
        done = subprocess.run([self.corral, command, self.case, *options], capture_output=True, text=True, env=env,
                              cwd=self.folder)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout, json.loads((self.case / "out/summary.json").read_text())["notices"], done.stderr

    def results(self):
        skip = {"summary.json", "used.ini"}
        return {f.name: f.read_bytes() for f in (self.case / "out").iterdir() if f.is_file() and f.name not in skip}

    def insitu(self, name):
        return self.case / "out/insitu" / name

    def extracts(self):
        """Names and bytes of all that scripts wrote, which is gone then; of .vtp the values, for what stands before them
        depends on what else ParaView has computed."""
        folder = self.case / "out/insitu"
        found = {str(f.relative_to(folder)): f.read_bytes() for f in folder.rglob("*") if f.is_file()}
        found = {name: data[data.index(b"<AppendedData"):] if name.endswith(".vtp") else data
                 for name, data in found.items()}
        shutil.rmtree(folder)
        return found


def exported_script(bench):
    """What ParaView exports of a session on the files that the last run wrote; they are gone when it is used."""
    script, files = bench.folder / "exported.py", bench.folder / "files"
    shutil.copytree(bench.case / "out", files)
    # -noreset: a server that starts anew when its last client leaves refuses the next, and ParaView probes before it draws.
    with subprocess.Popen(["Xvfb", "-displayfd", "1", "-nolisten", "tcp", "-noreset"], stdout=subprocess.PIPE, text=True,
                          stderr=subprocess.DEVNULL) as server:
        display = {"DISPLAY": ":" + server.stdout.readline().strip()}
        done = subprocess.run([sys.executable, Path(__file__).with_name("export_state.py"), files, script],
                              capture_output=True, text=True, env=os.environ | display)
        server.terminate()
    assert script.exists(), done.stdout + done.stderr
    shutil.rmtree(files)
    return script.read_text()


def check_export(bench, plain):
    text = exported_script(bench)
    assert text.startswith("# script-version: 2.0") and "PVDReader(registrationName='parcels.pvd'" in text, text
    _, notices, errors = bench.run({"exported": text})
    assert notices == [], (notices, errors)
    assert bench.results() == plain
    found = bench.extracts()
    names = [name.removeprefix("exported/datasets/exported_") for name in found]
    assert sorted(name for name in names if "/" not in name) == sorted(
        f"{step:06d}.{kind}" for step in (0, 10, 20) for kind in ("png", "pvtp")), names
    assert len(found["exported/datasets/exported_000020/exported_000020_0.vtp"]) > 24750 * 8 * 10  # bytes


def check_resumed(bench, plain):
    scripts = {"old": V1, "view": (bench.case / "insitu/view.py").read_text()}
    bench.run(scripts)
    whole = bench.extracts()
    bench.run(scripts, until="0.0025")  # between two moments that are due
    first = bench.extracts()
    bench.run(scripts, command="resume")
    rest = bench.extracts()
    assert first and rest and not first.keys() & rest.keys(), (sorted(first), sorted(rest))
    assert sorted(first | rest) == sorted(whole), (sorted(first), sorted(rest), sorted(whole))
    differ = [name for name, data in (first | rest).items() if data != whole[name]]
    assert differ == [], differ
    assert bench.results() == plain


def main(corral, plugin, cases):
    bench = Bench(corral, plugin, Path(cases))
    bench.run({})
    plain = bench.results()
    assert len(plain) > 5, plain.keys()

    said, notices, errors = bench.run({"old": V1, "new": V2})
    assert notices == [], (notices, errors)
    assert bench.results() == plain, "results differ where a run is watched"
    assert said.count("own Python") == 3 and "own Python 20 24750" in said, said
    assert "vtkTypeUInt64Array" in said and "SOADataArray" in said, said  # ids of 64 bits; columns as they are
    old, new = bench.insitu("old"), bench.insitu("new")
    assert len(list(old.rglob("v1_*.pvtp"))) == 3, sorted(old.rglob("*"))
    assert len(list(new.rglob("parcels_*.pvtp"))) == 3, sorted(new.rglob("*"))
    pictures = sorted(new.rglob("*.png"))
    assert len(pictures) == 3, sorted(new.rglob("*"))
    assert all(colours(p) > 20 for p in pictures), [colours(p) for p in pictures]
    assert not list(bench.folder.glob("*.png")) and not (bench.folder / "datasets").exists()

    for name, script, sentence in (("throws", THROWS, "ZeroDivisionError: division by zero (throws.py, line 4)"),
                                   ("exits", EXITS, "SystemExit"), ("wrong", WRONG, "SyntaxError"),
                                   ("v1throws", V1_THROWS, "ValueError: enough")):
        said, notices, errors = bench.run({name: script})
        assert len(notices) == 1 and sentence in notices[0], (name, notices, errors)
        assert bench.results() == plain, name

    # One that fails before another begins, as ParaView is started once alone; one that takes its own directory away.
    for script, told in ((WRONG, 1), (THROWS, 1), (REMOVES, 0)):
        _, notices, errors = bench.run({"first": script, "old": V1})
        assert len(notices) == told, (notices, errors)
        assert len(list(bench.insitu("old").rglob("v1_*.pvtp"))) == 3, script
        assert bench.results() == plain, script

    # Where nothing can be drawn, what draws is off, and what does not goes on.
    said, notices, errors = bench.run({"old": V1, "new": V2}, PATH="/nowhere")
    assert len(notices) == 1 and "nothing can be drawn" in notices[0] and "new is off" in notices[0], (notices, errors)
    assert bench.results() == plain
    shutil.rmtree(bench.case / "out/insitu")
    check_export(bench, plain)
    check_resumed(bench, plain)
    shutil.rmtree(bench.folder)
    print("in agreement")


if __name__ == "__main__":
    skip_without_paraview()
    main(*sys.argv[1:])
