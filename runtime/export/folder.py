"""Folder of a saved model: its files, their checksums, and the rules of its versions.

    saved_model.json                  index: objects, functions, signatures, checksums
    graphs.txt                        the graphs, as printer.py writes them
    variables/variables.safetensors   values of variables
    variables/constants.safetensors   constants that are too long for a text
    assets/                           files that the functions read

``docs/saved_model.md`` describes the format.
"""

from __future__ import annotations

import json
import os
import zlib
from typing import Any

from runtime.train.tensor_file import TensorFile
from runtime.types.atomic_files import file_errors
from runtime.types.errors import DataLossError, FailedPreconditionError, NotFoundError

FORMAT = "runtime:saved_model"
VERSION = 1
"""Version of the format that is written."""
READABLE_BY = 1
"""Oldest version of readers that understand what is written."""

INDEX, GRAPHS, VARIABLES_FOLDER, ASSETS_FOLDER = (
    "saved_model.json", "graphs.txt", "variables", "assets",
)  # fmt: skip
VARIABLES = f"{VARIABLES_FOLDER}/variables.safetensors"
CONSTANTS = f"{VARIABLES_FOLDER}/constants.safetensors"
OWNED = (INDEX, GRAPHS, VARIABLES_FOLDER, ASSETS_FOLDER)
_MOST_INDEX = 2**28


class NoSavedModelError(NotFoundError, OSError):
    """Absence of a saved model; also an OSError, as in TensorFlow."""


def write_index(folder: str, content: dict[str, Any]) -> None:
    """Write the index, with the checksum of each file and of itself."""
    files = {}
    for base, _, names in os.walk(folder):
        for name in sorted(names):
            path = os.path.join(base, name)
            key = os.path.relpath(path, folder).replace(os.sep, "/")
            files[key] = {"bytes": os.path.getsize(path), "checksum": _checksum_of_file(path, key)}
    index = {
        "format": FORMAT, "version": VERSION, "readable_by": READABLE_BY, **content,
        "files": dict(sorted(files.items())),
    }  # fmt: skip
    index["checksum"] = _checksum_of_index(index)
    write_text(os.path.join(folder, INDEX), _as_lines(index))


def _as_lines(content: dict[str, Any]) -> str:
    """Return JSON with a line for each entry, as differences are read."""
    lines = []
    for name, value in content.items():
        entries = [_as_json(value)]
        if isinstance(value, dict) and value:
            inner = [f"{_as_json(key)}: {_as_json(item)}" for key, item in value.items()]
            entries = ["{", *[f"  {entry}," for entry in inner[:-1]], f"  {inner[-1]}", " }"]
        elif isinstance(value, list) and value:
            inner = [_as_json(item) for item in value]
            entries = ["[", *[f"  {entry}," for entry in inner[:-1]], f"  {inner[-1]}", " ]"]
        lines.append(f" {_as_json(name)}: " + "\n".join(entries))
    return "{\n" + ",\n".join(lines) + "\n}\n"


def _as_json(value: Any) -> str:
    return json.dumps(value, allow_nan=False)


def write_text(path: str, text: str) -> None:
    """Write a text in UTF-8 with lines that end alike on all systems."""
    with open(path, "w", encoding="utf-8", newline="\n") as file:
        file.write(text)


def _checksum_of_index(content: dict[str, Any]) -> str:
    covered = {name: value for name, value in content.items() if name != "checksum"}
    return str(zlib.crc32(json.dumps(covered, sort_keys=True).encode()))


def _checksum_of_file(path: str, key: str) -> str:
    """Return the checksum of a file; one of tensors knows its own, which reading compares."""
    if key in (VARIABLES, CONSTANTS):
        return str(TensorFile(path).checksum)
    checksum = 0
    with open(path, "rb") as file:
        while chunk := file.read(2**20):
            checksum = zlib.crc32(chunk, checksum)
    return str(checksum)


