"""The explorer over a local server: the page, and answers from the solver for what the page does not hold.

``GET /`` is the page and ``GET /query?moves=c3+d4&metric=checkmate`` the JSON object of ``hexbook query --json``. Where something is
wrong the object has an ``error``, one line: 400 for bad input, 404 for any other address, 503 where a limit came before the whole
answer (with what is known). One question is searched at a time, the others wait, and a search ends when its client goes.
"""

from __future__ import annotations

import json
import select
import socket
import threading
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, NamedTuple
from urllib.parse import parse_qs, urlsplit

from solver.position import InputError

HOST = "127.0.0.1"

_PATIENCE = 0.1  # seconds between two looks whether the client is still there
_SILENCE = 30.0  # seconds after which a client that says nothing is left


class Answer(NamedTuple):
    """What there is to say of a position."""

    json: dict[str, Any]
    complete: bool
    """Whether no limit came first."""


Ask = Callable[[str, str, Callable[[], None]], Answer]
"""Answers about moves and a metric; calls its last argument now and then, and lets pass what that raises. InputError: bad input."""


class ClientGone(Exception):
    """Nobody waits for the answer any more."""


class Server(ThreadingHTTPServer):
    """Serves to this machine only. `serve_forever` until something ends it, then `close`."""

    daemon_threads = True

    def __init__(self, port: int, page: str, ask: Ask) -> None:
        """`port` 0: any that is free. Raises InputError for one that cannot be had."""
        self.page, self._ask = page.encode(), ask
        self._searching = threading.Lock()
        self._closing = False
        try:
            super().__init__((HOST, port), _Handler)
        except OSError as error:
            raise InputError(f"port {port} cannot be had ({error.strerror}); name another: --port P") from error

    @property
    def address(self) -> str:
        """Where a browser finds the page."""
        return f"http://{HOST}:{self.server_port}/"

    def answer(self, moves: str, metric: str, client: socket.socket) -> Answer:
        """The answer for a client, when all earlier questions are through. Raises ClientGone, and whatever `ask` raises."""

        def watch() -> None:
            if self._closing or _gone(client):
                raise ClientGone

        while not self._searching.acquire(timeout=_PATIENCE):
            watch()
        try:
            watch()
            return self._ask(moves, metric, watch)
        finally:
            self._searching.release()

    def close(self) -> None:
        """Take no more questions and wait until a running search has ended."""
        self._closing = True
        self.server_close()
        with self._searching:
            pass


class _Handler(BaseHTTPRequestHandler):
    server: Server
    timeout = _SILENCE

    def do_GET(self) -> None:
        """Answer a request; one that names another host is none of a page of ours."""
        try:
            place = urlsplit(self.path)
        except ValueError:
            return self._send_json(400, {"error": "the address of the request cannot be read"})
        if self.headers.get("Host") not in {f"{name}:{self.server.server_port}" for name in (HOST, "localhost")}:
            self._send_json(403, {"error": f"this server answers to {self.server.address} only"})
        elif place.path == "/":
            self._send(200, "text/html; charset=utf-8", self.server.page)
        elif place.path == "/query":
            self._query({key: values[-1] for key, values in parse_qs(place.query).items()})
        else:
            self._send_json(404, {"error": f"there is nothing at {place.path}; the page is at /"})

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing of requests."""

    def _query(self, asked: dict[str, str]) -> None:
        try:
            answer = self.server.answer(asked.get("moves", ""), asked.get("metric", "checkmate"), self.connection)
        except InputError as error:
            self._send_json(400, {"error": " ".join(str(error).split())})
        except MemoryError:
            self._send_json(503, {"error": "out of memory; start the server with more: --memory MiB"})
        except ClientGone:
            self.close_connection = True
        else:
            limit = {} if answer.complete else {"error": "The time limit came first, not all is known."}
            self._send_json(503 if limit else 200, answer.json | limit)

    def _send_json(self, status: int, content: dict[str, Any]) -> None:
        self._send(status, "application/json", json.dumps(content).encode())

    def _send(self, status: int, kind: str, content: bytes) -> None:
        try:
            self.send_response(status)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(content)))
            self.send_header("Cache-Control", "no-store")
            self.end_headers()
            self.wfile.write(content)
        except OSError:  # the client has gone
            self.close_connection = True


def _gone(client: socket.socket) -> bool:
    """Whether the other side has closed the connection."""
    readable, _, _ = select.select([client], [], [], 0)
    try:
        return bool(readable) and client.recv(1, socket.MSG_PEEK) == b""
    except OSError:
        return True
