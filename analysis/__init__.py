"""Numbers from games: estimates, comparisons, analyses. The public names are in `houle`."""
