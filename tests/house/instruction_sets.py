#!/usr/bin/env python3
"""Checks what is compiled once per instruction set: instruction_sets.py REPOSITORY BUILD

A function that g++ compiles without a set's target takes and gives registers in another way than one that has it, and
nothing shows until it is called instead of inlined: sums are then wrong in unoptimised builds alone. So every function
of a set's namespace has the target, and no other one is given a structure by them. What g++ made of the sources is read
from its own account of them, without optimisation and for AVX2 alone. With THOROUGH=1 all files are looked at, else two
that read nearly every header there is.
"""

import json
import os
import re
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

SET = "N_AVX2::"
AVX2_ALONE = "-DHWY_BROKEN_TARGETS=(HWY_SSSE3|HWY_SSE4|HWY_AVX3|HWY_AVX3_DL)"
THOROUGH = os.environ.get("THOROUGH") == "1"
FEW = ("engine/cpu/stencils/stencils.cpp", "fluid/spectral/transformer.cpp")
LEAST_FILES = 10 if THOROUGH else len(FEW) # of the engine and the fluid


def sources(repository, build):
    """(path, command) of each file that Highway includes once per set."""
    for entry in json.loads((build / "compile_commands.json").read_text()):
        path = Path(entry["directory"], entry["file"])
        if path.is_relative_to(repository) and "define HWY_TARGET_INCLUDE" in path.read_text():
            if not THOROUGH and str(path.relative_to(repository)) not in FEW:
                continue
            yield path.relative_to(repository), entry


def account(entry, folder):
    """What g++ says, and writes, of a file."""
    words = shlex.split(entry["command"])
    while "ccache" in words[0]:
        words.pop(0)
    words[words.index("-o") + 1] = str(folder / "assembly")
    words[words.index("-c")] = "-S"
    written = folder / "account"
    done = subprocess.run(words + ["-O0", AVX2_ALONE, f"-fdump-tree-gimple={written}"], cwd=entry["directory"],
                          capture_output=True, text=True)
    if done.returncode:
        sys.exit(done.stderr)
    return done.stderr, written.read_text(errors="replace").splitlines()


def functions(lines):
    """(has the target, declaration, body) of every function: attributes and declaration begin lines, a body is braced."""
    target, declaration, body = False, "", None
    for line in lines:
        if line == "{":
            body = []
        elif line == "}":
            yield target, declaration, body
            target, body = False, None
        elif body is not None:
            body.append(line)
        elif line.startswith("__attribute__"):
            target = "target (" in line
        elif line.strip():
            declaration = line


def bare(text):
    """Without what stands in angle brackets or parentheses."""
    text = re.sub(r"operator(<<|>>|<=>|<=|>=|->|<|>)", "operator_", text)
    while (shorter := re.sub(r"<[^<>]*>|\([^()]*\)", "", text)) != text:
        text = shorter
    return text


def name_of(declaration):
    return bare(declaration).split()[-1]


def written_by_the_compiler(name):
    """Constructors and destructors, which then set no registers."""
    return re.search(r"(\w+)::~?\1$", name)


def complaints(lines):
    all_functions = list(functions(lines))
    giving = {name_of(d) for target, d, _ in all_functions
              if target and re.match(r"(const )?(struct|__m)[^&*]*$", bare(d))}
    for target, declaration, body in all_functions:
        name = name_of(declaration)
        if target:
            continue
        if SET in name and not written_by_the_compiler(name):
            yield f"{name} lacks the target (say HWY_ATTR where it is declared)"
            continue
        for call in body:
            if SET in call and (found := re.search(r"= (\S+)", bare(call))) and found[1].rstrip(";") in giving:
                yield f"{name} lacks the target, and is given what {found[1].rstrip(';')} returns (say HWY_ATTR)"


def main(repository, build):
    found, files, looked_at = set(), 0, 0
    for path, entry in sources(repository.resolve(), build.resolve()):
        with tempfile.TemporaryDirectory() as folder:
            said, lines = account(entry, Path(folder))
        files += 1
        looked_at += sum(target and SET in d for target, d, _ in functions(lines))
        found |= {f"{path}: {text}" for text in complaints(lines)}
        found |= {f"{path}: {line}" for line in said.splitlines() if "the ABI for passing parameters" in line}
    if files < LEAST_FILES or looked_at < 100 * files:
        found.add(f"only {looked_at} functions in {files} files were found to have the target (is this g++ for x86-64?)")
    print("\n".join(sorted(found)) or f"{looked_at} functions in {files} files have their target")
    return bool(found)


sys.exit(main(*map(Path, sys.argv[1:])))
