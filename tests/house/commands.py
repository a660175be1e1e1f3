#!/usr/bin/env python3
"""Types the commands of pages as a reader would: commands.py REPOSITORY [--corral FILE | --chroot FOLDER | --here] [PAGE...]

Every block ```sh of a page is run, in order, in one shell that starts in a checkout; the first command that fails ends it. A
block ```text right after it is what it prints: each of its lines has a line of the output with the same words, and numbers
within a twentieth; `...` stands for anything.

  --corral FILE    a copy of the checkout, with this command where a build would put it; what installs or builds is left
                   out and named, and so is what draws where no Python has matplotlib
  --chroot FOLDER  a bare Debian 12 root made in FOLDER, everything typed there; needs root and debootstrap: status 77
                   without them
  --here           as --chroot, in the checkout and on the machine as they are

Without PAGE: the README and all pages that a new user types from.
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
import markdown  # noqa: E402

PAGES = ["README.md", "cases/README.md", "docs/first_case.md", "docs/insitu.md", "docs/output.md", "docs/checkpoints.md",
         "docs/linking.md", "docs/own_driver.md"]
SKIPPED = 77  # ctest's SKIP_RETURN_CODE
BUILDS = re.compile(r"^\s*(tools/(packages|demo|test|watch|peers)|cmake)\b")
LEFT_BEHIND = re.compile(r"(^|/)(\.git|__pycache__)/|^cases/[^/]+/out")
DRAWS = re.compile(r"tools/(picture|plot)\b")
NUMBER = re.compile(r"-?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?")


def commands(block):
    """Whole commands of a block: lines that end in a backslash go on, and so do here-documents."""
    found, open_until = [], None
    for line in block.rstrip("\n").split("\n"):
        if open_until is not None or found and found[-1].endswith("\\"):
            found[-1] += "\n" + line
            if line == open_until:
                open_until = None
        else:
            found.append(line)
        if here := re.search(r"<<'?(\w+)'?", line):
            open_until = here[1]
    return [c for c in found if c.strip()]


def blocks(page):
    """(line, block, expected lines) of a page."""
    text = page.read_text()
    fences = [(m.start(), m.end(), m[1], m[2]) for m in markdown.FENCE.finditer(text)]
    for k, (start, end, kind, block) in enumerate(fences):
        if kind != "sh":
            continue
        after = fences[k + 1] if k + 1 < len(fences) else None
        expected = after[3].split("\n") if after and after[2] == "text" and not text[end:after[0]].strip() else []
        yield text[:start].count("\n") + 2, block, [line for line in expected if line.strip() not in ("", "...")]


def same(expected, printed):
    """Words alike, numbers within a twentieth."""
    def words(line):
        return NUMBER.sub("#", line).split()

    if words(expected) != words(printed):
        return False
    pairs = zip(NUMBER.findall(expected), NUMBER.findall(printed))
    return all(abs(float(a) - float(b)) <= 0.05 * abs(float(a)) for a, b in pairs)


def python_that_draws():
    for python in (sys.executable, "/usr/bin/python3"):
        if subprocess.run([python, "-c", "import matplotlib"], capture_output=True).returncode == 0:
            return python
    return None


class Machine:
    """Where commands are typed: `enter` is what a shell's command line begins with."""

    def __init__(self, checkout, home, enter=(), leave_out=lambda command: None, environment=None):
        self.checkout, self.enter, self.leave_out = checkout, list(enter), leave_out
        self.environment = {"HOME": home, "PATH": "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin", "TERM": "dumb",
                            "LANG": "C.UTF-8"} | (environment or {})

    def type_page(self, page):
        """False where a command fails or prints something else than the page says."""
        text = [f"cd '{self.checkout}'", "set -e -o pipefail"]
        parts = []
        for line, block, expected in blocks(page):
            parts.append((line, expected))
            text.append(f"printf '\\n@@ {len(parts) - 1}\\n'")
            for command in commands(block):
                if why := self.leave_out(command):
                    text.append(f"echo '{page.name}: left out ({why}): '{quoted(command.splitlines()[0])}")
                else:
                    text += [f"echo {quoted('$ ' + command)}", command]
        run = subprocess.Popen([*self.enter, "bash", "-c", "\n".join(text)], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                               stdin=subprocess.DEVNULL, text=True, env=self.environment, errors="replace")
        printed = {}
        for line in run.stdout:
            if mark := re.match(r"@@ (\d+)$", line):
                part = printed.setdefault(int(mark[1]), [])
            elif printed:
                part.append(line.rstrip("\n"))
                print(line, end="", flush=True)
        where = f"{page}:{parts[max(printed)][0]}" if printed else str(page)
        if run.wait():
            print(f"\n{where}: a command ended with status {run.returncode}")
            return False
        for k, (line, expected) in enumerate(parts):
            for wanted in expected:
                if not any(same(wanted, got) for got in printed[k]):
                    print(f"\n{page}:{line}: nothing printed is like '{wanted}'")
                    return False
        return True


