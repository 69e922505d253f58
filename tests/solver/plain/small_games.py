"""Small classes for tests: a race with luck, standings and players by name."""

from __future__ import annotations

RACE = '''
class Race:
    """Roll and move; the first to reach the end wins."""

    PLAYERS = (2, 3)

    @staticmethod
    def SCORE_RANGE(players, options):
        return 0, options["end"] + 3

    @staticmethod
    def DEFAULTS(players):
        return {"end": 4 * players}

    def __init__(self, players, luck, end=8):
        self.luck, self.end, self.at, self.seat = luck, end, [0] * players, 0

    def to_move(self):
        return -1 if max(self.at) >= self.end else self.seat

    def legal(self):
        if self.to_move() < 0:
            return []
        return ["one", "roll", "wait"] if self.at[self.seat] else ["one"]

    def apply(self, move):
        self.at[self.seat] += {"one": 1, "wait": 0}.get(move, self.luck(4) if move == "roll" else 0)
        self.seat = (self.seat + 1) % len(self.at)

    def result(self):
        return {"scores": list(self.at), "rounds": 2}

    def standing(self):
        return self.at

    def view(self, seat):
        return {"at": list(self.at), "you": seat}

    def rules_of_thumb(self):
        return "roll" if self.at[self.seat] else "one"

    @staticmethod
    def wild(view, moves, luck):
        return luck.one_of(moves)

    PLAYERS_BY_NAME = {"slow": lambda view, moves, luck: "one", "wild": "wild"}
'''
FEATURES = """
    FEATURES = (("far", "Go far."), ("surely", "Go surely.", "Take chances."))

    def features(self, move):
        return [{"one": 1, "roll": 2, "wait": 0}[move] * (self.at[self.seat] + 1), move == "one"]
"""
