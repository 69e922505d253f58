"""How fast houle is: random play, search, kernels beside C, and studies. `make bench` runs it."""
