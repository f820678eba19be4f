"""The command line, as the command ``autograph`` and as ``python -m autograph``.

Imports little itself, so that Ctrl-C ends a command quietly from its first moment.
"""

import os
import signal
import sys

_SIGNALLED = 128
"""Exit codes above it say which signal ended a command."""


def main() -> int:
    """Load and run the command line; the exit code."""
    interrupts = signal.getsignal(signal.SIGINT) is signal.default_int_handler
    if interrupts:  # else the caller's choice stays, such as a shell's for a background job
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    from autograph.cli.main import main as run

    if interrupts:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        code = run()
    except SystemExit as ending:
        code = ending.code if isinstance(ending.code, int) else 2
    if code > _SIGNALLED:
        os._exit(code)  # without waiting for the threads of a pool whose processes were ended
    return code


if __name__ == "__main__":
    sys.exit(main())
