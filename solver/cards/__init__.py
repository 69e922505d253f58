"""Cards as numbers: sets of bits, piles, rows, random streams. A library for the kernels of games."""
