"""``compat.v1.gfile``: TensorFlow 1's names of the functions of ``io.gfile``."""

from __future__ import annotations

from typing import Any

from runtime.data import file_system

__all__ = [
    "Copy", "DeleteRecursively", "Exists", "FastGFile", "GFile", "Glob", "IsDirectory",
    "ListDirectory", "MakeDirs", "MkDir", "Open", "Remove", "Rename", "Stat", "Walk",
]  # fmt: skip

GFile = FastGFile = Open = file_system.GFile
Copy = file_system.copy
DeleteRecursively = file_system.rmtree
Exists = file_system.exists
Glob = file_system.glob
IsDirectory = file_system.isdir
ListDirectory = file_system.listdir
MakeDirs = file_system.makedirs
MkDir = file_system.mkdir
Remove = file_system.remove
Rename = file_system.rename
Stat = file_system.stat


def Walk(top: Any, in_order: bool = True) -> Any:
    """Yield the name, the folders and the files of a folder, and of those in it.

    Args:
        top: name of the folder.
        in_order: whether a folder comes before those in it.
    Returns:
        Iterator of triples.
    """
    return file_system.walk(top, in_order)
