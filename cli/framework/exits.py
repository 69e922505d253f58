"""Exit codes, and the way in which Ctrl-C ends a command."""

SYSTEM = 1  # the disk is full, the pipe is closed, memory is short
BAD_INPUT = 2
INTERRUPTED = 130


class Interrupted(BaseException):
    """Ctrl-C: says after `houle: interrupted` what is kept and how to go on. The command ends with this exit code."""

    def __init__(self, kept: str = " before there was a result; nothing was written", code: int = INTERRUPTED) -> None:
        super().__init__(kept)
        self.code = code
