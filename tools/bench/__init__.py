"""How fast houle is: random play, search, a kernel beside C, first use and the studio. `make bench` runs most of it."""
