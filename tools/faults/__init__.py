"""Planted faults: what the tests catch."""
