"""Plant faults in a copy of the sources, one at a time, and see which test fails first.

    python -m tools.faults [NAME, KIND or GAME ...] [--draw 60 --seed 4] [--jobs 1] [--out FILE.csv] [--tree PATH]
        [--hint FILE.csv]

faults.toml lists the faults. The test that caught a fault before runs first (--hint), then the fault's own tests, then
the whole suite. A fault that no test catches shows a gap in the suite. --tree measures another checkout, for example an
older commit. --out gets a row as soon as a fault is done, and an interrupted run continues there.
"""

from __future__ import annotations

import argparse
import csv
import queue
import random
import signal
import sys
import threading
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from tools.faults.copies import IMPORT, NOT_RUN, TIMEOUT, Copy, Fault, Run, copies, read_faults

ROOT = Path(__file__).parents[2]
LIST = Path(__file__).with_name("faults.toml")
COLUMNS = ("name", "kind", "file", "caught", "stage", "test", "seconds", "cpu_seconds")
HINT, OWN, SUITE = "hint", "own", "suite"
# The test of the list of faults would notice every planted fault.
WHOLE_SUITE = ("-n", "2", "--dist", "loadfile", "--ignore", "tests/tools/test_faults.py")
ABSENT = "absent"  # the place of the fault is not in this tree
NOTHING = Run(code=0, failed="", seconds=0.0, cpu=0.0, output="")
Row = dict[str, str]


def chosen(faults: Sequence[Fault], words: Sequence[str]) -> list[Fault]:
    """The faults with one of these names, kinds or games; all if there are no words."""

    def means(word: str, fault: Fault) -> bool:
        return word in (fault.name, fault.kind) or word.replace("-", "_") in Path(fault.within).parts

    for word in words:
        if not any(means(word, fault) for fault in faults):
            raise SystemExit(f"{word!r} is not a fault; allowed: a name, a kind or a game of {LIST.name}")
    return [fault for fault in faults if not words or any(means(word, fault) for word in words)]


def rows_of(file: Path | None) -> dict[str, Row]:
    if file is None or not file.exists():
        return {}
    with file.open(newline="") as lines:
        return {row["name"]: row for row in csv.DictReader(lines)}


def append(file: Path, row: Row) -> None:
    is_new = not file.exists()
    with file.open("a", newline="") as lines:
        writer = csv.DictWriter(lines, COLUMNS, lineterminator="\n")
        if is_new:
            writer.writeheader()
        writer.writerow(row)


def caught_by(copy: Copy, fault: Fault, hint: str, asked: argparse.Namespace) -> Row:
    """Plants a fault and runs tests until one fails; returns the row of the fault."""
    seconds = cpu = 0.0
    stage, run = OWN, NOTHING
    with copy.plant(fault) as there:
        if there:
            for stage, words in stages(copy, fault, hint, asked.first_only):
                run = copy.pytest(words, asked.options, asked.timeout)
                seconds, cpu = seconds + run.seconds, cpu + run.cpu
                # A hint that cannot even be imported or found is out of date, unless the other tests say the same.
                if run.failed and (stage != HINT or run.failed not in (IMPORT, TIMEOUT)):
                    break
                if run.code in NOT_RUN and stage != HINT:
                    print(f"no test was run for {fault.name}: {last_line(run)}", file=sys.stderr)
    caught = ("yes" if run.failed else "no") if there else ABSENT
    stage = stage if run.failed else ""
    return {
        **{"name": fault.name, "kind": fault.kind, "file": fault.within, "caught": caught, "stage": stage},
        **{"test": run.failed, "seconds": f"{seconds:.1f}", "cpu_seconds": f"{cpu:.1f}"},
    }


def stages(copy: Copy, fault: Fault, hint: str, first_only: bool) -> list[tuple[str, Sequence[str]]]:
    """The stages of a fault and the arguments of pytest in each."""
    own = [path for path in fault.tests if (copy.root / path).exists()]
    there = "::" in hint and (copy.root / hint.partition("::")[0]).exists()
    listed: list[tuple[str, Sequence[str]]] = [(HINT, [hint])] if there else []
    listed += [(OWN, own)] if own else []
    return listed if first_only else [*listed, (SUITE, WHOLE_SUITE)]


def drawn(faults: Sequence[Fault], number: int | None, seed: int) -> list[Fault]:
    """So many of the faults, or all, in their order."""
    if number is None or number >= len(faults):
        return list(faults)
    places = random.Random(seed).sample(range(len(faults)), number)
    return [faults[place] for place in sorted(places)]


def last_line(run: Run) -> str:
    return (run.output.strip().splitlines() or ["no output"])[-1]


