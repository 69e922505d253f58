"""The kinds of players and the unit of their numbers, as kernels read them in PLAYER records."""

RANDOM, THUMB, FLAT, ISMCTS, CLAIRVOYANT, LEVEL = range(6)
MILLI = 1000  # temperatures, cautions and percentages are stored in thousandths
