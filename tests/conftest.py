"""For all tests: Ctrl-C works in the processes that they start, even where it is ignored, as under nohup."""

import signal

import pytest


def pytest_sessionstart(session: pytest.Session) -> None:
    """A signal that is ignored stays so in child processes; one with a handler gets its default action there."""
    signal.signal(signal.SIGINT, signal.default_int_handler)
