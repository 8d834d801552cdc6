"""Files that are written whole or not at all."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from solver.files import replaced
from solver.position import InputError


def put(path: Path, text: str) -> None:
    with replaced(path) as file:
        file.write_text(text)


def test_a_file_takes_the_place_of_an_older_one(tmp_path: Path) -> None:
    path = tmp_path / "a[b].txt"
    for text in ("one", "two"):
        put(path, text)
        assert path.read_text() == text and os.listdir(tmp_path) == [path.name]


def test_what_goes_wrong_leaves_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    put(path, "old")
    for wrong in (OSError(28, "No space left on device"), KeyboardInterrupt()):
        with pytest.raises((InputError, KeyboardInterrupt)) as caught, replaced(path) as file:
            file.write_text("half")
            raise wrong
        assert isinstance(wrong, KeyboardInterrupt) or str(caught.value) == f"cannot write {path}: No space left on device"
        assert path.read_text() == "old" and os.listdir(tmp_path) == [path.name]


def test_a_killed_process_leaves_what_the_next_one_removes(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    put(path, "old")
    code = "import os, signal, sys, pathlib; from solver.files import replaced\nwith replaced(pathlib.Path(sys.argv[1])) as file:"
    code += "\n  file.write_text('half'); os.kill(os.getpid(), signal.SIGKILL)"
    for _ in range(2):
        killed = subprocess.run([sys.executable, "-c", code, path], cwd=Path(__file__).parent.parent)
        assert killed.returncode == -9 and path.read_text() == "old" and len(os.listdir(tmp_path)) == 2
    others = [tmp_path / f"a.txt.{os.getppid()}.part", tmp_path / "a.txt.x.part", tmp_path / "ba.txt.1.part"]
    for other in others:
        other.touch()
    put(path, "new")
    assert path.read_text() == "new" and set(tmp_path.iterdir()) == {path, *others}


def test_links_and_what_is_no_plain_file(tmp_path: Path) -> None:
    (tmp_path / "a.txt").touch()
    (tmp_path / "link").symlink_to("a.txt")
    put(tmp_path / "link", "text")
    assert (tmp_path / "link").is_symlink() and (tmp_path / "a.txt").read_text() == "text"
    put(Path("/dev/null"), "text")
    assert Path("/dev/null").is_char_device()
    with pytest.raises(InputError, match="/dev/full: No space left"):
        put(Path("/dev/full"), "text")