def quoted(text):
    return "'" + text.replace("'", "'\\''") + "'"


def files_of(repository):
    """Those that git tracks or would; where there is no git, or no history, all but what builds and runs leave."""
    if shutil.which("git") and (repository / ".git").exists():
        listed = subprocess.run(["git", "-C", repository, "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
                                capture_output=True, check=True).stdout.decode().split("\0")
        return list(filter(None, listed))
    names = (path.relative_to(repository) for path in repository.rglob("*") if path.is_file() or path.is_symlink())
    return [str(name) for name in names if name.parts[0] != "build" and not LEFT_BEHIND.search(str(name))]


def copied(repository, folder):
    """The files of a checkout, without their history."""
    for name in files_of(repository):
        if not (repository / name).exists():
            continue
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(repository / name, folder / name, follow_symlinks=False)


def with_a_command(repository, corral, folder):
    checkout = folder / "corral"
    copied(repository, checkout)
    (checkout / "build/cpu/app").mkdir(parents=True)
    (checkout / "build/cpu/app/corral").symlink_to(corral.resolve())
    (folder / "home").mkdir()
    python, bin_folder = python_that_draws(), folder / "bin"
    bin_folder.mkdir()
    (bin_folder / "python3").symlink_to(python or sys.executable)

    def leave_out(command):
        if BUILDS.search(command):
            return "it installs or builds"
        return "no Python here has matplotlib" if DRAWS.search(command) and not python else None

    path = f"{bin_folder}:/usr/local/bin:/usr/bin:/bin"
    return Machine(checkout, str(folder / "home"), leave_out=leave_out, environment={"PATH": path})


def bare_root(repository, root):
    if os.geteuid() != 0 or not shutil.which("debootstrap") or not shutil.which("chroot"):
        print("a bare root needs root, debootstrap and chroot: skipped")
        sys.exit(SKIPPED)
    if not (root / "etc/debian_version").exists():
        subprocess.run(["debootstrap", "--variant=minbase", "bookworm", root], check=True)
    checkout = root / "srv/corral"
    shutil.rmtree(checkout, ignore_errors=True)
    copied(repository, checkout)
    shutil.copy("/etc/resolv.conf", root / "etc/resolv.conf")
    proxies = {k: v for k, v in os.environ.items() if k.lower().endswith("_proxy")}
    enter = ["unshare", "--mount", "--pid", "--fork", f"--mount-proc={root}/proc", "chroot", root]
    return Machine("/srv/corral", "/srv", enter, environment=proxies)


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("repository", type=Path)
    arguments.add_argument("--corral", type=Path)
    arguments.add_argument("--chroot", type=Path)
    arguments.add_argument("--here", action="store_true")
    arguments.add_argument("pages", nargs="*", default=PAGES)
    told = arguments.parse_intermixed_args()
    repository = told.repository.resolve()
    with tempfile.TemporaryDirectory() as temporary:
        if told.chroot:
            machine = bare_root(repository, told.chroot.resolve())
        elif told.corral:
            machine = with_a_command(repository, told.corral, Path(temporary))
        elif told.here:
            machine = Machine(repository, os.environ.get("HOME", "/"), environment=dict(os.environ))
        else:
            arguments.error("one of --corral, --chroot, --here")
        for page in told.pages:
            print(f"\n=== {page}", flush=True)
            if not machine.type_page(repository / page):
                sys.exit(1)


if __name__ == "__main__":
    main()
