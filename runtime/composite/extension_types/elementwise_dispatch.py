"""``dispatch_for_unary_elementwise_apis`` and its like: one handler for all element-wise functions.

Of ops the trait says that they are element-wise; functions that are plain Python are listed here.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from runtime.composite.extension_types.api_dispatch import (
    HANDLERS,
    DispatchTarget,
    api_of,
    check_annotation,
)
from runtime.composite.images.batches import convert_image_dtype
from runtime.composite.images.colors import adjust_brightness, adjust_gamma
from runtime.composite.images.random_changes import random_brightness, stateless_random_brightness
from runtime.composite.string_split import unicode_transcode
from runtime.ops.array.constants import cast
from runtime.ops.array.creation import ones_like, zeros_like
from runtime.ops.control_flow.assertions import check_numerics
from runtime.ops.math.clipping import clip_by_value, saturate_cast
from runtime.ops.math.elementwise import scalar_mul
from runtime.ops.nn.activations_losses import (
    gelu,
    leaky_relu,
    log_softmax,
    sigmoid_cross_entropy_with_logits,
    silu,
)
from runtime.ops.string.regex import regex_full_match, regex_replace
from runtime.ops.string.strings import (
    as_string,
    length,
    lower,
    strip,
    substr,
    to_number,
    upper,
)

__all__ = ["dispatch_for_binary_elementwise_apis", "dispatch_for_unary_elementwise_apis"]


def _unary_functions() -> list[Any]:
    """Return the functions of one tensor."""
    return [
        adjust_brightness, adjust_gamma, as_string, cast, check_numerics, clip_by_value,
        convert_image_dtype, gelu, leaky_relu, length, log_softmax, lower, ones_like,
        random_brightness, regex_full_match, regex_replace, saturate_cast, silu,
        stateless_random_brightness, strip, substr, to_number, unicode_transcode, upper,
        zeros_like,
    ]  # fmt: skip


def _binary_functions() -> list[Any]:
    """Return the functions of two tensors."""
    return [scalar_mul, sigmoid_cross_entropy_with_logits]


def _register_elementwise(
    what: str, kinds: tuple[Any, ...], shown: Any, apis: Callable[[], list[Any]], handler: Any
) -> Any:
    if kinds in HANDLERS:
        raise ValueError(
            f"A {what} elementwise dispatch handler ({HANDLERS[kinds]}) has already been "
            f"registered for {shown}."
        )
    for kind in kinds:
        check_annotation(kind)
    HANDLERS[kinds] = handler
    for function in apis():
        entry = api_of(function)
        names = list(entry.signature.parameters)[: len(kinds)]
        signature = dict(zip(names, kinds, strict=True))
        entry.add(DispatchTarget(_handled(function, handler, names), (signature,), handler))
    return handler


def _handled(function: Any, handler: Any, names: list[str]) -> Callable[..., Any]:
    """Return a function that gives the operands to a handler, with the API for them alone."""

    def called(*args: Any, **kwargs: Any) -> Any:
        count = len(names)
        operands = [*args[:count], *[kwargs.pop(name) for name in names[len(args) :]]]
        rest = args[count:]
        if not rest and not kwargs:
            return handler(function, *operands)

        def api(*values: Any) -> Any:
            return function(*values, *rest, **kwargs)

        return handler(api, *operands)

    return called


def dispatch_for_unary_elementwise_apis(
    x_type: Any,
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Register ``handler(api, x)``, what all element-wise APIs of one tensor do with a type.

    Args:
        x_type: class, or ``Union`` of classes, of the operand.
    Returns:
        Decorator, which returns the handler.
    Raises:
        ValueError: another handler is registered for the type.
    """

    def decorator(handler: Callable[..., Any]) -> Callable[..., Any]:
        return _register_elementwise("unary", (x_type,), x_type, _unary_functions, handler)

    return decorator


def dispatch_for_binary_elementwise_apis(
    x_type: Any, y_type: Any
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Register ``handler(api, x, y)``, what all element-wise APIs of two tensors do with types.

    Args:
        x_type: class, or ``Union`` of classes, of the first operand.
        y_type: that of the second.
    Returns:
        Decorator, which returns the handler.
    Raises:
        ValueError: another handler is registered for the types.
    """

    def decorator(handler: Callable[..., Any]) -> Callable[..., Any]:
        kinds = (x_type, y_type)
        return _register_elementwise("binary", kinds, kinds, _binary_functions, handler)

    return decorator
