"""Functions that native code calls: the kernels of operations, signals, errors.

Native code passes Python numbers, and lists of them; kernels take NumPy's.
"""

from __future__ import annotations

import builtins
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, NoReturn

import numpy as np

from runtime.eager.tensor import call_kernel
from runtime.engine.error_location import located
from runtime.engine.llvm import kernel_ir as ir
from runtime.engine.llvm.arrays.fusion import Fusion
from runtime.engine.llvm.arrays.shared_tasks import raise_pending
from runtime.engine.llvm.containers.array_settings import from_array, to_array
from runtime.engine.llvm.stack import lowest_address
from runtime.engine.llvm.texts.text_values import kernel_text, python_text
from runtime.ops.resource.lists import ListValue
from runtime.ops.rules.lowering import Control
from runtime.types.conversion import as_object_scalar
from runtime.types.dtypes import string
from runtime.types.errors import InternalError

Convert = Callable[[Any], Any]


def to_kernel(type: ir.Type) -> Convert | None:
    """Return the function from native code's Python value to a kernel's; None if it is the same."""
    if type is ir.OBJECT:
        return None
    if type == ir.TEXT:
        return kernel_text
    if isinstance(type, ir.NativeList):
        return _to_list(type) if type.array is None else to_array(type.array)
    assert isinstance(type, ir.Scalar)
    return numpy_type(type)


def numpy_type(type: ir.Scalar) -> Any:
    """Return the NumPy scalar type of a number."""
    name = "?" if type.kind == "b" else f"{type.kind}{type.bits // 8}"
    return np.dtype(name).type


def _to_list(type: ir.NativeList) -> Convert:
    """Return the function from a Python list to the kernels' list."""
    kinds = _numpy_types(type)
    if len(kinds) == 1:
        return lambda items: ListValue([*zip(np.array(items, kinds[0]))])
    if kinds:  # a column at once, which is many times faster than one by one
        return lambda items: ListValue([
            *zip(*map(np.array, zip(*items, strict=True), kinds), strict=True)
        ])
    converters = [to_kernel(field) or _same for field in type.fields]
    if len(converters) == 1:
        (only,) = converters
        return lambda items: ListValue([(only(item),) for item in items])
    return lambda items: ListValue([
        tuple([convert(x) for convert, x in zip(converters, item, strict=True)]) for item in items
    ])


def _numpy_types(type: ir.NativeList) -> list[Any]:
    """Return the NumPy types of a list's fields; none if not all are numbers."""
    fields = [field for field in type.fields if isinstance(field, ir.Scalar)]
    return [*map(numpy_type, fields)] if len(fields) == len(type.fields) else []


def from_kernel(type: ir.Type) -> Convert | None:
    """Return the function from a kernel's value to native code's; None if it is the same."""
    if type is ir.OBJECT:
        return None
    if type == ir.TEXT:
        return python_text
    if isinstance(type, ir.NativeList):
        return _from_list(type)
    return _number


def _number(value: Any) -> Any:
    return value.item()


def _same(value: Any) -> Any:
    return value


class ForeignListError(Exception):
    """List among the arguments whose entries are not of the type that was compiled."""


def _from_list(type: ir.NativeList) -> Convert:
    """Return the function from a kernels' list to a Python list; ForeignListError if it differs."""
    if type.array is not None:
        return from_array(type.array, ForeignListError)
    checks = [_entry_check(field) for field in type.fields]
    kinds = _numpy_types(type)
    classes = [{kind} for kind in kinds]

    def convert(handle: Any) -> list[Any]:
        try:
            columns = [*zip(*handle, strict=True)] if kinds else []
            if columns and [set(map(builtins.type, column)) for column in columns] == classes:
                numbers = list(map(_to_numbers, columns, kinds))
                return numbers[0] if len(numbers) == 1 else [*zip(*numbers, strict=True)]
            if len(checks) == 1:
                (only,) = checks
                return [only(value) for (value,) in handle]
            return [
                tuple([check(x) for check, x in zip(checks, entry, strict=True)])
                for entry in handle
            ]
        except (ValueError, TypeError, AttributeError):
            raise ForeignListError from None

    return convert


def _to_numbers(column: Sequence[Any], kind: Any) -> list[Any]:
    numbers: list[Any] = np.array(column, kind).tolist()
    return numbers


def _entry_check(type: ir.Type) -> Convert:
    """Return the conversion of a field, which refuses values of other types."""
    if not isinstance(type, ir.Scalar):
        return from_kernel(type) or _same
    dtype = np.dtype(numpy_type(type))

    def convert(value: Any) -> Any:
        if value.dtype != dtype or value.ndim:
            raise ForeignListError
        return value.item()

    return convert


def site_function(site: ir.Site, rare: bool = False, fused: bool = False) -> Callable[..., Any]:
    """Return the function that native code calls at a site.

    That of a native instruction is called rarely, and turns NumPy's warnings off itself.  That of
    an operation in a fusion is, too, and gives a new array, as the fusion does.
    """
    if site.step is None:
        return _conversion(site)
    kernel, attrs, node = site.step.kernel, site.step.attrs, site.step.operation
    if rare or fused:
        kernel = partial(call_kernel, kernel)
    if fused:
        kernel = partial(_new_array, kernel)
    order = site.order
    gives = [from_kernel(type) for type in site.gives]
    takes = [to_kernel(type) or _same for type in site.takes]

    def call(*args: Any) -> Any:
        arrays = [convert(x) for convert, x in zip(takes, args, strict=True)]
        try:
            result = kernel(*arrays, **attrs)
        except Exception as error:
            inputs = arrays if order is None else [arrays[position] for position in order]
            raise located(error, node, inputs) from error.__cause__
        if type(result) is not tuple:
            result = (result,)
        outputs = [convert(x) if convert else _object(x) for convert, x in zip(gives, result)]
        return outputs[0] if len(gives) == 1 else tuple(outputs)

    return (lambda *args: _must_raise(call(*args), node)) if site.raises else call


