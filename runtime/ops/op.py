"""The op row: all that is known about one op, and the table of all rows.

Rows are written in ops/ with ``define``; eager execution, graphs, passes and engines ask the row.
A row is callable: it hands itself to the current interpreter.  A facet that is not there yet says
why: ``Missing("reason")``.
"""

from __future__ import annotations

import enum
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

from runtime.ops import dispatch as interpreter


class Trait(enum.Enum):
    """What a pass or an engine may take for granted about an op."""

    __hash__ = object.__hash__  # Enum's is Python code, and traits are asked for all the time

    ELEMENTWISE = "each element of the result comes from the same place of the broadcast inputs"
    REDUCTION = "combines the elements along axes"
    COMMUTATIVE = "the inputs may be swapped: not a bit changes (strings apart)"
    ARITHMETIC = "has Python's meaning on Python numbers, so weak inputs give a weak result"
    COMPARISON = "compares as Python does, so weak inputs are compared as Python numbers"
    TAKES_WEAK = "takes weak inputs as they are carried, though the result is strong"
    STATEFUL = "keeps its place in program order; never shared, folded or moved over another"
    READS = "stateful, but only reads: may be dropped when nobody uses the result"
    RAISES = "raises the program's own exceptions, which keep their type"
    HIGHER_ORDER = "holds graphs among its attributes; the kernel receives run(graph, arrays)"
    CHOOSES = "of higher order: runs one of its graphs, which its first input alone decides"
    LOOPS = "of higher order: runs its graphs again and again, on a state that its body gives anew"
    CALLS = "of higher order: runs its one graph once, on its inputs"
    CONVERTS = "gives its input in another dtype; as it is when that is its own"
    PASSES = "gives its first input as it is"
    RESHAPES = "gives the elements of its first input in their order; their shape may be another"
    INVOLUTION = "applied twice it gives its input"
    IDEMPOTENT = "applied again it changes nothing: f(f(x)) = f(x), or f(x, x) = x"
    MAPS_FIRST = "maps the elements of the first input; the other inputs are the same for each"
    CONCATENATES = "joins its inputs along the axis that the attribute ``axis`` names"
    MEASURES = "asks for the sizes of its input alone, not for its elements"
    SEEDS = "decides which random numbers come after it"


ELEMENTWISE = Trait.ELEMENTWISE
REDUCTION = Trait.REDUCTION
COMMUTATIVE = Trait.COMMUTATIVE
ARITHMETIC = Trait.ARITHMETIC
COMPARISON = Trait.COMPARISON
TAKES_WEAK = Trait.TAKES_WEAK
STATEFUL = Trait.STATEFUL
READS = Trait.READS
RAISES = Trait.RAISES
HIGHER_ORDER = Trait.HIGHER_ORDER
CHOOSES = Trait.CHOOSES
LOOPS = Trait.LOOPS
CALLS = Trait.CALLS
CONVERTS = Trait.CONVERTS
PASSES = Trait.PASSES
RESHAPES = Trait.RESHAPES
INVOLUTION = Trait.INVOLUTION
IDEMPOTENT = Trait.IDEMPOTENT
MAPS_FIRST = Trait.MAPS_FIRST
CONCATENATES = Trait.CONCATENATES
MEASURES = Trait.MEASURES
SEEDS = Trait.SEEDS


class Missing:
    """A facet that is not there, and why; falsy, and listed in LIMITATIONS.md."""

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

    def may_raise(self, inputs: Sequence[Any]) -> Raised:
        """What it may raise on inputs of these dtypes (tensors or specs), as Python does."""
        on_complex = any(value.dtype.is_complex for value in inputs)
        return self.raises + self.raises_on_complex if on_complex else self.raises


class PythonOperator(NamedTuple):
    """Operator of Python that does to NumPy arrays and numbers what the op's kernel does."""

    text: str
    applies: Callable[[Sequence[Any], Any], bool] = lambda specs, last: True
    """Whether it does so for inputs of these specs, the last one having this value if known."""


