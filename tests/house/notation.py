#!/usr/bin/env python3
"""One symbol, one meaning, over all pages of the gas-solid model: notation.py REPOSITORY

docs/models/symbols.md lists every symbol. Equations stand in blocks ```eq, symbols of the prose between backticks. Each of
their names is a symbol or operator of that page, or a key, a column, a file or a constant that exists. `x = ...` defines x
and reads the same wherever it stands; `x <- ...` replaces a value."""

import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
import markdown  # noqa: E402

NUMBER = re.compile(r"(?<![A-Za-z0-9_.])(?:\d+\.?\d*|\.\d+)(?:e-?\d+)?")
KEY = re.compile(r"(?<![\w.])[a-z]+(?:\.[a-zA-Z]+)?\.[a-z_]+(?![\w.])")
NAME = re.compile(r"(?<![A-Za-z0-9_])[A-Za-z][A-Za-z0-9_]*'?")
DEFINITION = re.compile(r"(?:^|,\s\s+)([A-Za-z]\w*'?)\s=\s(.*?)(?=,\s\s+[A-Za-z]\w*'?\s=\s|$)")
COMMANDS = {"run", "resume", "check", "describe", "info", "bench", "corral"}


class Words:
    """What code spans may say beside symbols, from the pages and sources that own it."""

    def __init__(self, repository):
        self.repository = repository
        manual = (repository / "docs/case_file.md").read_text()
        self.keys, section = set(), ""
        for line in manual.split("\n"):
            if m := re.match(r"\[([a-z]+)(?:\.\*)?\]", line):
                section = m[1]
            elif m := re.match(r"  ([a-z_]+)\s", line):
                self.keys.add((section, m[1]))
        self.values = set(re.findall(r"[a-z_]{2,}", " ".join(re.findall(r"\(([a-z_,\s]+)\)", manual))))
        columns = re.findall(r"^\| ([a-z_0-9, ]+?) \|", (repository / "docs/output.md").read_text(), re.MULTILINE)
        self.columns = set(re.findall(r"[a-z_0-9]+", " ".join(columns)))
        sources = [p.read_text() for p in (repository / "mppic").rglob("*.?pp")]
        self.constants = set(re.findall(r"constexpr \w+ (\w+) =", "\n".join(sources)))

    def key(self, text):
        names = text.split(".")
        return (names[0], names[-1]) in self.keys

    def file(self, text):
        first = text.split()[0]
        return "/" in first and re.fullmatch(r"[\w./-]+", first) and (self.repository / first).exists()

    def known(self, name):
        short = name in {k for _, k in self.keys}
        return short or name in self.values | self.columns | self.constants | COMMANDS


def read_table(repository, problems):
    """Symbols with their pages, and operators."""
    page = repository / "docs/models/symbols.md"
    text, symbols = page.read_text(), {}
    for number, cells in markdown.rows(text, "symbol"):
        where = f"docs/models/symbols.md:{number}"
        if len(cells) != 4 or not all(cells):
            problems.append(f"{where}: a row is symbol, meaning, unit, page")
            continue
        for symbol in markdown.SPAN.findall(cells[0]):
            if symbol in symbols:
                problems.append(f"{where}: {symbol} stands in the table twice")
            symbols[symbol] = cells[3]
    operators = {o for _, cells in markdown.rows(text, "operator") for o in markdown.SPAN.findall(cells[0])}
    return symbols, {name for o in operators for name in NAME.findall(o)}


def names_of(text):
    return NAME.findall(NUMBER.sub(" ", KEY.sub(" ", text)))


def parts_of(name):
    """A name, and the vector that it is a component of."""
    return {name, name[:-2]} if name.endswith("_i") else {name}


def check(repository):
    problems = []
    symbols, operators = read_table(repository, problems)
    words, used, defined = Words(repository), {}, {}
    listed = ["docs/models.md", "docs/validation/gas.md", "docs/validation/beds_at_rest.md", "docs/validation/limits.md"]
    pages = [repository / p for p in listed] + sorted((repository / "docs/models").glob("*.md"))
    for page in pages:
        if page.name in ("symbols.md", "references.md"):
            continue
        text, where = page.read_text(), page.relative_to(repository)

        def look(number, content, others):
            for key in KEY.findall(content):
                if not words.key(key):
                    problems.append(f"{where}:{number}: {key} is no key of a case file")
            for name in names_of(content):
                known = parts_of(name) & symbols.keys()
                for symbol in known:
                    used.setdefault(symbol, set()).add(page.stem)
                if not known and name not in operators and not others(name):
                    problems.append(f"{where}:{number}: {name} is not in docs/models/symbols.md")

        for first, block in markdown.blocks(text, "eq"):
            for number, line in enumerate(block.split("\n"), first):
                equation = line.split(" # ")[0].strip()
                look(number, equation, lambda name: name in words.columns)
                for symbol, right in DEFINITION.findall(equation):
                    right = re.sub(r"\s+", " ", right).strip()
                    before = defined.setdefault(symbol, (right, f"{where}:{number}"))
                    if before[0] != right:
                        problems.append(f"{where}:{number}: {symbol} = {right}, but {before[0]} in {before[1]}")
        for number, span in markdown.spans(text):
            if not (words.file(span) or span.startswith(("--", "["))):
                look(number, span, words.known)
        prose = markdown.SPAN.sub(" ", markdown.without_blocks(re.sub(r"\]\([^)]*\)", "]", text)))
        bare = {s for s in symbols if "_" in s or len(s) > 2 and s not in WORDS_TOO}
        for number, line in enumerate(prose.split("\n"), 1):
            for name in set(NAME.findall(re.sub(r"\[[^\]]*\]", " ", line))) & bare:
                problems.append(f"{where}:{number}: {name} stands without backticks")
    for symbol, page in sorted(symbols.items()):
        if symbol not in used:
            problems.append(f"docs/models/symbols.md: {symbol} is used nowhere")
        elif page not in used[symbol]:
            problems.append(f"docs/models/symbols.md: {symbol} is not used on the page {page}")
    return problems


# Symbols that are words, too: the prose may use them as such.
WORDS_TOO = set("""depth ratio crossed unpacked ripple overfull fallen excess spare over loose room released even lies lift
lost heat supply rubbed blown loosened creep out share""".split())

if __name__ == "__main__":
    found = check(Path(sys.argv[1]))
    print("\n".join(found) or "in agreement")
    sys.exit(1 if found else 0)
