"""The games, one module each, on the contract of `houle.solver.contract`."""
