"""Rules for the field ``lower``: how a native engine computes an op.

The rules name opcodes of the kernel IR (engine/llvm/kernel_ir.py) and know nothing of LLVM.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from autograph.named_tuples import NamedTuple


class Operands(NamedTuple):
    """Operands of an op some of which are constants among its attributes.

    values  inputs by their number, as KeyInput, and constants
    attrs   the attributes with which the kernel takes all operands as inputs
    """

    values: Sequence[Any]
    attrs: dict[str, Any]


_INTS = {"i", "u"}
"""Kinds of integers."""


class Native(NamedTuple):
    """Op that is one native opcode on numbers.

    opcode   the opcode
    whole    the opcode on integers, if another one
    checked  the opcode on Python's ints, which raise OverflowError, if another one
    choose   function of the attributes that returns the opcode, or None for the kernel
    """

    opcode: str = ""
    whole: str = ""
    checked: str = ""
    choose: Callable[[dict[str, Any]], str | None] | None = None
    mixed: bool = False
    """Whether the inputs may have several dtypes."""
    operands: Callable[[dict[str, Any]], Operands] | None = None
    """Function of the attributes, if some operands are constants among them."""
    text: str = ""
    """The opcode on Python's texts, if there is one and ``choose`` does not say it."""

    def opcode_for(self, kinds: Sequence[str], python: bool, attrs: dict[str, Any]) -> str | None:
        """Return the opcode for inputs of these kinds (NumPy's letters); None for the kernel.

        ``python`` says whether the op computes a Python number from Python numbers.
        """
        if self.choose is not None:
            return self.choose(attrs)
        if kinds and {*kinds} <= _INTS:
            if python and self.checked:
                return self.checked
            return self.whole or self.opcode
        return self.checked if python and self.checked and not self.whole else self.opcode


class Reduces(NamedTuple):
    """Op that combines the elements of an array along axes: a native opcode of two elements.

    kinds  dtypes (NumPy's letters) for which that is so
    mean   whether the result is divided by the number of elements
    """

    opcode: str
    kinds: str = "biuf"
    mean: bool = False


class ProductAxes(NamedTuple):
    """Axes of two arrays whose elements are multiplied and summed up.

    inner  for each array, the axes that are summed over; the first of one goes with the first of
           the other, and so on
    batch  for each array, the axes along which products stand side by side; sizes broadcast, from
           the last to the first

    The result has the axes of the batch, then the others of the first array, then of the second.
    ``conjugates`` says that complex numbers of the first array are conjugated.
    """

    inner: tuple[Sequence[int], Sequence[int]]
    batch: tuple[Sequence[int], Sequence[int]] = ((), ())
    conjugates: bool = False


class Multiplies(NamedTuple):
    """Op that is a product of matrices, or amounts to one.

    axes  function of the attributes and of the inputs' ranks; None for the kernel
    like  function of the attributes that gives the name of a composition, as in ``Composes``
    """

    axes: Callable[[dict[str, Any], Sequence[int]], ProductAxes | None]
    like: Callable[[dict[str, Any]], str] = lambda attrs: ""


Edges = Callable[..., tuple[int, int]]
"""Function of a size, the extent of a window, a stride, the padding and the number of an axis: how
many places are added before and after it.
"""


class OnWindows(NamedTuple):
    """Op that goes over the windows of an array, channels last: convolution, pooling, a gradient.

    gives  of a convolution of an input with filters, "convolution", or what it is the gradient with
           respect to, "input" or "filters", where a third input is the shape of that; of pooling,
           "max", "mean" or "places" of each window, "max_to_input", of an input and a gradient, or
           "mean_to_input", of a gradient and the shape of the input
    """

    edges: Edges
    gives: str

    @property
    def is_convolution(self) -> bool:
        """Whether elements are multiplied with filters."""
        return self.gives in ("convolution", "input", "filters")


Dims = tuple[int | None, ...]


@dataclass(frozen=True)
class RunTimeInt:
    """Int that is known at run time: an input after the array, or an argument, by its number."""

    number: int


class KeyPart(NamedTuple):
    """Part of a key whose meaning is known at run time: an int or the three parts of a slice, and
    the axis of the array that it indexes.
    """

    axis: int
    part: int | RunTimeInt | tuple[int | RunTimeInt | None, ...]


class SelectedAxis(NamedTuple):
    """Axis of a selection: so many entries of an axis of the array, or None: a new axis.

    ``size`` is None for all entries of an axis of unknown size, and a part of a key for as many as
    that selects.
    """

    axis: int | None
    step: int = 1
    size: int | KeyPart | None = 1


class Selection(NamedTuple):
    """Elements of an array, as a view of it has them.

    starts  the first entry along each axis of the array, or the part of a key that says which
    axes    the axes of the view
    """

    starts: tuple[int | KeyPart, ...]
    axes: tuple[SelectedAxis, ...]

    @property
    def dims(self) -> Dims:
        """Shape, as far as it is known before run time."""
        return tuple([None if isinstance(axis.size, KeyPart) else axis.size for axis in self.axes])

    @property
    def parts(self) -> list[KeyPart]:
        """The parts of a key whose meaning is known at run time."""
        numbers = [*self.starts, *[axis.size for axis in self.axes]]
        return [number for number in numbers if isinstance(number, KeyPart)]

    @property
    def may_raise(self) -> bool:
        """Whether an int may be out of range."""
        return any(not isinstance(key_part.part, tuple) for key_part in self.parts)

    def mapped(self, leaf: Callable[[KeyPart], KeyPart]) -> Selection:
        """Return the selection with other parts of keys."""
        def mapped(number: Any) -> Any:
            return leaf(number) if isinstance(number, KeyPart) else number

        axes = [axis._replace(size=mapped(axis.size)) for axis in self.axes]
        return Selection(tuple(map(mapped, self.starts)), tuple(axes))


