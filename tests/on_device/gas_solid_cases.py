#!/usr/bin/env python3
"""Runs gas-solid cases on a CUDA device beside the same on the CPU: gas_solid_cases.py CORRAL [CASE ...]

A line each, of all shipped cases or of those named: milliseconds a step on either, and how far log.csv is apart after some steps. Then
a large bed, with nanoseconds a parcel and step by phases. Ends with status 1 where counts differ, or others by more than what solvers
leave over. tools/gpu calls it; tests/cases/device_steps.py compares small ones closely, emulated.
"""

import json
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "cases"))
from case_files import Run  # noqa: E402

STEPS = 10
ONCE = ("set up", "start", "output", "checkpoint")  # phases that are no part of a step
COUNTS = ("parcels", "created", "left", "rejected")
WORK = ("iterations", "rounds", "failures", "residual", "maps", "sorts", "isotropy", "drift", "books")  # solvers' own, and round-off
ROUND_OFF = 1e-12  # in SI: what is all below is none
LARGE = ["grid.cells=69, 69, 69", "grid.size=0.138, 0.138, 0.138 m", "seed.bed.high=0.138, 0.138, 0.069 m", "seed.bed.lattice=4, 4, 4"]
BED = """
[case]
driver = mppic
[grid]
cells = 8, 8, 16
size = 0.016, 0.016, 0.032 m
[sides]
z_high = outlet
[gas]
density = 1.2 kg/m3
viscosity = 1.8e-5 Pa s
[solids]
density = 2500 kg/m3
close_packing = 0.6
[size.beads]
diameter = 0.2 mm
[seed.bed]
arrangement = cell_lattice
high = 0.016, 0.016, 0.016 m
solids_fraction = 0.55
lattice = 4, 4, 4
[inlet.floor]
side = z_low
velocity = 0.2 m/s
[time]
step = fixed
dt = 0.2 ms
end = 10 ms
[output]
log = 1 ms
fields = 0
parcels = 0
"""


def run(corral, case, backend, output, *options):
    done = subprocess.run([corral, "run", case, "--quiet", "--overwrite", "--output", output, "--backend", backend, *options],
                          capture_output=True, text=True, check=False)
    if done.returncode != 0:
        return None, done.stderr.strip()
    return Run(output), json.loads((output / "summary.json").read_text(encoding="utf-8"))


def apart(host, device):
    """The largest difference of a figure over the largest of its kind, and of which; counts to the last."""
    worst = (0.0, "none")
    for column, values in host.log.items():
        if any(word in column for word in WORK):
            continue
        scale = max(map(abs, values))
        for a, b in zip(values, device.log[column]):
            share = (a != b) if column in COUNTS else abs(a - b) / max(scale, ROUND_OFF)
            worst = max(worst, (float(share), column))
    return worst


def each_step(summary, steps):
    return 1e3 * sum(p["seconds"] for p in summary["phases"] if p["name"] not in ONCE) / steps


def beside(corral, name, folder):
    """A line; False where something is wrong."""
    steps = "--steps", str(STEPS)
    (host, on_host), (device, on_device) = (run(corral, ROOT / "cases" / name, b, folder / b, *steps) for b in ("cpu", "gpu"))
    if not host or not device:
        print(f"{name:24} {on_device if host else on_host}")
        return False
    most, column = apart(host, device)
    count = on_host["steps"]
    print(f"{name:24} {count:5} {each_step(on_host, count):9.2f} {each_step(on_device, count):9.2f}  {most:.1e} ({column})", flush=True)
    return most < 0.05


def large_bed(corral, folder):
    case = folder / "bed"
    case.mkdir()
    (case / "case.ini").write_text(BED, encoding="utf-8")
    options = [word for key in LARGE for word in ("--set", key)]
    for backend, steps in (("gpu", 20), ("cpu", 3)):
        done, summary = run(corral, case, backend, folder / "large", *options, "--steps", str(steps))
        if not done:
            print(f"large bed on the {backend}: {summary}")
            return False
        parcels = summary["parcels"]
        ns = {p["name"]: 1e9 * p["seconds"] / steps / parcels for p in summary["phases"] if p["name"] not in ONCE}
        print(f"{parcels:.0f} parcels on the {backend}, ns a parcel and step: {sum(ns.values()):.3f}; "
              + ", ".join(f"{name} {value:.3f}" for name, value in ns.items()))
        held = summary["device_arrays_bytes" if backend == "gpu" else "arrays_bytes"]
        print(f"  {held / 1e9:.2f} GB of arrays", flush=True)
    return True


def main(corral, *names):
    shipped = sorted(p.parent.name for p in ROOT.glob("cases/*/case.ini") if "driver = mppic" in p.read_text(encoding="utf-8"))
    good = True
    print(f"{'case':24} {'steps':>5} {'CPU':>9} {'device':>9}  ms a step; largest difference in log.csv")
    with tempfile.TemporaryDirectory(prefix="corral-") as folder:
        for name in names or shipped:
            good = beside(corral, name, Path(folder)) and good
        if not names:
            good = large_bed(corral, Path(folder)) and good
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
