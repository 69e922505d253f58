"""Runs commands one after another in one process: each line of stdin is a JSON list of words.

Each answer is a line with a JSON object: code, out, err. It imports nothing from the tests, so any Python environment
can run it. The start-up and the compiled kernels are loaded only once.
"""

from __future__ import annotations

import json
import sys
import traceback

from click.testing import CliRunner

from houle.cli.main import houle


def main() -> None:
    for line in iter(sys.stdin.readline, ""):
        result = CliRunner().invoke(houle, json.loads(line), prog_name="houle")
        answer = {"code": result.exit_code, "out": result.stdout, "err": result.stderr}
        if result.exc_info and result.exception and not isinstance(result.exception, SystemExit):
            answer["err"] += "".join(traceback.format_exception(*result.exc_info))
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
