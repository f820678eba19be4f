"""Vector-Jacobian products of ``py_function`` in graphs: each call runs under its own tape.

The extended operation has one more output, the recording, which holds the tape.  The derivative is
another Python call, which computes gradients by that tape; so the function is called only once.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from runtime.autodiff.backprop import Gradient, Gradients, VjpRequest, no_gradient, rule
from runtime.autodiff.seeds import UnconnectedGradients
from runtime.autodiff.tape import GradientTape
from runtime.autodiff.vjp_call import seed_or_zeros
from runtime.control_flow.py_function import EagerCall
from runtime.eager.tensor import Tensor, wrap
from runtime.graph.extensions import extend
from runtime.ops.control_flow.py_function import name_of, py_func_op
from runtime.ops.op import Missing
from runtime.ops.resource.list_gradients import differentiable
from runtime.types.dtypes import variant
from runtime.types.errors import MissingGradientError
from runtime.types.shapes import SCALAR_SHAPE, TensorSpec

_AGAIN = (
    "the derivative of a py_function is not differentiated in a graph. Take both derivatives "
    "within the function"
)


class Recording:
    """Inputs, outputs and tape of one call of a function, held by a tensor."""

    dtype = variant
    shape = ()
    ndim = 0

    def __init__(
        self, tape: GradientTape, inputs: Sequence[Tensor], outputs: Sequence[Tensor]
    ) -> None:
        self.tape = tape
        self.inputs = inputs
        self.outputs = outputs

    def __repr__(self) -> str:
        return "<recorded call>"


class _Recorder:
    """Function that also returns its recording."""

    def __init__(self, call: EagerCall) -> None:
        self.call = call
        self.__name__ = call.__name__

    def __call__(self, *arrays: Any) -> list[Any]:
        inputs = [wrap(array) for array in arrays]
        with GradientTape(persistent=True) as tape:
            tape.watch([t for t in inputs if _is_differentiable(t)])
            outputs = self.call.eagerly(*inputs)
        return [*[t._array for t in outputs], Recording(tape, inputs, outputs)]


class _Backward:
    """Derivative of recorded calls with respect to some of their inputs."""

    def __init__(self, name: str, wrt: Sequence[int], upstream: Sequence[int]) -> None:
        self.__name__ = f"{name}_gradient"
        self.name = name
        self.wrt = wrt
        self.upstream = upstream

    def __call__(self, recording: Recording, *arrays: Any) -> list[Any]:
        variables = list(recording.tape.watched_variables())
        variable_gradients = recording.tape.gradient(
            [recording.outputs[i] for i in self.upstream], variables, list(map(wrap, arrays))
        )
        for variable, gradient in zip(variables, variable_gradients, strict=True):
            if gradient is not None:
                raise MissingGradientError(
                    f"The derivative of the py_function {self.name!r} in a graph is by what it is "
                    f"given; it reads the variable {variable.name!r} besides. Pass its value in "
                    "inp, or read it with runtime.stop_gradient."
                )
        gradients = recording.tape.gradient(
            [recording.outputs[i] for i in self.upstream], [recording.inputs[i] for i in self.wrt],
            list(map(wrap, arrays)), UnconnectedGradients.ZERO,
        )  # fmt: skip
        return [gradient._array for gradient in gradients]


def _is_differentiable(tensor: Any) -> bool:
    return differentiable(tensor) and tensor.dtype is not variant


@rule(py_func_op)
def python_gradients(request: VjpRequest) -> tuple[Sequence[Gradient | None], Gradients]:
    """Compute gradients of the inputs of a Python function, by the tape of its recording."""
    node = request.node
    call = node.attrs["call"]
    if isinstance(call, EagerCall):
        call = _Recorder(call)
        attrs = {"call": call, "dtypes": (*node.attrs["dtypes"], variant)}
        node = extend(node, [TensorSpec(SCALAR_SHAPE, variant)], attrs)
    if not isinstance(call, _Recorder):
        missing: Any = py_func_op.grad
        assert isinstance(missing, Missing)
        raise no_gradient(node, _AGAIN if isinstance(call, _Backward) else missing.reason)
    wrt = [i for i, want in enumerate(request.wants) if want]
    upstream = [i for i, t in enumerate(node.outputs) if _is_differentiable(t)]
    gradients: Any = py_func_op(
        node.outputs[-1], *[seed_or_zeros(request, i) for i in upstream],
        call=_Backward(name_of(call), wrt, upstream),
        dtypes=tuple([node.inputs[i].dtype for i in wrt]),
    )  # fmt: skip
    input_gradients: list[Any] = [None] * len(node.inputs)
    for number, gradient in zip(wrt, gradients, strict=True):
        gradient.set_shape(node.inputs[number].shape)
        input_gradients[number] = gradient
    return input_gradients, {}
