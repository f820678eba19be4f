"""``saved_model.save`` and ``load``: functions and variables in a folder, and back."""

from __future__ import annotations

import os
import shutil
from typing import Any

import numpy as np

from autograph.syntax.recursion_limit import deep
from runtime.eager.tensor import Tensor
from runtime.export.folder import (
    ASSETS_FOLDER,
    CONSTANTS,
    GRAPHS,
    INDEX,
    OWNED,
    VARIABLES,
    VARIABLES_FOLDER,
    SavedFolder,
    write_index,
    write_text,
)
from runtime.export.graph_library import GraphLibrary
from runtime.export.objects import SavedObjects, all_traces, is_object
from runtime.export.options import check_options
from runtime.export.restored_objects import SignatureMap, restore_object
from runtime.export.signatures import signature_entry, signatures_of
from runtime.export.traces import check_savable, parameter_entries, trace_entry
from runtime.graph.trace import current_graph
from runtime.ops import dispatch
from runtime.train.tensor_file import write_tensors
from runtime.types.atomic_files import file_errors
from runtime.types.atomic_folders import replacing_folder
from runtime.types.errors import AlreadyExistsError, DataLossError, NotFoundError

__all__ = ["contains_saved_model", "load", "save"]

SERVE = "serve"


def save(
    obj: Any, export_dir: str | os.PathLike[str], signatures: Any = None, options: Any = None
) -> None:
    """Write the functions and variables of an object to a folder, which ``load`` reads.

    Saved are the variables, functions of ``runtime.function``, assets and modules that attributes
    of the object lead to, also in lists, tuples and dicts; of each function, the traces that were
    made, or that of its input signature.  The folder holds no code.  It takes the place of an older
    one when it is complete.

    Args:
        obj: ``Module``, layer, model or ``train.Checkpoint``.
        export_dir: the folder.
        signatures: function with one trace, concrete function, or dict of these by name; one
            alone is ``"serving_default"``.  By default, the only function of ``obj`` that has an
            input signature.
        options: SaveOptions with defaults, or None.

    Returns:
        None.

    Raises:
        ValueError: for an object without attributes that can be saved, a signature that is no
            function or has several traces, and ``options``.
        UnimplementedError: for functions that call Python (``py_function``), or depend on Python
            objects; the message names the line.
        FailedPreconditionError: for functions that use variables which no attribute leads to.
        AlreadyExistsError: where the folder holds other files, and no saved model.
        OpError: the one that fits the error of the file system.
    """
    if not is_object(obj):
        raise ValueError(
            f"saved_model.save takes a Module, a layer or a model, got {obj!r}. Assign functions "
            "and variables to attributes of a Module, and save that"
        )
    if "signatures" in vars(obj) and not isinstance(vars(obj)["signatures"], SignatureMap):
        raise ValueError(
            f"saved_model.save: {obj!r} has an attribute 'signatures', which is that of the "
            "signatures of a loaded model. Rename it"
        )
    check_options(options, "saved_model.save")
    graph = current_graph()
    if graph is not None and graph.building_function:
        raise ValueError("saved_model.save writes files: call it outside of functions")
    with dispatch.init_scope():
        deep(lambda: _save(obj, _path(export_dir), signatures))


def _save(obj: Any, path: str, signatures: Any) -> None:
    _check_replaceable(path)
    saved, library, index = collect(obj, signatures)
    with file_errors(path), replacing_folder(path, OWNED) as folder:
        _write(folder, saved, library, index)


