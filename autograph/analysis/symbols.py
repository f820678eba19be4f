"""Numbering of a function's variables, so that a set of variables is a bit mask.

The lowest layer of the analyses: all others keep sets of symbols as bit masks and turn them into
sets of names for the converters.
"""

from __future__ import annotations

from collections.abc import Iterable


class Symbols(dict[str, int]):
    """Map from a symbol's text to its bit; a new text gets the next bit.

    A symbol is a name (``x``) or a path from a name through attributes and simple items
    (``self.x``, ``d['k'].y``, ``l[i]``).
    """

    def __init__(self) -> None:
        super().__init__()
        self.paths = 0
        """The symbols that are paths, not plain names."""
        self._names: dict[int, frozenset[str]] = {}

    def __missing__(self, text: str) -> int:
        bit = self[text] = 1 << len(self)
        return bit

    def path(self, text: str) -> int:
        """Return the bit of a path."""
        bit = self[text]
        self.paths |= bit
        return bit

    def mask(self, names: Iterable[str]) -> int:
        """Return the bits of those among ``names`` that occur at all."""
        mask = 0
        for name in names:
            mask |= self.get(name, 0)
        return mask

    def names(self, mask: int) -> frozenset[str]:
        """Return the texts of a set of symbols."""
        texts = self._names.get(mask)
        if texts is None:
            texts = frozenset([text for text, bit in self.items() if bit & mask])
            self._names[mask] = texts
        return texts
