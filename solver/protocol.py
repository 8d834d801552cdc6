r"""The frame of HTP, the Hex Text Protocol, which is GTP 2 with the cells of a Hex board.

A command is a line ``[number] name [argument ...]``; ``#`` begins a comment, an argument with blanks stands in double quotes.
The reply to it is ``=[number] text``, or ``?[number] message`` if it failed, and an empty line; so the text itself has none::

    7 play black c3
    =7

The comment line ``# interrupt`` ends the search for the command in hand; it must be read while that search runs, which is
why a thread does the reading.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from queue import SimpleQueue
from threading import Thread
from typing import NamedTuple

_COMMAND = re.compile(r"(?:([0-9]+)(?:\s+|$))?(\S*)(.*)", re.DOTALL)
_ARGUMENT = re.compile(r'"([^"]*)"|(\S+)')
_CONTROL = re.compile(r"[\x00-\x08\x0a-\x1f\x7f-\x9f\u2028\u2029]")
_INTERRUPT = re.compile(r"#\s*interrupt\s*")
_CHUNK = 1 << 16  # bytes


class Failure(Exception):
    """The command fails, for this reason."""


class Command(NamedTuple):
    """A command as it came in."""

    number: str  # empty if it has none
    name: str
    arguments: list[str]


def parse_command(line: str) -> Command | None:
    """Read a line; None if it is blank or a comment.

    >>> parse_command('7 loadsgf "my game.sgf" 12 # comment')
    Command(number='7', name='loadsgf', arguments=['my game.sgf', '12'])
    """
    text = _CONTROL.sub("", line.replace("\t", " ")).partition("#")[0].strip()
    match = _COMMAND.match(text)
    if not text or not match:
        return None
    number, name, rest = match.groups()
    return Command(number or "", name, [quoted or bare for quoted, bare in _ARGUMENT.findall(rest)])


def format_reply(number: str, succeeded: bool, text: str) -> str:
    """The reply to the command with that number.

    >>> format_reply("7", True, "c3")
    '=7 c3\\n\\n'
    """
    body = re.sub(r"\n(?=\n)", "\n ", text.rstrip("\n"))  # HexGui wants the blank after = and ? in every reply
    return f"{'=' if succeeded else '?'}{number} {body}\n\n"


class Inbox:
    """The commands in `lines`, read ahead by a thread; iterate over it once."""

    def __init__(self, lines: Iterable[bytes]) -> None:
        self._commands = SimpleQueue[Command | None]()
        self._received = self._begun = self._interrupted = 0
        Thread(target=self._receive, args=(lines,), name="inbox", daemon=True).start()

    @property
    def interrupted(self) -> bool:
        """Whether the command that was handed out last shall end now."""
        return self._begun <= self._interrupted

    def __iter__(self) -> Iterator[Command]:
        while (command := self._commands.get()) is not None:
            self._begun += 1
            yield command

    def _receive(self, lines: Iterable[bytes]) -> None:
        try:
            for line in lines:
                text = line.decode("utf-8", "replace")
                if _INTERRUPT.fullmatch(text):
                    self._interrupted = self._received
                elif command := parse_command(text):
                    self._received += 1
                    self._commands.put(command)
        finally:
            self._commands.put(None)


def lines_of(descriptor: int) -> Iterator[bytes]:
    """The lines of an open file, each as soon as it is there; a file that cannot be read has none.

    It bypasses the buffer of `sys.stdin`, which a thread must not hold when the interpreter ends.
    """
    rest = b""
    try:
        while chunk := os.read(descriptor, _CHUNK):
            *lines, rest = (rest + chunk).split(b"\n")
            yield from lines
    except OSError:
        pass
    if rest:
        yield rest
