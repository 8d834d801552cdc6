"""Disks that are full, fill up or cannot be written: one line, and what was there stays as it was."""

import io
import os
import re
from collections.abc import Iterator
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path

import pytest
import shelf
from disks import fill, mounted, remount

from solver.cli import main
from solver.position import InputError
from solver.store import Store

RUN = 'size = "4x4"\nmetric = "checkmate"\nopenings = "all"\nworkers = 1\nreference = "table.csv"\n'


def hexbook(*arguments: str | Path, status: int = 2) -> str:
    """What a command says that ends with this status: one line if it is 2."""
    output, errors = io.StringIO(), io.StringIO()
    with redirect_stdout(output), redirect_stderr(errors):
        assert main(list(map(str, arguments))) == status, errors.getvalue()
    assert status != 2 or re.fullmatch("hexbook: .+\n", errors.getvalue()), errors.getvalue()
    return errors.getvalue() if status else output.getvalue()


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Path]:
    with mounted(tmp_path / "disk", "size=256k") as directory:
        yield directory


def content(directory: Path) -> dict[str, bytes]:
    return {str(file): file.read_bytes() for file in directory.rglob("*") if file.is_file() and file.name not in ("fill", "run.log")}


def test_a_new_store_on_a_full_disk(disk: Path) -> None:
    fill(disk)
    message = hexbook("solve", "3", "--store", disk / "a" / "b")
    assert re.fullmatch(r"hexbook: store .*No space left on device\n", message)
    assert [file.name for file in disk.iterdir()] == ["fill"]


def test_a_full_disk(disk: Path) -> None:
    (disk / "run.toml").write_text(RUN)
    for name in ("a.book", "a.csv", "a.html", "a.svg"):
        (disk / name).write_text("the old one")
    fill(disk)
    before = content(disk)
    for arguments in (
        ["run", disk / "run.toml", "--store", "none"],
        ["book", "build", "3", "-o", disk / "a.book", "--store", "none"],
        ["table", "3", "-o", disk / "a.csv", "--store", "none"],
        ["explore", "2", "-o", disk / "a.html", "--store", "none"],
        ["query", "3", "a1", "--pattern", disk / "a.svg", "--store", "none"],
    ):
        message = hexbook(*arguments)
        assert str(disk) in message and re.search("No space left|room on the disk", message), message
        assert content(disk) == before


def test_a_disk_that_fills_up_during_a_run(disk: Path, tmp_path: Path) -> None:
    (tmp_path / "run.toml").write_text(RUN)
    with Store.open(disk / "store"):
        pass
    fill(disk)
    assert "No space left" in hexbook("run", tmp_path / "run.toml", "--store", disk / "store")
    assert not (tmp_path / "table.csv").exists()
    remount(disk, "size=8m")
    hexbook("run", tmp_path / "run.toml", "--store", disk / "store", status=0)
    assert (tmp_path / "table.csv").read_text().count("\n") == 19
    assert "".join(os.listdir(disk / "store")) in ("data.mdblock.mdb", "lock.mdbdata.mdb")


def test_a_disk_that_cannot_be_written(disk: Path, tmp_path: Path) -> None:
    (disk / "run.toml").write_text(RUN)
    (disk / "a.book").write_bytes(shelf.book("3x3").read_bytes())
    hexbook("solve", "3", "--store", disk / "store", status=0)
    before = content(disk)
    remount(disk, "ro")
    for arguments in (
        ["run", disk / "run.toml", "--store", "none"],
        ["solve", "3", "--store", disk / "store"],
        ["book", "build", "3", "-o", disk / "b.book", "--store", "none"],
        ["table", "3", "-o", disk / "a.csv", "--store", "none"],
    ):
        message = hexbook(*arguments)
        assert str(disk) in message and re.search("Read-only|cannot be written", message), message
    with pytest.raises(InputError, match="Read-only"):
        Store.open(disk / "store").close()
    assert "3x3, metric checkmate" in hexbook("book", "info", disk / "a.book", status=0)
    assert content(disk) == before
    remount(disk, "rw")
