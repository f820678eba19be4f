"""``Print``: TensorFlow 1's way to see values while a graph computes them.

The tensor that it gives is to be used in place of its input: what needs it, prints.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from runtime.graph.default_graph import control_dependencies
from runtime.graph.trace import current_graph
from runtime.ops.array.constants import convert_to_tensor, identity
from runtime.ops.control_flow.print_assert import escaped, print_op, written_to
from runtime.types.aliases import TensorLike

__all__ = ["Print"]


def Print(
    input_: TensorLike, data: TensorLike, message: str | None = None, first_n: int | None = None,
    summarize: int | None = None, name: str | None = None,
) -> Any:  # fmt: skip
    """Print tensors to ``sys.stderr`` whenever a tensor is computed; gradients pass through.

    Args:
        input_: tensor to return.
        data: tensors to print.
        message: text in front.
        first_n: number of times to print; None for always.
        summarize: number of elements to print of each tensor; 3 by default, -1 for all.
    Returns:
        Tensor equal to ``input_``.
    """
    tensor = convert_to_tensor(input_)
    shown = print_op(
        *[convert_to_tensor(item) for item in data],
        render=_renderer(message or "", first_n, 3 if summarize is None else summarize),
        stream=written_to(None),
    )
    if current_graph() is None:
        return tensor
    with control_dependencies([shown]):
        return identity(tensor, name=name or "Print")


def _renderer(message: str, first_n: int | None, most: int) -> Callable[..., str]:
    """A function that makes the text of a run, and counts the runs."""
    runs = 0

    def render(*arrays: Any) -> str:
        nonlocal runs
        runs += 1
        if first_n is not None and 0 <= first_n < runs:
            return ""
        return message + "".join(f"[{_first(np.asarray(a), most)}]" for a in arrays) + "\n"

    return render


def _first(array: np.ndarray[Any, Any], most: int) -> str:
    """The first elements of an array, in brackets for each row of its inner axes."""
    limit = array.size if most < 0 else most
    count = 0

    def rows(array_section: Any) -> str:
        nonlocal count
        if array_section.ndim <= 1:
            shown = array_section.reshape(-1)[: limit - count]
            count += len(shown)
            text = " ".join(escaped(item) for item in shown)
            return text + ("..." if len(shown) < array_section.size and array.ndim > 1 else "")
        return "".join(f"[{rows(inner)}]" for inner in array_section if count < limit)

    return rows(array) + ("..." if array.size > limit else "")
