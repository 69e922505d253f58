"""Commands and options of 0.4.0 that are gone, each with what to type now: for this version only."""

from __future__ import annotations

from collections.abc import Sequence

# GAME stands for the game that was typed.
COMMANDS = {
    "ablate": "is now a section of the report: houle report GAME --only rules-of-thumb",
    "assumptions": "is now part of `compare`: houle compare GAME --open-rules",
    "calibrate": "is now part of `players`: houle players GAME --fit results.csv",
    "decisions": "is now a section of the report: houle report GAME --only decisions",
    "endings": "is now part of `balance`: houle balance GAME",
    "learning-curve": "is now a section of the report: houle report GAME --only rules-of-thumb",
    "openings": "is now part of `balance`: houle balance GAME",
    "position": "is now part of `trace`: houle trace GAME --seed 7 --game 3 --at 5",
    "skill": "is now part of `strength`: houle strength GAME",
}

STUDY = {  # its own commands
    "merge": "is gone, copy the files of all parts into one folder: houle study show study/",
    "resume": "is now part of `study run`, which continues: houle study run study.toml -o study/",
    "status": "is now part of `study show`: houle study show study/",
}

OPTIONS = {
    "--audit": "play a part again in another folder; equal results have equal digests",
    "--confirm-games": "proposals always play as many new games",
    "--db": "use -o FOLDER where a study is written, and give the folder alone where it is read",
    "--deck": "a deck is a rule: --set deck=FILE; `rules` has --check-deck FILE",
    "--device": "games are played on the CPU",
    "--figure": "use -o, as in -o picture.png",
    "--first": "use another --seed",
    "--force": "delete the file first, or give another name",
    "--name": "give a rules file, which has a name: `houle rules GAME --set KEY=VALUE --write NAME.toml`",
    "--nearest": "where the target is not reached, the last line is a command that writes the nearest setting",
    "--no-confirm": "the best fit is always played again",
    "--opponent": "use -s",
    "--plot": "Python draws both kinds: houle.sweep(...).plot(kind='heat')",
    "--rotate": "use `strength`: one better player among others, in every seat",
    "--search-games": "players that search play a twentieth of -n, at least 100, and -n where all search",
    "--seconds-per-turn": "use --seconds-per-decision; a turn may have several decisions",
    "--steps": "use --budget or -n",
}


def command_line(words: Sequence[str]) -> str:
    """What to type instead of a removed command; empty if the first word is none."""
    if words[0] not in COMMANDS:
        return ""
    game = words[1] if len(words) > 1 and not words[1].startswith("-") else "GAME"
    return f"`{words[0]}` {COMMANDS[words[0]].replace('GAME', game)}"
