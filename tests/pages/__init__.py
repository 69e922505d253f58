"""Kept pages: what every command prints, as text files that a test compares and `make kept` writes anew.

`lines/` has the command lines, one per line, in a file for each page; `kept/` has what they print, in files of the same
names. Pages of `compiled/` run compiled kernels, those of `plain/` run without the compiler. Each page is played in a
folder of its own with the files of `inputs/`, so no page needs another.
"""
