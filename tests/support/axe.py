"""axe-core, which checks pages for accessibility: fetched from npm for tests only, never part of the repository."""

from __future__ import annotations

import io
import json
import shutil
import subprocess
import tarfile
import tempfile
import time
from functools import lru_cache
from pathlib import Path
from typing import Any

import pytest

from tests.support.browser import Browser
from tests.support.call import PATIENCE

PACKAGE = "axe-core@4"
INSIDE = "package/axe.min.js"


@lru_cache
def axe_source() -> str:
    """The script; skips the test if npm or its registry is not there."""
    npm = shutil.which("npm")
    if npm is None:
        pytest.skip("npm is not installed, so axe-core cannot be fetched")
    with tempfile.TemporaryDirectory() as folder:
        command = [npm, "pack", PACKAGE, "--silent", "--pack-destination", folder]
        done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, check=False)
        packed = list(Path(folder).glob("*.tgz"))
        if done.returncode or not packed:
            pytest.skip(f"axe-core cannot be fetched from npm: {done.stderr.strip()[-200:]}")
        with tarfile.open(fileobj=io.BytesIO(packed[0].read_bytes())) as archive:
            file = archive.extractfile(INSIDE)
            assert file is not None
            return file.read().decode()


# A drawn card has its number in the corner and its colour below: the name of its button says them as people do.
DRAWN = "label-content-name-mismatch"


def violations(browser: Browser, without: tuple[str, ...] = ()) -> list[dict[str, Any]]:
    """What axe finds wrong with the page that is open, without some rules: rule and elements."""
    browser.call("Runtime.evaluate", expression=axe_source())
    rules = json.dumps({"rules": {rule: {"enabled": False} for rule in without}})
    keep = "result => { window.found = JSON.stringify(result.violations); }"
    browser.ask(f"window.found = null; axe.run({rules}).then({keep}); 1")
    end = time.monotonic() + PATIENCE
    while (found := browser.ask("window.found")) is None:
        assert time.monotonic() < end, f"axe did not end in {PATIENCE:.0f} seconds"
        time.sleep(0.1)
    return [{"rule": one["id"], "where": [node["html"][:160] for node in one["nodes"]]} for one in json.loads(found)]
