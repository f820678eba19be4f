"""LLVM code shared by all graphs: convolutions, as products of windows with filters.

The windows of some places are copied side by side into a matrix, zeros where they reach over the
edge, and multiplied with the filters, block by block.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

from runtime.engine.llvm.array_code import DATA, ArrayViews, word
from runtime.engine.llvm.arrays.allocation import allocate
from runtime.engine.llvm.arrays.convolution import Convolution
from runtime.engine.llvm.arrays.elements import stored_size
from runtime.engine.llvm.text import FunctionText, all_hold, llvm_type

CONVOLVE = "rt_convolve"
LONG = 1 << 17
"""Products of so many numbers let other Python threads run meanwhile."""
BLOCK = 1 << 18
"""Numbers in the windows of a block: a megabyte of float32."""

PARAMS = (
    "ptr x", "i64 xb", "i64 xh", "i64 xw", "i64 batch", "i64 height", "i64 width", "i64 channels",
    "ptr filters", "i64 kh", "i64 kw", "i64 out", "ptr result", "i64 rows", "i64 columns",
    "i64 sh", "i64 sw", "i64 dh", "i64 dw", "i64 top", "i64 left",
)  # fmt: skip
"""Parameters: the input and its strides in bytes, its sizes; filters (height, width, channels,
out), row by row; the result; strides, dilations and zeros before the first row and column.
"""


def convolution_code(type: str, item: int, multiply: str) -> str:
    """Return the function for a type; it returns False if there is no memory.  ``multiply`` is the
    function of products of matrices.
    """
    text = FunctionText(
        f"define i1 @{CONVOLVE}_{type}({', '.join(p.replace(' ', ' %') for p in PARAMS)})"
    )
    width = _product(text, "%kh", "%kw", "%channels")
    window, result_row = _product(text, width, str(item)), _product(text, "%out", str(item))
    places = _product(text, "%batch", "%rows", "%columns")
    fitting = text.value(f"udiv i64 {BLOCK}, {width}")
    step = text.call("i64", "llvm.umax.i64", f"i64 {fitting}", "i64 1")
    buffer = text.call("ptr", "malloc", f"i64 {_product(text, step, window)}")
    none, some = text.label("none"), text.label("some")
    text.branch(text.value(f"icmp eq ptr {buffer}, null"), none, some)
    text.start(some)
    last = _sum(text, places, text.value(f"sub i64 {step}, 1"))
    with text.counted(text.value(f"udiv i64 {last}, {step}")) as block:
        first = _product(text, block, step)
        left = text.value(f"sub i64 {places}, {first}")
        count = text.call("i64", "llvm.umin.i64", f"i64 {left}", f"i64 {step}")
        with text.counted(count) as number:
            target = text.moved(buffer, _product(text, number, window))
            _copy_window(text, target, _sum(text, first, number), item)
        target = text.moved("%result", _product(text, first, result_row))
        text.line(
            f"call void @{multiply}(ptr {buffer}, i64 {window}, i64 {item}, ptr %filters, "
            f"i64 {result_row}, i64 {item}, ptr {target}, i64 {count}, i64 %out, i64 {width})"
        )
    text.call("void", "free", f"ptr {buffer}")
    text.line("ret i1 true")
    text.start(none)
    text.line("ret i1 false")
    needed = [text.declared[name] for name in ("llvm.umax.i64", "llvm.umin.i64")]
    copy = "declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)"
    return "\n".join([*needed, copy, text.text()])


def _copy_window(text: FunctionText, target: str, place: str, item: int) -> None:
    """Copy the window of a place: line by line where it can be, else pixel by pixel."""
    pixel = _product(text, "%channels", str(item))
    line = _product(text, "%kw", pixel)
    above = text.value(f"udiv i64 {place}, %columns")
    column = text.value(f"urem i64 {place}, %columns")
    row = text.value(f"urem i64 {above}, %rows")
    image = text.value(f"udiv i64 {above}, %rows")
    y = text.value(f"sub i64 {_product(text, row, '%sh')}, %top")
    x = text.value(f"sub i64 {_product(text, column, '%sw')}, %left")
    start = text.moved("%x", _product(text, image, "%xb"))
    conditions = [
        text.value(f"icmp sge i64 {x}, 0"),
        text.value(f"icmp sle i64 {_sum(text, x, '%kw')}, %width"),
        text.value(f"icmp eq i64 %xw, {pixel}"),
        text.value("icmp eq i64 %dw, 1"),
    ]
    whole = all_hold(text, conditions)
    with text.counted("%kh") as r:
        at_y = _sum(text, y, _product(text, r, "%dh"))
        exists = text.value(f"icmp ult i64 {at_y}, %height")
        to_line = text.moved(target, _product(text, r, line))
        from_line = text.moved(start, _product(text, at_y, "%xh"))
        at_once = text.value(f"and i1 {exists}, {whole}")
        with text.only_if(at_once):
            _copy(text, to_line, text.moved(from_line, _product(text, x, "%xw")), line)
        none = text.value(f"select i1 {at_once}, i64 0, i64 %kw")
        with text.counted(none) as s:
            at_x = _sum(text, x, _product(text, s, "%dw"))
            fits = text.value(f"icmp ult i64 {at_x}, %width")
            both = text.value(f"and i1 {fits}, {exists}")
            to_pixel = text.moved(to_line, _product(text, s, pixel))
            with text.only_if(both):
                source = text.moved(from_line, _product(text, at_x, "%xw"))
                _copy(text, to_pixel, source, pixel)
            with text.only_if(text.value(f"xor i1 {both}, true")):
                text.line(
                    f"call void @llvm.memset.p0.i64(ptr {to_pixel}, i8 0, i64 {pixel}, i1 false)"
                )


def _copy(text: FunctionText, to: str, source: str, size: str) -> None:
    text.line(
        f"call void @llvm.memcpy.p0.p0.i64(ptr {to}, ptr {source}, i64 {size}, i1 false)"
    )


def _product(text: FunctionText, first: str, *others: str) -> str:
    for other in others:
        first = text.value(f"mul i64 {first}, {other}")
    return first


def _sum(text: FunctionText, one: str, other: str) -> str:
    return text.value(f"add i64 {one}, {other}")


class ConvolutionCode:
    """Code of one convolution in the function that holds it."""

    def __init__(
        self, text: FunctionText, views: ArrayViews, convolution: Convolution,
        names: Sequence[str],
    ) -> None:  # fmt: skip
        self._text = text
        self._convolution = convolution
        self._x, self._filters = [
            views.of(name, (layout.dtype.num, len(layout.dims)))
            for name, layout in zip(names, convolution.layouts, strict=False)
        ]

    def emit(self, slot: str, slow: str) -> None:
        """Emit the convolution: its result is put in the slot, or it branches to ``slow``."""
        text, one = self._text, self._convolution
        good = text.label("fits")
        text.branch(all_hold(text, self._conditions()), good, slow, likely=True)
        text.start(good)
        batch, sizes = self._x.sizes[0], [str(n) for n in one.layouts[2].dims[1:]]
        allocate(text, one.layouts[0].element, [batch, *sizes], slot, slow)
        result = word(text, text.value(f"load ptr, ptr {slot}"), DATA, "ptr")
        kind = llvm_type(one.layouts[0].element)
        work = prod(n for n in (*one.layouts[2].dims[1:], *one.layouts[1].dims) if n is not None)
        is_long = text.value(f"icmp ugt i64 {text.value(f'mul i64 {batch}, {work}')}, {LONG}")
        with text.without_lock(is_long):
            done = text.call("i1", f"{CONVOLVE}_{kind}", *self._args(result))
        finished, failed = text.label("made"), text.label("failed")
        text.branch(done, finished, failed, likely=True)
        text.start(failed)
        made = text.value(f"load ptr, ptr {slot}")
        text.call("void", "Py_DecRef", f"ptr {made}")
        text.line(f"br label %{slow}")
        text.start(finished)

    def _conditions(self) -> list[str]:
        """Return what must hold: sizes, and that filters and channels lie without gaps."""
        text, (x, filters, _) = self._text, self._convolution.layouts
        item, found = stored_size(x.element), []
        for view in (self._x, self._filters):
            found.append(text.value(f"icmp ne ptr {view.data}, null"))
            address = text.value(f"ptrtoint ptr {view.data} to i64")
            low = text.value(f"and i64 {address}, {item - 1}")
            found.append(text.value(f"icmp eq i64 {low}, 0"))
        pairs = [*zip(self._x.sizes[1:], x.dims[1:], strict=True)]
        pairs += zip(self._filters.sizes, filters.dims, strict=True)
        wanted = item
        for stride, size in zip(
            reversed(self._filters.strides), reversed(filters.dims), strict=True
        ):
            pairs.append((stride, wanted))
            wanted *= size or 0
        pairs.append((self._x.strides[-1], item))
        found += [
            text.value(f"icmp eq i64 {one}, {other}") for one, other in pairs if one != str(other)
        ]
        for stride in self._x.strides[:-1]:
            low = text.value(f"and i64 {stride}, {item - 1}")
            found.append(text.value(f"icmp eq i64 {low}, 0"))
        return found

    def _args(self, result: str) -> list[str]:
        """Return the arguments of the function; one axis counts as the columns of one row."""
        one, x = self._convolution, self._x
        (_, *axes, channels), (*window, _, out), (_, *places, _) = (
            layout.dims for layout in one.layouts
        )

        def both(values: Sequence[object], single: int) -> list[str]:
            return [str(single)] * (2 - len(values)) + [str(value) for value in values]

        words = [
            x.strides[0], *both(x.strides[1:-1], 0), x.sizes[0], *both(axes, 1), str(channels)
        ]
        more = [*both(places, 1), *both(one.strides, 1), *both(one.dilations, 1)]
        return [
            f"ptr {x.data}", *(f"i64 {one}" for one in words), f"ptr {self._filters.data}",
            *(f"i64 {one}" for one in (*both(window, 1), out)), f"ptr {result}",
            *(f"i64 {one}" for one in (*more, *both(one.before, 0))),
        ]  # fmt: skip
