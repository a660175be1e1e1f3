#!/usr/bin/env python3
"""Both sides of every equation have one unit, and so have the terms of every sum: units.py REPOSITORY

Reads the blocks ```eq of the gas-solid model's pages with the units of docs/models/symbols.md. Names that stand side by side
are a product; a / divides by the next factor alone. 0 has any unit. A statement with a key of a
case file in it is passed over."""

import re
import sys
from fractions import Fraction
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
import markdown  # noqa: E402

# Powers of m, kg, s, K.
BASE = {"m": (1, 0, 0, 0), "kg": (0, 1, 0, 0), "s": (0, 0, 1, 0), "K": (0, 0, 0, 1), "Pa": (-1, 1, -2, 0),
        "N": (1, 1, -2, 0), "rad": (0, 0, 0, 0), "J": (2, 1, -2, 0), "W": (2, 1, -3, 0)}
NONE = (0, 0, 0, 0)
ANY = None  # of 0
OPERATORS = {"grad": (-1, 0, 0, 0), "div": (-1, 0, 0, 0), "lap": (-2, 0, 0, 0), "d_n": (-1, 0, 0, 0), "d_t": (0, 0, -1, 0)}
LIKE_ITS_VALUE = {"smooth", "mean", "transpose", "max_f", "sum_p", "sum_c", "sum_f", "sum_i", "sum_k"}
ALIKE = {"max", "min", "clamp"}
PURE = {"exp", "atan", "ceil"}
TOKEN = re.compile(r"""\s*(?:(?P<number>(?:\d+\.?\d*|\.\d+)(?:e-?\d+)?)
    |(?P<name>[A-Za-z]\w*'?)(?P<index>,i\b|\[(?:k|k\+1|n)\])?(?P<call>\()?
    |(?P<sign>[-+*/^()\[\],|:<>]|\.(?=\s))(?P<tail>_\w+)?)""", re.VERBOSE)


class Mismatch(Exception):
    pass


class Unknown(Exception):
    pass


def times(a, b, power=1):
    if a is ANY or b is ANY:
        return ANY
    return tuple(x + power * y for x, y in zip(a, b))


def raised(a, power):
    return ANY if a is ANY else tuple(power * x for x in a)


def same(a, b, what):
    if a is not ANY and b is not ANY and a != b:
        raise Mismatch(f"{text_of(a)} and {text_of(b)} in {what}")
    return b if a is ANY else a


def text_of(unit):
    powers = [f"{n}^{p}" if p != 1 else n for n, p in zip(("m", "kg", "s", "K"), unit) if p]
    return " ".join(powers) or "-"


class Parser:
    """Recursive descent over one side of a statement."""

    def __init__(self, text, units):
        self.text, self.units, self.at, self.tokens = text, units, 0, []
        position = 0
        while position < len(text.rstrip()):
            m = TOKEN.match(text, position)
            if not m:
                raise Unknown(f"cannot read '{text[position:]}'")
            self.tokens.append(m)
            position = m.end()
        self.absolute = 0

    def sign(self):
        return self.tokens[self.at]["sign"] if self.at < len(self.tokens) else None

    def take(self, sign):
        if self.sign() != sign:
            raise Unknown(f"'{sign}' expected in '{self.text}'")
        self.at += 1

    def whole(self):
        unit = self.sum()
        if self.at < len(self.tokens):
            raise Unknown(f"'{self.text}' goes on after a value")
        return unit

    def sum(self):
        if self.sign() in ("-", "+"):
            self.at += 1
        unit = self.product()
        while self.sign() in ("-", "+"):
            self.at += 1
            unit = same(unit, self.product(), f"a sum of '{self.text}'")
        return unit

    def begins_factor(self):
        if self.at >= len(self.tokens):
            return False
        token = self.tokens[self.at]
        opens_absolute = token["sign"] == "|" and not self.absolute
        return bool(token["number"] or token["name"] or token["sign"] in ("(", "[", "<") or opens_absolute)

    def product(self):
        unit = self.power()
        while True:
            if self.sign() in ("*", ":", "."):
                self.at += 1
                unit = times(unit, self.power())
            elif self.sign() == "/":
                self.at += 1
                unit = times(unit, self.power(), -1)
            elif self.begins_factor():
                unit = times(unit, self.power())
            else:
                return unit

    def power(self):
        unit = self.factor()
        while self.sign() == "^":
            self.at += 1
            unit = raised(unit, self.exponent(unit))
        return unit

    def exponent(self, base):
        sign = 1
        if self.sign() == "-":
            self.at += 1
            sign = -1
        token = self.tokens[self.at]
        if token["number"]:
            self.at += 1
            return sign * Fraction(token["number"])
        first = self.at
        same(self.factor(), NONE, f"an exponent of '{self.text}'")
        written = "".join(t[0] for t in self.tokens[first:self.at]).strip("() ")
        if fraction := re.fullmatch(r"(\d+)/(\d+)", written):
            return sign * Fraction(int(fraction[1]), int(fraction[2]))
        same(base, NONE, f"a power of '{self.text}'")
        return 1

    def factor(self):
        if self.at == len(self.tokens):
            raise Unknown(f"a value expected in '{self.text}'")
        token = self.tokens[self.at]
        self.at += 1
        if token["number"]:
            return ANY if float(token["number"]) == 0 else NONE
        if token["name"]:
            return self.named(token)
        close = {"(": ")", "[": "]", "<": ">"}.get(token["sign"])
        if close:
            unit = self.sum()
            self.take(close)
            return times(unit, (-3, 0, 0, 0)) if close == ">" else unit  # spread: per volume
        if token["sign"] == "|":
            self.absolute += 1
            unit = self.sum()
            self.take("|")
            self.absolute -= 1
            return unit
        raise Unknown(f"a value expected in '{self.text}'")

    def named(self, token):
        name = token["name"]
        arguments = []
        if token["call"]:
            absolute, self.absolute = self.absolute, 0
            arguments.append(self.sum())
            while self.sign() == ",":
                self.at += 1
                arguments.append(self.sum())
            self.take(")")
            self.absolute = absolute
        if name in ALIKE | PURE | {"sqrt"} and not arguments:
            raise Unknown(f"{name} without a bracket")
        if name in ALIKE:
            unit = arguments[0]
            for argument in arguments[1:]:
                unit = same(unit, argument, f"{name} of '{self.text}'")
            return unit
        if name in PURE:
            return same(arguments[0], NONE, f"{name} of '{self.text}'")
        if name == "sqrt":
            return raised(arguments[0], Fraction(1, 2))
        if name in OPERATORS or name in LIKE_ITS_VALUE:
            return times(OPERATORS.get(name, NONE), arguments[0] if arguments else NONE)
        for known in (name, name[:-2] if name.endswith("_i") else name):
            if known in self.units:
                return self.units[known]
        raise Unknown(f"{name} has no unit")


