"""Runs command lines one after another in one process: each a JSON list of words, a line of stdin.

Answers on stdout, a JSON object a line: code, out, err. It imports nothing of the tests, so that the Python of any
environment can run it; what commands have in common, the start and the kernels, is loaded once.
"""

from __future__ import annotations

import json
import sys
import traceback

from click.testing import CliRunner

from houle.cli.main import houle


def main() -> None:
    for line in iter(sys.stdin.readline, ""):
        found = CliRunner().invoke(houle, json.loads(line), prog_name="houle")
        fault = "".join(traceback.format_exception(*found.exc_info)) if found.exc_info else ""
        told = {"code": found.exit_code, "out": found.stdout, "err": found.stderr}
        if found.exception and not isinstance(found.exception, SystemExit):
            told["err"] += fault
        print(json.dumps(told), flush=True)


if __name__ == "__main__":
    main()
