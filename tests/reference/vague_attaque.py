"""Reference implementation of VAGUE & ATTAQUE (1 to 5 players, teams 2 v 2).

Slow and plain on purpose: the compiled kernels are compared with this game, decision by decision, and must
agree on the legal actions, the seat to move, the whole state and the result.  A game is written as one long
generator that runs through the phases in the order of the rules and pauses at every decision, so that the
code can be read next to the rules text.  The cards and the board are in vague_attaque_board.py.
"""

from __future__ import annotations

from collections.abc import Generator
from typing import Any, TypeVar

from tests.reference.pile import Luck

from .vague_attaque_board import (
    ENCOUNTERS,
    FULL,
    PICK,
    PLACES,
    SHIP,
    SHIP_DIE,
    SHIP_DISCARDS,
    SHIP_PLACE,
    SHIP_SINKS,
    THEFT,
    Board,
    Chance,
    name,
)

T = TypeVar("T")
Steps = Generator[None, str, T]


class GameWon(Exception):  # noqa: N818 (winning is not an error)
    """Leaves the turn at the very moment a side has won; carries that side."""

    def __init__(self, side: int) -> None:
        super().__init__(side)
        self.side = side


class Game(Board):
    """One game, ready for its first decision once constructed."""

    def __init__(self, players: int, knobs: dict[str, Any], deal: Luck, chance: Chance) -> None:
        super().__init__(players, knobs, deal, chance)
        self.target: int = knobs["target"] or (2 if players >= 3 and not self.teams else 3)
        # Options without the knob come from kernels in which only the parry helps the partner.
        self.partner_gold: str = knobs.get("partner_gold", "parry")
        self.thefts = 0
        self.pending = -1
        self.ship_waits = False
        self.power_used = False
        self.place_laid = False
        self.souvenirs_laid = 0
        self.moves = 0
        self.duels = 0
        self.winner = -1

        self.phase = ""
        self.decider = -1
        self.options: list[str] = []
        self._steps = self._play()
        next(self._steps)

    # ---- the interface the kernels are stepped beside

    def to_move(self) -> int:
        """The seat that decides; -1 when the game is over."""
        return self.decider

    def legal(self) -> list[str]:
        """The names of the legal actions; empty when the game is over."""
        return list(self.options)

    def apply(self, action: str) -> None:
        """Take one decision and run on to the next."""
        if action not in self.options:
            raise ValueError(f"not legal: {action!r}")
        try:
            self._steps.send(action)
        except StopIteration:
            self.phase, self.decider, self.options = "over", -1, []

    def snapshot(self) -> dict[str, Any]:
        """The whole state in plain values."""
        return {
            "seat": self.seat,
            "to_move": self.decider,
            "phase": self.phase,
            "hands": [sorted(hand) for hand in self.hands],
            "zones": [[[place, sorted(self.on[place])] for place in self._zone(seat)] for seat in range(self.players)],
            "ship_holder": self.owner[SHIP],
            "ship_cards": sorted(self.on[SHIP]),
            "ship_waits": self.ship_waits,
            "validated": [self._validated(seat) for seat in range(self.players)],
            "decks": {kind: list(cards) for kind, cards in self.decks.items()},
            "discards": {kind: list(cards) for kind, cards in self.discards.items()},
            "pending": self.pending,
            "artefact": list(self.artefact),
            "turn": self.turn,
            "power_used": self.power_used,
            "placed": [self.place_laid, self.souvenirs_laid],
            "over": self.phase == "over",
        }

    def result(self) -> dict[str, Any]:
        """Scores and shares per side, once the game is over."""
        if self.phase != "over":
            raise ValueError("the game is not over")
        validated = [self._validated(seat) for seat in range(self.players)]
        if self.solo:
            scores = [validated[0], len(self.on[SHIP])]
        elif self.teams:
            scores = [validated[0] + validated[2], validated[1] + validated[3]]
        else:
            scores = validated
        return {
            "scores": scores,
            "shares": [840 if side == self.winner else 0 for side in range(len(scores))],
            "moves": self.moves,
            "turns": self.turn,
            "rounds": self.turn // self.players,
            "counts": {"duels": self.duels, "ship_wins": int(self._ship_won())},
        }

    def _ship_won(self) -> bool:
        """Whether the ship decided the game: among the winners' places, or against the solo player."""
        if self.winner < 0 or self.solo:
            return self.winner == 1
        holder = self.owner[SHIP]
        return holder != -1 and self.winner in self._allies(holder) and len(self.on[SHIP]) == FULL

    # ---- the course of the game

    def _ask(self, seat: int, phase: str, options: dict[str, T]) -> Steps[T]:
        """Pause for a decision; the meaning of the chosen action comes back."""
        self.decider, self.phase, self.options = seat, phase, list(options)
        action = yield
        return options[action]

    def _ask_card(self, seat: int, phase: str, verb: str, cards: list[int]) -> Steps[int]:
        return (yield from self._ask(seat, phase, {f"{verb} {name(card)}": card for card in sorted(cards)}))

    def _ask_yes(self, seat: int, phase: str) -> Steps[bool]:
        return (yield from self._ask(seat, phase, {f"{phase} yes": True, f"{phase} no": False}))

    def _play(self) -> Steps[None]:
        try:
            while True:
                yield from self._explore()
                yield from self._encounter()
                yield from self._land()
                yield from self._tidy_up()
                if self.solo:
                    yield from self._ship_turn()
                self.turn += 1
                if self.turn % self.players == 0:
                    if not self.ship_waits:
                        self._move_ship()
                    self.ship_waits = False
                if self.turn >= self.knobs["max_turns"]:
                    return
                self.seat = (self.seat + 1) % self.players
                self.place_laid, self.souvenirs_laid, self.thefts = False, 0, 0
        except GameWon as won:
            self.turn += 1  # the turn in which the game ends was played too
            self.winner = won.side

    # Phase I

    def _explore(self) -> Steps[None]:
        seat = self.seat
        options: dict[str, int] = {"draw": -1}
        if self._power(seat) == "hook" and self.discards["souvenirs"]:
            options["hook"] = -2
        if self._can_draw("places"):
            options |= {f"swap {name(card)}": card for card in self._in_hand(seat, "souvenirs")}
        choice = yield from self._ask(seat, "explore", options)
        if choice == -1:
            yield from self._explore_draw()
        elif choice == -2:
            self.hands[seat].append(self.discards["souvenirs"].pop())
        else:
            self._discard_from_hand(seat, choice)
            self._draw_to_hand(seat, "places")

    def _explore_draw(self) -> Steps[None]:
        seat = self.seat
        wanted = 2 if self._power(seat) == "spyglass" else 1
        drawn: list[int] = []
        while len(drawn) < wanted and (card := self._draw("souvenirs")) is not None:
            drawn.append(card)
        if len(drawn) == 2:
            kept = yield from self._ask_card(seat, "spyglass", "keep", drawn)
            drawn.remove(kept)
            self._to_discard(drawn.pop())
            drawn = [kept]
        for card in drawn:
            if self.solo and SHIP_PLACE in self.souvenirs[card]["places"]:
                yield from self._to_solo_ship(card)
            else:
                self.hands[seat].append(card)

    # Phase II

    def _encounter(self) -> Steps[None]:
        options: dict[str, int] = {"adventure": -1}
        if not self.solo:
            options |= {f"duel {name(card)}": card for card in self._duel_targets()}
        target = yield from self._ask(self.seat, "encounter", options)
        if target != -1:
            yield from self._duel(target)
            return
        card = self._draw("encounters")
        if card is None:
            return
        text = self.encounters[card - ENCOUNTERS.start]
        if text["gold"]:
            self.hands[self.seat].append(card)
            return
        self.pending = card
        yield from self._resolve(text["effect"])
        self.pending = -1
        self._to_discard(card)

    def _resolve(self, effect: str) -> Steps[None]:
        """What a blue encounter does."""
        seat = self.seat
        if effect == "draw_souvenir":
            self._draw_to_hand(seat, "souvenirs")
        elif effect == "draw_place":
            self._draw_to_hand(seat, "places")
        elif effect == "discard_choice":
            yield from self._lose(seat)
        elif effect == "all_discard_random":
            for other in self._leftwards():
                if self.hands[other]:
                    self._discard_from_hand(other, self._at_random(self.hands[other], PICK + other))
        elif effect == "all_draw_souvenir":
            for other in self._leftwards():
                self._draw_to_hand(other, "souvenirs")
        elif effect == "steal_random":
            yield from self._steal(seat)
        elif effect == "give_left":
            # A solo player has no left neighbour.
            if self.hands[seat] and not self.solo:
                card = yield from self._ask_card(seat, "give", "give", self.hands[seat])
                self.hands[seat].remove(card)
                self.hands[(seat + 1) % self.players].append(card)
        elif effect == "all_pass_left":
            if not self.solo:
                self._all_pass_left()
        elif effect == "move_ship":
            self._move_ship()
        elif effect != "calm":
            raise ValueError(f"unknown blue encounter: {effect!r}")

    def _all_pass_left(self) -> None:
        # All pick before anybody passes: a card just received cannot be passed on.
        picked = {
            seat: self._at_random(self.hands[seat], PICK + seat) for seat in self._leftwards() if self.hands[seat]
        }
        for seat, card in picked.items():
            self.hands[seat].remove(card)
            self.hands[(seat + 1) % self.players].append(card)

    def _lose(self, seat: int) -> Steps[None]:
        if self.hands[seat]:
            card = yield from self._ask_card(seat, "lose", "lose", self.hands[seat])
            self._discard_from_hand(seat, card)

    def _steal(self, seat: int) -> Steps[None]:
        victims = {f"steal from seat {other}": other for other in self._opponents(seat) if self.hands[other]}
        if victims:
            victim = yield from self._ask(seat, "steal", victims)
            card = self._at_random(self.hands[victim], THEFT + self.thefts)
            self.thefts += 1
            self.hands[victim].remove(card)
            self.hands[seat].append(card)

    def _duel(self, target: int) -> Steps[None]:
        self.duels += 1
        seat = self.seat
        place = next(place for place, lying in self.on.items() if target == place or target in lying)
        bonus = int(self._power(seat) == "sabre")
        for helper in self._allies(seat) if self.partner_gold == "any" else [seat]:
            steady = self._gold(helper, "steady_hand")
            if steady and (yield from self._ask_yes(helper, "steady")):
                self._discard_from_hand(helper, steady[0])
                bonus += 1
                break
        for defender in self._allies(self.owner[place]):
            parry = self._gold(defender, "parry")
            if parry and (yield from self._ask_yes(defender, "parry")):
                self._discard_from_hand(defender, parry[0])
                return
        throws, needed = (3, 2) if target == place else (1, 1)
        won = lost = 0
        for throw in range(throws):
            mine = self._chance(self.knobs["die"], 2 * throw) + 1 + bonus
            theirs = self._chance(self.knobs["die"], 2 * throw + 1) + 1
            won += mine > theirs
            lost += mine < theirs
        if lost >= needed:
            yield from self._lose(seat)
        elif won >= needed and target == place:
            self.owner[place] = seat
        elif won >= needed:
            self.on[place].remove(target)
            self.hands[seat].append(target)
            if place == SHIP and len(self.on[SHIP]) == 1 and self.knobs["ship_resumes"] == "next_round":
                self.ship_waits = True

    # Phase III

    def _land(self) -> Steps[None]:
        seat = self.seat
        allowance = 2 if self._power(seat) == "compass" else 1
        ask_partner = self.teams and self.partner_gold == "any"
        while True:
            moorings = self._gold(seat, "extra_mooring")
            if ask_partner and self.souvenirs_laid >= allowance and not moorings and self._placements(seat):
                partner = self._allies(seat)[1]
                lent = self._gold(partner, "extra_mooring")
                if lent:
                    ask_partner = yield from self._ask_yes(partner, "mooring")
                    if ask_partner:
                        self._discard_from_hand(partner, lent[0])
                        allowance += 1
            options: dict[str, tuple[int, ...]] = {}
            if not self.place_laid:
                options |= {f"lay {name(card)}": (card,) for card in self._in_hand(seat, "places")}
            if self.souvenirs_laid < allowance or moorings:
                for card, place in self._placements(seat):
                    options[f"lay {name(card)} on {name(place)}"] = (card, place)
            if not self.place_laid and not self.souvenirs_laid:
                options |= {f"discard {name(card)}": (card,) for card in self._in_hand(seat, "souvenirs")}
            if not options:
                return
            choice = yield from self._ask(seat, "land", options | {"stop": ()})
            if not choice:
                return
            card = choice[0]
            if len(choice) == 2:
                if self.souvenirs_laid < allowance:
                    self.souvenirs_laid += 1
                else:
                    self._discard_from_hand(seat, moorings[0])
                yield from self._lay_souvenir(seat, card, choice[1])
            elif card in PLACES:
                self.place_laid = True
                self.moves += 1
                self.hands[seat].remove(card)
                self.owner[card], self.on[card] = seat, []
            else:
                self._discard_from_hand(seat, card)
                yield from self._anchor(seat, card)
                return

    def _lay_souvenir(self, seat: int, souvenir: int, place: int) -> Steps[None]:
        self.moves += 1
        self.hands[seat].remove(souvenir)
        self.on[place].append(souvenir)
        if len(self.on[place]) == FULL:
            if self.players == 2 and place == SHIP:
                self.owner[SHIP] = seat
            side = self._allies(self.owner[place])
            if sum(self._validated(ally) for ally in side) >= self.target:
                raise GameWon(min(side))
        yield from self._anchor(seat, souvenir)

    def _anchor(self, seat: int, souvenir: int) -> Steps[None]:
        """The anchor effect of a souvenir, for the seat that laid (or discarded) it."""
        effect = self.souvenirs[souvenir]["anchor"]
        if effect == "draw_souvenir":
            self._draw_to_hand(seat, "souvenirs")
        elif effect == "draw_place":
            self._draw_to_hand(seat, "places")
        elif effect == "steal":
            yield from self._steal(seat)
        elif effect == "place_souvenir":
            yield from self._extra_placement(seat)
        elif effect is not None:
            raise ValueError(f"unknown anchor: {effect!r}")

    def _extra_placement(self, seat: int) -> Steps[None]:
        # The partner is asked only if the seat itself has no legal placement; declining does not pass it on.
        for ally in self._allies(seat):
            placements = self._placements(ally)
            if placements:
                options: dict[str, tuple[int, int] | None] = {
                    f"extra {name(card)} on {name(place)}": (card, place) for card, place in placements
                }
                choice = yield from self._ask(ally, "extra", options | {"decline": None})
                if choice is not None:
                    yield from self._lay_souvenir(ally, *choice)
                return

    # End of the turn

    def _tidy_up(self) -> Steps[None]:
        seat = self.seat
        limit = self.knobs["chest_limit" if self._power(seat) == "chest" else "hand_limit"]
        while len(self.hands[seat]) > limit:
            card = yield from self._ask_card(seat, "drop", "drop", self.hands[seat])
            self._discard_from_hand(seat, card)
        if not self.hands[seat]:
            offers = {f"refill {kind[:-1]}": kind for kind in ("souvenirs", "places") if self._can_draw(kind)}
            if offers:
                kind = yield from self._ask(seat, "refill", offers)
                self._draw_to_hand(seat, kind)

    # The solo game's opponent

    def _ship_turn(self) -> Steps[None]:
        effect = self.knobs["deck"]["solo_die"][self._chance(6, SHIP_DIE)]
        if effect == "discard_random":
            if self.hands[0]:
                self._discard_from_hand(0, self._at_random(self.hands[0], SHIP_DISCARDS))
        elif effect == "discard_souvenir":
            exposed = [place for place in self._zone(0) if 0 < len(self.on[place]) < FULL]
            if exposed:
                card = self._at_random([card for place in exposed for card in self.on[place]], SHIP_SINKS)
                next(self.on[place] for place in exposed if card in self.on[place]).remove(card)
                self._to_discard(card)
        elif effect in ("ship_if_symbol", "ship_always"):
            drawn = self._draw("souvenirs")
            if drawn is None:
                return
            if effect == "ship_always" or SHIP_PLACE in self.souvenirs[drawn]["places"]:
                yield from self._to_solo_ship(drawn)
            else:
                self._to_discard(drawn)
        elif effect != "nothing":
            raise ValueError(f"unknown die effect: {effect!r}")

    def _to_solo_ship(self, souvenir: int) -> Steps[None]:
        """A souvenir would go on the ship; once per game the player may pay with the hand to prevent it."""
        hand = self.hands[0]
        if hand and not self.power_used and (yield from self._ask_yes(0, "power")):
            self.power_used = True
            kept = yield from self._ask_card(0, "retain", "retain", hand)
            for card in sorted(hand):
                if card != kept:
                    self._discard_from_hand(0, card)
            self._to_discard(souvenir)
            return
        self.on[SHIP].append(souvenir)
        if len(self.on[SHIP]) >= self.knobs["ship_limit"]:
            raise GameWon(1)
