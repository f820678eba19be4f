"""Calls of mathematical functions (vector_math/) in loops over arrays.

The loop calls the function of one lane.  Where that is short and has no branches it becomes a part
of the loop, which LLVM then vectorises; else LLVM is told of the function of several lanes.

Functions of float16 and bfloat16 compute in float32 and round, as the kernels do: a narrow float in
a register is a float32.  Operations that are exact, or rounded once, in float32 give the same
narrow float as they would in the narrow type: float32 has more than twice as many digits (Figueroa,
1995).  What the kernel of an operation on float16 computes in several steps is rounded after each;
bfloat16 is rounded at the end (ops/narrow_floats.py).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from runtime.engine.llvm import kernel_ir as ir
from runtime.engine.llvm.element_code import rounded_to
from runtime.engine.llvm.opcodes import FORMULAS, evaluate
from runtime.engine.llvm.text import FunctionText, llvm_type
from runtime.engine.llvm.values import Apply, Code
from runtime.engine.llvm.vector_math import functions, processor

INLINED = 100
"""Lines of the longest function that LLVM makes a part of the loop."""


def is_vectorized(opcode: str) -> bool:
    """Return whether an opcode of floats is a function of vectors."""
    return opcode in functions.UNARY or opcode in functions.BINARY


def call_vectorized(text: FunctionText, opcode: str, type: ir.Scalar, args: Sequence[str]) -> str:
    """Call a function on one lane; LLVM makes vectors of it with the loop around."""
    dtype, kind = f"float{type.bits}", llvm_type(type)
    name = functions.call_name(opcode, dtype, 1)
    definition = _define(text, name)
    operands = ", ".join(f"{kind} {arg}" for arg in args)
    call = f"call {kind} @{name}({operands})"
    lanes = processor.host().lanes(dtype)
    is_inlined = "\n  br " not in definition and definition.count("\n") <= INLINED
    if is_inlined or lanes < 2:
        return text.value(call)
    variants = [functions.call_name(opcode, dtype, count) for count in {lanes, max(lanes // 2, 2)}]
    for variant in variants:
        text.declared[variant] = _with_hidden_visibility(_define(text, variant))
    text.declared[name] = _not_inlined(definition)
    return text.value(
        f'{call} "vector-function-abi-variant"="{_variants(name, variants, len(args))}"'
    )


def _define(text: FunctionText, name: str) -> str:
    """Add a function and all that it needs; return its definition."""
    library = functions.library({name}, processor.host().has_fma)
    text.declared.update(library.declared)
    text.declared.update({key: library.defined[key] for key in library.defined if key != name})
    text.declared.setdefault(name, library.defined[name])
    return library.defined[name]


def _not_inlined(definition: str) -> str:
    """Return the definition of a function without effects that is not inlined."""
    head, body = _with_hidden_visibility(definition).split(" {\n", 1)
    return f"{head} noinline nounwind willreturn memory(none) {{\n{body}"


def _with_hidden_visibility(definition: str) -> str:
    """Return the definition of a function that LLVM neither changes nor removes while it looks at
    the whole module, which is before it vectorises loops.
    """
    return definition.replace("define internal", "define hidden", 1)


def _variants(name: str, wide: Sequence[str], count: int) -> str:
    """Return what LLVM has to know of the functions of several lanes."""
    lanes = [variant.rsplit("_v", 1)[1].split("f")[0] for variant in wide]
    return ",".join(
        f"_ZGV_LLVM_N{number}{'v' * count}_{name}({variant})"
        for number, variant in zip(lanes, wide, strict=True)
    )


FLOAT = ir.Scalar("f", 32)
EXACT = frozenset({
    "neg", "abs", "copy", "second", "select", "floor", "ceil", "rint", "trunc", "sign", "max",
    "min", "eq", "ne", "lt", "le", "gt", "ge", "is_nan", "is_inf", "is_finite",
})  # fmt: skip
"""Opcodes whose results are narrow, or no floats, before they are rounded."""
ROUNDED = frozenset({"add", "sub", "mul", "div", "square", "reciprocal", "floordiv", "floormod"})
"""Opcodes that round once, besides the functions."""
AT_ONCE = frozenset({"copysign", "hypot", "logaddexp", "second", "signbit"})
"""Formulas of one function of NumPy's: rounded once."""
EXTREMES = {"max": "oge", "min": "ole"}
"""Extremes of float16, and how LLVM compares: of equal ones NumPy takes the first."""


