"""How fast houle is: random play, search, kernels beside C, studies and the graphics card. `make bench` runs it."""
