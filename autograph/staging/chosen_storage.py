"""Storage of an array that is one of several: a part of the staging protocol, as staged_array."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator
from typing import Any

from autograph.staging.staged_array import ArrayStorage, StaleContent
from autograph.staging.staged_union import StagedVariant


class ChosenStorage(ArrayStorage):
    """Storage of an array that is one of several, to each of which other names may refer, too.

    It holds what the one holds where the program is; a change of it is a change of that one.
    """

    is_one = False

    def __init__(self, choice: StagedVariant, new: ArrayStorage | None = None) -> None:
        self.choice = choice
        """The one of the storages."""
        self._new = new
        """The one of them that stands for what a path has made."""
        self._version: tuple[Any, ...] = ()
        super().__init__(None)

    @property
    def storages(self) -> tuple[ArrayStorage, ...]:
        """The storages of which it is one."""
        storages: tuple[ArrayStorage, ...] = self.choice.ag__alternatives
        return storages

    @property
    def content(self) -> Any:
        """What the storage holds that it is; ``StaleContent`` if that is not known of each."""
        version = self.version
        return version if type(version) is StaleContent else self.of_each(lambda content: content)

    @content.setter
    def content(self, content: Any) -> None:
        """It holds nothing of its own."""

    @property
    def version(self) -> Any:
        """The contents of all storages, in one object; the first of them that is stale."""
        contents = [storage.content for storage in self.storages]
        for content in contents:
            if type(content) is StaleContent:
                return content
        if not self._version or not all(map(operator.is_, contents, self._version)):
            self._version = tuple(contents)
        return self._version

    def of_each(self, use: Callable[[Any], Any]) -> Any:
        """What a use of the contents gives: staged for each storage, so that none is copied."""
        return self.choice.ag__apply_to_each(lambda storage: use(storage.content))

    def write(self, content: Any, array: Any) -> None:
        """Change the contents of the storage that it is, through ``array``."""
        self.choice.ag__apply_to_each(lambda storage: storage.write(content, array))

    def update(self, change: Callable[[Any], Any], array: Any) -> None:
        """Change the contents of the storage that it is: each is changed where it is the one."""
        self.choice.ag__apply_to_each(lambda storage: storage.update(change, array))

    def possibly_changed(self) -> Iterator[ArrayStorage]:
        """Return what a change of it may change, or leave unknown."""
        for storage in self.storages:
            yield from (storage, *storage.possibly_same())

    def joined(self) -> ArrayStorage | None:
        """Return the one that stands for what a path has made, if there is one."""
        return self._new
