"""A game in progress, and games as text: positions, records, openings, views."""
