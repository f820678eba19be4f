"""LLVM functions that make texts of others: parts of them, replacements, upper and lower case.

Each gives a new reference, null where there is no memory or Python raised.  Where a text stays as
it is, it is the text itself.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from runtime.engine.llvm import kernel_ir as ir
from runtime.engine.llvm.builder import SIZE, Address, CodeVariable
from runtime.engine.llvm.list_handles import NativeListHandle
from runtime.engine.llvm.text import FunctionText
from runtime.engine.llvm.texts.text_functions import POINT, Text, TextCode
from runtime.engine.llvm.values import LaneValue

__all__ = ["CASES", "STRIPS", "define_changes"]

STRIPS = {"strip": (True, True), "lstrip": (True, False), "rstrip": (False, True)}
"""By method of ``str``: whether it takes white space from the left and the right."""
CASES = {"lower": ("A", 32), "upper": ("a", -32)}
"""By method of ``str``: the first of the 26 letters of ASCII that it changes, and by how much."""
_ASCII = 128


def define_changes(module: FunctionText) -> None:
    """Add the functions of changes.

    part     so many characters of a text from a place on
    replace  a text with another one in place of each part that is equal to a third
    """
    functions: list[tuple[str, str, Callable[[_ChangeCode], None]]] = [
        ("part", "ptr %text, i64 %start, i64 %count", _ChangeCode.part),
        ("replace", "ptr %text, ptr %part, ptr %new", _ChangeCode.replace),
    ]
    for method, (left, right) in STRIPS.items():
        functions.append((method, "ptr %text", partial(_ChangeCode.strip, left=left, right=right)))
    for method in CASES:
        functions.append((method, "ptr %text", partial(_ChangeCode.change_case, method=method)))
    for name, params, write in functions:
        module.define(f"text.{name}", "ptr", params, partial(_write, write), "")


def _write(write: Callable[[_ChangeCode], None], text: FunctionText) -> None:
    write(_ChangeCode(text))


class _ChangeCode(TextCode):
    """Code of one function, whose text is ``%text``."""

    def _new(self, count: LaneValue | str) -> Address:
        """Return a new text of so many characters, which are not set; leave without memory."""
        new = self.address(self.text.value(f"call ptr @text.make(i64 {count})"))
        self.gives(new.is_null(), "ptr null", likely=False)
        NativeListHandle(self.text, ir.TEXT, new.name).set_length(str(count))
        return new

    def _gives_itself(self, condition: LaneValue) -> None:
        """Return the text itself if a condition holds."""
        with self.text.leaving(condition.name, likely=None):
            self.run("text.retain", self.address("%text"))
            self.finish("ptr %text")

    def _copy(self, target: Address, source: Address, count: LaneValue) -> None:
        self.text.call("ptr", "memcpy", f"ptr {target}", f"ptr {source}", f"i64 {count << 2}")

    def part(self) -> None:
        """Copy a part of a text."""
        start, count = self.value("%start"), self.value("%count")
        self._gives_itself(count == Text(self, "%text").length)
        new = self._new(count)
        source = Text(self, "%text").first.element(POINT, start)
        self._copy(Text(self, new.name).first, source, count)
        self.finish(f"ptr {new}")

    def strip(self, left: bool, right: bool) -> None:
        """Take white space off the ends."""
        whole = Text(self, "%text")
        start, stop = CodeVariable(self, SIZE, "0"), CodeVariable(self, SIZE)
        stop.set(whole.length)

        def is_space(place: LaneValue) -> LaneValue:
            call = f"call i1 @text.isspace_character(i32 {whole.point(place)})"
            return self.value(self.text.value(call), ir.BOOL)

        def any_left() -> LaneValue:
            return start.get() < stop.get()

        if left:
            with self.repeat_while(lambda: any_left().and_then(lambda: is_space(start.get()))):
                start.set(start.get() + 1)
        if right:
            with self.repeat_while(lambda: any_left().and_then(lambda: is_space(stop.get() - 1))):
                stop.set(stop.get() - 1)
        args = f"i64 {start.get()}", f"i64 {stop.get() - start.get()}"
        result = self.text.value(f"call ptr @text.part(ptr %text, {', '.join(args)})")
        self.finish(f"ptr {result}")

    def replace(self) -> None:
        """Count the places first: the new text has its length from the begin on."""
        whole, part, other = (Text(self, name) for name in ("%text", "%part", "%new"))
        count = self.value(self.text.value("call i64 @text.count(ptr %text, ptr %part)"))
        self._gives_itself(count == 0)
        gone, stays = part.length * count, CodeVariable(self, SIZE)
        new = self._new(whole.length - gone + count * other.length)
        target, place = CodeVariable(self, SIZE, "0"), CodeVariable(self, SIZE, "0")
        points = Text(self, new.name).first

        def add(source: Address, size: LaneValue) -> None:
            self._copy(points.element(POINT, target.get()), source, size)
            target.set(target.get() + size)

        with self.each(count) as number:
            start = place.get()
            call = f"call i64 @text.find(ptr %text, ptr %part, i64 {start})"
            next_place = self.value(self.text.value(call))
            # an empty part stands before each character: the first one is before all
            between = (part.length == 0) & (number != 0)
            stays.set(between.choose(self.value(1), next_place - start))
            add(whole.first.element(POINT, start), stays.get())
            add(other.first, other.length)
            place.set(start + stays.get() + part.length)
        add(whole.first.element(POINT, place.get()), whole.length - place.get())
        self.finish(f"ptr {new}")

    def change_case(self, method: str) -> None:
        """Change the letters of ASCII; Python itself changes texts with other characters."""
        whole, place = Text(self, "%text"), CodeVariable(self, SIZE, "0")

        def is_ascii() -> LaneValue:
            return whole.point(place.get()) < _ASCII

        with self.repeat_while(lambda: (place.get() < whole.length).and_then(is_ascii)):
            place.set(place.get() + 1)
        with self.text.leaving((place.get() < whole.length).name, likely=None):
            self._change_by_python(method)
        first, change = CASES[method]
        new = self._new(whole.length)
        points = Text(self, new.name).first
        with self.each(whole.length) as number:
            point = whole.point(number)
            is_letter = (point - ord(first)) < 26
            points.element(POINT, number).store(is_letter.choose(point + change % 2**32, point))
        self.finish(f"ptr {new}")

    def _change_by_python(self, method: str) -> None:
        """Call the method of ``str``, and return its result as a native text."""
        text, name = self.text, f"text.name_{method}"
        text.declared[name] = (
            f'@{name} = private unnamed_addr constant [{len(method) + 1} x i8] c"{method}\\00"'
        )
        args = text.slot("ptr")
        object = self.address(text.value("call ptr @text.box(ptr %text)"))
        self.gives(object.is_null(), "ptr null", likely=False)
        text.line(f"store ptr {object}, ptr {args}")
        named = self.address(text.call("ptr", "PyUnicode_InternFromString", f"ptr @{name}"))
        self.gives(named.is_null(), "ptr null", likely=False)
        call = f"ptr {named}", f"ptr {args}", "i64 1", "ptr null"
        changed = self.address(text.call("ptr", "PyObject_VectorcallMethod", *call))
        text.call("void", "Py_DecRef", f"ptr {object}")
        text.call("void", "Py_DecRef", f"ptr {named}")
        self.gives(changed.is_null(), "ptr null", likely=False)
        result = text.value(f"call ptr @text.unbox(ptr {changed})")
        text.call("void", "Py_DecRef", f"ptr {changed}")
        self.finish(f"ptr {result}")
