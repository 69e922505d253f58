"""Reading others: imagined worlds count by how well they explain what the others did before.

A searcher that reads keeps every decision of the round with the state before it (memory.py). For each of some hundred
worlds that it cannot tell from the real one it asks the game how those states were if that world is the real one
(`recall`), and how likely a noisy thumb would have done there what was done (thumb_odds.py). The product is the
world's weight; searches then draw their worlds by weight (beliefs.py).

It is fair by construction: the states remembered are the real ones, but `recall` replaces every card in them that the
seat still cannot see by the imagined world's, and nothing else of them is read.
"""
