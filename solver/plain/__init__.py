"""Classes in plain Python as games, played without the compiler."""
