"""Cases of activations, regularizers and constraints."""

from __future__ import annotations

from functools import partial
from typing import Any

from tests.runtime.keras.golden import Case, values

X = values(3, 4, low=-3.1, high=7.3)
W = values(4, 3)


def activation(tf: Any, keras: Any, name: str, **arguments: Any) -> Any:
    found = getattr(keras.activations, name)
    return lambda x: found(x, **arguments)


def made(tf: Any, keras: Any, path: str, **arguments: Any) -> Any:
    module, name = path.split(".")
    return getattr(getattr(keras, module), name)(**arguments)


ACTIVATIONS: list[tuple[str, dict[str, Any]]] = [
    ("celu", {}), ("celu", {"alpha": 0.5}), ("elu", {}), ("elu", {"alpha": 0.3}),
    ("exponential", {}), ("gelu", {}), ("gelu", {"approximate": True}), ("glu", {}),
    ("hard_shrink", {}), ("hard_sigmoid", {}), ("hard_silu", {}), ("hard_swish", {}),
    ("hard_tanh", {}), ("leaky_relu", {}), ("leaky_relu", {"negative_slope": 0.1}), ("linear", {}),
    ("log_sigmoid", {}), ("log_softmax", {}), ("log_softmax", {"axis": 0}), ("mish", {}),
    ("relu", {}), ("relu", {"negative_slope": 0.1}), ("relu", {"max_value": 5.0}),
    ("relu", {"threshold": 1.0}), ("relu6", {}),
    ("relu", {"negative_slope": 0.2, "max_value": 4.0, "threshold": 1.5}),
    ("selu", {}), ("sigmoid", {}), ("silu", {}), ("soft_shrink", {}), ("softmax", {}),
    ("softmax", {"axis": 0}), ("softmax", {"axis": (0, 1)}), ("softplus", {}), ("softsign", {}),
    ("sparse_plus", {}), ("sparse_sigmoid", {}), ("sparsemax", {}), ("sparsemax", {"axis": 0}),
    ("squareplus", {}), ("swish", {}), ("tanh", {}), ("tanh_shrink", {}),
]  # fmt: skip
WEIGHTS: list[tuple[str, dict[str, Any]]] = [
    ("regularizers.L1", {}), ("regularizers.L2", {"l2": 0.3}),
    ("regularizers.L1L2", {"l1": 0.1, "l2": 0.2}), ("regularizers.OrthogonalRegularizer", {}),
    ("regularizers.OrthogonalRegularizer", {"factor": 0.1, "mode": "columns"}),
    ("constraints.MaxNorm", {}), ("constraints.MaxNorm", {"max_value": 1, "axis": 1}),
    ("constraints.NonNeg", {}), ("constraints.UnitNorm", {}),
    ("constraints.UnitNorm", {"axis": [0, 1]}),
    ("constraints.MinMaxNorm", {"min_value": 0.5, "max_value": 1.5, "rate": 0.7, "axis": 1}),
]  # fmt: skip

CASES = {
    f"activations.{name}({arguments})": Case(partial(activation, name=name, **arguments), (X,))
    for name, arguments in ACTIVATIONS
}
CASES["activations.threshold"] = Case(
    lambda tf, keras: lambda x: keras.activations.threshold(x, 0.5, 2.0), (X,)
)
CASES |= {
    f"{path}({arguments})": Case(partial(made, path=path, **arguments), (W,))
    for path, arguments in WEIGHTS
}
