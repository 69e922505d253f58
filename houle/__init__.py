"""Monte Carlo solver and strategy analysis for card games.

    import houle

    wave = houle.setup("wave", players=3, variants="virage")
    houle.simulate(wave, strategies="family", games=100_000)

Most functions take a setup first (from `houle.setup`, or the name of a game) and everything else by keyword. Every
result has `frame()` (pandas, each estimate as x, x_low and x_high), `as_json()`, `plot()` and `repeat()`, the command
that gives it again. What cannot be used raises `houle.InputError`.

The public names and their types are in `__init__.pyi`. Each is imported on first use, so `import houle` is fast and
does not load the compiler.
"""

from typing import Any

import lazy_loader

_first_use, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)


def __getattr__(name: str) -> Any:
    """Imports a public name on first use; `__version__` is that of the installed package."""
    if name == "__version__":
        from importlib.metadata import version

        return version("houle")
    return _first_use(name)
