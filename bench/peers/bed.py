#!/usr/bin/env python3
"""corral beside MPPICFoam on Goldschmidt's bed: bed.py CORRAL FOLDER [--threads LIST] [--quick] [--json-file FILE]

Runs the tutorial lagrangian/MPPICFoam/Goldschmidt of Debian's openfoam-examples, copied into the folder, and
cases/goldschmidt, which has the same parcels, cells and time step, in turn and without output files. Both programs
start from the lattice at rest. Standard library only. docs/peers.md says what differs.
"""

import argparse
import gzip
import json
import os
import re
import resource
import shutil
import subprocess
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from measure import answer, markdown, median, milliseconds, provenance, ratio, thread_counts, times

REPOSITORY = Path(__file__).resolve().parents[2]
TUTORIAL = Path("/usr/share/doc/openfoam-examples/examples/lagrangian/MPPICFoam/Goldschmidt")
PROJECT = Path("/usr/share/openfoam")  # where Debian puts what WM_PROJECT_DIR names
DT = 2e-4  # s, the tutorial's


def environment():
    return {**os.environ, "WM_PROJECT_DIR": str(PROJECT)}


def missing(parallel=False):
    """What the comparison needs and doesn't find, in words; "" if nothing."""
    programs = ["blockMesh", "MPPICFoam"] + (["decomposePar", "mpirun"] if parallel else [])
    absent = [name for name in programs if not shutil.which(name)]
    absent += [str(path) for path in (TUTORIAL, PROJECT / "etc") if not path.exists()]
    return ", ".join(absent)


def with_entries(dictionary, entries):
    """The text of an OpenFOAM dictionary with other values for some of its entries."""
    for key, value in entries.items():
        dictionary, found = re.subn(rf"^(\s*){key}\s[^;]*;", rf"\g<1>{key} {value};", dictionary, flags=re.M)
        if found != 1:
            raise RuntimeError(f"the tutorial has {found} entries {key} (one was expected)")
    return dictionary


def copy_tutorial(folder, end, processes):
    """The tutorial, meshed, to run until `end` [s] without writing, decomposed along y where there are processes."""
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(TUTORIAL, folder)
    for packed in folder.rglob("*.gz"):  # as the package has what is large
        packed.with_suffix("").write_bytes(gzip.decompress(packed.read_bytes()))
        packed.unlink()
    control = folder / "system/controlDict"
    control.write_text(with_entries(control.read_text(), {"endTime": end, "deltaT": DT, "writeInterval": 1000}))
    programs = ["blockMesh"]
    if processes > 1:
        parts = folder / "system/decomposeParDict"
        parts.write_text(with_entries(parts.read_text(), {"numberOfSubdomains": processes,
                                                          "n": f"(1 {processes} 1)"}))
        programs.append("decomposePar")
    for program in programs:
        with (folder / f"log.{program}").open("w") as log:
            subprocess.run([program], cwd=folder, env=environment(), stdout=log, stderr=log, check=True)


def children_seconds():
    """Processor time of all programs run so far [s]."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


class StepClock:
    """Reads MPPICFoam's log line by line: when steps ended [s], and how many parcels there were at the last one."""

    def __init__(self):
        self.ends, self.parcels = [], 0

    def read(self, line, now):
        if line.startswith("ExecutionTime"):
            self.ends.append(now)
        elif found := re.match(r"\s*Current number of parcels\s*=\s*(\d+)", line):
            self.parcels = int(found[1])

    def seconds_per_step(self):
        """From the end of the first step on, so that reading the case does not count."""
        return (self.ends[-1] - self.ends[0]) / (len(self.ends) - 1)


