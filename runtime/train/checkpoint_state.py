"""The file ``checkpoint`` of a folder, which names its latest checkpoint and those before."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from typing import NamedTuple

from runtime.types.atomic_files import file_errors, replacing
from runtime.types.chief import is_chief

__all__ = [
    "CheckpointState", "get_checkpoint_state", "latest_checkpoint", "update_checkpoint_state",
]  # fmt: skip

_LATEST, _ALL = "model_checkpoint_path", "all_model_checkpoint_paths"


class CheckpointState(NamedTuple):
    """What the file says: the path of the latest checkpoint, and those of all, oldest first."""

    model_checkpoint_path: str
    all_model_checkpoint_paths: Sequence[str]


def update_checkpoint_state(
    save_dir: str, model_checkpoint_path: str,
    all_model_checkpoint_paths: Sequence[str] | None = None, latest_filename: str | None = None,
) -> None:  # fmt: skip
    """Write the file: the latest checkpoint, and all of them; paths in the folder are relative.

    Args:
        save_dir: the folder.
        model_checkpoint_path: path of the latest checkpoint.
        all_model_checkpoint_paths: paths of all, oldest first; the latest one alone by default.
        latest_filename: name of the file, ``checkpoint`` by default.

    Returns:
        None.

    Raises:
        OpError: the one that fits the error of the file system.
    """
    if not is_chief():
        return
    paths = list(all_model_checkpoint_paths or ())
    if model_checkpoint_path not in paths:
        paths.append(model_checkpoint_path)
    lines = [f"{_LATEST}: {json.dumps(model_checkpoint_path)}"]
    lines += [f"{_ALL}: {json.dumps(path)}" for path in paths]
    name = os.path.join(save_dir, latest_filename or "checkpoint")
    with file_errors(name), replacing(name, durable=True) as file:
        file.write("".join([line + "\n" for line in lines]).encode())


def get_checkpoint_state(
    checkpoint_dir: str, latest_filename: str | None = None
) -> CheckpointState | None:
    """Read the file of a folder.

    Args:
        checkpoint_dir: the folder.
        latest_filename: name of the file, ``checkpoint`` by default.

    Returns:
        What it says, with full paths; None where there is no such file, or it says nothing.
    """
    name = os.path.join(checkpoint_dir, latest_filename or "checkpoint")
    try:
        with open(name, encoding="utf-8") as file:
            lines = file.read().splitlines()
    except (OSError, UnicodeDecodeError):
        return None
    latest, paths = None, []
    for line in lines:
        key, _, text = line.partition(": ")
        try:
            path = os.path.join(checkpoint_dir, str(json.loads(text)))
        except ValueError:
            return None
        if key == _LATEST:
            latest = path
        elif key == _ALL:
            paths.append(path)
    return None if latest is None else CheckpointState(latest, paths)


def latest_checkpoint(checkpoint_dir: str, latest_filename: str | None = None) -> str | None:
    """Return the path of the latest checkpoint of a folder.

    Args:
        checkpoint_dir: the folder.
        latest_filename: name of the file that says it, ``checkpoint`` by default.

    Returns:
        Path, without the suffix of the file; None where there is none.
    """
    state = get_checkpoint_state(checkpoint_dir, latest_filename)
    if state is None:
        return None
    path = state.model_checkpoint_path
    files = (path + ".safetensors", path, path + ".index")
    return path if any(map(os.path.isfile, files)) else None
