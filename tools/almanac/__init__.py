"""The almanac: win rates of every game, variant and number of players. `make almanac` plays and writes it."""
