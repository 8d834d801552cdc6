"""What surrounds the program goes wrong: full disks, closed streams, an early Ctrl-C. One line and an exit status, no traceback."""

import errno
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from processes import started

from solver.position import InputError
from solver.store import Store

ROOT = Path(__file__).parent.parent
COMMAND = [sys.executable, "-m", "solver"]


def test_a_store_that_cannot_be_made_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "posix_fallocate", full, raising=False)
    (tmp_path / "kept").mkdir()
    for directory in (tmp_path / "new" / "store", tmp_path / "kept"):
        with pytest.raises(InputError, match="cannot open it: No space left"):
            Store.open(directory)
    assert [file.name for file in tmp_path.rglob("*")] == ["kept"]


def shell(line: str) -> subprocess.CompletedProcess[str]:
    """Run a line in which `hexbook` stands for the command."""
    line = line.replace("hexbook", f"{sys.executable} -m solver")
    return subprocess.run(line, shell=True, capture_output=True, text=True, cwd=ROOT, timeout=60)


def test_closed_streams() -> None:
    done = shell("hexbook show 3 >&-")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    done = shell("hexbook solve 3 --openings --workers 2 --store none >&- 2>&-")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    done = shell("hexbook solve --board - --to-move black <&-")
    assert done.returncode == 2 and not done.stdout and re.fullmatch(r"hexbook: .*board.*\n", done.stderr)
    done = shell("hexbook solve sevens 2>&-")
    assert (done.returncode, done.stdout, done.stderr) == (2, "", "")


def test_a_message_cannot_steer_the_terminal() -> None:
    done = shell("hexbook run '\x1b[2J.toml'")
    assert done.returncode == 2 and r"\x1b[2J.toml" in done.stderr and "\x1b" not in done.stderr


def test_files_whose_names_are_no_text(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONIOENCODING", "utf-8:strict")
    name = os.fsdecode(os.fsencode(tmp_path) + b"/\xff")
    for line in ("solve 2 --json --store {}", "book build 2 --store none -o {}.book", "book info {}.book", "explore 2 --store none -o {}.html"):
        done = shell("hexbook " + line.format(name))
        assert done.returncode == 0 and not done.stderr
    assert {os.fsencode(file.name) for file in tmp_path.iterdir()} == {b"\xff", b"\xff.book", b"\xff.html"}
    done = shell(f"hexbook query {name} a1")
    assert done.returncode == 2 and done.stderr.startswith("hexbook: ") and done.stderr.count("\n") == 1
    done = shell("printf '\\377\\nq\\n' | hexbook play 3 --store none")
    assert done.returncode == 0 and not done.stderr


@pytest.mark.parametrize("buffered", [True, False])
@pytest.mark.parametrize("arguments", ["--help", "--version", "show 3"])
def test_full_streams(arguments: str, buffered: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONUNBUFFERED", "" if buffered else "1")
    done = shell(f"hexbook {arguments} > /dev/full")
    assert (done.returncode, done.stderr) == (2, "hexbook: No space left on device\n")
    assert shell(f"hexbook {arguments} > /dev/full 2> /dev/full").returncode == 2


@pytest.mark.parametrize("moment", [0.0, 0.02, 0.05, 0.1, 0.2, 0.4])
def test_an_early_ctrl_c(moment: float) -> None:
    """As early as the program can know of: when its first module is imported."""
    code = "import solver.__main__ as entry, sys; print(flush=True); sys.argv[1:] = ['solve', '8', '--store', 'none']; sys.exit(entry.main())"
    with started([sys.executable, "-c", code], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout.readline() == "\n"
        time.sleep(0.01 + moment)
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=20)
    assert process.returncode == 130 and errors in ("", "hexbook: interrupted\n"), errors


def test_a_default_store_that_cannot_be_made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "hexbook").write_text("in the way")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    done = shell("hexbook solve 3")
    assert done.returncode == 2 and re.fullmatch(rf"hexbook: store {tmp_path}.*--store none\)\n", done.stderr)
