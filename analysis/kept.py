"""The last few results of slow work, by what they were made from. Pages are answered from several threads."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

Key = TypeVar("Key", bound=Hashable)
Value = TypeVar("Value")


class Kept(Generic[Key, Value]):
    """At most `most` values; the one that was not used for longest is forgotten."""

    def __init__(self, most: int) -> None:
        self.most = most
        self._values: OrderedDict[Key, Value] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, key: Key, make: Callable[[], Value]) -> Value:
        """The value of a key, which is made if it is not known."""
        with self._lock:
            if key in self._values:
                self._values.move_to_end(key)
                return self._values[key]
        return self.keep(key, make())  # not under the lock: others need not wait

    def known(self, key: Key) -> Value | None:
        """The value of a key if it is known."""
        with self._lock:
            return self._values.get(key)

    def keep(self, key: Key, value: Value) -> Value:
        """Keeps a value; returns the one that another thread kept before, if there is one."""
        with self._lock:
            value = self._values.setdefault(key, value)
            self._values.move_to_end(key)
            if len(self._values) > self.most:
                self._values.popitem(last=False)
            return value