ALL = slice(None)
NUMERIC = "iufc"


class Op:
    """One row.  Frozen once made; compare with ``is``.

    name      the public name, as TensorFlow's
    kernel    ``kernel(*arrays, **attrs)`` -> array, or a tuple of arrays: the meaning
    infer     ``infer(*specs, **attrs)`` -> TensorSpec, or a tuple of them; raises static errors
    inputs    names of the tensor inputs, TensorFlow's; one starting with ``*`` takes the rest
    together  the slice of inputs that share one dtype (Python numbers take it), or None
    kinds     NumPy kind letters that those inputs may have; empty: any
    label     the base of node names in graphs when TensorFlow's differs from ``name``
    grad, llvm, samples   see DESIGN: the derivative, the native code, the inputs of sweep tests
    spells    dunder methods and NumPy functions that mean this op
    total     whether the kernel never raises where ``infer`` accepts: True, False, a question to
              the specs and attributes, or None: what the traits say (see purity.py)
    neutral   kind letters -> what changes nothing at the left and at the right; None: no number
    traits    what passes and engines may take for granted
    raises    what the kernel may raise once types fit: classes, a question to the specs and
              attributes that gives them, or None: what the traits say (see attempts.py)
    python_kernel    its meaning on Python numbers (see numbers.py); None: the kernel's
    python_operator  the operator that generated Python code has for it (see written.py)
    type_name        TensorFlow's name of its operations when not the label in camel case
    segment_op       the op that reduces each segment of rows as this one reduces axes
    reduced_by       ``reduced_by(reduce, x)``: this reduction by others, ``reduce(op, x)``
    like_value       the number that fills its result, which has the input's shape
    extra     the extra of pyautograph that the kernel needs ("special"); empty: none
    """

    name: str
    kernel: Callable[..., Any]
    infer: Callable[..., Any]
    inputs: tuple[str, ...]
    together: slice | None
    kinds: str
    label: str
    grad: Callable[..., Any] | Missing | None
    llvm: Any
    samples: Any
    spells: tuple[Any, ...]
    total: Callable[..., bool] | bool | None
    neutral: dict[str, tuple[Any, Any]]
    traits: frozenset[Trait]
    raises: Callable[..., Raised] | Raised | None
    python_kernel: PythonKernel | None
    python_operator: PythonOperator | None
    type_name: str
    segment_op: str
    reduced_by: Callable[..., Any] | None
    like_value: int | None
    extra: str
    arity: int | None
    """How many inputs the op takes; None when any number."""
    first: int
    """The position of the first of the inputs that share one dtype."""
    keeps_weak: bool
    """Whether weak inputs that meet no strong tensor come as they are carried."""
    plain: bool
    """Whether it neither holds graphs nor has effects: its kernel is all there is to it."""
    elementwise: bool
    """Whether it has the trait ELEMENTWISE."""

    def __init__(self, facets: dict[str, Any]) -> None:
        for facet, value in facets.items():
            object.__setattr__(self, facet, value)
        variadic = any(name.startswith("*") for name in self.inputs)
        object.__setattr__(self, "arity", None if variadic else len(self.inputs))
        first = 0 if self.together is None else self.together.start or 0
        object.__setattr__(self, "first", first)
        weak = self.traits & {ARITHMETIC, COMPARISON, TAKES_WEAK}
        object.__setattr__(self, "keeps_weak", bool(weak))
        object.__setattr__(self, "plain", not self.traits & {HIGHER_ORDER, STATEFUL})
        object.__setattr__(self, "elementwise", ELEMENTWISE in self.traits)
        object.__setattr__(self, "__name__", self.name)
        object.__setattr__(self, "__qualname__", self.name)

    def __setattr__(self, facet: str, value: object) -> None:
        raise AttributeError(f"the row of op {self.name!r} is frozen; cannot set {facet!r}")

    def __call__(self, *inputs: Any, name: str | None = None, **attrs: Any) -> Any:
        """Apply the op in the current interpreter; inputs by position or by name."""
        if len(inputs) != self.arity and self.arity is not None:
            inputs = self._by_name(inputs, attrs)
        try:
            return interpreter.apply(self, inputs, attrs, name)
        except interpreter.TakenOver as taken:
            if not any(value is taken.value for value in inputs):
                raise
            value = taken.value
        return value._apply_op(self, inputs, attrs, name)

    def _by_name(self, inputs: tuple[Any, ...], attrs: dict[str, Any]) -> tuple[Any, ...]:
        for wanted in self.inputs[len(inputs) :]:
            if wanted not in attrs:
                raise TypeError(f"{self.name}() is missing its argument {wanted!r}")
            inputs = (*inputs, attrs.pop(wanted))
        if len(inputs) != self.arity:
            raise TypeError(
                f"{self.name}() takes {self.arity} tensors {self.inputs}, got {len(inputs)}"
            )
        return inputs

    def __repr__(self) -> str:
        return f"<op {self.name}>"

    def __reduce__(self) -> tuple[Any, ...]:
        return lookup, (self.name,)


