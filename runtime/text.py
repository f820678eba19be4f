"""How tensors and graphs read: exactly as TensorFlow prints tensors, one line per operation."""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.dtypes import DType


def _numpy_text(array: Any, is_repr: bool) -> str:
    if is_repr:
        value = array[()]
        is_scalar = isinstance(value, np.generic)
        text = repr(value.item()) if is_scalar else repr(value)
    else:
        text = str(array[()])
    return "\n" + text if "\n" in text else text


def eager_str(array: Any, dtype: DType) -> str:
    """``str`` of an eager tensor: ``tf.Tensor([1 2], shape=(2,), dtype=int32)``."""
    return f"tf.Tensor({_numpy_text(array, False)}, shape={array.shape}, dtype={dtype.name})"


def eager_repr(array: Any, dtype: DType) -> str:
    """``repr`` of an eager tensor, with NumPy's repr of the value."""
    value = _numpy_text(array, True)
    return f"<tf.Tensor: shape={array.shape}, dtype={dtype.name}, numpy={value}>"


def symbolic_str(tensor: Any) -> str:
    """``str`` of a symbolic tensor: ``Tensor("add:0", shape=(2,), dtype=float32)``."""
    shape = "" if tensor.shape.dims is None else f", shape={tensor.shape}"
    return f'Tensor("{tensor.name}"{shape}, dtype={tensor.dtype.name})'


def symbolic_repr(tensor: Any) -> str:
    """``repr`` of a symbolic tensor."""
    return f"<tf.Tensor '{tensor.name}' shape={tensor.shape} dtype={tensor.dtype.name}>"


def _type(tensor: Any) -> str:
    """``float32[?, 2]``; ``~`` marks a weak tensor, ``*`` an unknown rank."""
    dims = tensor.shape.dims
    shape = "*" if dims is None else ", ".join("?" if d is None else str(d) for d in dims)
    return f"{tensor.dtype.name}{'~' if tensor.weak else ''}[{shape}]"


def _operand(tensor: Any) -> str:
    return str(tensor.name.removesuffix(":0"))


def _value(value: Any) -> str:
    if isinstance(value, np.ndarray | np.generic):
        text = np.array2string(np.asarray(value), separator=", ", threshold=8, edgeitems=2)
        return " ".join(text.split())
    if isinstance(value, DType):
        return value.name
    if callable(value):
        return f"<{getattr(value, '__name__', type(value).__name__)}>"
    return str(value)


def _subgraphs(value: Any) -> list[Any]:
    items = value if isinstance(value, tuple | list) else (value,)
    return [item for item in items if hasattr(item, "operations")]


def _operation_lines(operation: Any, indent: str) -> list[str]:
    nested = {k: v for k, v in operation.attrs.items() if _subgraphs(v)}
    shown = [_operand(t) for t in operation.inputs]
    if operation.row.name != "placeholder":  # its attributes are its type
        shown += [f"{k}={_value(v)}" for k, v in operation.attrs.items() if k not in nested]
    call = f"{operation.row.name}({', '.join(shown)})"
    result = f"{operation.name} = {call}"
    if operation.outputs:
        result += f" : {', '.join(map(_type, operation.outputs))}"
    if operation.control_inputs:
        result += f" after {', '.join(o.name for o in operation.control_inputs)}"
    lines = [indent + result]
    for key, value in nested.items():
        for graph in _subgraphs(value):
            lines.append(f"{indent}  {key}: {graph_header(graph)}")
            lines += _body_lines(graph, indent + "    ")
    return lines


def _body_lines(graph: Any, indent: str) -> list[str]:
    taken = {id(t.op) for t in getattr(graph, "inputs", ())}
    lines = [
        line
        for operation in graph.operations
        if id(operation) not in taken
        for line in _operation_lines(operation, indent)
    ]
    outputs = getattr(graph, "outputs", None)
    if outputs is not None:
        lines.append(f"{indent}return {', '.join(map(_operand, outputs))}".rstrip())
    return lines


def graph_header(graph: Any) -> str:
    """A sub-graph's name and inputs: ``body(x: float32[], i: int64~[])``."""
    arguments = ", ".join(f"{_operand(t)}: {_type(t)}" for t in getattr(graph, "inputs", ()))
    return f"{getattr(graph, 'name', 'graph')}({arguments})"


def graph_text(graph: Any) -> str:
    """A graph for people to read: one line per operation, in program order.

    ``add = add(x, Const) : float32[?, 2]`` - the operation's name, its op with inputs and
    attributes, and the types of its outputs.  Sub-graphs stand indented below their operation.
    """
    lines = [f"{graph_header(graph)}:"] if hasattr(graph, "inputs") else []
    return "\n".join(lines + _body_lines(graph, "  " if lines else "")) + "\n"
