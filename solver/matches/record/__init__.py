"""Positions and games as text that people can write, read and share.

A position is what one seat knows when it has to move: a line per place, as `top: white 3` or `seat 2 back: red 1`.
Cards and places have the names that traces use. Seats count from 1, `?` is a card that the seat cannot see, `none` is
an empty place, and `#` starts a comment. Lines may also be joined by semicolons, or be JSON.

    game: wave
    players: 3
    seat: 1
    top: white 3
    seat 1 front: red 2, navy 5, green 0
    seat 2 back: navy 1, white 4

Lines beside the head (setup_head.py) come from the table of what a seat sees (known_lines.py). `position.py` in a
game's folder writes those with a syntax of their own (`LINES`), and its `read(lines, setup, state, seat)` fills a blank
state with the cards that lines name (named_cards.py). Cards that the seat cannot see are dealt in any way, then a world
that agrees with all that is known is imagined. A decision depends only on what the seat knows and on its own luck (the
invariant of fair play), so every strategy that remembers nothing decides there as in the original game.

The seat's own luck is the line `luck: SEED/GAME/PLY`: the keys of its searches and random choices, never of the deal. A
fourth number is the number of random choices so far, if it differs from the ply. Without the line a fixed key is used.
The line `moves` lists the moves so far as the seat saw them.

A record is a game, complete or broken off: the head, the seed and number of the deal or the cards dealt, and all moves
by name (game.py). `read_record(text).replay()` gives the match before every move, `Record.start()` the match before the
first. Notes are a record of what one seat saw (`seen by: 2`). Players who read the others or heed their signals
(players/reading) remember from notes what they remember in the game; a position has only the signals at its decision.
"""
