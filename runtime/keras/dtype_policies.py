"""Policies of dtypes: in which dtype a layer keeps its weights, and in which it computes.

``keras.mixed_precision``, ``keras.config`` and layers use them.  While a layer with two dtypes is
called, its weights read as tensors of the second one (weight.py).
"""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterator
from typing import Any

from runtime.types.dtypes import DType, as_dtype

__all__ = ["DTypePolicy", "deserialize", "get", "serialize"]

_MIXED = ("mixed_float16", "mixed_bfloat16")


class DTypePolicy:
    """Dtypes of a layer, by their name: that of a dtype, ``mixed_float16`` or ``mixed_bfloat16``.

    A mixed policy keeps weights in float32 and computes in the dtype that it names.  ValueError for
    another name.
    """

    def __init__(self, name: str) -> None:
        if not isinstance(name, str):
            raise TypeError(
                "'name' must be a string, such as 'mixed_float16'. "
                f"Received: name={name} (of type {type(name)})"
            )
        self._name = name
        try:
            self._compute = as_dtype(name.removeprefix("mixed_") if name in _MIXED else name)
        except (TypeError, ValueError):
            raise ValueError(
                f"Cannot convert '{name}' to a mixed precision DTypePolicy. Valid policies include "
                f"'mixed_float16', 'mixed_bfloat16', and the name of any float dtype such as "
                "'float32'."
            ) from None
        self._variable = as_dtype("float32") if self.is_mixed else self._compute
        if self.is_mixed:
            _process.has_mixed = True

    @property
    def is_mixed(self) -> bool:
        """Whether the layer computes in another dtype than that of its weights."""
        return self._name in _MIXED

    @property
    def name(self) -> str:
        """Name of the policy."""
        return self._name

    @property
    def variable_dtype(self) -> str:
        """Name of the dtype of weights."""
        return self._variable.name

    @property
    def compute_dtype(self) -> str:
        """Name of the dtype that is computed in."""
        return self._compute.name

    @property
    def dtypes(self) -> tuple[DType, DType]:
        """Dtype of weights, and dtype that is computed in."""
        return self._variable, self._compute

    def get_config(self) -> dict[str, Any]:
        """Return the arguments."""
        return {"name": self._name}

    @classmethod
    def from_config(cls, config: dict[str, Any]) -> DTypePolicy:
        """Make a policy from its arguments."""
        return cls(**config)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, DTypePolicy) and self._name == other._name

    def __hash__(self) -> int:
        return hash(self._name)

    def __repr__(self) -> str:
        return f'<DTypePolicy "{self._name}">'


class _CastDtype(threading.local):
    """Dtype in which a thread reads weights; None where each is read in its own."""

    dtype: DType | None = None


class _GlobalPolicy:
    """Settings of the process: dtype and policy of what is given none, and whether any policy is
    mixed, so that calls have to look.
    """

    floatx = "float32"
    policy: DTypePolicy | None = None
    has_mixed = False


_thread = _CastDtype()
_process = _GlobalPolicy()
_NO_CAST = contextlib.nullcontext()


def autocast_dtype() -> DType | None:
    """Return the dtype in which weights of the layer that is called are read; None for theirs."""
    return _thread.dtype


def computing_in(policy: DTypePolicy) -> contextlib.AbstractContextManager[None]:
    """Return a context in which weights are read as a policy says."""
    return _reading_as(policy) if _process.has_mixed else _NO_CAST


@contextlib.contextmanager
def _reading_as(policy: DTypePolicy | None) -> Iterator[None]:
    before = _thread.dtype
    _thread.dtype = policy.dtypes[1] if policy is not None and policy.is_mixed else None
    try:
        yield
    finally:
        _thread.dtype = before


def without_autocast() -> contextlib.AbstractContextManager[None]:
    """Return a context in which weights are read in their own dtypes."""
    return _reading_as(None)


def floatx() -> str:
    """Return the dtype of weights that have none of their own.

    Returns:
        ``"float32"`` unless another one was set.
    """
    return _process.floatx


def set_floatx(value: str) -> None:
    """Set the dtype of weights that have none of their own.

    Args:
        value: ``"float16"``, ``"bfloat16"``, ``"float32"`` or ``"float64"``.
    Returns:
        None.
    Raises:
        ValueError: it is another one.
    """
    name, allowed = str(value).lower(), {"bfloat16", "float16", "float32", "float64"}
    if name not in allowed:
        raise ValueError(f"Unknown `floatx` value: {value}. Expected one of {allowed}")
    _process.floatx = name


def dtype_policy() -> DTypePolicy:
    """Return the policy of layers that are given none.

    Returns:
        DTypePolicy: that of ``keras.config.floatx()`` unless another one was set.
    """
    return _process.policy or DTypePolicy(floatx())


def set_dtype_policy(policy: Any) -> None:
    """Set the policy of layers that are made from now on and given none.

    Args:
        policy: DTypePolicy or its name; None for that of ``keras.config.floatx()``.
    Returns:
        None.
    Raises:
        ValueError: there is no policy of that name.
    """
    _process.policy = None if policy is None else get(policy)


def get(identifier: Any) -> DTypePolicy:
    """Find the policy that an identifier means.

    Args:
        identifier: policy, its name, a dtype, the dict of ``serialize``; None for the global one.
    Returns:
        DTypePolicy.
    Raises:
        ValueError: there is no such policy.
    """
    if identifier is None:
        return dtype_policy()
    if isinstance(identifier, DTypePolicy):
        return identifier
    if isinstance(identifier, dict):
        return DTypePolicy(**identifier.get("config", identifier))
    return DTypePolicy(identifier if isinstance(identifier, str) else as_dtype(identifier).name)


def serialize(dtype_policy: DTypePolicy) -> dict[str, Any]:
    """Return a policy as a dict of plain values.

    Args:
        dtype_policy: DTypePolicy.
    Returns:
        Dict, in Keras' form.
    """
    return {
        "module": "keras", "class_name": "DTypePolicy", "config": dtype_policy.get_config(),
        "registered_name": None,
    }  # fmt: skip


def deserialize(config: Any, custom_objects: Any = None) -> DTypePolicy:
    """Make a policy of what ``serialize`` returned.

    Args:
        config: dict.
        custom_objects: not used: there are no policies of other classes.
    Returns:
        DTypePolicy.
    Raises:
        ValueError: there is no policy of that name.
    """
    return get(config)


def __dir__() -> list[str]:
    return __all__
