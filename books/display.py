"""How far a build is: a bar on standard error if it is a terminal, else now and then a logged line."""

from __future__ import annotations

import logging
import sys
import time

from tqdm import tqdm

_log = logging.getLogger(__name__)
_HEARTBEAT = 60.0  # seconds between two lines


class Display:
    """The progress of one part of a build, to be closed at its end; with `shown` False there is nothing to see."""

    def __init__(self, name: str, total: int, shown: bool) -> None:
        self._name, self._total, self._done = name, total, 0
        self._bar = tqdm(
            total=total,
            disable=None if shown else True,
            file=sys.stderr,
            bar_format="{percentage:3.0f}%|{bar}| {n_fmt}/{total_fmt} " + name + " [{elapsed}{postfix}]",
            dynamic_ncols=True,
            leave=False,
        )
        self._logged = shown and self._bar.disable
        self._time = time.monotonic()

    def tick(self, positions: int, nodes: int) -> None:
        """Show what has been found so far."""
        counts = f"{tqdm.format_sizeof(positions)} positions, {tqdm.format_sizeof(nodes)} nodes"
        self._bar.set_postfix_str(counts)
        if self._logged and time.monotonic() - self._time > _HEARTBEAT:
            self._time = time.monotonic()
            _log.info("%d of %d %s: %s", self._done, self._total, self._name, counts)

    def update(self) -> None:
        """Count a part that is done."""
        self._done += 1
        self._bar.update()

    def close(self) -> None:
        """Take the bar away."""
        self._bar.close()
