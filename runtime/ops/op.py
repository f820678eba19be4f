"""Op definitions: one object holds all that is known about an op, and one table holds the objects.

The files of ops/ make definitions with ``define``; eager execution, graphs, passes and engines read
their fields.  A definition is callable: calling it applies the op in the current interpreter.  A
missing field names its reason: ``Missing("reason")``.
"""

from __future__ import annotations

import enum
import functools
import sys
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from autograph.named_tuples import NamedTuple
from autograph.tracing import TRACES
from runtime.ops import dispatch
from runtime.ops.dispatch import OpOverride, installed
from runtime.ops.docstrings import compose
from runtime.ops.rules.lowering import ARRAYS, OBJECTS, TEXTS, LoweringRule
from runtime.types.dtypes import DTYPE_OF_NUMPY


class Trait(enum.Enum):
    """What a pass or an engine may assume about an op."""

    __hash__ = object.__hash__  # Enum's is Python code, and traits are looked up constantly

    ELEMENTWISE = "each element of the result depends on one element of each broadcast input"
    REDUCTION = "combines the elements along axes"
    COMMUTATIVE = "swapping the inputs changes no bit of the result (strings excepted)"
    ARITHMETIC = "has Python's meaning on Python numbers, so weak inputs give a weak result"
    COMPARISON = "compares as Python does, so weak inputs are compared as Python numbers"
    TAKES_WEAK = "takes weak inputs in their weak dtype, though the result is strong"
    STATEFUL = "keeps its place in program order; is never shared, folded or moved over another"
    READS = "stateful, but only reads: may be dropped when nobody uses the result"
    RAISES = "raises the program's own exceptions, which keep their type"
    CONTAINED = "stateful, but nothing of it is seen after the run: it raises, or serves a try"
    HIGHER_ORDER = "has graphs among its attributes; the kernel receives run_graph(graph, arrays)"
    BRANCH = "higher order: runs one of its graphs, chosen by its first input alone"
    LOOP = "higher order: runs its graphs repeatedly, on a state that the body returns"
    CALL = "higher order: runs its one graph once, on its inputs"
    CAST = "returns its input in another dtype, or the input itself if the dtype is the same"
    FORWARD = "returns its first input unchanged"
    RESHAPES = "returns the elements of its first input in their order, possibly in another shape"
    INVOLUTION = "applied twice it returns its input"
    IDEMPOTENT = "applying it again changes nothing: f(f(x)) = f(x), or f(x, x) = x"
    MAPS_FIRST = "maps the elements of the first input; the other inputs are the same for each"
    CONCATENATES = "joins its inputs along the axis given by the attribute ``axis``"
    INDEXES = "reads or changes its first input at indices, its last inputs; may be out of range"
    MEASURES = "depends on the shape of its input, not on its elements"
    ROUNDS_ONCE = "gives of float16 what it gives of the same numbers in float32, rounded"
    COSTLY = "of one input; of large arrays machine code takes at most half of its kernel's time"
    SEEDS = "decides which random numbers are drawn after it"


ELEMENTWISE = Trait.ELEMENTWISE
REDUCTION = Trait.REDUCTION
COMMUTATIVE = Trait.COMMUTATIVE
ARITHMETIC = Trait.ARITHMETIC
COMPARISON = Trait.COMPARISON
TAKES_WEAK = Trait.TAKES_WEAK
STATEFUL = Trait.STATEFUL
READS = Trait.READS
RAISES = Trait.RAISES
CONTAINED = Trait.CONTAINED
HIGHER_ORDER = Trait.HIGHER_ORDER
BRANCH = Trait.BRANCH
LOOP = Trait.LOOP
CALL = Trait.CALL
CAST = Trait.CAST
FORWARD = Trait.FORWARD
RESHAPES = Trait.RESHAPES
INVOLUTION = Trait.INVOLUTION
IDEMPOTENT = Trait.IDEMPOTENT
MAPS_FIRST = Trait.MAPS_FIRST
CONCATENATES = Trait.CONCATENATES
INDEXES = Trait.INDEXES
MEASURES = Trait.MEASURES
ROUNDS_ONCE = Trait.ROUNDS_ONCE
COSTLY = Trait.COSTLY
SEEDS = Trait.SEEDS


class Missing:
    """Field that is not there yet, and why; falsy, and listed in LIMITATIONS.md."""

    __slots__ = ("reason",)

    def __init__(self, reason: str) -> None:
        self.reason = reason

    def __bool__(self) -> bool:
        return False

    def __repr__(self) -> str:
        return f"Missing({self.reason!r})"


Raised = tuple[type[BaseException], ...]


