"""Runs of a case on the host and on a device, and the time that their steps took."""

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path

CASES = Path(__file__).resolve().parents[2] / "cases"
sys.path.insert(0, str(CASES))
from case_files import Run  # noqa: E402

ONCE = ("set up", "start", "output", "checkpoint")  # phases that are no part of a step
HEADING = f"{'case':26} {'steps':>5} {'CPU':>9} {'device':>9}  ms a step; largest difference in log.csv"


class Failed(Exception):
    """A run did, and said so."""


def settings(keys):
    """Of keys KEY=VALUE of which later ones count."""
    return [word for key, value in dict(key.split("=", 1) for key in keys).items() for word in ("--set", f"{key}={value}")]


def run_case(corral, case, output, *options):
    """The run, and its summary."""
    done = subprocess.run([corral, "run", CASES / case, "--quiet", "--overwrite", "--output", output, *options],
                          capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise Failed(f"{case} {' '.join(options)}: {done.stderr.strip()}")
    return Run(output), json.loads((output / "summary.json").read_text(encoding="utf-8"))


def seconds_of_phases(summary):
    """Of a step, all steps together."""
    return {phase["name"]: phase["seconds"] for phase in summary["phases"] if phase["name"] not in ONCE}


def milliseconds(summary):
    """That a step took."""
    return 1e3 * sum(seconds_of_phases(summary).values()) / max(summary["steps"], 1)


def apart(host, device):
    """The largest difference of a figure over the largest of its kind, parts of a vector together, and where. What sums over
    cells has the round-off of what cancels in them: of the momentum that the fluid could have, and of that in a step; and what books
    of energy miss has that of the elastic energy."""
    sizes = host.settings.reals("grid.size")
    momentum = host.settings.real("fluid.density") * sizes[0] * sizes[1] * sizes[2] * max(host.log["fluid_speed_max"])
    force = 1e-6 * momentum / host.settings.real("time.dt")
    worst = (0.0, "none")
    for column in host.log:
        stem = "stress" if column.startswith("stress") else column[:-2] if column[-2:] in ("_x", "_y", "_z") else column
        scale = max(abs(v) for name in host.log if name.startswith(stem) for v in host.log[name])
        scale = max(scale, {"momentum": momentum, "torque": force * max(sizes)}.get(stem, force if stem.endswith("force") else 0))
        scale = max([scale, *(host.log["elastic_energy"] if column == "energy_residual" else [])])
        for a, b in zip(host.log[column], device.log[column]):
            worst = max(worst, (abs(a - b) / scale if scale > 0 else abs(a - b), column))
    return worst


def beside(corral, label, case, folder, options, tolerance, by=apart, twice=False):
    """A line; False where logs are further apart than that, by how far and where `by` finds them, or where a second run on the
    device, if there is to be one, has other bits."""
    (host, on_host), (device, on_device) = (run_case(corral, case, folder / b, "--backend", b, *options) for b in ("cpu", "gpu"))
    same = not twice or device.log == run_case(corral, case, folder / "again", "--backend", "gpu", *options)[0].log
    most, column = by(host, device)
    print(f"{label:26} {on_host['steps']:5} {milliseconds(on_host):9.3f} {milliseconds(on_device):9.3f}  {most:.1e} ({column})"
          + ("" if same else "; OTHER BITS in a second run"), flush=True)
    return most < tolerance and same


def large(corral, case, folder, what, options=()):
    """Lines of a case that is many times as large: microseconds a step by phases, on the device and on the CPU."""
    for backend, steps in (("gpu", 100), ("cpu", 3)):
        _, summary = run_case(corral, case, folder / "large", "--backend", backend, *options, "--steps", str(steps))
        us = {name: 1e6 * seconds / steps for name, seconds in seconds_of_phases(summary).items()}
        print(f"{what} on the {backend}, microseconds a step: {sum(us.values()):.0f}; "
              + ", ".join(f"{name} {value:.0f}" for name, value in us.items()))
        tell_arrays(summary, backend)
    return True


def tell_arrays(summary, backend):
    print(f"  {summary['device_arrays_bytes' if backend == 'gpu' else 'arrays_bytes'] / 1e9:.2f} GB of arrays", flush=True)


def status_of(work):
    """0 where each of these calls, in turn, was content; a run that failed is told of, and the others go on."""
    good = True
    for one in work:
        try:
            good = one() and good
        except Failed as failed:
            print(failed, flush=True)
            good = False
    return 0 if good else 1


def main(about, cases, quiet, large_ones, twice=False):
    """The command CORRAL [--steps N] [--few]: lines of cases (label, case, keys), which have the keys `quiet`, too; then the calls
    large_ones(corral, folder), which take too long where a device is emulated. Returns the status."""
    parser = argparse.ArgumentParser(description=about)
    parser.add_argument("corral")
    parser.add_argument("--steps", default="40")
    parser.add_argument("--few", action="store_true", help="without what is large, for an emulated device")
    asked = parser.parse_args()
    print(HEADING)
    with tempfile.TemporaryDirectory(prefix="corral-") as name:
        folder = Path(name)
        work = [lambda label=label, case=case, keys=keys: beside(asked.corral, label, case, folder, ["--steps", asked.steps, *settings([*quiet, *keys])],
                                                                 1e-4 if "lattice.precision=float" in keys else 1e-6, twice=twice)
                for label, case, keys in cases]
        if not asked.few:
            work += [lambda one=one: one(asked.corral, folder) for one in large_ones]
        return status_of(work)
