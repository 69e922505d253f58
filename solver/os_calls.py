"""What differs between systems: every call that Windows lacks is here, with what is done there instead.

tests/test_portable.py hides these calls, runs the basic commands without them, and refuses them in any other file.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

# Opening a pipe without a writer would wait. Text mode of Windows would change line ends.
READ_AT_ONCE = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
READ_NO_LINK = READ_AT_ONCE | getattr(os, "O_NOFOLLOW", 0)  # a link is refused

CAN_INHERIT = os.name == "posix"  # a new process can be given open files


def user_id() -> int | None:
    """The number of this user; None where files have no owner's number."""
    return os.getuid() if hasattr(os, "getuid") else None


def is_private_group(number: int) -> bool:
    """Whether a group is this user's own: it has the user's name and no other members."""
    try:
        import grp
        import pwd

        group, name = grp.getgrgid(number), pwd.getpwuid(os.getuid()).pw_name
    except (ImportError, KeyError, AttributeError):
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
    try:
        import fcntl
    except ImportError:
        return True
    try:
        fcntl.flock(number, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


class EndlessError(RuntimeError):
    """A check did not end."""


@contextmanager
def patience(seconds: float) -> Iterator[None]:
    """Stops an endless loop of the game, where there are such timers; compiled code does not react."""

    def stop(number: int, frame: Any) -> None:
        raise EndlessError(f"no end after {seconds:.0f} s; the game may loop here")

    if not hasattr(signal, "setitimer"):
        yield
        return
    before = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)
