"""The kernel and what else is compiled, built with the address and undefined-behaviour sanitizers of GCC, under their tests:

    python tests/sanitize.py                          # the tests of all that is compiled
    python tests/sanitize.py tests/test_winner.py     # these; options of pytest as well

Sources, tests and build stand in build/sanitize, apart from what is installed. The first fault ends the test run; the exit status is then
not 0. Leaks are not looked for, since CPython itself leaves memory behind, and its own allocator is bypassed, so that each block is watched.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent
PLACE = ROOT / "build" / "sanitize"
COPIED = ["solver", "books", "tests", "runs", "pyproject.toml", "README.md", "LICENSE"]
LEFT_OUT = shutil.ignore_patterns("*.so", "*.c", "*.pyc", "__pycache__", "store", "books.mdb", "*.book")
CHECKS = "-fsanitize=address,undefined"
FLAGS = f"-g -fno-omit-frame-pointer {CHECKS} -fno-sanitize-recover=all"
TESTS = [f"tests/test_{name}.py" for name in (
    "winner", "length", "terminal", "threads", "oracle", "checker", "certificate",
    "papers_two_distance", "papers_threats", "papers_queenbee", "papers_hexy",
)]


def main(arguments: list[str]) -> int:
    build()
    libraries = [subprocess.check_output(["gcc", f"-print-file-name={name}"], text=True).strip() for name in ("libasan.so", "libubsan.so")]
    watched = {
        "LD_PRELOAD": " ".join(libraries),
        "ASAN_OPTIONS": "detect_leaks=0:strict_string_checks=1:detect_stack_use_after_return=1",
        "UBSAN_OPTIONS": "print_stacktrace=1",
        "PYTHONMALLOC": "malloc",
    }
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-x", "--capture=sys", *(arguments or TESTS)]
    return subprocess.run(command, cwd=PLACE, env=os.environ | watched).returncode


def build() -> None:
    """Copy the sources, and compile them where they are copied to."""
    shutil.rmtree(PLACE, ignore_errors=True)
    source = PLACE / "source"
    source.mkdir(parents=True)
    for name in COPIED:
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, source / name, ignore=LEFT_OUT)
        else:
            shutil.copy(ROOT / name, source)
    compiler = os.environ | {"CC": "gcc", "CFLAGS": FLAGS, "LDFLAGS": CHECKS}
    subprocess.run([sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--target", PLACE, source], check=True, env=compiler)
    for name in ("tests", "runs", "pyproject.toml"):
        (source / name).rename(PLACE / name)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
