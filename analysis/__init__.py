"""Numbers from games: estimates, comparisons, analyses. The public names are in `houle`."""

from houle.solver.rules import homes as _homes


def _plain_home(text: str) -> _homes.Home:
    """The home of a class in plain Python (analysis/plain), which the solver does not know."""
    from houle.analysis.plain.as_game import game_of

    return game_of(text)


_homes.plain_home.append(_plain_home)