class SavedFolder:
    """Folder of a saved model, opened to read.

    The index is read and checked when the folder is opened, each other file when it is asked for.

    Raises:
        NoSavedModelError: where there is no saved model.
        DataLossError: for what is damaged, tampered with, or incomplete.
        FailedPreconditionError: for a model that a later version has written.
    """

    def __init__(self, path: str) -> None:
        self.path = path
        self.content = self._index()
        files = self.content.get("files")
        if not isinstance(files, dict):
            raise self.fault(INDEX, "it lists no files")
        self._files = files

    def fault(self, name: str, reason: str) -> DataLossError:
        """Make the error for a file that is not what was written."""
        return DataLossError(f"{os.path.join(self.path, *name.split('/'))}; {reason}")

    def _index(self) -> dict[str, Any]:
        path = os.path.join(self.path, INDEX)
        if not os.path.isfile(path):
            raise NoSavedModelError(
                f"{self.path}; there is no saved model: a folder with the file {INDEX}"
            )
        with file_errors(path):
            if os.path.getsize(path) > _MOST_INDEX:
                raise self.fault(INDEX, "it is too large for an index")
            with open(path, "rb") as file:
                text = file.read()
        try:
            index = json.loads(text, object_pairs_hook=_without_repetitions)
        except (ValueError, RecursionError):
            raise self.fault(INDEX, "this is no complete index of a saved model") from None
        if not isinstance(index, dict) or index.get("format") != FORMAT:
            raise self.fault(INDEX, "this is no index of a saved model")
        self._check_version(index)
        if index.get("checksum") != _checksum_of_index(index):
            raise self.fault(INDEX, "it does not hold what was written")
        return index

    def _check_version(self, index: dict[str, Any]) -> None:
        version, readable_by = index.get("version"), index.get("readable_by")
        if type(version) is not int or type(readable_by) is not int:
            raise self.fault(INDEX, "it does not tell its version")
        if readable_by > VERSION:
            raise FailedPreconditionError(
                f"{self.path}; a later version of runtime has written this saved model: its format "
                f"{version} can be read from version {readable_by} on, and this reads {VERSION}"
            )

    def file(self, name: str) -> str:
        """Return the path of a file, whose length and checksum are right."""
        entry = self._files.get(name)
        if not isinstance(entry, dict):
            raise self.fault(INDEX, f"it does not list {name!r}")
        segments = name.split("/")
        if any(
            segment in ("", ".", "..") or "\\" in segment or "\0" in segment for segment in segments
        ):
            raise self.fault(INDEX, f"{name!r} is no name of a file inside the folder")
        path = os.path.join(self.path, *segments)
        if not os.path.isfile(path):
            raise self.fault(name, "this file of the saved model is missing")
        with file_errors(path):
            size = os.path.getsize(path)
            if size != entry.get("bytes"):
                written = entry.get("bytes")
                raise self.fault(name, f"it has {size} bytes, and was written with {written}")
            if _checksum_of_file(path, name) != entry.get("checksum"):
                raise self.fault(name, "it does not hold what was written")
        return path

    def text(self, name: str) -> str:
        """Return a text."""
        path = self.file(name)
        with file_errors(path), open(path, "rb") as file:
            data = file.read()
        self._check_same(name, str(zlib.crc32(data)))
        try:
            return data.decode()
        except UnicodeDecodeError:
            raise self.fault(name, "this is no text") from None

    def tensors(self, name: str) -> dict[str, Any]:
        """Return the arrays of a file by name; empty where the model has no such file."""
        if name not in self._files:
            return {}
        file = TensorFile(self.file(name))
        arrays = file.read_all()
        self._check_same(name, file.checksum)
        return arrays

    def _check_same(self, name: str, checksum: str) -> None:
        """Raise DataLossError where a file is another one than that which was checked."""
        if checksum != self._files[name].get("checksum"):
            raise self.fault(name, "it was replaced while the model was read")


def _without_repetitions(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    entries = dict(pairs)
    if len(entries) < len(pairs):
        raise ValueError("a name stands twice")
    return entries
