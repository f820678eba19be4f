"""``Checkpoint``: the variables of objects, saved to a file and restored."""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Iterable
from typing import Any

import numpy as np

from runtime.engine.session import get_default_session
from runtime.state.module import Module
from runtime.state.variable import Variable
from runtime.train.checkpoint_state import update_checkpoint_state
from runtime.train.restoring import NothingRestored, Restoration, RestoreStatus, WeakRoot
from runtime.train.tensor_bundle import INDEX, TensorBundle
from runtime.train.tensor_file import TensorFile, write_tensors
from runtime.train.tracking import variables_of
from runtime.types.atomic_files import file_errors, make_synced_folder
from runtime.types.chief import is_chief
from runtime.types.errors import DataLossError, FailedPreconditionError, NotFoundError

__all__ = ["Checkpoint"]

SUFFIX = ".safetensors"
FORMAT = "runtime:checkpoint"
VERSION = 1


class Checkpoint(Module):
    """The variables of objects, which can be saved to a file and restored.

    ``Checkpoint(model=model, optimizer=optimizer)`` saves the variables of both, by the attributes
    that lead to them; what is restored into must have the same names.  ``root`` is an object whose
    attributes are saved without a name of its own.

    Args:
        root: object to save the variables of.
        kwargs: other objects by name: variables, modules, layers, optimizers, metrics, lists and
            dicts of those.

    Raises:
        ValueError: for what holds no variables.
    """

    def __init__(self, root: Any = None, **kwargs: Any) -> None:
        super().__init__()
        for name, value in kwargs.items():
            if not _is_tracked(value):
                raise ValueError(
                    f"`Checkpoint` was expecting {name} to be a variable, a module or another "
                    f"object with variables, got {value!r}"
                )
            setattr(self, name, value)
        self._root = root
        self._save_counter: Variable | None = None

    def _checkpoint_children(self) -> Any:
        from runtime.train.tracking import children

        attributes = {k: v for k, v in vars(self).items() if not k.startswith("_")}
        if self._root is not None:
            yield from children(self._root)
        yield from attributes.items()
        if self._save_counter is not None:
            yield "save_counter", self._save_counter

    @property
    def save_counter(self) -> Variable:
        """Number of the calls of ``save``."""
        if self._save_counter is None:
            self._save_counter = Variable(0, trainable=False, name="save_counter", dtype="int64")
        return self._save_counter

    def write(self, file_prefix: str | os.PathLike[str], options: Any = None,
              session: Any = None) -> str:  # fmt: skip
        """Write the variables to ``file_prefix`` with the suffix of the format; return the prefix.

        The folder is made where there is none.  Raises the OpError of the file system, and
        FailedPreconditionError for variables without a value; nothing is written then.
        """
        prefix = os.fsdecode(file_prefix).removesuffix(SUFFIX)
        variables, aliases = variables_of(self)
        make_folder(prefix)
        _write(prefix, variables, aliases, session)
        return prefix

    def save(self, file_prefix: str | os.PathLike[str], options: Any = None,
             session: Any = None) -> str:  # fmt: skip
        """Write the variables to ``file_prefix-N``, with the number of the call; return that.

        The file ``checkpoint`` beside it then names it as the latest one.
        """
        counter = self.save_counter
        number = int(_values({"": counter}, session)[""]) + 1 if _has_value(counter, session) else 1
        counter.load(np.int64(number), session)
        path = self.write(f"{os.fsdecode(file_prefix)}-{number}", session=session)
        update_checkpoint_state(os.path.dirname(path), os.path.basename(path))
        return path

    def read(self, save_path: str | os.PathLike[str], options: Any = None) -> RestoreStatus:
        """Restore the variables from a file that ``write`` wrote; as ``restore``."""
        path = os.fsdecode(save_path)
        values, names, aliases = read_values(path)
        if "save_counter" in values:
            self.save_counter  # noqa: B018 - makes it
        restoration = Restoration(path, WeakRoot(self), values, names, aliases)
        restoration.supersede(self)
        restoration.resolve()
        return RestoreStatus(restoration)

    def restore(self, save_path: str | os.PathLike[str] | None, options: Any = None
                ) -> RestoreStatus:  # fmt: skip
        """Restore the variables from a file; None restores nothing.

        Variables that do not exist yet get their values when they are made.  The status that is
        returned checks that all was restored.

        Raises NotFoundError where there is no file, DataLossError for one that is damaged or no
        checkpoint, UnfitArgumentError for other shapes or dtypes; no variable is changed then.
        """
        return NothingRestored(self) if save_path is None else self.read(save_path)


