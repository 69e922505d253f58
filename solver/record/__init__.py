"""Positions and games as text that a person can write, read and share.

A position is what one seat knows when it has to move: a place a line, as `top: white 3` or `seat 2 back: red 1`.
Cards and places have the names that traces use, seats count from 1, `?` is a card that the seat cannot see, `none` an
empty place, `#` begins a remark. Lines may also stand in one line with semicolons between them, or as TOML or JSON.

    game: wave
    players: 3
    seat: 1
    top: white 3
    seat 1 front: red 2, navy 5, green 0
    seat 2 back: navy 1, white 4

Which lines there are beside the head (lines.py, head.py) is the matter of each game: `text/position.py` in its folder
has `write(state, setup, seat)`, the lines of a state as that seat sees it, and `read(lines, setup, state)`, which fills
a blank state with them and returns the seat. Cards that the seat cannot see are dealt in any way: position.py then
imagines a world from that, in which everything agrees with what is known. A decision depends on what the seat knows and
on its own luck alone (the law of fair play), so every strategy decides there as in the game that the position is from.

Its own luck is the line `luck: SEED/GAME/PLY`: the keys of its searches and of what it leaves to chance, never of the
deal. A fourth number says how often chance was asked before, where that is not once a ply. Without the line a fixed key
is used. The line `moves` tells what was done so far, as the seat saw it.

A record is a game, whole or broken off: the head, the seed and number of its deal or the cards dealt, and all moves by
name (game.py). `read_record(text).replay()` gives the table before every move; `Record.start()` is the first of them,
whatever the cards come from. `noted(record, seat)` (noted.py) writes a game as one seat saw it. Who reads the others
(strategies/reading) reads them in such notes as in the game itself; a position does not tell enough of what was before.
"""
