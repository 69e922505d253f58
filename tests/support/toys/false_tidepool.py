"""Tidepool with faults: what is replaced by what in the sound class."""

from __future__ import annotations

from pathlib import Path

TIDEPOOL = Path(__file__).parent / "tidepool.py"
VIEW = '            "your hand": list(self.hand[seat]),'
LUCK = "        world.luck = luck\n"
DECK = "                world.deck = left\n"
LAID = "        self.laid.append(card)\n"
LEGAL = """        if self.to_move() < 0:
            return []
"""
THUMB = """        moves = self.legal()
        if self.hand"""
IMPORT = ("import copy\n", "import copy\nimport random\n")

Change = tuple[str, str]
FAULTS: dict[str, tuple[Change, ...]] = {
    "a hidden hand is kept": (("world.hand[other] = sorted(drawn + shown)", "pass"),),
    "worlds forget a public bound": (("max(self.top, self.floor[seat]) < card", "self.top < card"),),
    "worlds forget a shown card": (
        ("self.highest[other]] if self.highest[other] else []", "] if False else []"),
        ("free = [card for card in unseen if card not in self.highest]", "free = unseen"),
        ("< card < (self.highest[seat] or 1_000)", "< card"),
    ),
    "the view shows the deck": ((VIEW, f'            "left": list(self.deck), {VIEW.strip()}'),),
    "the view shows a sum of hands": ((VIEW, f'            "sum": sum(map(sum, self.hand)), {VIEW.strip()}'),),
    "a move cannot be made": (
        ("        return moves\n", '        return [*moves, "show seat 9"]\n'),
        ("        if move ==", "        if len(move) > 5:\n            self.hand[9].pop()\n        elif move =="),
    ),
    "a score is counted twice": (
        (LAID, LAID + "        self.bonus = getattr(self, 'bonus', 0) + 1\n"),
        ('"scores": [len(self.laid)]', '"scores": [len(self.laid) + (self.lives > 2)]'),
    ),
    "the mover is too high": (
        (
            "        return self.mover if self.lives",
            "        if self.passes == 1:\n            return len(self.hand)\n        return self.mover if self.lives",
        ),
    ),
    "the mover is nothing": (("any(self.hand) else -1", "any(self.hand) else None"),),
    "rules draw from outside": (
        IMPORT,
        (
            "        card = self.hand[self.mover].pop(0)\n",
            "        card = self.hand[self.mover].pop(0)\n        self.lives -= random.random() < 0.1\n",
        ),
    ),
    "the thumb draws from outside": (
        IMPORT,
        (THUMB, f'        if random.random() < 0.3:\n            return "lay"\n{THUMB}'),
    ),
    "the game goes on after the end": (
        (
            "return self.mover if self.lives > 0 and any(self.hand) else -1",
            "return self.mover if self.lives > 0 else -1",
        ),
    ),
    "the game ends while moves are legal": (
        (
            "return self.mover if self.lives > 0 and any(self.hand) else -1",
            "return self.mover if self.lives > 0 and any(self.hand) and len(self.laid) < 6 else -1",
        ),
        ("if self.to_move() < 0:\n", "if self.lives <= 0 or not any(self.hand):\n"),
    ),
    "a card gets lost": (
        (
            "        self.thrown.append(card)\n",
            "        if card != self.floor[seat]:\n            self.thrown.append(card)\n",
        ),
    ),
    "the thumb reads hands": (
        (
            THUMB,
            "        moves = self.legal()\n        lowest = min(hand[0] for hand in self.hand if "
            'hand)\n        if lowest == self.hand[self.mover][0]:\n            return "lay"\n'
            "        if self.hand",
        ),
    ),
    "the winner does not exist": (('"winners": [0] if won else []', '"winners": [1] if won else []'),),
    "the range is wrong": (("SCORE_RANGE = (0, 20)", "SCORE_RANGE = (0, 8)"),),
    "worlds keep the real luck": ((LUCK, ""),),
    # Ten more.
    "the order of moves tells a hand": (
        (
            "        return moves\n",
            "        other = self.hand[self.mover - 1]\n        return moves[::-1] if sum(other) % 2 else moves\n",
        ),
    ),
    "the thumb reads the deck": (
        (
            THUMB,
            "        moves = self.legal()\n        if self.deck and min(self.deck) > self.top + 2:"
            '\n            return "lay"\n        if self.hand',
        ),
    ),
    "worlds change the own hand": (
        (
            DECK,
            "                if left and world.hand[seat]:\n"
            "                    world.hand[seat][0], left[0] = left[0], world.hand[seat][0]\n" + DECK,
        ),
    ),
    "worlds lose a card": ((DECK, "                world.deck = left[1:]\n"),),
    "worlds forget the top card": (("max(self.top, self.floor[seat]) < card", "self.floor[seat] < card"),),
    "a card comes twice": ((LAID, LAID + "        if card % 5 == 0:\n            self.deck.append(card)\n"),),
    "worlds prefer low cards": (
        (
            "drawn = [luck.take(fitting) for _ in range(number)]",
            "drawn = [fitting.pop(luck(luck(len(fitting)) + 1)) for _ in range(number)]",
        ),
    ),
    "games remember earlier games": (
        ("class Game:\n", "COUNT = [0]\n\n\nclass Game:\n"),
        (LAID, LAID + "        COUNT[0] += 1\n        self.passes += COUNT[0] % 7 == 0\n"),
    ),
    "nobody keeps what was thrown": (("                    self.floor[seat] = hand[0]\n", ""),),
    "a shown card is not the highest": (("self.hand[self.mover][-1]", "self.hand[self.mover][-2:][0]"),),
}


def planted(folder: Path, name: str) -> Path:
    """A file with the class and a fault."""
    code = TIDEPOOL.read_text()
    for old, new in FAULTS[name]:
        assert old in code, (name, old)
        code = code.replace(old, new, 1)
    file = folder / f"{name.replace(' ', '_')}.py"
    file.write_text(code)
    return file
