"""Dig with a deck, and ways in which its worlds share state with the real game."""

from __future__ import annotations

from pathlib import Path

DIG = Path(__file__).parent / "dig.py"
DRAW = "found = self.luck(10)"
START = "        self.points, self.digs, self.mover = [0] * players, [0] * players, 0\n"
COPY, LUCK = "copy.deepcopy(self)", "        world.luck = luck\n"
SHALLOW = """copy.copy(self)
        world.points, world.digs = list(self.points), list(self.digs)"""
DECK = "[luck(10) for _ in range(60)]"
CACHED = """    @functools.cached_property
    def deck(self) -> list[int]:
        return [self.luck(10) for _ in range(60)]

    def to_move("""
ANEW = f"        world.deck = {DECK}\n"


def _changed(*changes: tuple[str, str]) -> str:
    code = DIG.read_text()
    for old, new in changes:
        assert old in code, old
        code = code.replace(old, new, 1)
    return code


def _with(start: str, draw: str, *others: tuple[str, str]) -> str:
    return _changed((START, START + start), (DRAW, f"found = {draw}"), *others)


IMPORT = ("import copy\n", "import copy\nimport functools\nimport itertools\nimport random\n")
STOCK = ("\n\nclass Game", "\nSTOCK: list[int] = []\n\n\nclass Game")
POP = "self.deck.pop()"
SOUND = {
    "luck": _changed(),
    "list": _with(f"        self.deck = {DECK}\n", POP, (LUCK, LUCK + ANEW)),
    "dict": _with(
        f"        self.piles = {{'deck': {DECK}}}\n",
        "self.piles['deck'].pop()",
        (LUCK, LUCK + f"        world.piles['deck'] = {DECK}\n"),
    ),
    "random numbers": _with(
        "        self.random = random.Random(luck(2**32))\n",
        "self.random.randrange(10)",
        IMPORT,
        (LUCK, f"{LUCK}        world.random = random.Random(luck(2**32))\n"),
    ),
}
# Each with words that name the fault.
SHARING = {
    "luck": (_changed((LUCK, "")), "add the line: world.luck = luck"),
    "luck, shallow": (_changed((COPY, SHALLOW), (LUCK, "")), "add the line: world.luck = luck"),
    "luck in a list": (
        _with("        self.streams = [luck]\n", "self.streams[0](10)"),
        "add the line: world.streams[0] = luck",
    ),
    "luck in a function": (
        _with("        self.draw = lambda: luck(10)\n", "self.draw()"),
        "write a method that draws from self.luck",
    ),
    "luck in a part of a function": (
        _with("        self.draw = functools.partial(luck, 10)\n", "self.draw()", IMPORT),
        "write a method that draws from self.luck",
    ),
    "luck of the class": (
        _with(
            "        Game.stream = luck\n", "Game.stream(10)", ("    PLAYERS", "    stream: Any = None\n    PLAYERS")
        ),
        "draws from luck of the real game, which something outside the game keeps",
    ),
    "luck by a number": (
        _with("        self.key = luck(2**32)\n", "random.Random(self.key + sum(self.digs)).randrange(10)", IMPORT),
        "imagine() makes another world of seat",
    ),
    "random numbers of numpy": (
        _with(
            "        self.random = np.random.default_rng(luck(2**32))\n",
            "int(self.random.integers(10))",
            ("import copy\n", "import copy\n\nimport numpy as np\n"),
        ),
        "add the line: world.random = numpy.random.default_rng(luck(2**32))",
    ),
    "list": (_with(f"        self.deck = {DECK}\n", POP, (COPY, SHALLOW)), "shares deck with the real game"),
    "dict": (
        _with(f"        self.piles = {{'deck': {DECK}}}\n", "self.piles['deck'].pop()", (COPY, SHALLOW)),
        "shares piles['deck'] with the real game",
    ),
    "generator": (
        _with(
            "        self.draws = (luck(10) for _ in itertools.count())\n", "next(self.draws)", IMPORT, (COPY, SHALLOW)
        ),
        "shares draws (generator) with the real game",
    ),
    "random numbers": (
        _with("        self.random = random.Random(luck(2**32))\n", "self.random.randrange(10)", IMPORT),
        "add the line: world.random = random.Random(luck(2**32))",
    ),
    "function": (
        _with(f"        deck = {DECK}\n        self.draw = lambda: deck.pop()\n", "self.draw()"),
        "shares draw, its deck with the real game",
    ),
    "module variable": (
        _with(f"        STOCK[:] = {DECK}\n", "STOCK.pop()", STOCK),
        "depends on STOCK, which worlds change too",
    ),
    "class variable": (
        _with(
            f"        Game.stock = {DECK}\n",
            "Game.stock.pop()",
            ("    PLAYERS", "    stock: list[int] = []\n    PLAYERS"),
        ),
        "depends on Game.stock, which worlds change too",
    ),
    "module variable, not changed": (
        _with(f"        self.taken = 0\n        STOCK[:] = {DECK}\n", "STOCK[sum(self.digs)]", STOCK),
        "imagine() makes another world of seat",
    ),
    "cached property": (_with("", POP, IMPORT, ("    def to_move(", CACHED)), "imagine() makes another world of seat"),
    "cached property, shallow": (
        _with("", POP, IMPORT, ("    def to_move(", CACHED), (COPY, SHALLOW)),
        "shares deck with the real game",
    ),
}
