#!/usr/bin/env python3
"""Checks that documents agree with the code: documents.py REPOSITORY example|links|manual [CORRAL]"""

import re
import subprocess
import sys
from pathlib import Path


def example(repository):
    """The README's snippets are lines of examples/engine_in_your_code.cpp and of a shipped case, in their order."""
    text, problems = (repository / "README.md").read_text(), []
    for kind, source in [("cpp", "examples/engine_in_your_code.cpp"), ("ini", "cases/goldschmidt/case.ini")]:
        snippet = re.search(rf"```{kind}\n(.*?)```", text, re.DOTALL)
        if not snippet:
            problems.append(f"README.md: no block of {kind}")
            continue
        lines = iter(line.strip() for line in (repository / source).read_text().split("\n"))
        for line in snippet[1].strip().split("\n"):
            if line.strip() not in lines:  # goes on where the last line was found
                problems.append(f"README.md: '{line}' is not in {source}, or not after the line before")
                break
    return problems


def anchors(page):
    """What headings of a page are called in links."""
    headings = re.findall(r"^#+\s+(.*?)\s*$", re.sub(r"```.*?```", "", page.read_text(), flags=re.DOTALL), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def links(repository):
    """Every relative link of a document leads to a file, and to a heading where it names one."""
    folders = [p for p in repository.iterdir() if p.is_dir() and not p.name.startswith((".", "build"))]
    files = list(repository.glob("*.md")) + [file for folder in folders for file in folder.rglob("*.md")]
    problems = []
    for file in sorted(files):
        text = re.sub(r"```.*?```", "", file.read_text(), flags=re.DOTALL)
        for target, heading in re.findall(r"\]\(([^)#\s]*)(?:#([^)\s]+))?", text):
            if "://" in target:
                continue
            page = file.parent / target if target else file
            if not page.exists():
                problems.append(f"{file.relative_to(repository)}: {target} does not exist")
            elif heading and page.suffix == ".md" and heading not in anchors(page):
                problems.append(f"{file.relative_to(repository)}: {target} has no heading #{heading}")
    return problems


def manual(repository, corral):
    """docs/case_file.md is what tools/manual prints."""
    printed = subprocess.run([repository / "tools/manual", corral], capture_output=True, text=True, check=True).stdout
    same = (repository / "docs/case_file.md").read_text() == printed
    return [] if same else ["docs/case_file.md: out of date (tools/manual CORRAL > docs/case_file.md)"]


if __name__ == "__main__":
    problems = {"example": example, "links": links, "manual": manual}[sys.argv[2]](Path(sys.argv[1]), *sys.argv[3:])
    print("\n".join(problems) or "in agreement")
    sys.exit(1 if problems else 0)
