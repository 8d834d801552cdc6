"""A headless Chromium, driven over the W3C WebDriver protocol by chromedriver: enough to open a page, run a script and press keys."""

import json
import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.request import Request, urlopen

from processes import started

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
DRIVER = shutil.which("chromedriver")
FLAGS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
]
_ELEMENT = "element-6066-11e4-a52e-4f735466cecf"  # the key under which the protocol hands on elements


class Browser:
    """A window of the browser."""

    def __init__(self, driver: str, options: dict[str, Any]) -> None:
        self._at = driver
        answer = self._call("POST", "/session", {"capabilities": {"alwaysMatch": {"goog:chromeOptions": options}}})
        self._at += f"/session/{answer['sessionId']}"

    def open(self, address: str) -> None:
        self._call("POST", "/url", {"url": address})

    def run(self, script: str, *arguments: Any) -> Any:
        """What a script returns; it finds the arguments in `arguments`."""
        return self._call("POST", "/execute/sync", {"script": script, "args": arguments})

    def press(self, keys: str) -> None:
        """Press keys where the focus is; the protocol has letters of its own for those that are no letters, such as ENTER."""
        active = self._call("GET", "/element/active")[_ELEMENT]
        self._call("POST", f"/element/{active}/value", {"text": keys})

    def click(self, selector: str) -> None:
        """Click in the middle of an element, as a mouse does."""
        element = self._call("POST", "/element", {"using": "css selector", "value": selector})[_ELEMENT]
        self._call("POST", f"/element/{element}/click", {})

    def messages(self) -> list[str]:
        """What went wrong on the page."""
        return [entry["message"] for entry in self._call("POST", "/se/log", {"type": "browser"}) if entry["level"] == "SEVERE"]

    def close(self) -> None:
        self._call("DELETE", "")

    def _call(self, method: str, path: str, content: dict[str, Any] | None = None) -> Any:
        data = None if content is None else json.dumps(content).encode()
        with urlopen(Request(self._at + path, data, {"Content-Type": "application/json"}, method=method), timeout=60) as answer:
            return json.load(answer)["value"]


ENTER, BACKSPACE, HOME, LEFT, UP, RIGHT, DOWN = "\ue007", "\ue003", "\ue011", "\ue012", "\ue013", "\ue014", "\ue015"


@contextmanager
def opened(directory: Path) -> Iterator[Browser]:
    """A browser that keeps its data in `directory`; there must be one (see CHROMIUM and DRIVER)."""
    environment = os.environ | {"HOME": str(directory), "no_proxy": "127.0.0.1,localhost"}
    with started([DRIVER, "--port=0"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env=environment) as driver:
        port = next(filter(None, (re.search(r"successfully on port (\d+)", line) for line in driver.stdout)))[1]
        flags = [*FLAGS, f"--user-data-dir={directory / 'profile'}", "--window-size=1200,900"]
        browser = Browser(f"http://127.0.0.1:{port}", {"binary": CHROMIUM, "args": flags})
        try:
            yield browser
        finally:
            browser.close()
