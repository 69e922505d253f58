"""Beacons with false worlds: eight faults, planted in the plain class and in the compiled game."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import NamedTuple

BEACONS = Path(__file__).parent / "beacons"
FITS = "            if self.fits(hand, may, luck):\n"
DRAWN = "            hand = [luck.take(pool) for _ in may]\n"
SHUFFLED = "        luck.shuffle(pool)\n"
UNSEEN = "        unseen = sorted(self.hands[seat] + self.deck)\n"
KERNEL_FITS = "        if not state.may[seat][place] >> (hand[place] // COPIES) & 1:\n"
KERNEL_FIT = "        if fits(state, rules, seat, hand, stream):\n            break\n"
KERNEL_DECK = """    for place in range(state.left):
        stream = advance(stream)
        i = np.int64(below(stream, n))
        n -= 1
        state.deck[place], pool[i] = pool[i], pool[n]
    start_world"""
KERNEL_STREAM = "    stream = derive(key, 9)\n"


class Fault(NamedTuple):
    """What is replaced, by what, in the plain class and in the compiled game; and words that name the fault."""

    plain: tuple[str, str]
    compiled: tuple[str, str]
    words: tuple[str, ...]


FAULTS = {
    "own hand kept": Fault(
        (SHUFFLED, f"        hand, pool = list(self.hands[seat]), sorted(self.deck)\n{SHUFFLED}"),
        ("    for place in range(rules.hand):\n        state.hand[seat][place] = hand[place]\n", """\
    n = 0
    for place in range(state.left):
        pool[n] = state.deck[place]
        n += 1
"""),
        ("keeps hands[",),
    ),
    "deck order kept": Fault(
        (SHUFFLED, """\
        given = [card for card in self.hands[seat] if card not in hand]
        pool = [given.pop() if card in hand else card for card in self.deck]
"""),
        (KERNEL_DECK, """\
    for place in range(state.left):  # cards of the new hand become cards of the old one
        for other in range(rules.hand):
            if state.deck[place] == hand[other]:
                for i in range(n):
                    in_deck = False
                    for at in range(state.left):
                        in_deck = in_deck or state.deck[at] == pool[i]
                    if not in_deck:
                        state.deck[place] = pool[i]
                        break
    start_world"""),
        ("keeps deck[",),
    ),
    "all clues ignored": Fault(
        (FITS, "            if True:\n"),
        (KERNEL_FIT, "        break\n"),
        ("may with bit", "and may "),
    ),
    "one clue in ten ignored": Fault(
        (FITS, "            may = [known if luck(10) else -1 for known in self.may[seat]]\n" + FITS),
        (KERNEL_FITS, "        if below(stream + np.uint64(place), 10) and "
                      "not state.may[seat][place] >> (hand[place] // COPIES) & 1:\n"),
        ("may with bit", "and may "),
    ),
    "a card that cannot be there": Fault(
        (UNSEEN, "        unseen = sorted(self.hands[seat] + self.deck + self.gone[-1:])\n"),
        ("            held = held or state.deck[place] == card\n",
         "            held = held or state.deck[place] == card\n"
         "        held = held or state.gone[0] >> np.uint64(card) & np.uint64(1) == 1\n"),
        ("times", "and gone", "gone "),
    ),
    "two seats swapped": Fault(
        (FITS, "            may = list(self.may[(seat + 1) % self.players])  # the next seat's, if they can be had\n"
               "            if luck(30) == 0 or self.fits(hand, may, luck):\n"),
        (KERNEL_FIT, "        if np.int64(below(stream, 30)) == 0 or "
                     "fits(state, rules, (seat + 1) % rules.seats, hand, stream):\n            break\n"),
        ("may with bit", "and may "),
    ),
    "weights toward good hands": Fault(
        (FITS, "            if luck(10) > sum(kind(card) % VALUES for card in hand):\n"
               "                continue\n" + FITS),
        (KERNEL_FIT, """\
        good = 0
        for place in range(rules.hand):
            good += hand[place] // COPIES % VALUES
        if fits(state, rules, seat, hand, stream) and np.int64(below(stream, 10)) <= good:
            break
"""),
        ("imagines hands ", "imagines deck "),
    ),
    "a count off by one": Fault(
        (UNSEEN, UNSEEN + "        unseen.append(unseen[0])\n"),
        (KERNEL_STREAM, KERNEL_STREAM + "    unseen[left] = unseen[0]\n    left += 1\n"),
        ("times",),
    ),
}  # fmt: skip


def planted(folder: Path, name: str, compiled: bool) -> Path:
    """Beacons with a fault: the folder of the compiled game, or the file of the class."""
    number = list(FAULTS).index(name)
    game = folder / f"beacons_{number}"
    shutil.copytree(BEACONS, game, ignore=shutil.ignore_patterns("__pycache__"))
    (game / "beacons.py").rename(game / f"beacons_{number}.py")
    file = game / (f"beacons_{number}.py" if compiled else "plain.py")
    old, new = FAULTS[name].compiled if compiled else FAULTS[name].plain
    code = file.read_text()
    assert code.count(old) == 1, old
    file.write_text(code.replace(old, new))
    return game if compiled else file
