"""What differs between systems: every call that Windows lacks is here, with what is done there instead.

tests/test_portable.py hides these calls, runs the basic commands without them, and refuses them in any other file.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from traceback import walk_stack
from typing import Any

try:
    import fcntl
    import grp
    import pwd
except ImportError:
    IS_POSIX = False
else:
    IS_POSIX = True

# Opening a pipe without a writer would wait. Text mode of Windows would change line ends.
READ_AT_ONCE = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
READ_NO_LINK = READ_AT_ONCE | getattr(os, "O_NOFOLLOW", 0)  # a link is refused

CAN_INHERIT = os.name == "posix"  # a new process can be given open files


def user_id() -> int | None:
    """The number of this user; None where files have no owner's number."""
    return os.getuid() if hasattr(os, "getuid") else None


def is_private_group(number: int) -> bool:
    """Whether a group is this user's own: it has the user's name and no other members."""
    if not IS_POSIX:
        return False
    try:
        group, name = grp.getgrgid(number), pwd.getpwuid(os.getuid()).pw_name
    except (KeyError, AttributeError):
        return False
    return group.gr_name == name and set(group.gr_mem) <= {name}


def patient(command: list[str]) -> list[str]:
    """A command whose process lets others go first, where the system can do that."""
    return ["nice", "-n", "10", *command] if os.name == "posix" else command


def default_threads() -> int:
    """One thread per core that this process may use, or per core where the system does not say."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def lock_file(number: int) -> bool:
    """Lock an open file until it is closed; false if another process has it. Some systems have no such locks."""
    if not IS_POSIX:
        return True
    try:
        fcntl.flock(number, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


CALL_SECONDS = 10.0  # of CPU time that one call of a game's code may take
LOOKS = 10  # in that time


class EndlessError(RuntimeError):
    """A call of a game's code did not end."""


@contextmanager
def patience(folder: str) -> Iterator[None]:
    """Stops an endless loop of the game in a folder: the error is raised in the line that is running.

    A timer looks now and then which call of the game's code is under way. Compiled code does not react, nor does a
    system without such timers.
    """
    before, looks = None, 0

    def look(number: int, frame: Any) -> None:
        nonlocal before, looks
        calls = [one for one, _ in walk_stack(frame) if os.path.realpath(one.f_code.co_filename).startswith(folder)]
        looks = looks + 1 if calls and calls[-1] is before else 0
        before = calls[-1] if calls else None
        if looks >= LOOKS:
            raise EndlessError(f"no end after {CALL_SECONDS:.0f} s in one call; is this an endless loop?")

    if not hasattr(signal, "setitimer"):
        yield
        return
    handler = signal.signal(signal.SIGPROF, look)
    signal.setitimer(signal.ITIMER_PROF, CALL_SECONDS / LOOKS, CALL_SECONDS / LOOKS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, handler)
