"""The kinds of players, and the unit and the limit of their numbers, as kernels read them."""

RANDOM, THUMB, FLAT, ISMCTS, CLAIRVOYANT, LEVEL = range(6)
MILLI = 1000  # temperatures, cautions and percentages are stored in thousandths
MOST_WEIGHED = 1000  # worlds that a reader weighs at a decision