class PythonKernel(NamedTuple):
    """Kernel of an op on Python numbers: Python's own function, and what it may raise."""

    function: Callable[..., Any]
    raises: Raised = ()
    raises_on_complex: Raised = ()
    """What it may raise on complex numbers besides."""
    bounded: bool = True
    """Whether it always takes little time: a power of ints may have any number of digits."""
    is_safe: Callable[[Any], bool] = bool
    """Whether it raises nothing if its last argument, such as a divisor, has this value."""

    def may_raise(self, inputs: Sequence[Any]) -> Raised:
        """What it may raise on inputs of these dtypes (tensors or specs), as Python does."""
        on_complex = any(value.dtype.is_complex for value in inputs)
        return self.raises + self.raises_on_complex if on_complex else self.raises


class PythonOperator(NamedTuple):
    """Operator of Python that does to NumPy arrays and numbers what the op's kernel does."""

    text: str
    applies: Callable[[Sequence[Any], Any], bool] = lambda specs, last: True
    """Whether it does so for inputs of these specs, the last one having this value if known."""
    on_numbers: str = ""
    """Expression that does so on Python's own numbers and bools, if another one: ``not {0}``."""


ALL = slice(None)
NUMERIC = "iufc"


@functools.cache
def dtypes_of_kinds(kinds: str) -> frozenset[np.dtype[Any]]:
    """Return NumPy's dtypes of these kind letters, of any if there are none; not bfloat16."""
    return frozenset(d for d in DTYPE_OF_NUMPY if d.kind in kinds or not kinds)


