"""Op definitions that read and write files.

The contents of a file are not known statically: these ops run when the graph does, in program
order.
"""

from __future__ import annotations

import glob
import os
from typing import Any

import numpy as np

from runtime.ops.op import RAISES, READS, STATEFUL, Missing, define
from runtime.ops.rules.inference import nothing
from runtime.types.atomic_files import file_errors, replacing
from runtime.types.conversion import as_object_scalar
from runtime.types.dtypes import string
from runtime.types.errors import InvalidArgumentError
from runtime.types.shapes import SCALAR_SHAPE, TensorSpec

__all__ = ["matching_files", "read_file", "write_file"]

_NO_SAMPLES = Missing("it needs files")
_TEXT = TensorSpec(SCALAR_SHAPE, string)


def _path(name: Any) -> str:
    if np.ndim(name):
        raise InvalidArgumentError(f"a file's name must be a scalar, got shape {np.shape(name)}")
    return os.fsdecode(name[()])


def _read(filename: Any) -> Any:
    path = _path(filename)
    with file_errors(path), open(path, "rb") as file:
        return as_object_scalar(file.read())


def _scalar_text(name: TensorSpec, *texts: TensorSpec) -> TensorSpec:
    for spec in (name, *texts):
        if not spec.shape.is_compatible_with(()):
            raise InvalidArgumentError(f"read_file and write_file take scalars, got {spec}")
    return _TEXT


read_file = define(
    "read_file",
    inputs="filename",
    dtype_kinds="O",
    same_dtype_inputs=None,
    kernel=_read,
    infer=_scalar_text,
    grad=None,
    node_name="ReadFile",
    traits=(STATEFUL, READS, RAISES),
    samples=_NO_SAMPLES,
    doc="""Read a whole file.

Args:
    filename: scalar of dtype string.
Returns:
    Scalar of dtype string: the bytes of the file.
Raises:
    NotFoundError: there is no such file.
    InvalidArgumentError: ``filename`` is no scalar of dtype string.
""",
)


def _write(filename: Any, contents: Any) -> tuple[()]:
    path = _path(filename)
    folder = os.path.dirname(path)
    with file_errors(path):
        if folder:
            os.makedirs(folder, exist_ok=True)
        with replacing(path) as file:
            file.write(contents[()])
    return ()


write_file = define(
    "write_file",
    inputs="filename contents",
    dtype_kinds="O",
    same_dtype_inputs=None,
    kernel=_write,
    infer=nothing,
    grad=None,
    node_name="WriteFile",
    traits=(STATEFUL, RAISES),
    samples=_NO_SAMPLES,
    doc="""Write a string to a file, in place of what it held; make folders on the way.

Readers, other writers, and a process that dies meanwhile find or leave whole old or new contents.

Args:
    filename: scalar of dtype string.
    contents: scalar of dtype string.
Returns:
    None; in a graph the operation that writes.
Raises:
    InvalidArgumentError: an input is no scalar of dtype string.
""",
)


def _matching(pattern: Any) -> Any:
    patterns = np.asarray(pattern).reshape(-1)
    paths = sorted([os.fsencode(f) for p in patterns for f in glob.glob(os.fsdecode(p))])
    return np.array(paths, object)


matching_files = define(
    "matching_files",
    inputs="pattern",
    dtype_kinds="O",
    same_dtype_inputs=None,
    kernel=_matching,
    infer=lambda pattern: TensorSpec([None], string),
    grad=None,
    node_name="MatchingFiles",
    traits=(STATEFUL, READS),
    samples=_NO_SAMPLES,
    doc="""Find the files whose names match a pattern, or one of several.

Args:
    pattern: tensor of dtype string: names with ``*``, ``?`` and ``[...]``.
Returns:
    Vector of dtype string: the names in ascending order, computed when the op runs.
Raises:
    InvalidArgumentError: ``pattern`` has another dtype (also a TypeError).
""",
)
