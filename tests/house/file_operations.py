#!/usr/bin/env python3
"""Checks that app/ does to files only what tests can make fail: file_operations.py REPOSITORY

All goes through app/system/system_calls.cpp, and tests/cases/resume/fail_at.c catches what is called there.
"""

import re
import sys
from pathlib import Path

SEAM = "app/system/system_calls.cpp"
CATCHER = "tests/cases/resume/fail_at.c"

# Calls of the C library, of C++ streams and of std::filesystem that open or change files.
SYSTEM = ("open|openat|creat|close|write|pwrite|writev|pwritev|sendfile|copy_file_range|ftruncate|truncate|fsync|fdatasync"
          "|syncfs|sync|rename|renameat|unlink|unlinkat|remove|link|linkat|symlink|mkdir|mkdirat|rmdir|mkstemp|mkdtemp|chmod"
          "|fchmod|mknod|fallocate|posix_fallocate|utimensat")
FILESYSTEM = (r"create_\w+|copy\w*|rename|remove\w*|resize_file|permissions|last_write_time")
FORBIDDEN = [
    rf"(?<![\w>.:])::({SYSTEM})\s*\(",
    rf"\bstd::(rename|remove|tmpfile|fopen|freopen)\s*\(",
    rf"\b(?:fs|filesystem)::({FILESYSTEM})\s*\(",
    r"(?<![\w:.>])(fopen|freopen|fdopen|tmpfile)\s*\(",
    r"\bstd::(ofstream|fstream|filebuf|basic_ofstream)\b",
]

# With the reason why no test has to make it fail.
EXCEPTIONS = {
    "app/system/system_calls.hpp": {"close"},  # of files that were read, or whose failure has been said
    "app/system/process.cpp": {"open"},  # /dev/null, before all else
    "app/insitu/catalyst/surroundings.cpp": {"open", "close"},  # /dev/null, within a plug-in
}

# Of the seam: they read, or are made of others.
HARMLESS = {"pread", "move", "lstat", "fstat"}


def complaints(path, text):
    found = []
    for number, line in enumerate(text.splitlines(), 1):
        code = re.sub(r'"(\\.|[^"\\])*"', '""', line.split("//")[0])
        for pattern in FORBIDDEN:
            for call in re.finditer(pattern, code):
                if call[1] not in EXCEPTIONS.get(path, ()):
                    found.append(f"{path}:{number}: {call[0].strip()} (files are changed through {SEAM} alone)")
    return found


def not_caught(seam, catcher):
    called = set(re.findall(r"(?<![\w>.:])(?:::|std::)(\w+)\(", seam)) - HARMLESS
    assert {"open", "close", "pwrite", "fsync", "rename"} <= called, called
    caught = set(re.findall(r"^\w+ (\w+)\(.*\{", catcher, re.MULTILINE))
    return [f"{SEAM}: {name} is called (no test makes it fail: {CATCHER})" for name in sorted(called - caught)]


# Breaches that the rules must find, and lines that they must let pass.
PLANTED = [
    "  Descriptor file(::open(path.c_str(), O_RDWR));",
    "  if (::rename(a, b) != 0) return;",
    "  std::remove(path.c_str());",
    "  fs::create_directories(path_, code);",
    "  std::filesystem::rename(part, whole);",
    "  fs::remove_all(path);",
    "  std::ofstream out(file);",
    "  FILE* f = fopen(name, mode);",
    "  if (x) ::unlink(path_.c_str());",
]
ALLOWED = [
    "  if (const int code = system_calls::open(file, path, O_RDONLY)) fail(path, code);",
    "  require(whole, system_calls::rename(part, whole));",
    "  void Json::open(char bracket) {",
    "  std::ifstream in(file);",
    "  // unlike ::open(",
    "  file.close();",
    "  fs::exists(path)",
    "  plugin_->open(&request, why.data());",
]


def main(repository):
    for line in PLANTED:
        assert complaints("app/a.cpp", line), f"the rules let pass: {line}"
    for line in ALLOWED:
        assert not complaints("app/a.cpp", line), complaints("app/a.cpp", line)
    assert not_caught("::open( ::close( ::pwrite( ::fsync( std::rename( ::swab(", "")
    files = [p for p in sorted((repository / "app").rglob("*")) if p.suffix in {".cpp", ".hpp", ".h"}]
    assert len(files) > 60, f"{len(files)} source files found in {repository}/app: is this the repository?"
    found = [said for file in files if (path := file.relative_to(repository).as_posix()) != SEAM
             for said in complaints(path, file.read_text())]
    found += not_caught((repository / SEAM).read_text(), (repository / CATCHER).read_text())
    print("\n".join(found) or f"{len(files)} files: all that they do to files goes through the seam")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