class OpDef:
    """Definition of one op.  Frozen once made; compare with ``is``.

    name      the public name, as TensorFlow's
    kernel    ``kernel(*arrays, **attrs)`` -> array, or a tuple of arrays: the meaning
    infer     ``infer(*specs, **attrs)`` -> TensorSpec, or a tuple of them; raises static errors
    inputs    names of the tensor inputs, TensorFlow's; one starting with ``*`` takes the rest
    same_dtype_inputs  slice of the inputs that share one dtype (Python numbers take it), or None
    dtype_kinds        NumPy kind letters that those inputs may have; empty: any
    node_name base of node names in graphs where TensorFlow's differs from ``name``
    grad      the gradient rule: ``grad(*inputs, *outputs, *output gradients, **attrs)``
    lower     how the native engine computes the op (rules/lowering.py)
    samples   inputs on which the sweep tests run the op
    overloads dunder methods and NumPy functions that apply this op
    never_raises  whether the kernel never raises on what ``infer`` accepts: True, False, a function
              of the specs and attributes, or None: decided by the traits (engine/purity.py)
    identity  kind letters -> the left and the right identity element; None: there is none
    traits    what passes and engines may assume
    raises    what the kernel may raise on inputs of fitting types: exception classes, a function of
              the specs and attributes that returns them, or None: decided by the traits
              (graph/raise_tracking.py)
    python_kernel    kernel for Python numbers; None: the same kernel
    python_operator  operator that generated Python code uses for the op (engine/python_codegen.py)
    type_name        TensorFlow's operation type where it is not ``node_name`` in camel case
    segment_op       the op that reduces each segment of rows as this one reduces axes
    reduced_by       ``reduced_by(reduce, x)``: this reduction by others, ``reduce(op, x)``
    like_value       the number that fills the result, which has the input's shape
    items     ``items(*inputs, **attrs)`` -> the number of items of the result along its leading
              axis, and what gives the k-th, both without the result; None: there is no such way
    length_change    number of entries that the op adds to a list, its first input
    repeats   whether its operator, between one integer and a list or tuple, repeats the latter
    makes_arrays     ``makes_arrays(**attrs)``: whether all results are new arrays, which hold no
              memory of an input, and the kernel keeps no input; None: nothing is said
    extra     the extra of pyautograph that the kernel needs ("special"); empty: none
    """

    name: str
    kernel: Callable[..., Any]
    infer: Callable[..., Any]
    inputs: tuple[str, ...]
    same_dtype_inputs: slice | None
    dtype_kinds: str
    node_name: str
    grad: Callable[..., Any] | Missing | None
    lower: LoweringRule
    samples: Any
    overloads: tuple[Any, ...]
    never_raises: Callable[..., bool] | bool | None
    identity: dict[str, tuple[Any, Any]]
    traits: frozenset[Trait]
    raises: Callable[..., Raised] | Raised | None
    python_kernel: PythonKernel | None
    python_operator: PythonOperator | None
    type_name: str
    segment_op: str
    reduced_by: Callable[..., Any] | None
    like_value: int | None
    items: Callable[..., tuple[Any, Callable[[Any], Any]]] | None
    length_change: int
    repeats: bool
    makes_arrays: Callable[..., bool] | None
    extra: str
    arity: int | None
    """Number of inputs; None when any number."""
    first: int
    """Position of the first of the inputs that share one dtype."""
    shares_all: bool
    """Whether all inputs share one dtype."""
    keeps_weak: bool
    """Whether weak inputs keep their weak dtype when no input is strong."""
    takes_bool: bool
    """Whether the inputs that share a dtype may be bools."""
    shared_dtypes: frozenset[np.dtype[Any]]
    """NumPy's dtypes of the kinds that the inputs that share one may have, bfloat16 excepted."""
    plain: bool
    """Whether it neither holds graphs nor has effects, so that the kernel alone defines it."""
    elementwise: bool
    """Whether it has the trait ELEMENTWISE."""

    def __init__(self, fields: dict[str, Any]) -> None:
        for field, value in fields.items():
            object.__setattr__(self, field, value)
        variadic = any(name.startswith("*") for name in self.inputs)
        object.__setattr__(self, "arity", None if variadic else len(self.inputs))
        first = 0 if self.same_dtype_inputs is None else self.same_dtype_inputs.start or 0
        object.__setattr__(self, "first", first)
        object.__setattr__(self, "shares_all", self.same_dtype_inputs == ALL)
        weak = self.traits & {ARITHMETIC, COMPARISON, TAKES_WEAK}
        object.__setattr__(self, "keeps_weak", bool(weak))
        object.__setattr__(self, "takes_bool", not self.dtype_kinds or "b" in self.dtype_kinds)
        object.__setattr__(self, "shared_dtypes", dtypes_of_kinds(self.dtype_kinds))
        object.__setattr__(self, "plain", not self.traits & {HIGHER_ORDER, STATEFUL})
        object.__setattr__(self, "elementwise", ELEMENTWISE in self.traits)
        object.__setattr__(self, "__name__", self.name)
        object.__setattr__(self, "__qualname__", self.name)

    def __setattr__(self, field: str, value: object) -> None:
        raise AttributeError(f"the definition of op {self.name!r} is frozen; cannot set {field!r}")

    def __call__(self, *inputs: Any, name: str | None = None, **attrs: Any) -> Any:
        """Apply the op in the current interpreter; pass inputs by position or by name."""
        if len(inputs) != self.arity and self.arity is not None:
            inputs = self._by_name(inputs, attrs)
        if not TRACES:  # as in `apply`, without the time for one more call
            try:
                return installed.eager.apply(self, inputs, attrs, name)
            except OpOverride as taken:
                return self._overridden(taken, inputs, attrs, name)
        return self.apply(inputs, attrs, name)

    def apply(
        self, inputs: tuple[Any, ...], attrs: dict[str, Any], name: str | None = None
    ) -> Any:
        """Apply the op to all its inputs, in order, and a new dictionary of attributes.

        It is what a call does, without the time that Python takes to collect the arguments.
        """
        try:
            return dispatch.apply(self, inputs, attrs, name)
        except OpOverride as taken:
            return self._overridden(taken, inputs, attrs, name)

    def direct(self, *values: Any) -> Any:
        """Apply the op to all its inputs and then all its attributes, in order, and maybe a name.

        It is what a call does, and for eager tensors the fastest way: the eager interpreter writes
        a function for it.  Of ops that are plain, whose kernels have a fixed number of inputs.
        """
        object.__setattr__(self, "direct", installed.eager.call_of(self))
        return self.direct(*values)

    def _overridden(
        self, override: OpOverride, inputs: tuple[Any, ...], attrs: dict[str, Any], name: str | None
    ) -> Any:
        """Let the input that defines itself what ops do with it do that."""
        value = override.value
        if not any(value is operand for operand in inputs):
            raise override
        return value._apply_op(self, inputs, attrs, name)

    def _by_name(self, inputs: tuple[Any, ...], attrs: dict[str, Any]) -> tuple[Any, ...]:
        for input_name in self.inputs[len(inputs) :]:
            if input_name not in attrs:
                raise TypeError(f"{self.name}() is missing its argument {input_name!r}")
            inputs = (*inputs, attrs.pop(input_name))
        if len(inputs) != self.arity:
            raise TypeError(
                f"{self.name}() takes {self.arity} tensors {self.inputs}, got {len(inputs)}"
            )
        return inputs

    def __repr__(self) -> str:
        return f"<op {self.name}>"

    def __reduce__(self) -> tuple[Any, ...]:
        return lookup, (self.name,)


