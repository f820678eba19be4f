"""Functions with TensorFlow 1's arguments: their order, and names that were dropped later.

Each has the meaning of ``runtime``'s function of that name: ``reduce_sum(x, keep_dims=True)`` is
``runtime.reduce_sum(x, keepdims=True)``.
"""

from __future__ import annotations

import functools
import importlib
from collections.abc import Callable
from typing import Any

from runtime.state import initializers

_OTHER_NAMES = {
    "reduction_indices": "axis", "keep_dims": "keepdims", "dimension": "axis", "dim": "axis",
    "squeeze_dims": "axis", "seq_dim": "seq_axis", "batch_dim": "batch_axis", "filter": "filters",
    "value": "input", "targets": "labels", "fn1": "true_fn", "fn2": "false_fn",
    "preferred_dtype": "dtype_hint",
}  # fmt: skip
"""Names of arguments that TensorFlow 2 has not, and the names there."""

_IGNORED = {
    "validate_indices", "optimize", "strict", "use_cudnn_on_gpu", "shift", "partition_strategy",
    "verify_shape", "colocate_gradients_with_ops",
}  # fmt: skip

_REDUCTION = "input_tensor axis keepdims name reduction_indices keep_dims"
_ARGUMENTS = {
    **{
        f"reduce_{kind}": _REDUCTION
        for kind in ("all", "any", "logsumexp", "max", "mean", "min", "prod", "sum")
    },
    "argmax": "input axis name dimension output_type",
    "argmin": "input axis name dimension output_type",
    "boolean_mask": "tensor mask name axis",
    "cond": "pred true_fn false_fn strict name fn1 fn2",
    "confusion_matrix": "labels predictions num_classes dtype name weights",
    "constant": "value dtype shape name verify_shape",
    "convert_to_tensor": "value dtype name preferred_dtype dtype_hint",
    "count_nonzero": "input axis keepdims dtype name reduction_indices keep_dims",
    "expand_dims": "input axis name dim",
    "gather": "params indices validate_indices name axis batch_dims",
    "gather_nd": "params indices name batch_dims",
    "norm": "tensor ord axis keepdims name keep_dims",
    "ones_like": "tensor dtype name optimize",
    "pad": "tensor paddings mode name constant_values",
    "reverse_sequence": "input seq_lengths seq_axis batch_axis name seq_dim batch_dim",
    "shape": "input name out_type",
    "size": "input name out_type",
    "squeeze": "input axis name squeeze_dims",
    "transpose": "a perm name conjugate",
    "zeros_like": "tensor dtype name optimize",
}  # fmt: skip
"""Arguments of TensorFlow 1's functions, in their order."""


def with_arguments(
    function: Callable[..., Any], name: str, arguments: str, renamed: dict[str, str] | None = None
) -> Callable[..., Any]:
    """Return a function with older arguments, separated by spaces; TypeError for others.

    ``renamed`` are further names of arguments, with today's, which may be equal.  ValueError where
    one argument is given by both of its names.
    """
    names = arguments.split()
    today = {**_OTHER_NAMES, **(renamed or {})}

    @functools.wraps(function, updated=())
    def older(*args: Any, **kwargs: Any) -> Any:
        if len(args) > len(names):
            raise TypeError(f"{name}() takes {len(names)} arguments, got {len(args)}")
        bound = dict(zip(names, args, strict=False))
        for key, value in kwargs.items():
            if key not in names or key in bound:
                problem = "multiple values for" if key in bound else "an unexpected keyword"
                raise TypeError(f"{name}() got {problem} argument {key!r}")
            bound[key] = value
        passed: dict[str, Any] = {}
        for key, value in bound.items():
            if value is None or key in _IGNORED:
                continue
            name_today = today.get(key, key)
            if name_today in passed:
                raise ValueError(f"Cannot specify both {name_today!r} and {key!r}")
            passed[name_today] = value
        return function(**passed)

    older.__doc__ = (
        f"{(function.__doc__ or '').split(chr(10) + chr(10))[0].strip()}\n\n"
        f"Args:\n    {', '.join(names)}: as in TensorFlow 1, in this order.\n"
    )
    return older


def _of_runtime(name: str) -> Callable[..., Any]:
    """Return the public function of a name."""
    space = importlib.import_module("runtime")
    function = getattr(space, name, None)
    return getattr(space.math, name) if function is None else function


_RENAMED = {
    "ones_like": {"tensor": "input"}, "zeros_like": {"tensor": "input"},
    "constant": {"value": "value"}, "convert_to_tensor": {"value": "value"},
}  # fmt: skip


class UnitNormal(initializers.random_normal_initializer):
    """Initializer: normal numbers, of standard deviation 1 by default."""

    def __init__(
        self, mean: float = 0.0, stddev: float = 1.0, seed: Any = None, dtype: Any = None
    ) -> None:
        super().__init__(mean, stddev, seed, dtype)


class UnitUniform(initializers.random_uniform_initializer):
    """Initializer: uniform numbers, from 0 to 1 by default."""

    def __init__(
        self, minval: Any = 0.0, maxval: Any = 1.0, seed: Any = None, dtype: Any = None
    ) -> None:
        super().__init__(minval, maxval, seed, dtype)


_CLASSES = {"random_normal_initializer": UnitNormal, "random_uniform_initializer": UnitUniform}


def older_names() -> list[str]:
    """Return the names that mean something else than in ``runtime``."""
    return [*_ARGUMENTS, *_CLASSES]


def older_name(name: str) -> Any:
    """Return what a name means in TensorFlow 1."""
    if name in _CLASSES:
        return _CLASSES[name]
    return with_arguments(_of_runtime(name), name, _ARGUMENTS[name], _RENAMED.get(name))
