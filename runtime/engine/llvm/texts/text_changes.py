"""LLVM functions that make texts of others: parts of them, replacements, upper and lower case.

Each gives a new reference, null where there is no memory or Python raised.  Where a text stays as
it is, it is the text itself.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from runtime.engine.llvm import kernel_ir as ir
from runtime.engine.llvm.builder import SIZE, Address, CodeVariable
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

    def _gives_itself(self, condition: LaneValue) -> None:
        """Return the text itself if a condition holds."""
        with self.text.leaving(condition.name, likely=None):
            self.run("text.retain", self.address("%text"))
            self.give("ptr %text")

    def _copy(self, target: Address, source: Address, count: LaneValue) -> None:
        self.call_address("memcpy", target, source, count << 2, extern=True)

    def part(self) -> None:
        """Copy a part of a text."""
        start, count = self.value("%start"), self.value("%count")
        self._gives_itself(count == Text(self, "%text").length)
        new = self.new(count)
        source = Text(self, "%text").first.element(POINT, start)
        self._copy(Text(self, new.name).first, source, count)
        self.give(new)

    def strip(self, left: bool, right: bool) -> None:
        """Take white space off the ends."""
        subject = Text(self, "%text")
        start, stop = CodeVariable(self, SIZE, "0"), CodeVariable(self, SIZE)
        stop.set(subject.length)

        def is_space(place: LaneValue) -> LaneValue:
            return self.call("text.isspace_character", subject.point(place), gives=ir.BOOL)

        def any_left() -> LaneValue:
            return start.get() < stop.get()

        if left:
            with self.repeat_while(lambda: any_left().and_then(lambda: is_space(start.get()))):
                start.set(start.get() + 1)
        if right:
            with self.repeat_while(lambda: any_left().and_then(lambda: is_space(stop.get() - 1))):
                stop.set(stop.get() - 1)
        args = start.get(), stop.get() - start.get()
        self.give(self.call_address("text.part", "ptr %text", *args))

    def replace(self) -> None:
        """Count the places first: the new text has its length from the begin on."""
        subject, needle, replacement = (Text(self, name) for name in ("%text", "%part", "%new"))
        count = self.call("text.count", "ptr %text", "ptr %part")
        self._gives_itself(count == 0)
        gone, stays = needle.length * count, CodeVariable(self, SIZE)
        new = self.new(subject.length - gone + count * replacement.length)
        target, place = CodeVariable(self, SIZE, "0"), CodeVariable(self, SIZE, "0")
        points = Text(self, new.name).first

        def add(source: Address, size: LaneValue) -> None:
            self._copy(points.element(POINT, target.get()), source, size)
            target.set(target.get() + size)

        with self.each(count) as number:
            start = place.get()
            next_place = self.call("text.find", "ptr %text", "ptr %part", start)
            # an empty part stands before each character: the first one is before all
            between = (needle.length == 0) & (number != 0)
            stays.set(between.choose(self.value(1), next_place - start))
            add(subject.first.element(POINT, start), stays.get())
            add(replacement.first, replacement.length)
            place.set(start + stays.get() + needle.length)
        add(subject.first.element(POINT, place.get()), subject.length - place.get())
        self.give(new)

    def change_case(self, method: str) -> None:
        """Change the letters of ASCII; Python itself changes texts with other characters."""
        subject, place = Text(self, "%text"), CodeVariable(self, SIZE, "0")

        def is_ascii() -> LaneValue:
            return subject.point(place.get()) < _ASCII

        with self.repeat_while(lambda: (place.get() < subject.length).and_then(is_ascii)):
            place.set(place.get() + 1)
        with self.text.leaving((place.get() < subject.length).name, likely=None):
            self._change_by_python(method)
        first, change = CASES[method]
        new = self.new(subject.length)
        points = Text(self, new.name).first
        with self.each(subject.length) as number:
            point = subject.point(number)
            is_letter = (point - ord(first)) < 26
            points.element(POINT, number).store(is_letter.choose(point + change % 2**32, point))
        self.give(new)

    def _change_by_python(self, method: str) -> None:
        """Call the method of ``str``, and return its result as a native text."""
        text, name = self.text, f"text.name_{method}"
        text.declared[name] = (
            f'@{name} = private unnamed_addr constant [{len(method) + 1} x i8] c"{method}\\00"'
        )
        args = self.pointer()
        object = self.call_address("text.box", "ptr %text")
        self.give_if(object.is_null(), "ptr null")
        args.store(object)
        named = self.call_address("PyUnicode_InternFromString", f"ptr @{name}", extern=True)
        self.give_if(named.is_null(), "ptr null")
        call = named, args, 1, "ptr null"
        changed = self.call_address("PyObject_VectorcallMethod", *call, extern=True)
        for used_up in (object, named):
            self.run("Py_DecRef", used_up, extern=True)
        self.give_if(changed.is_null(), "ptr null")
        result = self.call_address("text.unbox", changed)
        self.run("Py_DecRef", changed, extern=True)
        self.give(result)
