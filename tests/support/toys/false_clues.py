"""The skeleton of a game with clues, with false worlds: what is replaced by what in the sound class."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

SKELETON = Path(__file__).parents[3] / "cli" / "skeleton" / "clues.txt"
UNSEEN = "sorted(self.pile + self.hand[seat])"
DRAWN = "luck.one_of([card for card in unseen if card in may]) for may in self.may[seat]"
FITS = "            if len(set(hand)) == len(hand):\n"
PILE = "        world.pile = [card for card in unseen if card not in hand]\n"


class Fault(NamedTuple):
    """What is replaced, by what; and words of which one names the fault."""

    changes: tuple[tuple[str, str], ...]
    words: tuple[str, ...]


CLUES = ("may with ", "and may ")
FAULTS = {
    "own hand kept": Fault((("        world.hand[seat] = hand\n", ""), (PILE, "")), ("keeps hand[",)),
    "deck order kept": Fault(
        (
            ("[[luck.take(self.pile)", "[[self.pile.pop()"),
            ("        self.hand = [[", "        luck.shuffle(self.pile)\n        self.hand = [["),
            ("self.luck.take(self.pile)", "self.pile.pop()"),
            ('"pile": sorted(self.pile)', '"pile": list(self.pile)'),
            (
                PILE,
                """\
        given = [card for card in self.hand[seat] if card not in hand]
        world.pile = [given.pop() if card in hand else card for card in self.pile]
""",
            ),
        ),
        ("keeps pile[", "pile is ["),
    ),
    "all clues ignored": Fault(((DRAWN, "luck.one_of(unseen) for may in self.may[seat]"),), CLUES),
    "one clue in four ignored": Fault(
        (
            (DRAWN, "luck.one_of([card for card in unseen if card in may]) for may in heard"),
            (
                "            hand = [",
                "            heard = [may if luck(4) else unseen for may in self.may[seat]]\n            hand = [",
            ),
        ),
        CLUES,
    ),
    "a card that cannot be there": Fault(
        ((UNSEEN, "sorted(self.pile + self.hand[seat] + self.thrown[-1:])"),), ("times", "and thrown", "thrown ")
    ),
    "two seats swapped": Fault(  # the next seat's clues, if they can be had
        (
            (DRAWN, "luck.one_of([card for card in unseen if card in may] or unseen) for may in heard"),
            (
                "            hand = [",
                "            heard = self.may[(seat + (luck(30) > 0)) % len(self.may)]\n"
                "            heard = (heard + self.may[seat])[:len(self.may[seat])]\n"
                "            hand = [",
            ),
        ),
        CLUES,
    ),
    "weights toward good hands": Fault(
        ((FITS, "            if len(set(hand)) == len(hand) and luck(30) <= sum(hand):\n"),),
        ("imagines hand ", "imagines pile ", "highest hand "),
    ),
    "a count off by one": Fault(((PILE, PILE.replace("]\n", "] + unseen[:1]\n")),), ("times",)),
}


def planted(folder: Path, name: str) -> Path:
    """A file with the class and a fault."""
    code = SKELETON.read_text().replace("@title@", "Clues").replace("cards=30, hand=4", "cards=12, hand=3")
    for old, new in FAULTS[name].changes:
        assert code.count(old) == 1, old
        code = code.replace(old, new)
    file = folder / f"{name.replace(' ', '_')}.py"
    file.write_text(code)
    return file