def plant_all(faults: Sequence[Fault], asked: argparse.Namespace) -> list[Row]:
    """The rows of all faults: those of an earlier run, and new ones, written as soon as they are known."""
    done, hints = rows_of(asked.out), rows_of(asked.hint)
    rows = [done[fault.name] for fault in faults if fault.name in done]
    waiting: queue.SimpleQueue[Fault] = queue.SimpleQueue()
    for fault in faults:
        if fault.name not in done:
            waiting.put(fault)
    stopping, writing = threading.Event(), threading.Lock()
    failures: list[BaseException] = []

    def work(copy: Copy) -> None:
        try:
            while not stopping.is_set():
                fault = waiting.get_nowait()
                row = caught_by(copy, fault, hints.get(fault.name, {}).get("test", ""), asked)
                if stopping.is_set():  # its tests were ended, which says nothing
                    return
                with writing:
                    rows.append(row)
                    if asked.out:
                        append(asked.out, row)
                    print(f"{len(rows):>3} of {len(faults)} {line(row)}", flush=True)
        except queue.Empty:
            return
        except BaseException as failure:
            failures.append(failure)
            stopping.set()

    with copies(asked.tree, asked.jobs) as made:
        workers = [threading.Thread(target=work, args=(copy,)) for copy in made]
        for worker in workers:
            worker.start()
        try:
            for worker in workers:
                worker.join()
        except KeyboardInterrupt:
            for name in (signal.SIGINT, signal.SIGTERM):  # a second one would leave the temporary folder behind
                signal.signal(name, signal.SIG_IGN)
            print("stopped", file=sys.stderr)
        finally:
            stopping.set()
            for copy in made:
                copy.stop()
            for worker in workers:
                worker.join()
    if failures:
        raise failures[0]
    return rows


def line(row: Row) -> str:
    result = {"yes": f"caught by {row['test']} ({row['stage']})", "no": "NOT CAUGHT", ABSENT: "not in this tree"}
    return f"{row['kind']}: {row['name']}: {result[row['caught']]}, {row['seconds']} s"


def summary(rows: Sequence[Row]) -> list[str]:
    """Caught and planted faults by kind, the survivors, and faults that a person should look at."""
    planted = [row for row in rows if row["caught"] != ABSENT]
    total, caught = (
        Counter(row["kind"] for row in planted),
        Counter(row["kind"] for row in planted if row["caught"] == "yes"),
    )
    lines = [f"{kind}: {caught[kind]} of {total[kind]} caught" for kind in sorted(total)]
    lines.append(f"all: {caught.total()} of {total.total()} caught")
    lines += [f"not caught: {row['name']}" for row in planted if row["caught"] == "no"]
    lines += [f"replace this fault, it breaks an import: {row['name']}" for row in planted if row["test"] == IMPORT]
    lines += [f"ended by the timeout: {row['name']}" for row in planted if row["test"] == TIMEOUT]
    return lines + [f"not in this tree: {row['name']}" for row in rows if row["caught"] == ABSENT]


def check_clean(faults: Sequence[Fault], asked: argparse.Namespace) -> int:
    """Runs tests with no fault planted: those of the chosen faults, or the whole suite; returns the exit status.

    A test that fails without a fault would seem to catch every fault.
    """
    where = "import houle.solver; print(houle.solver.__file__)"
    with copies(asked.tree, 1) as (copy,):
        print("sources:", copy.run([sys.executable, "-c", where], asked.timeout)[3].strip())
        own = dict.fromkeys(path for fault in faults for path in fault.tests if (copy.root / path).exists())
        run = copy.pytest(list(own) if asked.only else WHOLE_SUITE, asked.options, asked.timeout)
    print(run.output if run.code else last_line(run), f"({run.failed or 'clean'}, {run.cpu:.1f} CPU seconds)")
    return 1 if run.code else 0


def main(words: Sequence[str] | None = None) -> int:
    options = argparse.ArgumentParser(
        prog="python -m tools.faults", description="Plant faults in a copy of the sources and see which tests fail."
    )
    options.add_argument("only", nargs="*", help="names, kinds or games (default: all faults)")
    options.add_argument("--draw", type=int, help="plant only so many of them, drawn by --seed")
    options.add_argument("--seed", type=int, default=1, help="of the draw")
    options.add_argument("--jobs", type=int, default=1, help="copies that run tests at the same time")
    options.add_argument("--out", type=Path, help="a CSV file; faults that are in it already are skipped")
    options.add_argument("--tree", type=Path, default=ROOT, help="plant into a copy of this checkout")
    options.add_argument("--faults", type=Path, default=LIST, help="a list of faults")
    options.add_argument("--options", default="", help='options for pytest, for example "--cost slow"')
    options.add_argument("--hint", type=Path, help="an earlier --out: the test that caught a fault there is run first")
    options.add_argument("--first-only", action="store_true", help="do not run the whole suite on survivors")
    options.add_argument("--timeout", type=float, default=3600.0, help="seconds per stage")
    options.add_argument(
        "--check-clean", action="store_true", help="plant nothing: run the chosen faults' own tests, or the whole suite"
    )
    asked = options.parse_args(words)
    asked.tree = asked.tree.resolve()
    faults = drawn(chosen(read_faults(asked.faults), asked.only), asked.draw, asked.seed)
    if asked.check_clean:
        return check_clean(faults, asked)
    rows = plant_all(faults, asked)
    print("\n".join(summary(rows)))
    return 0 if len(rows) == len(faults) else 1


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # `timeout` and `kill` clean up as Ctrl-C does
    sys.exit(main())