def run_mppicfoam(folder, processes):
    command = ["MPPICFoam"]
    if processes > 1:
        as_root = ["--allow-run-as-root"] if os.geteuid() == 0 else []
        command = ["mpirun", *as_root, "-np", str(processes), "MPPICFoam", "-parallel"]
    clock = StepClock()
    with (folder / "log.MPPICFoam").open("w") as log, subprocess.Popen(
            command, cwd=folder, env=environment(), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as run:
        for line in run.stdout:
            clock.read(line, time.perf_counter())
            log.write(line)
    if run.returncode != 0 or len(clock.ends) < 2:
        raise RuntimeError(f"MPPICFoam failed with status {run.returncode}; see {folder}/log.MPPICFoam")
    return {"seconds": clock.seconds_per_step(), "steps": len(clock.ends), "parcels": clock.parcels}


def run_corral(corral, folder, end, threads):
    command = [corral, "run", REPOSITORY / "cases/goldschmidt", "--until", str(end), "--threads", str(threads),
               "--quiet", "--output", folder, "--overwrite"]
    for setting in (f"time.dt={DT} s", "time.step=fixed", f"output.log={end} s", "output.fields=0", "output.parcels=0"):
        command += ["--set", setting]
    subprocess.run(command, check=True)
    summary = json.loads((folder / "summary.json").read_text())
    return {"seconds": summary["stepping_seconds"] / summary["steps"], "steps": summary["steps"],
            "parcels": summary["parcels"]}


def measure_beds(corral, work, end, threads, repeats):
    """Both programs in turn, `repeats` times."""
    row = {"threads": threads, "end": end, "mppicfoam": [], "corral": [], "mppicfoam_cpu": [], "corral_cpu": []}
    runs = {"mppicfoam": lambda: run_mppicfoam(work / "mppicfoam", threads),
            "corral": lambda: run_corral(corral, work / "corral", end, threads)}
    copy_tutorial(work / "mppicfoam", end, threads)
    for _ in range(repeats):
        for name, run in runs.items():
            before = children_seconds()
            found = run()
            row[f"{name}_cpu"].append((children_seconds() - before) / found["steps"])
            row[name].append(found["seconds"])
            row[f"{name}_steps"], row[f"{name}_parcels"] = found["steps"], found["parcels"]
        print(f"goldschmidt, {threads} threads: {row['mppicfoam'][-1]:.4f} and {row['corral'][-1]:.4f} s a step",
              file=sys.stderr)
    return row


def table(rows):
    """A row for each number of threads and clock. Processes that wait for each other spin: of several, wall alone."""
    lines = []
    for row in rows:
        for clock, suffix in (("wall", ""), ("processor", "_cpu")):
            if suffix and row["threads"] > 1:
                continue
            pair = [row[f"{name}{suffix}"] for name in ("mppicfoam", "corral")]
            per_parcel = [f"{1e9 * median(seconds) / row[f'{name}_parcels']:.0f}"
                          for name, seconds in zip(("mppicfoam", "corral"), pair)]
            lines.append([str(row["threads"]), clock, *[milliseconds(seconds) for seconds in pair], *per_parcel,
                          times(ratio(*pair))])
    return markdown(["processes or threads", "time", "MPPICFoam ms a step", "corral ms a step",
                     "MPPICFoam ns a parcel and step", "corral ns", "ratio"], lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("corral", type=Path)
    parser.add_argument("work", type=Path)
    parser.add_argument("--threads", type=thread_counts, default=[1, 2])
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--json-file", type=Path)
    options = parser.parse_args()
    if lacks := missing():
        sys.exit(f"bed.py: MPPICFoam is left out, not found: {lacks} (Debian's openfoam and openfoam-examples)")
    version = answer("dpkg-query", "-W", "-f", "${Version}", "openfoam") or "unknown"
    heading = provenance(REPOSITORY, [f"openfoam {version} (Debian's package)"])
    end, repeats = (0.01, 1) if options.quick else (0.3, 3)
    work = options.work.resolve()
    work.mkdir(parents=True, exist_ok=True)
    counts = options.threads
    if max(counts) > 1 and (lacks := missing(parallel=True)):
        print(f"bed.py: one process alone, not found: {lacks}", file=sys.stderr)
        counts = [1]
    rows = [measure_beds(options.corral.resolve(), work, end, threads, repeats) for threads in counts]
    if options.json_file:
        options.json_file.write_text(json.dumps(rows, indent=1))
    parcels = " and ".join(f"{rows[0][f'{name}_parcels']:,}" for name in ("mppicfoam", "corral"))
    print(f"## MPPICFoam\n{heading}\n- Goldschmidt's bed, 675 cells, {rows[0]['corral_steps']} steps of {DT} s from "
          f"rest; parcels at the end {parcels}; {repeats} runs of each, in turn\n\n{table(rows)}")


if __name__ == "__main__":
    main()
