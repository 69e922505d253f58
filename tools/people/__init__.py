"""houle's players beside real people: how likely each makes the moves of recorded games of Hanabi."""
