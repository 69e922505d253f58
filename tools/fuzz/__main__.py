"""`python -m tools.fuzz`: runs all cases, prints how they ended and lists what was accepted; exits with 1 for a fault.

It takes a few minutes.
"""

from __future__ import annotations

import csv
import sys
import time
from collections import Counter

import click

from tools.fuzz.cases import cases
from tools.fuzz.judge import ACCEPTED, FAULTS, Outcome, judge


@click.command()
@click.option("--few", type=int, help="Run only so many, chosen by --seed.")
@click.option("--seed", type=int, default=1, show_default=True)
@click.option("--group", type=click.Choice(["arguments", "files", "logs"]), help="Run only these.")
@click.option(
    "--out", type=click.File("w", encoding="utf-8"), help="Write every case and how it ended to this CSV file."
)
def main(few: int | None, seed: int, group: str | None, out: object) -> None:
    """Run bad input of every kind through every command."""
    start, ended = time.process_time(), []
    for case in cases(few, seed):
        if group in (None, case.group):
            ended.append(judge(case))
            if ended[-1].kind in FAULTS:
                click.echo(_line(ended[-1]))
    if out is not None:
        rows = csv.writer(out)  # type: ignore[arg-type]
        rows.writerow(["group", "name", "kind", "seconds", "words", "line"])
        for one in ended:
            words = " ".join(word[:60] for word in one.case.words)
            rows.writerow([one.case.group, one.case.name, one.kind, f"{one.seconds:.2f}", words, one.line[:200]])
    for name in dict.fromkeys(one.case.group for one in ended):
        counts = Counter(one.kind for one in ended if one.case.group == name)
        click.echo(f"{name}: {counts.total()} cases; {', '.join(f'{kind} {n}' for kind, n in sorted(counts.items()))}")
    slowest = max(ended, key=lambda one: one.seconds)
    click.echo(f"{time.process_time() - start:.0f} CPU seconds; slowest {slowest.seconds:.1f} s: {_line(slowest)}")
    for one in ended:
        if one.kind == ACCEPTED and one.case.group == "arguments":
            click.echo(f"accepted: {_line(one)}")
    sys.exit(any(one.kind in FAULTS for one in ended))


def _line(one: Outcome) -> str:
    words = " ".join(repr(word)[:40] if not word.isalnum() else word for word in one.case.words)
    return f"{one.kind}: {one.case.name}: houle {words}: {one.line[:160]!r}"


if __name__ == "__main__":
    main()
