"""``Input``: the beginning of a functional model, and ``InputLayer``, which stands for it."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import Any

from runtime.graph.operation import SymbolicTensor
from runtime.graph.side_table import SideTable
from runtime.keras.functional.functional_graph import functional_graph
from runtime.keras.layers.base.layer import Layer
from runtime.keras.names import unique_name
from runtime.types.dtypes import as_dtype
from runtime.types.shapes import TensorShape, TensorSpec

__all__ = ["Input", "InputLayer"]

_LAYERS: SideTable[dict[int, Any]] = SideTable()
"""The layer of each input of a functional graph."""


class InputLayer(Layer):
    """Layer that stands for an input of a model; its ``output`` is the symbolic tensor.

    ``shape`` is without the batch, ``batch_shape`` with it.  ValueError where both are given, or
    none, and where they are not those of ``input_tensor``.
    """

    sparse = ragged = False

    def __init__(
        self, shape: Any = None, batch_size: int | None = None, dtype: Any = None,
        sparse: bool | None = None, ragged: bool | None = None, batch_shape: Any = None,
        input_tensor: SymbolicTensor | None = None, optional: bool = False, name: str | None = None,
        **kwargs: Any,
    ) -> None:  # fmt: skip
        if "input_shape" in kwargs:
            shape = kwargs.pop("input_shape")
            text = "Argument `input_shape` is deprecated. Use `shape` instead."
            warnings.warn(text, stacklevel=2)
        batch_shape = kwargs.pop("batch_input_shape", batch_shape)
        super().__init__(name=name or unique_name("input_layer"), **kwargs)
        for argument, value in (("sparse", sparse), ("ragged", ragged)):
            if value:
                raise ValueError(f"`{argument}=True` is not supported: inputs are dense tensors")
        if input_tensor is not None:
            _check_tensor(input_tensor, shape, batch_size, batch_shape, dtype)
            batch_shape, dtype = input_tensor.shape, input_tensor.dtype
        elif batch_size is not None and batch_shape is not None:
            raise ValueError(
                "You cannot pass both `batch_size` and `batch_shape` at the same time."
            )
        elif shape is not None and batch_shape is not None:
            raise ValueError("You cannot pass both `shape` and `batch_shape` at the same time.")
        elif shape is None and batch_shape is None:
            raise ValueError("You must pass a `shape` argument.")
        elif shape is not None:
            batch_shape = (batch_size, *_sizes(shape))
        self.optional = optional
        self.batch_shape = tuple(TensorShape(batch_shape).as_list())
        self._keras.dtype = as_dtype("float32" if dtype is None else dtype)
        self._keras.built = True
        graph: Any = functional_graph() if input_tensor is None else input_tensor.op.graph
        if input_tensor is None:
            spec = TensorSpec(TensorShape(self.batch_shape), self._keras.dtype)
            input_tensor = graph.add_placeholder(spec, self.name)
        self._keras.output = input_tensor
        _LAYERS.setdefault(graph, {})[id(input_tensor.op)] = self

    @property
    def input(self) -> SymbolicTensor:
        """Symbolic tensor of the input."""
        return self.output

    @property
    def output(self) -> SymbolicTensor:
        """Symbolic tensor of the input."""
        tensor: SymbolicTensor = self._keras.output
        return tensor

    def call(self) -> None:
        """Return None: the output is there without a call."""

    def get_config(self) -> dict[str, Any]:
        """Return the arguments."""
        return {
            "batch_shape": self.batch_shape, "dtype": self.dtype, "sparse": False, "ragged": False,
            "name": self.name, "optional": self.optional,
        }  # fmt: skip


def _check_tensor(
    tensor: Any, shape: Any, batch_size: Any, batch_shape: Any, dtype: Any
) -> None:
    """Raise ValueError where other arguments say something else than the tensor of an input."""
    if not isinstance(tensor, SymbolicTensor):
        raise ValueError(
            "Argument `input_tensor` must be a KerasTensor, a symbolic tensor such as Input() "
            f"gives. Received: {tensor!r} (of type {type(tensor)})"
        )
    sizes = tensor.shape.as_list()
    for name, value, fits in (
        ("shape", shape, shape is None or list(_sizes(shape)) == sizes[1:]),
        ("batch_size", batch_size, batch_size is None or batch_size == sizes[0]),
        ("batch_shape", batch_shape, batch_shape is None or list(_sizes(batch_shape)) == sizes),
        ("dtype", dtype, dtype is None or as_dtype(dtype) == tensor.dtype),
    ):
        if not fits:
            raise ValueError(
                "When providing the `input_tensor` argument, you cannot provide an incompatible "
                f"`{name}` argument. Received: {value!r}, and a tensor of the shape {tensor.shape} "
                f"and dtype {tensor.dtype.name}"
            )


def _sizes(shape: Any) -> Sequence[Any]:
    return (shape,) if isinstance(shape, int) else tuple(TensorShape(shape).as_list())


def Input(
    shape: Any = None, batch_size: int | None = None, dtype: Any = None,
    sparse: bool | None = None, ragged: bool | None = None, batch_shape: Any = None,
    name: str | None = None, tensor: Any = None, optional: bool = False,
) -> SymbolicTensor:  # fmt: skip
    """Return a symbolic tensor, from which layers make others, and ``Model`` a model.

    Args:
        shape: shape without the batch; None for unknown sizes.
        batch_size: size of the batch, if it is known.
        dtype: dtype, float32 by default.
        sparse: not supported.
        ragged: not supported.
        batch_shape: shape with the batch, in place of ``shape``.
        name: name of the input.
        tensor: symbolic tensor to use.
        optional: whether a model takes None for it; layers get None then.

    Returns:
        Symbolic tensor of the functional graph.

    Raises:
        ValueError: unless exactly one of the shapes is given; for sparse and ragged inputs.
    """
    layer = InputLayer(
        shape, batch_size, dtype, sparse, ragged, batch_shape, tensor, optional, name
    )
    return layer.output


def input_layer_of(tensor: SymbolicTensor) -> InputLayer:
    """Return the layer that stands for an input of a model; it is made for other tensors."""
    graph: Any = tensor.op.graph
    layer = _LAYERS.setdefault(graph, {}).get(id(tensor.op))
    return InputLayer(input_tensor=tensor) if layer is None else layer
