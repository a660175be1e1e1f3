"""Pages in their parts: what the tests of pages share."""

import re

FENCE = re.compile(r"^```(\S*)[^\n]*\n(.*?)^```", re.DOTALL | re.MULTILINE)
SPAN = re.compile(r"`([^`]+)`")


def blocks(text, kind):
    """Fenced blocks of a kind, each with the line it begins on."""
    return [(text[: m.start()].count("\n") + 2, m[2]) for m in FENCE.finditer(text) if m[1] == kind]


def without_blocks(text):
    """The text with its fenced and indented blocks emptied, line by line as it was."""
    text = FENCE.sub(lambda m: "\n" * m[0].count("\n"), text)
    lines, before = [], ""
    for line in text.split("\n"):
        code = line.startswith("    ") and (not before.strip() or before.startswith("    "))
        lines.append("" if code else line)
        before = line if line.strip() or not before.startswith("    ") else before
    return "\n".join(lines)


def spans(text):
    """Code spans of the prose, each with its line; a span may be broken over two lines."""
    text = without_blocks(text)
    return [(text[: m.start()].count("\n") + 1, re.sub(r"\s+", " ", m[1])) for m in SPAN.finditer(text)]


def rows(text, first):
    """Cells of the rows of tables whose first column is called `first`, each with its line."""
    found, inside = [], False
    for number, line in enumerate(text.split("\n"), 1):
        if not line.startswith("|"):
            inside = False
            continue
        cells = [c.strip().replace("\\|", "|") for c in re.split(r"(?<!\\)\|", line.strip().strip("|"))]
        if not inside:
            inside = cells[0] == first
        elif not set(cells[0]) <= set("-: "):
            found.append((number, cells))
    return found


def sentences(text):
    """Sentences of the prose and of list items, each with its line; tables and headings have none."""
    text = without_blocks(text)
    text = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", text)
    text = SPAN.sub("Code", text)  # which may begin a sentence
    paragraph, start, found = [], 0, []

    def close():
        whole = " ".join(paragraph)
        for part in re.split(r"(?<=[.:!?])\s+(?=[A-Z*`\"'(])", whole):
            found.append((start, part))
        paragraph.clear()

    for number, line in enumerate(text.split("\n"), 1):
        item = re.match(r"\s*(?:[-*]|\d+\.)\s+", line)
        if not line.strip() or line.startswith(("#", "|", "<")) or item:
            close()
        if line.startswith(("#", "|", "<")) or not line.strip():
            continue
        if not paragraph:
            start = number
        paragraph.append(line[item.end():] if item else line.strip())
    close()
    return [(number, s) for number, s in found if s.strip()]