class OpTable(dict[str, OpDef]):
    """Op definitions by name.  Families that not all programs need are loaded on first use."""

    _loaders: tuple[Callable[[], object], ...] = ()

    def load_with(self, *loaders: Callable[[], object]) -> None:
        """Call these, one after the other, to load more families until a name is found."""
        self._loaders = loaders

    def complete(self) -> OpTable:
        """The table with every family loaded."""
        while self._loaders:
            self._load()
        return self

    def _load(self) -> None:
        load = self._loaders[0]
        load()  # in other threads, too, which wait here until it is done
        if self._loaders and self._loaders[0] is load:
            self._loaders = self._loaders[1:]

    def __missing__(self, name: str) -> OpDef:
        if not self._loaders:
            raise KeyError(name)
        self._load()
        return self[name]

    def loaded(self) -> Any:
        """The definitions of the families that are loaded: operators are spelled by no others."""
        return dict.values(self)

    def get(self, name: str, default: Any = None) -> Any:
        """The definition of a name, or ``default``: families are loaded where that is needed."""
        return self[name] if name in self else default  # noqa: SIM401 - that is this method

    def __contains__(self, name: object) -> bool:
        return super().__contains__(name) or dict.__contains__(self.complete(), name)

    def __iter__(self) -> Iterator[str]:
        return dict.__iter__(self.complete())

    def __len__(self) -> int:
        return dict.__len__(self.complete())

    def keys(self) -> Any:
        """The names."""
        return dict.keys(self.complete())

    def values(self) -> Any:
        """The definitions."""
        return dict.values(self.complete())

    def items(self) -> Any:
        """Names and definitions."""
        return dict.items(self.complete())


TABLE = OpTable()
_modules: dict[str, str] = {}
"""Name of an op -> file of the module that defines it: it defines it again when an interrupt ended
its import, and the module is imported again.
"""


def define(
    name: str,
    *,
    kernel: Callable[..., Any],
    infer: Callable[..., Any],
    inputs: str = "x",
    same_dtype_inputs: slice | None = ALL,
    dtype_kinds: str = "",
    node_name: str = "",
    grad: Callable[..., Any] | Missing | None = Missing("not differentiable yet"),
    lower: LoweringRule | None = None,
    overloads: Sequence[Any] = (),
    never_raises: Callable[..., bool] | bool | None = None,
    identity: dict[str, tuple[Any, Any]] | None = None,
    traits: Sequence[Trait] = (),
    raises: Callable[..., Raised] | Raised | None = None,
    python_kernel: PythonKernel | None = None,
    python_operator: PythonOperator | None = None,
    type_name: str = "",
    segment_op: str = "",
    reduced_by: Callable[..., Any] | None = None,
    like_value: int | None = None,
    items: Callable[..., tuple[Any, Callable[[Any], Any]]] | None = None,
    length_change: int = 0,
    repeats: bool = False,
    makes_arrays: Callable[..., bool] | None = None,
    samples: Any = None,
    extra: str = "",
    fails: str = "",
    doc: str = "",
) -> OpDef:
    """Define an op and enter it in the table; ValueError when the name is taken.

    ``inputs`` names the tensor inputs, separated by blanks.  ``grad=None`` says that the
    derivative is zero everywhere.  ``doc`` is a summary, from which ``docstrings.compose`` makes
    the docstring; ``fails`` says when the kernel raises InvalidArgumentError.
    """
    fields = dict(locals())
    module = _executed_module()
    if dict.__contains__(TABLE, name) and module != _modules[name]:
        raise ValueError(f"there are two definitions of op {name!r}")
    _modules[name] = module
    fields["inputs"] = names = tuple(inputs.split())
    text = fields.pop("doc") or f"The op ``{name}({', '.join(names)})``."
    fails = fields.pop("fails")
    fields["__doc__"] = compose(text, names, same_dtype_inputs, dtype_kinds, infer, fails, extra)
    fields["overloads"] = tuple(overloads)
    fields["identity"] = identity or {}
    fields["traits"] = frozenset(traits)
    keeps = Trait.STATEFUL in traits and not {Trait.RAISES, Trait.CONTAINED} & {*traits}
    fields["lower"] = lower or (TEXTS if dtype_kinds == "O" else OBJECTS if keeps else ARRAYS)
    fields["node_name"] = node_name = node_name or name
    fields["type_name"] = type_name or camel_case(node_name)
    TABLE[name] = op = OpDef(fields)
    return op


def _executed_module() -> str:
    """The file of the module that is executed now; empty outside of imports."""
    frame = sys._getframe(2)
    while frame.f_back is not None and frame.f_code.co_name != "<module>":
        frame = frame.f_back
    return frame.f_code.co_filename if frame.f_code.co_name == "<module>" else ""


def camel_case(node_name: str) -> str:
    """Convert a node name to TensorFlow's style of operation types: ``MatMul`` for ``mat_mul``."""
    if node_name[0].isupper():
        return node_name
    return "".join(word[0].upper() + word[1:] for word in node_name.split("_"))


def lookup(name: str) -> OpDef:
    """Return the definition of an op by name; KeyError when there is none."""
    return TABLE[name]
