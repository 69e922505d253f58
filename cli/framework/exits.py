"""Exit codes that mean something."""

SYSTEM = 1  # the disk is full, the reader has gone, memory is short
BAD_INPUT = 2
INTERRUPTED = 130
