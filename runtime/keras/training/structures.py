"""Nests of losses, metrics and weights, laid out like the outputs of a model."""

from __future__ import annotations

from typing import Any

from runtime.types import nest


def by_output(values: Any, outputs: Any, names: list[str] | None, argument: str) -> list[Any]:
    """Return what is given for each output of a model, in order; None where there is nothing.

    ``values`` is one value for all outputs, a list or tuple with one for each, or a dict by name;
    ``outputs`` is what the model returned, a tensor, a list, a tuple, or a dict.  ValueError for
    other lengths and names.  Where an output is a list, tuple or dict of outputs itself, so is
    what is given for it, or it is one value for all of these.
    """
    if is_deep(outputs):
        top = by_output(values, _outer(outputs), names, argument)
        children = outputs.values() if isinstance(outputs, dict) else outputs
        return [
            leaf
            for value, child in zip(top, children, strict=True)
            for leaf in by_output(value, child, None, argument)
        ]
    count = len(outputs) if isinstance(outputs, list | tuple | dict) else 1
    if isinstance(values, dict):
        expected = list(outputs) if isinstance(outputs, dict) else names or []
        unknown = [name for name in values if name not in expected]
        if unknown:
            raise ValueError(
                f"{argument} is given for the output {unknown[0]!r}. Expected keys are the "
                "outputs of "
                f"the model: {', '.join(map(repr, expected)) or 'they are not named'}"
            )
        return [values.get(name) for name in expected]
    if isinstance(values, list | tuple) and count > 1 or isinstance(outputs, list | tuple | dict):
        if isinstance(values, list | tuple):
            if len(values) != count:
                raise ValueError(
                    f"{argument} is given for {len(values)} outputs; the model has {count}"
                )
            if isinstance(outputs, dict):  # a list is in the order of the sorted names
                named = dict(zip(sorted(outputs), values, strict=True))
                return [named[name] for name in outputs]
            return list(values)
        return [values] * count
    return list(values) if isinstance(values, list | tuple) and len(values) == 1 else [values]


def is_deep(outputs: Any) -> bool:
    """Return whether an output of a model is a list, tuple or dict of outputs itself."""
    children = outputs.values() if isinstance(outputs, dict) else outputs
    if not isinstance(outputs, list | tuple | dict):
        return False
    return any(isinstance(child, list | tuple | dict) for child in children)


def _outer(outputs: Any) -> Any:
    """Return the outermost structure of outputs, with None in the place of what is in it."""
    return dict.fromkeys(outputs) if isinstance(outputs, dict) else [None] * len(outputs)


def flat_outputs(outputs: Any) -> list[Any]:
    """Return the outputs of a model as a list, those in lists and dicts at their places."""
    if not isinstance(outputs, list | tuple | dict):
        return [outputs]
    children = outputs.values() if isinstance(outputs, dict) else outputs
    return [leaf for child in children for leaf in flat_outputs(child)]


def packed(outputs: Any, values: list[Any]) -> Any:
    """Return values, in the order of ``flat_outputs``, in the structure of the outputs."""
    unused = iter(values)

    def filled(output: Any) -> Any:
        if isinstance(output, dict):
            return {name: filled(value) for name, value in output.items()}
        if isinstance(output, list | tuple):
            return nest.rebuild(output, [filled(value) for value in output])
        return next(unused)

    return filled(outputs)


def matched(values: Any, outputs: Any, names: list[str] | None, argument: str) -> list[Any]:
    """Return targets, or weights, for each output; ValueError where there are too few."""
    if not isinstance(outputs, list | tuple | dict) and not isinstance(values, dict):
        if isinstance(values, list | tuple) and len(values) == 1:
            return [values[0]]
        return [values]
    if values is None:
        return [None] * len(flat_outputs(outputs))
    return by_output(values, outputs, names, argument)
