"""Storage of an array that is one of several: a part of the staging protocol, as staged_array."""

from __future__ import annotations

import operator
from collections.abc import Iterator
from typing import Any

from autograph.staging.staged_array import ArrayStorage, StaleContent
from autograph.staging.staged_union import StagedVariant


class ChosenStorage(ArrayStorage):
    """Storage of an array that is one of several, to each of which other names may refer, too.

    It holds what the one holds where the program is; a change of it is a change of that one.
    """

    def __init__(
        self, choice: StagedVariant, content: Any, new: ArrayStorage | None = None
    ) -> None:
        self.choice = choice
        """The one of the storages."""
        self._new = new
        """The one of them that stands for what a path has made."""
        self._joined = (*(storage.content for storage in self.storages), content)
        super().__init__(content)

    @property
    def storages(self) -> tuple[ArrayStorage, ...]:
        """The storages of which it is one."""
        storages: tuple[ArrayStorage, ...] = self.choice.ag__alternatives
        return storages

    @property
    def content(self) -> Any:
        """What the storage holds that it is; ``StaleContent`` if that is not known of each."""
        contents = [storage.content for storage in self.storages]
        *joined, content = self._joined
        if all(map(operator.is_, contents, joined)):
            return content
        stale = next((c for c in contents if type(c) is StaleContent), None)
        if stale is not None:
            return stale
        return self.choice.ag__apply_to_each(lambda storage: storage.content)

    @content.setter
    def content(self, content: Any) -> None:
        """It holds nothing of its own."""

    def write(self, content: Any, array: Any) -> None:
        """Change the contents of the storage that it is, through ``array``."""
        self.choice.ag__apply_to_each(lambda storage: storage.write(content, array))

    def possibly_changed(self) -> Iterator[ArrayStorage]:
        """Return what a change of it may change, or leave unknown."""
        for storage in self.storages:
            yield from (storage, *storage.possibly_same())

    def joined(self) -> ArrayStorage | None:
        """Return the one that stands for what a path has made, if there is one."""
        return self._new
