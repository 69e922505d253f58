"""The games that come with houle, one package each; see `houle.solver.interface`."""
