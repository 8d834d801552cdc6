"""Ctrl-C held back where it would do harm.

Python raises KeyboardInterrupt between any two steps, also halfway through taking or giving back a lock of `threading` or
`concurrent.futures`. Such a lock stays taken, and a thread that needs it waits for ever. So threads and processes are started, awaited
and ended with Ctrl-C held back.
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager


@contextmanager
def interrupt_held_back() -> Iterator[Callable[[], None]]:
    """Ctrl-C does here what it does elsewhere only at the end, and whenever the function is called that this gives.

    Python acts on signals in the main thread only: in any other thread nothing has to be held back.
    """
    if threading.current_thread() is not threading.main_thread():
        yield lambda: None
        return
    came = list[int]()

    def let_in() -> None:
        signal.signal(signal.SIGINT, handler)
        try:
            if came:
                came.clear()
                signal.raise_signal(signal.SIGINT)
        finally:
            signal.signal(signal.SIGINT, hold_back)

    def hold_back(number: int, _: object) -> None:
        came.append(number)

    handler = signal.signal(signal.SIGINT, hold_back)
    try:
        yield let_in
    finally:
        signal.signal(signal.SIGINT, handler)
        if came:
            signal.raise_signal(signal.SIGINT)
