"""Settings of ``runtime.keras``: the dtype of weights, the fuzz factor, the order of an image."""

from __future__ import annotations

from typing import TYPE_CHECKING as _TYPE_CHECKING
from typing import Any

from runtime.keras.dtype_policies import dtype_policy as dtype_policy
from runtime.keras.dtype_policies import floatx as floatx
from runtime.keras.dtype_policies import set_dtype_policy as set_dtype_policy
from runtime.keras.dtype_policies import set_floatx as set_floatx
from runtime.keras.lambdas import enable_unsafe_deserialization as enable_unsafe_deserialization
from runtime.types.annexes import explained as _explained

__all__ = [
    "backend", "dtype_policy", "enable_unsafe_deserialization", "epsilon", "floatx",
    "image_data_format", "set_dtype_policy", "set_epsilon", "set_floatx", "set_image_data_format",
]  # fmt: skip

_settings: dict[str, Any] = {
    "epsilon": 1e-7, "image_data_format": "channels_last",
}  # fmt: skip


def backend() -> str:
    """Return the name of the library that computes.

    Returns:
        ``"tensorflow"``, whose names and meanings these are.
    """
    return "tensorflow"


def epsilon() -> float:
    """Return the small number that losses keep away from zero with.

    Returns:
        Float, 1e-7 unless another one was set.
    """
    return float(_settings["epsilon"])


def set_epsilon(value: float) -> None:
    """Set the small number that losses keep away from zero with.

    Args:
        value: float.
    Returns:
        None.
    """
    _settings["epsilon"] = float(value)


def image_data_format() -> str:
    """Return which axis of images holds the channels.

    Returns:
        ``"channels_last"`` unless ``"channels_first"`` was set.
    """
    return str(_settings["image_data_format"])


def set_image_data_format(data_format: str) -> None:
    """Set which axis of images holds the channels.

    Args:
        data_format: ``"channels_last"`` or ``"channels_first"``.
    Returns:
        None.
    Raises:
        ValueError: it is another one.
    """
    _choose("image_data_format", data_format, ("channels_last", "channels_first"))


def _choose(setting: str, value: str, allowed: tuple[str, ...]) -> None:
    """Store one of several values; ValueError for another one."""
    name = str(value).lower()
    if name not in allowed:
        raise ValueError(f"Unknown `{setting}` value: {value}. Expected one of {set(allowed)}")
    _settings[setting] = name


if not _TYPE_CHECKING:  # type checkers find what is misspelt
    __getattr__ = _explained(__name__)