def _is_tracked(value: Any) -> bool:
    if isinstance(value, Variable | Module | dict | list | tuple):
        return True
    return hasattr(value, "_checkpoint_children") or hasattr(value, "variables")


def _has_value(variable: Variable, session: Any) -> bool:
    try:
        _values({"": variable}, session)
    except FailedPreconditionError:
        return False
    return True


def _values(variables: dict[str, Variable], session: Any) -> dict[str, Any]:
    """Return the values of variables, those of a graph in a session."""
    in_graph = {key: v for key, v in variables.items() if v._graph is not None}
    arrays = {key: v.numpy() for key, v in variables.items() if key not in in_graph}
    if in_graph:
        session = session or get_default_session()
        if session is None:
            raise ValueError("variables of a graph are saved in a session: give `session`")
        names = list(in_graph)
        arrays.update(zip(names, session.run([in_graph[n] for n in names]), strict=True))
    return {key: arrays[key] for key in variables}


def _write(
    prefix: str, variables: dict[str, Variable], aliases: dict[str, str], session: Any = None,
) -> None:  # fmt: skip
    if not is_chief():
        return
    notes = {
        "format": FORMAT, "version": str(VERSION), "aliases": json.dumps(aliases),
        "names": json.dumps({key: v.name.removesuffix(":0") for key, v in variables.items()}),
    }  # fmt: skip
    write_tensors(prefix + SUFFIX, _values(variables, session), notes)


def make_folder(path: str) -> None:
    """Make the folder of a file, unless it is there."""
    if not is_chief():
        return
    with file_errors(path):
        make_synced_folder(os.path.dirname(path) or ".")


def remove_checkpoints(paths: Iterable[str]) -> None:
    """Delete the files of checkpoints."""
    for path in paths if is_chief() else ():
        with contextlib.suppress(FileNotFoundError):
            os.remove(path + SUFFIX)


def read_values(path: str) -> tuple[dict[str, Any], dict[str, str], dict[str, str]]:
    """Return the arrays of a checkpoint by key, the names of the variables, and other paths.

    Checkpoints of TensorFlow's are read, too.

    NotFoundError where there is no file, DataLossError for other files.
    """
    name = checkpoint_file(path)
    if name.endswith(INDEX):
        return TensorBundle(name).read_all(), {}, {}
    file = TensorFile(name)
    notes = file.metadata
    if notes.get("format") != FORMAT or not file.has_checksum:
        raise DataLossError(f"{path}; these are tensors, but no checkpoint")
    try:
        version, names = int(notes["version"]), json.loads(notes["names"])
        aliases = json.loads(notes.get("aliases", "{}"))
        if not _are_texts(names) or not _are_texts(aliases):
            raise ValueError
    except (KeyError, ValueError):
        raise DataLossError(f"{path}; the notes of the checkpoint are not readable") from None
    if version > VERSION:
        raise DataLossError(
            f"{path}; it was written by a later version (format {version}, this reads {VERSION})"
        )
    return file.read_all(), names, aliases


def _are_texts(table: Any) -> bool:
    return isinstance(table, dict) and all(isinstance(text, str) for text in table.values())


def checkpoint_file(path: str) -> str:
    """Return the file of a checkpoint, whose path may lack the suffix; NotFoundError for none."""
    for name in (path + SUFFIX, path, path + INDEX):
        if os.path.isfile(name):
            return name
    raise NotFoundError(f"{path}; there is no checkpoint of this name")
