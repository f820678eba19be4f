"""Values of a model's variables in dicts by the parts of their paths, and back."""

from __future__ import annotations

from typing import Any

from runtime.ops.array.constants import convert_to_tensor

_FORMATS = ("backend_tensor", "numpy_array")


def _variables(model: Any) -> dict[str, list[Any]]:
    """Return the variables of a model by kind, as the tree has them."""
    optimizer = getattr(model, "optimizer", None)
    return {
        "trainable_variables": model.trainable_variables,
        "non_trainable_variables": model.non_trainable_variables,
        "optimizer_variables": [] if optimizer is None else optimizer.variables,
        "metrics_variables": model.metrics_variables,
    }


def state_tree(model: Any, value_format: str) -> dict[str, Any]:
    """Return the values of a model's variables; ValueError for two of one path."""
    if value_format not in _FORMATS:
        raise ValueError(
            f"Invalid `value_format` argument. Expected one of {_FORMATS}. Received: "
            f"value_format={value_format}"
        )
    tree: dict[str, Any] = {}
    for kind, variables in _variables(model).items():
        tree[kind] = {}
        seen: set[str] = set()
        for variable in variables:
            if variable.path in seen:
                raise ValueError(
                    "The following variable path is found twice in the model: "
                    f"'{variable.path}'. `get_state_tree()` can only be called when all variable "
                    "paths are unique. Make sure to give unique names to your layers (and other "
                    "objects)."
                )
            seen.add(variable.path)
            *outer, name = variable.path.split("/")
            place = tree[kind]
            for folder in outer:
                place = place.setdefault(folder, {})
            is_array = value_format == "numpy_array"
            place[name] = variable.numpy() if is_array else convert_to_tensor(variable)
    return tree


def set_state_tree(model: Any, values: dict[str, Any]) -> None:
    """Set variables to values by kind and path; ValueError for a kind that there is not."""
    variables = _variables(model)
    for kind, tree in values.items():
        if kind not in variables:
            raise ValueError(f"Unknown variable name: {kind}")
        flat = dict(_flat(tree, ""))
        for variable in variables[kind]:
            if variable.path in flat:
                variable.assign(flat[variable.path])


def _flat(tree: dict[str, Any], place: str) -> Any:
    """Yield the paths of a tree with their values."""
    for name, value in tree.items():
        if isinstance(value, dict):
            yield from _flat(value, f"{place}{name}/")
        else:
            yield f"{place}{name}", value
