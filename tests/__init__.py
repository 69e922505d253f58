"""Tests of houle; folders mirror the rooms."""
