"""Whole models in Keras 3's own files, ``.keras``: the extra ``hdf5`` (h5py).

A file is a zip archive of ``config.json``, what the model is, ``metadata.json``, and
``model.weights.h5``, its weights and the state of its optimizer.  A file that is read may come from
anywhere: names, links and sizes in the archive are checked before anything is unpacked.
Source: the files that Keras 3 writes.
"""

from __future__ import annotations

import datetime
import io
import json
import stat
import zipfile
from typing import Any

from runtime.keras.models import keras_weights
from runtime.types.atomic_files import file_errors, replacing
from runtime.types.errors import DataLossError

__all__: list[str] = []

SUFFIX = ".keras"
_CONFIG, _METADATA, _WEIGHTS = "config.json", "metadata.json", "model.weights.h5"
_KERAS = "3.15.0"
"""The version of Keras whose format this is."""
_SMALL = 2**26
"""Bytes up to which a part may be of any size once it is unpacked."""
_MOST_EXPANSION = 100
"""How many times larger than in the file larger parts may be: Keras does not compress them."""


def write_archive(path: str, model: Any, config: str, with_optimizer: bool) -> None:
    """Write a model to a file that Keras reads, and which replaces an older one when complete."""
    weights = keras_weights.content_of(model, with_optimizer)
    saved = datetime.datetime.now().strftime("%Y-%m-%d@%H:%M:%S")
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        archive.writestr(_METADATA, json.dumps({"keras_version": _KERAS, "date_saved": saved}))
        archive.writestr(_CONFIG, config)
        archive.writestr(_WEIGHTS, weights)
    with file_errors(path), replacing(path, durable=True) as target:
        target.write(content.getbuffer())


def read_archive(path: str) -> tuple[dict[str, Any], io.BytesIO]:
    """Return the description of a model and its file of weights; DataLossError for other files."""
    try:
        with file_errors(path), zipfile.ZipFile(path) as archive:
            _check(archive, path)
            text, weights = (_part(archive, name, path) for name in (_CONFIG, _WEIGHTS))
    except (zipfile.BadZipFile, zipfile.LargeZipFile, EOFError, NotImplementedError) as error:
        raise DataLossError(f"{path}; this is no complete archive: {error}") from None
    try:
        config = json.loads(text)
    except (ValueError, RecursionError):
        config = None
    if not isinstance(config, dict):
        raise DataLossError(f"{path}; its description of the model is not readable")
    return config, io.BytesIO(weights)


def _check(archive: zipfile.ZipFile, path: str) -> None:
    """Raise DataLossError for what no file that Keras wrote has in it."""
    seen: set[str] = set()
    for entry in archive.infolist():
        name = entry.filename
        folders = name.replace("\\", "/").split("/")
        if name.startswith(("/", "\\")) or ".." in folders or ":" in folders[0]:
            raise DataLossError(f"{path}; the name {name!r} in it leads out of the archive")
        if stat.S_ISLNK(entry.external_attr >> 16):
            raise DataLossError(f"{path}; {name!r} in it is a link")
        if name in seen:
            raise DataLossError(f"{path}; {name!r} is twice in it")
        seen.add(name)
        if entry.flag_bits & 1:
            raise DataLossError(f"{path}; {name!r} in it is encrypted")
    for name in _CONFIG, _WEIGHTS:
        if name not in seen:
            raise DataLossError(f"{path}; this is no model: there is no {name!r} in the archive")
    in_file = sum(entry.compress_size for entry in archive.infolist())
    unpacked = sum(entry.file_size for entry in archive.infolist())
    with open(path, "rb") as file:
        in_file = min(in_file, file.seek(0, io.SEEK_END))  # parts may lie on top of each other
    if unpacked > max(_SMALL, _MOST_EXPANSION * in_file):
        raise DataLossError(
            f"{path}; its parts would be {unpacked} bytes, of {in_file} in the file: this is no "
            "model, but made to fill the memory"
        )


def _part(archive: zipfile.ZipFile, name: str, path: str) -> bytes:
    entry = archive.getinfo(name)
    with archive.open(entry) as entry_file:
        content = entry_file.read(entry.file_size)
        if len(content) < entry.file_size or entry_file.read(1):
            raise DataLossError(f"{path}; {name!r} in it is not of the size that the archive says")
    return content
