"""``compat.v1.app``: the start of a program: it reads the flags and calls ``main``."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from typing import Any

from runtime.compat.v1 import flags as flags

__all__ = ["flags", "run"]


def run(main: Callable[..., Any] | None = None, argv: Sequence[str] | None = None) -> None:
    """Read the flags of the command line, call a function and end the program with its result.

    Args:
        main: function of the arguments that are no flags; by default ``main`` of the program.
        argv: command line; by default that of the process.
    Raises:
        SystemExit: always, with the result of ``main``; 1 for a flag that is wrong.
    """
    words = list(sys.argv if argv is None else argv)
    if {"--help", "-h", "--helpfull"} & {*words[1:]}:
        print(f"flags of {words[0]}:\n{flags.FLAGS.get_help()}", end="")
        sys.exit(1)
    try:
        rest = flags.FLAGS(words)
    except flags.Error as error:
        print(f"FATAL Flags parsing error: {error}\nPass --help to see help on flags.",
              file=sys.stderr)  # fmt: skip
        sys.exit(1)
    function = vars(sys.modules["__main__"])["main"] if main is None else main
    sys.exit(function(rest))