Selects = Callable[[Dims, dict[str, Any], Sequence[Any]], Selection | None]
"""Function of an array's static shape, the attributes of an op, and the values of its other inputs
(None where they are not known): which elements the result has; None if that is not known.
"""


class OnArrays(NamedTuple):
    """Op of whose result the rule says where its elements come from; what none of the fields does
    say for a case is computed by the kernel.

    opcode   the native opcode where it reads or writes an element of an array
    selects  which elements of its first input the result is a view of
    parts    the same of all results, if there are several
    fills    the number of the input that the result holds everywhere
    places   function of the static shapes of the inputs and of the result, and of the attributes:
             the elements of the result that each input gives, of those that lie side by side there
    element  how an element is computed from its position, and elements of the inputs
    plan     what a loop over whole arrays does (rules/loops.py)
    like     the composition where the last input is the shape of a tensor (``Measured``)
    """

    opcode: str = ""
    selects: Selects | None = None
    parts: Callable[[Dims, dict[str, Any]], Sequence[Selection] | None] | None = None
    fills: int | None = None
    places: Callable[[Sequence[Dims], Dims, dict[str, Any]], Sequence[Selection]] | None = None
    element: Callable[[Case], ElementFound | None] | None = None
    plan: Callable[[Case], Any] | None = None
    like: str = ""


class Position(NamedTuple):
    """Position along an axis of a result, an int64."""

    axis: int


class Size(NamedTuple):
    """Size of an axis of an input, an int64."""

    input: int
    axis: int


class Read(NamedTuple):
    """Element of an input at places, one for each of its axes; they exist."""

    input: int
    places: tuple[Expression, ...] = ()


class Apply(NamedTuple):
    """Native opcode on elements; ``dtype`` is that of what it gives, or empty: the result's."""

    opcode: str
    args: tuple[Expression, ...]
    dtype: str = ""


Expression = Position | Size | Read | Apply | int
"""What an element is.  Ints are int64, or of the dtype of the result where they stand for it."""


class Case(NamedTuple):
    """What the graph knows of an operation.

    dims    static shapes of the inputs
    dtypes  their dtypes
    values  inputs that are constants; None for others
    result  static shape of the result
    attrs   attributes
    """

    dims: Sequence[Dims]
    dtypes: Sequence[Any]
    values: Sequence[Any]
    result: Dims
    attrs: dict[str, Any]


class ElementFound(NamedTuple):
    """Element of a result at a position, and the sizes of the result's axes: they are asked for
    where the graph does not know them, and consist of sizes, numbers, ``add`` and ``mul``.
    """

    element: Expression
    sizes: tuple[Expression, ...]


class Composes(NamedTuple):
    """Op that native code computes by other ops, as a function of runtime/ops/compositions/ does.

    The name is ``"family.function"``.  The function takes what the op takes, tensors of known
    ranks, and returns what the op gives, by ops that agree with the kernel; None where the kernel
    has to compute it.  The op must not raise then; but the function may return ``Guarded``.
    ``of_complex`` is the opcode on complex numbers, of which nothing is composed; ``plan`` is that
    of ``OnArrays``, for what nothing is composed of.
    """

    name: str
    of_complex: str = ""
    plan: Callable[[Case], Any] | None = None


def composition(name: str) -> Callable[..., Any]:
    """Import and return a function; ImportError or AttributeError when there is none."""
    family, _, function = name.partition(".")
    module = importlib.import_module(f"runtime.ops.compositions.{family}")
    function_of_name: Callable[..., Any] = getattr(module, function)
    return function_of_name


class Measured(NamedTuple):
    """Shape of a tensor, as a composition gets it where its sizes are not known.

    like   the tensor
    sizes  its sizes: numbers, and names of others; equal names are equal sizes
    first  the same of the first input of the op, if that is another one
    """

    like: Any
    sizes: tuple[Any, ...]
    first: tuple[Any, ...]


class Guarded(NamedTuple):
    """Composition that holds where a scalar is true; where it is not, the kernel is called."""

    holds: Any
    value: Any


class Control(NamedTuple):
    """Op that runs graphs, which become blocks, has effects, or works on lists.

    ``name`` is that of a function of the engine (control_lowering.py), or the opcode on lists.
    """

    name: str

    @property
    def is_on_lists(self) -> bool:
        """Whether the op works on lists."""
        return self.name.startswith("list.")


class ByKernel(NamedTuple):
    """Op whose kernel is called from native code, and the reason."""

    reason: str
    unifies: str = ""
    """Opcode by which native code knows the types of the lists that the kernel gives."""


LoweringRule = (
    Native | Reduces | Multiplies | OnWindows | OnArrays | Composes | Control | ByKernel
)

ARRAYS = ByKernel("its arrays are computed by NumPy")
TEXTS = ByKernel("texts are Python's objects")
SERIES = ByKernel("its recurrences and series have no vector functions")
OBJECTS = ByKernel("it reads or changes what is kept in an object of Python's")
