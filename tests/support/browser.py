"""A headless Chromium for tests, controlled through two pipes.

The DevTools protocol over `--remote-debugging-pipe` is JSON between zero bytes, so no driver or package is needed.
"""

from __future__ import annotations

import base64
import json
import os
import select
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.support.amounts import patience

NAMES = ("chromium", "chromium-browser", "google-chrome", "chrome")
FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-sync",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-dev-shm-usage",
    "--remote-debugging-pipe",
)
PATIENCE = patience(120.0)  # seconds


def chromium() -> str | None:
    """The path of the browser, or None."""
    return next((path for name in NAMES if (path := shutil.which(name))), None)


class Browser:
    """One page in one browser."""

    def __init__(self, sending: int, receiving: int) -> None:
        self._sending, self._receiving = sending, receiving
        self._buffer = b""
        self._number = 0
        self._session = ""
        self.events: list[dict[str, Any]] = []
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self._session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable")

    def call(self, method: str, **parameters: Any) -> dict[str, Any]:
        """Send a command and return its answer."""
        self._number += 1
        number = self._number
        message: dict[str, Any] = {"id": number, "method": method, "params": parameters}
        if self._session:
            message["sessionId"] = self._session
        os.write(self._sending, json.dumps(message).encode() + b"\0")
        while True:
            answer = self._next(PATIENCE)
            if answer.get("id") == number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']}")
                result: dict[str, Any] = answer["result"]
                return result
            self.events.append(answer)

    def _next(self, patience: float) -> dict[str, Any]:
        end = time.monotonic() + patience
        while b"\0" not in self._buffer:
            ready, _, _ = select.select([self._receiving], [], [], max(0.0, end - time.monotonic()))
            part = os.read(self._receiving, 1 << 20) if ready else b""
            if not part:
                raise TimeoutError("the browser does not answer" if not ready else "the browser has ended")
            self._buffer += part
        line, _, self._buffer = self._buffer.partition(b"\0")
        message: dict[str, Any] = json.loads(line)
        return message

    def open(self, page: Path, width: int, height: int = 900) -> None:
        """Open a file in a window of this size and wait until it is loaded."""
        phone = width < 600
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=phone)
        self.events.clear()
        self.call("Page.navigate", url=page.resolve().as_uri())
        self.await_load()

    def await_load(self) -> None:
        """Wait until the page is loaded."""
        end = time.monotonic() + PATIENCE
        while not any(event.get("method") == "Page.loadEventFired" for event in self.events):
            self.events.append(self._next(end - time.monotonic()))

    def ask(self, expression: str) -> Any:
        """The value of a JavaScript expression."""
        answer = self.call("Runtime.evaluate", expression=expression, returnByValue=True)
        if "exceptionDetails" in answer:
            raise RuntimeError(str(answer["exceptionDetails"]))
        return answer["result"].get("value")

    def requests(self) -> list[str]:
        """The addresses the page requested since it was opened, without data: addresses."""
        sent = [event for event in self.events if event.get("method") == "Network.requestWillBeSent"]
        urls = [str(event["params"]["request"]["url"]) for event in sent]
        return [url for url in urls if not url.startswith("data:")]

    def complaints(self) -> list[str]:
        """Console messages and failed scripts."""
        names = ("Runtime.exceptionThrown", "Runtime.consoleAPICalled", "Log.entryAdded")
        return [json.dumps(event["params"]) for event in self.events if event.get("method") in names]

    def picture(self, whole: bool = True) -> bytes:
        """The page as PNG."""
        answer = self.call("Page.captureScreenshot", format="png", captureBeyondViewport=whole)
        return base64.b64decode(answer["data"])

    def strip(self, top: float, width: int, height: int) -> bytes:
        """A part of the page as PNG."""
        clip = {"x": 0, "y": top, "width": width, "height": height, "scale": 1}
        answer = self.call("Page.captureScreenshot", format="png", captureBeyondViewport=True, clip=clip)
        return base64.b64decode(answer["data"])


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """A browser for the tests of a file; they are skipped where there is none."""
    path = chromium()
    if path is None:
        pytest.skip("no browser is installed (Debian: apt-get install chromium)")
    with browsing(path) as opened:
        yield opened


@contextmanager
def browsing(path: str, *flags: str) -> Iterator[Browser]:
    """A browser with an empty profile, closed at the end; `flags` are added to those of all tests."""
    profile = tempfile.mkdtemp(prefix="houle-browser-")
    here, theirs = os.pipe(), os.pipe()  # we write into the first and read from the second

    def connect() -> None:
        # The browser reads from 3 and writes to 4; move both away first, so that neither overwrites the other.
        reading, writing = os.dup(here[0]), os.dup(theirs[1])
        high = [os.dup2(end, 100 + i) for i, end in enumerate((reading, writing))]
        os.dup2(high[0], 3)
        os.dup2(high[1], 4)

    process = subprocess.Popen(
        [path, *FLAGS, *flags, f"--user-data-dir={profile}", "about:blank"],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        preexec_fn=connect,
        close_fds=False,
        start_new_session=True,
    )
    os.close(here[0])
    os.close(theirs[1])
    try:
        yield Browser(here[1], theirs[0])
    finally:
        os.close(here[1])
        os.close(theirs[0])
        try:
            process.wait(5)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        shutil.rmtree(profile, ignore_errors=True)
