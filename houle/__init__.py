"""Monte Carlo solver and strategy analysis for card games.

    import houle

    wave = houle.setup("wave", players=3, variants="virage")
    houle.simulate(wave, strategies="thumb", games=100_000)

Every function takes a setup first (`houle.setup`, or the name of a game) and everything else by keyword. Every result
has `frame()` (pandas, each estimate as x, x_low and x_high), `as_json()`, `plot()` and `repeat()`.

The public names and their types are in `__init__.pyi`. Each is imported on first use, so `import houle` is fast and
does not load the compiler.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