class Table(dict[str, Op]):
    """The rows by name.  Families that few programs need are loaded when the table is asked."""

    _rest: Callable[[], object] | None = None

    def load_with(self, rest: Callable[[], object]) -> None:
        """Let ``rest()`` bring the families that are not there yet, when they are needed."""
        self._rest = rest

    def complete(self) -> Table:
        """The table with every family loaded."""
        rest, self._rest = self._rest, None
        if rest is not None:
            rest()
        return self

    def __missing__(self, name: str) -> Op:
        if self._rest is None:
            raise KeyError(name)
        return self.complete()[name]

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
        """The rows."""
        return dict.values(self.complete())

    def items(self) -> Any:
        """Names and rows."""
        return dict.items(self.complete())


TABLE = Table()


def define(
    name: str,
    *,
    kernel: Callable[..., Any],
    infer: Callable[..., Any],
    inputs: str = "x",
    together: slice | None = ALL,
    kinds: str = "",
    label: str = "",
    grad: Callable[..., Any] | Missing | None = Missing("not differentiable yet"),
    llvm: Any = Missing("no native code yet"),
    spells: Sequence[Any] = (),
    total: Callable[..., bool] | bool | None = None,
    neutral: dict[str, tuple[Any, Any]] | None = None,
    traits: Sequence[Trait] = (),
    raises: Callable[..., Raised] | Raised | None = None,
    python_kernel: PythonKernel | None = None,
    python_operator: PythonOperator | None = None,
    type_name: str = "",
    segment_op: str = "",
    reduced_by: Callable[..., Any] | None = None,
    like_value: int | None = None,
    samples: Any = None,
    extra: str = "",
    doc: str = "",
) -> Op:
    """Make a row and enter it in the table; ValueError when the name is taken.

    ``inputs`` names the tensor inputs, separated by blanks.  ``grad=None`` says that the
    derivative is zero everywhere.
    """
    if dict.__contains__(TABLE, name):
        raise ValueError(f"there are two rows for op {name!r}")
    facets = dict(locals())
    facets["__doc__"] = facets.pop("doc") or f"The op ``{name}({', '.join(inputs.split())})``."
    facets["inputs"] = tuple(inputs.split())
    facets["spells"] = tuple(spells)
    facets["neutral"] = neutral or {}
    facets["traits"] = frozenset(traits)
    facets["label"] = label = label or name
    facets["type_name"] = type_name or camel_case(label)
    TABLE[name] = op = Op(facets)
    return op


def camel_case(label: str) -> str:
    """A label as TensorFlow names types of operations: ``MatMul`` for ``mat_mul``."""
    if label[0].isupper():
        return label
    return "".join(word[0].upper() + word[1:] for word in label.split("_"))


def lookup(name: str) -> Op:
    """The row of a name; KeyError when there is none."""
    return TABLE[name]
