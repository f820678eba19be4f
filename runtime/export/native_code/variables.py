"""Variables of an export: those that a function only reads are constants, the others the caller's.

Native code finds the array of a variable in its storage, a Python object; exports have the same
words at the same places.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from autograph.named_tuples import NamedTuple
from runtime.engine.llvm import kernel_ir as ir
from runtime.engine.llvm.arrays.fusion import Fusion
from runtime.engine.llvm.random.draw import Skip
from runtime.engine.llvm.text import FunctionText
from runtime.engine.llvm.variables.access import VariableAccess, offset
from runtime.export.native_code.interface import C_TYPES, c_name
from runtime.export.native_code.memory_layout import ObjectLayout
from runtime.ops.resource.variable import VariableStorage
from runtime.ops.visible_lock import VisibleLock
from runtime.types.errors import UnimplementedError

_LOCK = "@rt_lock"
_WORDS = VariableStorage.__basicsize__ // 8


class StateVariable(NamedTuple):
    """Variable that a function writes: a field of the caller's structure.

    position  number of its storage among the objects of the module
    name      name of the field
    value     its value at the time of the export
    """

    position: int
    name: str
    value: np.ndarray[Any, Any]

    @property
    def declaration(self) -> str:
        """The field in C."""
        count = max(self.value.size, 1) * (2 if self.value.dtype.kind == "c" else 1)
        return f"{C_TYPES[self.value.dtype.name]} {self.name}[{count}];"


def state_of(module: ir.KernelModule) -> tuple[StateVariable, ...]:
    """Return the variables that a module writes; UnimplementedError for values C cannot have."""
    written, taken = sorted(_written(module)), set[str]()
    variables = []
    for index in written:
        storage = module.objects[index]
        value = np.asarray(storage.read())
        if value.dtype.name not in C_TYPES:
            raise UnimplementedError(
                f"export.native: the variable {storage.name!r} is of dtype {value.dtype}, which "
                "has no form in C"
            )
        name = c_name(storage.name.removesuffix(":0"), taken)
        variables.append(StateVariable(index, name, value))
    return tuple(variables)


def _written(module: ir.KernelModule) -> Iterator[int]:
    """Yield the numbers of the storages that a module writes, each once."""
    instructions = [
        instruction
        for function in module.functions for instruction, _ in ir.instructions(function.block)
    ]  # fmt: skip
    places = {
        access.place for access in instructions
        if isinstance(access, VariableAccess) and access.writes
    }  # fmt: skip
    places |= {skip.place for skip in instructions if isinstance(skip, Skip)}
    places |= {
        fusion.update.place for fusion in instructions
        if isinstance(fusion, Fusion) and fusion.update is not None
    }  # fmt: skip
    yield from {place.storage for place in places}


def storage_constants(index: int, storage: Any, name: str, layout: ObjectLayout) -> list[str]:
    """Return the constants of a variable that is only read."""
    array = f"@rt_value_{index}"
    fields = ["i64 0"] * _WORDS
    fields[offset(VariableStorage, "array") // 8] = layout.address(array)
    fields[offset(VariableStorage, "lock") // 8] = layout.address(_LOCK)
    return [
        *layout.array(array, np.asarray(storage.read())),
        f"{name} = internal constant {layout.constant(fields)}, align 8",
    ]


def lock_constant() -> str:
    """Return the lock of all variables, which nobody holds."""
    words = VisibleLock.__basicsize__ // 8
    return f"{_LOCK} = constant [{words} x i64] zeroinitializer"


def storage_on_stack(text: FunctionText, array: str) -> str:
    """Return the address of a storage on the stack that holds an array."""
    storage = text.slot(f"[{_WORDS} x i64]")
    for name, value in (("array", array), ("lock", _LOCK)):
        text.line(f"store ptr {value}, ptr {text.gep(storage, offset(VariableStorage, name))}")
    return storage


def array_of_storage(text: FunctionText, storage: str) -> str:
    """Return the array that a storage holds."""
    return text.value(f"load ptr, ptr {text.gep(storage, offset(VariableStorage, 'array'))}")


def state_type(variables: Sequence[StateVariable]) -> str:
    """Return the LLVM type of the caller's structure."""
    return f"{{{', '.join(_field_type(variable) for variable in variables)}}}"


def _field_type(variable: StateVariable) -> str:
    dtype = variable.value.dtype
    count = max(variable.value.size, 1) * (2 if dtype.kind == "c" else 1)
    size = dtype.itemsize // (2 if dtype.kind == "c" else 1)
    return f"[{count} x i{8 * size}]"


def init_function(name: str, variables: Sequence[StateVariable]) -> str:
    """Return the function that gives variables the values that they had."""
    kind, fields = state_type(variables), []
    for variable in variables:
        data = np.ascontiguousarray(variable.value)
        size = data.dtype.itemsize // (2 if data.dtype.kind == "c" else 1)
        words = np.frombuffer(data.tobytes() or bytes(size), f"u{size}")
        field = _field_type(variable)
        listed = ", ".join(f"i{8 * size} {word}" for word in words)
        fields.append(f"{field} {f'[{listed}]' if words.any() else 'zeroinitializer'}")
    return "\n".join([
        f"@rt_initial = constant {kind} {{{', '.join(fields)}}}",
        "declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)",
        f"define void @{name}_init(ptr %state) {{",
        "  call void @llvm.memcpy.p0.p0.i64(ptr %state, ptr @rt_initial, i64 ptrtoint (ptr "
        f"getelementptr ({kind}, ptr null, i64 1) to i64), i1 false)",
        "  ret void", "}",
    ])  # fmt: skip