def _new_array(kernel: Callable[..., Any], *arrays: Any, **attrs: Any) -> Any:
    """Call a kernel; copy the result if it is one of the inputs, or a part of one."""
    result = kernel(*arrays, **attrs)
    shared = getattr(result, "base", None) is not None or any(result is x for x in arrays)
    return np.array(result) if shared else result


def _object(value: Any) -> Any:
    kind = type(value)
    if kind in _ELEMENTS or kind.__name__ == "bfloat16":  # loops read the elements of arrays
        return np.asarray(value)
    return as_object_scalar(value) if type(value) is bytes else value


_ELEMENTS = {dtype.type for dtype in ir.ELEMENTS if dtype not in ir.NUMBERS}
"""Types of NumPy's own numbers that are objects to native code."""


def _must_raise(_: Any, node: Any) -> NoReturn:
    rule = node.op_def.lower
    if isinstance(rule, Control) and rule.is_on_lists:
        raise MemoryError(f"no memory for the list of {node.op_def.name!r}")
    if any(tensor.dtype is string for tensor in (*node.inputs, *node.outputs)):
        raise MemoryError(f"no memory for the text of {node.op_def.name!r}")
    raise InternalError(f"native code of {node.op_def.name!r} gave up, but the kernel did not")


def _conversion(site: ir.Site) -> Callable[[Any], Any]:
    """Return the function that puts a number into an object, or takes it out."""
    (source,), (target,) = site.takes, site.gives
    convert = to_kernel(source) if target is ir.OBJECT else from_kernel(target)
    if convert is None:
        raise InternalError(f"there is no conversion from {source} to {target}")
    return convert


def slow_function(
    fusion: Fusion, functions: Mapping[int, Callable[..., Any]], objects: Sequence[Any]
) -> Callable[..., Any]:
    """Return the function of the site of a fusion: it calls the kernels one after the other.

    ``functions`` are those of sites, by the number of a site.
    """
    block = fusion.slow
    constants: dict[int, Any] = {}
    for instruction in block.instructions:
        if isinstance(instruction, ir.ObjectConstant):
            constants[instruction.results[0].number] = objects[instruction.index]
        elif isinstance(instruction, ir.Number):
            constants[instruction.results[0].number] = np.asarray(instruction.value).item()
    params, result_numbers = (
        [v.number for v in values] for values in (block.params, block.results)
    )
    live_out = {*result_numbers, *constants}
    calls = [
        instruction for instruction in block.instructions if isinstance(instruction, ir.Callback)
    ]
    ends = {
        value.number: number
        for number, instruction in enumerate(calls)
        for value in instruction.args
    }
    steps = [
        (
            functions[instruction.site.index], [value.number for value in instruction.args],
            [value.number for value in instruction.results],
            [key for key, end in ends.items() if end == number and key not in live_out],
        )
        for number, instruction in enumerate(calls)
    ]  # fmt: skip

    def call(*args: Any) -> Any:
        values = {**constants, **dict(zip(params, args, strict=True))}
        for function, takes, gives, dead in steps:
            outputs = function(*[values[number] for number in takes])
            values.update(zip(gives, (outputs,) if len(gives) == 1 else outputs, strict=True))
            for number in dead:
                del values[number]
        results = [values[number] for number in result_numbers]
        return results[0] if len(results) == 1 else tuple(results)

    return call


# -- the context ----------------------------------------------------------------------------------


def poll() -> None:
    """Raise what interrupted a kernel.  Entering a Python function handles signals and lets other
    threads run.
    """
    raise_pending()


def too_deep() -> NoReturn:
    """Raise the error of a recursion that is too deep."""
    raise RecursionError("maximum recursion depth exceeded")


def context(
    module: ir.KernelModule, code: Any, result: Convert | None = None, any_layout: Any = None
) -> tuple[Any, ...]:
    """Return the context of a module: what its code needs of Python.  See python_code.py.

    ``result`` makes an object of its own of a result that somebody else may refer to;
    ``any_layout`` is called with arrays of other layouts than the code takes for granted.
    """
    rare, fused, fusions = set(), set(), list[Fusion]()
    for function in module.functions:
        for instruction, _ in ir.instructions(function.block):
            if isinstance(instruction, ir.Compute):
                rare.add(id(instruction.site))
            elif isinstance(instruction, Fusion):
                fused |= {id(member.site) for member in instruction.members}
                fusions.append(instruction)
    slow = {fusion.site for fusion in fusions}
    site_functions = {
        site.index: site_function(site, id(site) in rare, id(site) in fused)
        for site in module.sites if site not in slow
    }  # fmt: skip
    site_functions |= {
        fusion.site.index: slow_function(fusion, site_functions, module.objects)
        for fusion in fusions
    }
    sites = [site_functions[site.index] for site in reversed(module.sites)]
    functions = poll, too_deep, lowest_address, np.ndarray, result, any_layout
    return (code, *functions, *module.objects, *sites)
