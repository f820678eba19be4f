"""``saved_model.SaveOptions`` and ``LoadOptions``: TensorFlow's settings; few apply here."""

from __future__ import annotations

from typing import Any

from autograph.named_tuples import NamedTuple

__all__ = ["LoadOptions", "SaveOptions"]


class SaveOptions(NamedTuple):
    """Settings of ``saved_model.save``.

    ``save_debug_info``, ``experimental_custom_gradients`` and ``function_aliases`` change nothing:
    lines, derivatives and names are always saved.  Others are refused when they are used.
    """

    namespace_whitelist: Any = None
    save_debug_info: bool = False
    function_aliases: Any = None
    experimental_debug_stripper: bool = False
    experimental_io_device: str | None = None
    experimental_variable_policy: Any = None
    experimental_custom_gradients: bool = True
    experimental_image_format: bool = False
    experimental_skip_saver: bool = False
    experimental_sharding_callback: Any = None
    extra_tags: Any = None


class LoadOptions(NamedTuple):
    """Settings of ``saved_model.load``; those that are not defaults are refused."""

    allow_partial_checkpoint: bool = False
    experimental_io_device: str | None = None
    experimental_skip_checkpoint: bool = False
    experimental_variable_policy: Any = None
    experimental_load_function_aliases: bool = False


_WITHOUT_EFFECT = ("save_debug_info", "function_aliases", "experimental_custom_gradients")


def check_options(options: Any, caller: str) -> None:
    """ValueError for settings that would change what is done; TypeError for no settings."""
    if options is None:
        return
    if not isinstance(options, SaveOptions | LoadOptions):
        raise TypeError(f"{caller}: options must be SaveOptions or LoadOptions, got {options!r}")
    for name, default in type(options)._field_defaults.items():
        if getattr(options, name) != default and name not in _WITHOUT_EFFECT:
            raise ValueError(f"{caller}: the option {name}={getattr(options, name)!r} is not there")
