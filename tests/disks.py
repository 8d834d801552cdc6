"""Small file systems for the tests."""

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest


@contextmanager
def mounted(directory: Path, *options: str) -> Iterator[Path]:
    """A file system in memory; the test is skipped where this process may not mount one."""
    directory.mkdir()
    done = subprocess.run(["mount", "-t", "tmpfs", "-o", ",".join(options), "none", directory], capture_output=True, text=True)
    if done.returncode:
        pytest.skip(f"cannot mount a small file system: {done.stderr.strip()}")
    try:
        yield directory
    finally:
        subprocess.run(["umount", directory], check=True)


def remount(directory: Path, option: str) -> None:
    """Change what is mounted there: its size, or whether it can be written."""
    subprocess.run(["mount", "-o", f"remount,{option}", directory], check=True)


def fill(directory: Path) -> None:
    """Leave not one byte."""
    subprocess.run(f"cat /dev/zero > {directory}/fill", shell=True, stderr=subprocess.DEVNULL)
