"""Exit codes."""

SYSTEM = 1  # the disk is full, the pipe is closed, memory is short
BAD_INPUT = 2
INTERRUPTED = 130