def is_narrow(types: Sequence[ir.Scalar]) -> bool:
    """Return whether float16 or bfloat16 is among some types."""
    return any(type in ir.NARROW for type in types)


def computes_narrow(
    opcode: str, takes: Sequence[ir.Scalar], gives: ir.Scalar, of_wide: Callable[..., bool]
) -> bool:
    """Return whether a loop computes what the kernel does, given whether one does in float32."""
    wide, result = _wide_types(takes), _wide_types([gives])[0]
    if any(type.kind == "c" for type in wide) or not of_wide(opcode, wide, result):
        return False
    if opcode == "cast":
        return True
    if opcode == "cast.exact" or set(takes) >= set(ir.NARROW):
        return False
    if ir.HALF not in (*takes, gives):
        return True
    if opcode in FORMULAS:
        return opcode != "nextafter"
    return opcode in EXACT | ROUNDED or is_vectorized(opcode)


def apply_narrow(
    text: FunctionText, opcode: str, takes: Sequence[ir.Scalar], gives: ir.Scalar,
    args: Sequence[str], of_wide: Callable[..., Code], by_element: Apply,
) -> Code:  # fmt: skip
    """Add the code of an opcode; return the result, rounded.

    ``of_wide`` applies opcodes to float32, ``by_element`` to narrow floats: the steps of formulas.
    """
    if ir.HALF in (*takes, gives):
        if opcode in EXTREMES:
            return _extreme(text, opcode, args), None
        if opcode in FORMULAS and opcode not in AT_ONCE:
            return evaluate(text, opcode, takes, gives, args, by_element), None
        if opcode == "rsqrt":
            root = by_element(text, "sqrt", takes, gives, args)
            return by_element(text, "reciprocal", takes, gives, [root]), None
    if opcode == "cast" and takes[0] == ir.FLOAT64 and gives == ir.HALF:
        args, takes = [_to_odd(text, args[0])], [FLOAT]
    value, flag = of_wide(text, opcode, _wide_types(takes), _wide_types([gives])[0], args)
    if gives in ir.NARROW and (opcode not in EXACT or any(type != gives for type in takes[-1:])):
        value = rounded_to(text, gives, value)
    return value, flag


def _wide_types(types: Sequence[ir.Scalar]) -> list[ir.Scalar]:
    return [FLOAT if type in ir.NARROW else type for type in types]


def _extreme(text: FunctionText, opcode: str, args: Sequence[str]) -> str:
    first, second = args
    beyond = text.value(f"fcmp {EXTREMES[opcode]} float {first}, {second}")
    nan = text.value(f"fcmp uno float {first}, {first}")
    stays = text.value(f"or i1 {beyond}, {nan}")
    return text.value(f"select i1 {stays}, float {first}, float {second}")


def _to_odd(text: FunctionText, value: str) -> str:
    """Round a float64 to the float32 that is odd, if it is none: so it can be rounded again, as if
    for the first time (Boldo and Melquiond, 2008).
    """
    near = text.value(f"fptrunc double {value} to float")
    back = text.value(f"fpext float {near} to double")
    bits = text.value(f"bitcast float {near} to i32")
    even = text.value(f"icmp eq i32 {text.value(f'and i32 {bits}, 1')}, 0")
    moves = text.value(f"and i1 {even}, {text.value(f'fcmp one double {back}, {value}')}")
    sizes = [text.call("double", "llvm.fabs.f64", f"double {number}") for number in (back, value)]
    above = text.value(f"fcmp ogt double {sizes[0]}, {sizes[1]}")
    step = text.value(f"select i1 {above}, i32 -1, i32 1")
    moved = text.value(f"add i32 {bits}, {text.value(f'select i1 {moves}, i32 {step}, i32 0')}")
    return text.value(f"bitcast i32 {moved} to float")
