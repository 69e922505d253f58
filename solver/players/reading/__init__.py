"""Reading the others: imagined worlds are weighted by how well they explain the others' earlier moves.

A reader keeps every decision of the round with the state before it (memory.py). It samples some hundred worlds that it
cannot tell from the real one. For each world the game rebuilds the earlier states as they would have been in that world
(`recall`), and the reader computes how likely a noisy thumb would have made the moves that were made. The product of
these chances is the weight of the world; searches draw their worlds by weight (beliefs.py).

Reading is fair: the remembered states are real, but `recall` replaces every card in them that the seat still cannot
see by the imagined world's. Only games with `recall` can be read.
"""