def collect(obj: Any, signatures: Any) -> tuple[SavedObjects, GraphLibrary, dict[str, Any]]:
    """Return what a saved model of an object holds: objects, graphs, and the index.

    Errors are those of ``save``.
    """
    chosen = signatures_of(obj, signatures)
    saved = SavedObjects(obj)
    traces = all_traces(saved)
    library = GraphLibrary(
        {id(variable._storage): key for key, variable in saved.variables.items()},
        {id(asset.asset_path): f"{ASSETS_FOLDER}/{name}" for name, asset in saved.assets.items()},
        {id(trace.graph) for function_traces in traces.values() for trace in function_traces},
    )
    for number, (title, _) in saved.functions.items():
        saved.nodes[number]["traces"] = [
            trace_entry(trace, library.add(trace.graph, title), title) for trace in traces[number]
        ]
    for number, (at, trace) in saved.traces.items():
        title = f"the concrete function {at!r}"
        check_savable(trace, title)
        entry = trace_entry(trace, library.add(trace.graph, title), title)
        saved.nodes[number].update(
            name=trace.name, parameters=parameter_entries(trace.function_type), trace=entry
        )
    entries = {
        name: signature_entry(name, trace, library.add(trace.graph, f"the signature {name!r}"))
        for name, trace in chosen.items()
    }
    for number, value in saved.tensors.items():
        array = value._array if type(value) is Tensor else value
        saved.nodes[number]["key"] = library.keep(np.asarray(array))
    optional_sections = {"tables": library.tables, "callees": library.callees}
    optional_sections = {name: entry for name, entry in optional_sections.items() if entry}
    return saved, library, {"signatures": entries, **optional_sections, "objects": saved.nodes}


def _write(folder: str, saved: SavedObjects, library: GraphLibrary, index: Any) -> None:
    """Write the files."""
    os.mkdir(os.path.join(folder, VARIABLES_FOLDER))
    if saved.variables:
        values = {key: variable._storage.read() for key, variable in saved.variables.items()}
        write_tensors(os.path.join(folder, VARIABLES), values)
    if library.constants:
        write_tensors(os.path.join(folder, CONSTANTS), library.constants)
    os.mkdir(os.path.join(folder, ASSETS_FOLDER))
    for name, asset in saved.assets.items():
        shutil.copyfile(os.fspath(asset), os.path.join(folder, ASSETS_FOLDER, name))
    write_text(os.path.join(folder, GRAPHS), library.text())
    write_index(folder, index)


def _check_replaceable(path: str) -> None:
    """Raise AlreadyExistsError for a path whose content is not ours to replace."""
    with file_errors(path):
        if not os.path.lexists(path) or contains_saved_model(path):
            return
        if not os.path.isdir(path) or os.listdir(path):
            raise AlreadyExistsError(
                f"{path}; it exists, and is no saved model: choose another folder, or an empty one"
            )


def load(
    export_dir: str | os.PathLike[str], tags: Any = None, options: Any = None
) -> Any:
    """Read what ``save`` wrote.  It runs no code, and needs NumPy alone.

    Args:
        export_dir: the folder.
        tags: None, "serve" or ["serve"].
        options: LoadOptions with defaults, or None.

    Returns:
        Object with the attributes of the saved one: variables, functions that run the trace for
        the arguments, collections and other objects.  ``signatures`` maps names to functions that
        take tensors by name, and return a dict; ``variables`` and ``trainable_variables`` are those
        of all its attributes.

    Raises:
        NotFoundError: where there is no saved model; it is also an OSError.
        DataLossError: for a folder that is damaged or incomplete.
        FailedPreconditionError: for one that a later version wrote.
        ValueError: for other tags, and ``options``.
    """
    check_options(options, "saved_model.load")
    tag_list = [tags] if isinstance(tags, str) else list(tags or [SERVE])
    if tag_list != [SERVE]:
        raise ValueError(f"a saved model has the one tag {SERVE!r}, and not {tag_list}")
    path = _path(export_dir)
    while True:
        identity = _identity(path)
        try:
            folder = SavedFolder(path)
            with dispatch.init_scope():
                return restore_object(folder)
        except (NotFoundError, DataLossError):
            if _identity(path) == identity:
                raise  # else another process has just replaced the model


def _identity(path: str) -> tuple[int, ...] | None:
    """Return what tells a folder from another one of the same name; None where there is none."""
    try:
        status = os.stat(path)
    except (OSError, ValueError):
        return None
    return status.st_dev, status.st_ino, status.st_mtime_ns


def contains_saved_model(export_dir: str | os.PathLike[str]) -> bool:
    """Return whether a folder holds a saved model.

    Args:
        export_dir: the folder.

    Returns:
        Whether ``load`` may read it.
    """
    return os.path.isfile(os.path.join(_path(export_dir), INDEX))


def _path(export_dir: str | os.PathLike[str]) -> str:
    return os.fsdecode(export_dir) or "."
