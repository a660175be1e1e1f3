#!/usr/bin/env python3
"""Sentences that one can read aloud: prose.py REPOSITORY [PAGE]...

At most 25 words a sentence on the pages below; a code span is one word, of a link its text counts. Tables, headings and blocks
are left out. The README has at most 700 words in all."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
import markdown  # noqa: E402

MOST = 25
MOST_OF_README = 700
PAGES = ["README.md", "CONTRIBUTING.md", "docs/README.md", "docs/first_case.md", "docs/models.md", "docs/models/*.md",
         "docs/gpu_measured.md", "docs/own_driver.md", "docs/ranks.md", "distributed/README.md", "structure/README.md",
         "docs/validation/beds_at_rest.md", "docs/validation/cost.md", "docs/validation/gas.md", "docs/validation/limits.md"]


def words(sentence):
    return [w for w in sentence.split() if any(c.isalnum() for c in w)]


def check(repository, pages):
    problems = []
    for page in sorted(p for pattern in pages for p in repository.glob(pattern)):
        for number, sentence in markdown.sentences(page.read_text()):
            if len(words(sentence)) > MOST:
                problems.append(f"{page.relative_to(repository)}:{number}: {len(words(sentence))} words: {sentence}")
    length = len((repository / "README.md").read_text().split())
    if length > MOST_OF_README:
        problems.append(f"README.md: {length} words, of at most {MOST_OF_README}")
    return problems


if __name__ == "__main__":
    found = check(Path(sys.argv[1]), sys.argv[2:] or PAGES)
    print("\n".join(found) or "every sentence has at most 25 words")
    sys.exit(1 if found else 0)
