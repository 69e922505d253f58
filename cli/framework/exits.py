"""Exit codes that mean something."""

BAD_INPUT = 2
INTERRUPTED = 130
