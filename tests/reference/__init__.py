"""Slow, plain-Python reference games that the fast kernels are checked against."""
