"""The command line: finds the command, and turns what goes wrong into one line and an exit status.

Each command is a module of `solver.commands` with `add_arguments(parser)` and `run(args) -> exit status`, imported only when it is
called, so that a quick command is quick.
"""

from __future__ import annotations

import argparse
import io
import os
import sys
from collections.abc import Callable, Sequence
from importlib import import_module
from typing import Any, NoReturn, TextIO

from solver.position import InputError

ANSWERED, FAILED, BAD_INPUT, UNKNOWN, INTERRUPTED = 0, 1, 2, 3, 130
"""The exit statuses: FAILED is a check that fails, UNKNOWN an honest unknown at a limit."""

COMMANDS = {
    "show": "print a position as a board that can be pasted back, or as a game, a link or a diagram",
    "solve": "solve a position, or the openings of a board",
    "table": "print winner and length of every opening",
    "run": "do or resume the batch run that a file describes",
    "book": "build, describe or re-check an opening book",
    "query": "print every legal move of a position with winner and length",
    "certify": "write a file that proves the winner, or the length, of a position",
    "check": "check such a file: status 1 if it proves nothing",
    "play": "play a game against the book",
    "explore": "write a web page to walk through the results of a board",
    "serve": "serve that page to this machine, with the solver behind it",
    "htp": "serve HexGui and other controllers: the Hex Text Protocol on standard input and output",
    "bench": "run the benchmarks",
}


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise InputError(f"{message} (see {self.prog} --help)")

    def _print_message(self, message: str, file: Any = None) -> None:
        """Argparse says nothing when it cannot write its help."""
        print(message, end="", file=file or sys.stderr, flush=True)

    def read(self, words: Sequence[str]) -> argparse.Namespace:
        """The arguments; options may stand between them, unless the first one names an action that has options of its own."""
        return self.parse_args(words) if self._subparsers else self.parse_intermixed_args(words)


class _Version(argparse.Action):
    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> NoReturn:
        from importlib.metadata import version

        print(f"hexbook {version('hexbook')}", flush=True)
        parser.exit()


def main(argv: Sequence[str] | None = None, ready: Callable[[], object] = lambda: None) -> int:
    """Run a command; returns the exit status. Answers go to standard output, everything else to standard error.

    `ready` is called when all is imported and read, just before the command begins its work.
    """
    _open_closed_streams()
    _take_any_text()
    try:
        status = _run(sys.argv[1:] if argv is None else argv, ready)
        sys.stdout.flush()
        return status
    except InputError as error:
        return _complain(str(error), BAD_INPUT)
    except BrokenPipeError:  # the reader has seen enough
        _let_go(sys.stdout)
        return ANSWERED
    except OSError as error:
        name = f"{error.filename}: " if error.filename else ""
        return _complain(f"{name}{error.strerror or error}", BAD_INPUT)
    except MemoryError as error:
        return _complain(str(error) or "out of memory; give less with --memory", BAD_INPUT)
    except KeyboardInterrupt:
        return _complain("interrupted", INTERRUPTED)


def _open_closed_streams() -> None:
    """A standard stream that the caller has closed becomes the null device, lest some other file takes its number."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            stream = open(os.devnull, mode, encoding="utf-8")
            os.set_inheritable(stream.fileno(), True)  # as the others are, for worker processes
            setattr(sys, name, stream)


def _take_any_text() -> None:
    """What a standard stream cannot read or write as text, such as the name of a file, must not end the command."""
    for stream, errors in ((sys.stdin, "replace"), (sys.stdout, "backslashreplace")):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors=errors)


def _run(argv: Sequence[str], ready: Callable[[], object]) -> int:
    parser = _Parser("hexbook", allow_abbrev=False, description="Solves small Hex boards exactly: winners, lengths, opening books.")
    parser.add_argument("--version", action=_Version, nargs=0, help="print the version and exit")
    subparsers = parser.add_subparsers(metavar="COMMAND", required=True)
    commands = {
        name: subparsers.add_parser(name, allow_abbrev=False, help=purpose, description=purpose.capitalize() + ".")
        for name, purpose in COMMANDS.items()
    }
    if not argv or argv[0] not in commands:
        parser.parse_args(argv)  # help, the version, or an error
    command = import_module(f"solver.commands.{argv[0]}")
    command.add_arguments(commands[argv[0]])
    args = commands[argv[0]].read(argv[1:])
    ready()
    return command.run(args)


def _complain(message: str, status: int) -> int:
    _let_go(sys.stdout)
    try:
        print("hexbook:", _printable(" ".join(message.split())), file=sys.stderr)
    except OSError:
        _let_go(sys.stderr)
    return status


def _printable(text: str) -> str:
    """The text without what could move the cursor of a terminal, such as the names of some files."""
    return "".join(sign if sign.isprintable() else repr(sign)[1:-1] for sign in text)


def _let_go(stream: TextIO) -> None:
    """What a stream could not take must not be tried again, and complained of, when the process ends."""
    try:
        stream.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
