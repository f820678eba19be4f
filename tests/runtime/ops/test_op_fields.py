"""Fields of definitions that say how Python does what the op does: they agree with the kernel."""

import inspect
import itertools
import operator

import numpy as np
import pytest

from runtime.engine import python_scalar_kernels
from runtime.graph.raise_tracking import raised_by
from runtime.ops.op import TABLE
from runtime.ops.rules.lazy_gradient import LazyGradient
from runtime.ops.rules.raising import ANYTHING
from runtime.types.dtypes import complex128, float64, int64
from runtime.types.shapes import TensorSpec

OPERATORS = [op for op in TABLE.values() if op.python_operator is not None]
KERNELS = [op for op in TABLE.values() if op.python_kernel is not None]
VALUES = {
    int64: [0, 1, -1, 7, 2**40],
    float64: [0.0, 1.5, -2.0, 1e308, float("inf")],
    complex128: [0j, 1 + 2j, -1.5j, 1e308 + 1e308j],
}


class Weak:
    """A tensor as ``raised_by`` sees it: one that stands for a Python number."""

    weak = True

    def __init__(self, dtype):
        self.dtype = dtype
        self.spec = TensorSpec((), dtype)


@pytest.mark.parametrize("op", OPERATORS, ids=lambda op: op.name)
def test_pythons_operator_gives_what_the_kernel_gives(op):
    compared = 0
    for sample in op.samples():
        arrays = [np.asarray(value) for value in sample.inputs]
        if any(array.dtype == object for array in arrays):
            continue
        specs = [TensorSpec(array.shape, array.dtype) for array in arrays]
        if op.python_operator.applies(specs, arrays[-1]):
            names = [f"x{number}" for number in range(len(arrays))]
            text = op.python_operator.text
            line = f"{text}({names[0]})" if len(names) == 1 else f" {text} ".join(names)
            with np.errstate(all="ignore"):
                found, wanted = eval(line, dict(zip(names, arrays))), op.kernel(*arrays)
            np.testing.assert_array_equal(found, wanted)
            assert np.asarray(found).dtype == np.asarray(wanted).dtype
            compared += 1
        if op.python_operator.on_numbers and all(array.ndim == 0 for array in arrays):
            numbers = [repr(array.item()) for array in arrays]
            found = eval(op.python_operator.on_numbers.format(*numbers))
            assert found == op.kernel(*arrays) and type(found) is bool
            compared += 1
    assert compared or op.python_operator.text in ("==", "!=")


@pytest.mark.parametrize("op", KERNELS, ids=lambda op: op.name)
def test_pythons_kernel_raises_what_the_definition_says(op):
    kernel = op.python_kernel
    for dtype, values in VALUES.items():
        if op.dtype_kinds and dtype._dtype.kind not in op.dtype_kinds:
            continue
        told = raised_by(op, [Weak(dtype)] * len(op.inputs), {})
        for given in itertools.product(values, repeat=len(op.inputs)):
            if not kernel.bounded and dtype is int64 and given[-1] > 64:
                continue
            arrays = [np.asarray(value, dtype._dtype) for value in given]
            try:
                wanted = kernel.function(*given)
            except Exception as error:
                assert isinstance(error, told), (op, given, error)
                continue
            try:
                found = python_scalar_kernels._kernel(kernel, dtype, (dtype,) * len(given))(*arrays)
            except (python_scalar_kernels.NumberKindError, python_scalar_kernels.NumberSizeError):
                assert dtype is not complex128
                continue
            np.testing.assert_equal(found, wanted)


def test_what_is_not_said_goes_by_traits():
    unknown, number = TensorSpec(None, int64), TensorSpec((), int64)

    class Strong(Weak):
        weak = False

        def __init__(self, spec):
            self.spec, self.dtype = spec, spec.dtype

    def told(name, *specs, **attrs):
        return [c.__name__ for c in raised_by(TABLE[name], [Strong(s) for s in specs], attrs)]

    assert told("add", number, number) == []
    assert told("add", unknown, number) == ["IncompatibleShapesError"]
    assert told("floordiv", number, number) == ["InvalidArgumentError"]
    assert told("logical_and", unknown, unknown) == ["IncompatibleShapesError"]
    assert told("cast", unknown, dtype=float64) == []
    assert told("truth", number) == []
    assert raised_by(TABLE["gather"], [Strong(number)] * 2, {}) == ANYTHING
    assert operator.lshift is TABLE["left_shift"].python_kernel.function


def addresses(op):
    """The addresses of derivatives that a definition holds, also inside of ``holomorphic``."""
    todo = [op.grad]
    while todo:
        value = todo.pop()
        if isinstance(value, LazyGradient):
            yield value
        for cell in getattr(value, "__closure__", None) or ():
            todo.append(cell.cell_contents)


def test_every_address_of_a_derivative_leads_to_a_function():
    found = {address.name: address for op in TABLE.values() for address in addresses(op)}
    assert len(found) > 90
    for place, address in found.items():
        assert inspect.isfunction(address.function()), place
