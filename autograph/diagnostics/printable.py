"""Text that a terminal shows as it is: control characters of names and sources are escaped.

The command line uses it wherever it shows what a file is called or what is written in one.
"""

from __future__ import annotations

import re

_CONTROL = re.compile(
    "[\0-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]"
)
"""Control characters, and those that change the order or the lines of what is shown."""


def printable(text: str, keep: str = "") -> str:
    r"""Return a text with control characters as Python writes them: ``\x1b`` for the escape.

    ``keep``: characters that stay, such as line ends.
    """

    def escaped(match: re.Match[str]) -> str:
        letter = match[0]
        return letter if letter in keep else letter.encode("unicode_escape").decode()

    return _CONTROL.sub(escaped, text)
