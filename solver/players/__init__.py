"""Strategies: random, rules of thumb, determinized search. A strategy sees only what its seat may know."""
