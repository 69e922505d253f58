"""Who plays: names of players, levels, groups, experts, line-ups."""