def unit_of(text):
    """Of a cell of the table: kg/(m3 s), 1/s, -."""
    if text == "-":
        return NONE
    unit, power = NONE, 1
    for word in re.findall(r"/|\(|\)|[A-Za-z]+\d?|1", text):
        if word == "/":
            power = -1
        elif word not in ("(", ")", "1"):
            name = re.fullmatch(r"([A-Za-z]+)(\d?)", word)
            unit = times(unit, BASE[name[1]], power * int(name[2] or 1))
    return unit


def read_units(page):
    units = {}
    for _, cells in markdown.rows(page.read_text(), "symbol"):
        symbols, said = markdown.SPAN.findall(cells[0]), [unit_of(u.strip()) for u in cells[2].split(",")]
        units |= dict(zip(symbols, said if len(said) == len(symbols) else said * len(symbols)))
    return units


def read_columns(page):
    """Columns of output files that have a unit: equations may name them."""
    units = {}
    for _, cells in markdown.rows(page.read_text(), "column"):
        if re.fullmatch(r"[\w/() ]*", cells[1]):
            units |= {name.strip(): unit_of(cells[1] or "-") for name in cells[0].split(",")}
    return units


def statements(block, first):
    """(line, statement): a line that begins with a blank goes on with the one before; `,   ` parts two."""
    joined = []
    for number, line in enumerate(block.rstrip("\n").split("\n"), first):
        line = line.split(" # ")[0].rstrip()
        if line.startswith(" ") and joined:
            joined[-1] = (joined[-1][0], joined[-1][1] + " " + line.strip())
        elif line:
            joined.append((number, line))
    return [(number, part.strip()) for number, line in joined for part in re.split(r",\s\s+", line)]


def check(repository):
    units = read_columns(repository / "docs/output.md") | read_units(repository / "docs/models/symbols.md")
    problems, compared, passed = [], 0, []
    for page in [repository / "docs/models.md", *sorted((repository / "docs/models").glob("*.md"))]:
        for first, block in markdown.blocks(page.read_text(), "eq"):
            for number, statement in statements(block, first):
                where = f"{page.relative_to(repository)}:{number}"
                sides = re.split(r"\s(?:<-|<=|>=|=)(?:\s|$)", statement)
                try:
                    found = [Parser(side, units).whole() for side in sides if side.strip()]
                    for unit in found[1:]:
                        same(found[0], unit, f"'{statement}'")
                    compared += len(found) > 1
                except Mismatch as problem:
                    problems.append(f"{where}: {problem}")
                except Unknown as reason:
                    passed.append(f"{where}: {reason}")
    return problems, compared, passed


if __name__ == "__main__":
    found, compared, passed = check(Path(sys.argv[1]))
    for line in passed:
        print(f"passed over: {line}")
    print("\n".join(found) or f"{compared} equations agree in their units")
    sys.exit(1 if found or compared < 100 else 0)
