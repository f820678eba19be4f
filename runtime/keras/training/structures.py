"""Nests of losses, metrics and weights, laid out like the outputs of a model."""

from __future__ import annotations

from typing import Any

from runtime.types import nest


def by_output(given: Any, outputs: Any, names: list[str] | None, what: str) -> list[Any]:
    """Return what is given for each output of a model, in order; None where there is nothing.

    ``given`` is one value for all outputs, a list or tuple with one for each, or a dict by name;
    ``outputs`` is what the model returned, a tensor, a list, a tuple, or a dict.  ValueError for
    other lengths and names.  Where an output is a list, tuple or dict of outputs itself, so is
    what is given for it, or it is one value for all of these.
    """
    if is_deep(outputs):
        top = by_output(given, _outer(outputs), names, what)
        parts = outputs.values() if isinstance(outputs, dict) else outputs
        return [
            one
            for value, part in zip(top, parts, strict=True)
            for one in by_output(value, part, None, what)
        ]
    count = len(outputs) if isinstance(outputs, list | tuple | dict) else 1
    if isinstance(given, dict):
        known = list(outputs) if isinstance(outputs, dict) else names or []
        unknown = [name for name in given if name not in known]
        if unknown:
            raise ValueError(
                f"{what} is given for the output {unknown[0]!r}. Expected keys are the outputs of "
                f"the model: {', '.join(map(repr, known)) or 'they are not named'}"
            )
        return [given.get(name) for name in known]
    if isinstance(given, list | tuple) and count > 1 or isinstance(outputs, list | tuple | dict):
        if isinstance(given, list | tuple):
            if len(given) != count:
                raise ValueError(
                    f"{what} is given for {len(given)} outputs; the model has {count}"
                )
            if isinstance(outputs, dict):  # a list is in the order of the sorted names
                named = dict(zip(sorted(outputs), given, strict=True))
                return [named[name] for name in outputs]
            return list(given)
        return [given] * count
    return list(given) if isinstance(given, list | tuple) and len(given) == 1 else [given]


def is_deep(outputs: Any) -> bool:
    """Return whether an output of a model is a list, tuple or dict of outputs itself."""
    parts = outputs.values() if isinstance(outputs, dict) else outputs
    if not isinstance(outputs, list | tuple | dict):
        return False
    return any(isinstance(part, list | tuple | dict) for part in parts)


def _outer(outputs: Any) -> Any:
    """Return the outermost structure of outputs, with None in the place of what is in it."""
    return dict.fromkeys(outputs) if isinstance(outputs, dict) else [None] * len(outputs)


def flat_outputs(outputs: Any) -> list[Any]:
    """Return the outputs of a model as a list, those in lists and dicts at their places."""
    if not isinstance(outputs, list | tuple | dict):
        return [outputs]
    parts = outputs.values() if isinstance(outputs, dict) else outputs
    return [one for part in parts for one in flat_outputs(part)]


def packed(outputs: Any, values: list[Any]) -> Any:
    """Return values, in the order of ``flat_outputs``, in the structure of the outputs."""
    rest = iter(values)

    def filled(part: Any) -> Any:
        if isinstance(part, dict):
            return {name: filled(value) for name, value in part.items()}
        if isinstance(part, list | tuple):
            return nest.rebuild(part, [filled(value) for value in part])
        return next(rest)

    return filled(outputs)


def matched(values: Any, outputs: Any, names: list[str] | None, what: str) -> list[Any]:
    """Return targets, or weights, for each output; ValueError where there are too few."""
    if not isinstance(outputs, list | tuple | dict) and not isinstance(values, dict):
        if isinstance(values, list | tuple) and len(values) == 1:
            return [values[0]]
        return [values]
    if values is None:
        return [None] * len(flat_outputs(outputs))
    return by_output(values, outputs, names, what)
