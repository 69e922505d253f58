"""How fast houle is: random play, search, studies and the graphics card. `make bench` runs it."""
