"""Patterns of ``match``: compares a subject with a pattern; comparisons may be staged.

Python's own ``match`` takes subjects apart, so sequence, mapping and class patterns behave as in
CPython.  Values are compared here.  A pattern is

- a text: the name that captures the subject, ``_`` for none, ``*name`` for the rest of it;
- None, True or False: the subject itself;
- a function without arguments: a value that the subject equals;
- a ``Pattern``: one that has parts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any

from autograph.operators.control.conditionals import if_exp, testing_backend, truth
from autograph.operators.control.logical import and_, or_
from autograph.operators.control.optionals import is_
from autograph.operators.iteration.comparisons import eq
from autograph.operators.names.type_queries import isinstance_
from autograph.staging.registry import python_type
from autograph.staging.staged_list import StagedList, kind_of, length
from autograph.staging.staged_tuple import as_list
from autograph.staging.staged_union import StagedOptional, StagedUnion


class Pattern:
    """Pattern with sub-patterns; ``kind`` is ``sequence``, ``mapping``, ``instance`` ..."""

    def __init__(
        self, kind: str, patterns: tuple[Any, ...], names: tuple[str, ...] = (),
        values: Callable[[], Any] | None = None,
    ) -> None:
        self.kind = kind
        self.parts = patterns
        self.names = names
        self.values = values


def sequence(*patterns: Any) -> Pattern:
    """``[a, b, *rest]``."""
    return Pattern("sequence", patterns)


def mapping(keys: Callable[[], Any], *patterns: Any) -> Pattern:
    """``{key: a, **rest}``."""
    return Pattern("mapping", patterns, (), keys)


def instance(kind: Callable[[], Any], *patterns: Any, **attributes: Any) -> Pattern:
    """``Class(a, name=b)``."""
    return Pattern("instance", (*patterns, *attributes.values()), tuple(attributes), kind)


def either(*patterns: Any) -> Pattern:
    """``a | b``."""
    return Pattern("either", patterns)


def named(pattern: Any, name: str) -> Pattern:
    """``a as name``."""
    return Pattern("named", (pattern,), (name,))


class MatchResult:
    """Result of a match: whether the pattern fits a subject, and what it captures then."""

    __slots__ = ("fits", "values")

    def __init__(self, fits: Any, values: Mapping[str, Any]) -> None:
        self.fits = fits
        self.values = values


def captured(case: MatchResult, *names: str) -> Any:
    """Return what one name captures; for several names, a list of it."""
    if len(names) == 1:
        return case.values[names[0]]
    return tuple([case.values[name] for name in names])


def case(subject: Any, pattern: Any) -> MatchResult:
    """Compare a subject with a pattern."""
    values: dict[str, Any] = {}
    return MatchResult(_fits(subject, pattern, values), values)


def _fits(subject: Any, pattern: Any, values: dict[str, Any]) -> Any:
    """Whether a pattern fits; enters what it captures into ``values``."""
    if isinstance(pattern, str):
        if pattern not in ("_", "*_"):
            values[pattern.removeprefix("*")] = subject
        return True
    if pattern is None or pattern is True or pattern is False:
        return is_(subject, pattern)
    if not isinstance(pattern, Pattern):
        return eq(subject, pattern())
    if pattern.kind == "either":
        return _fits_either(subject, pattern.parts, values)
    if pattern.kind == "named":
        fits = _fits(subject, pattern.parts[0], values)
        values[pattern.names[0]] = subject
        return fits
    if isinstance(subject, StagedOptional):
        return and_(subject.ag__present, lambda: _fits(subject.ag__value, pattern, values))
    if isinstance(subject, StagedUnion):
        return _fits_union(subject, pattern, values)
    if isinstance(subject, StagedList):
        fitting, items = _taken_apart_staged(subject, pattern)
    else:
        fitting, items = True, _taken_apart(subject, pattern)
    if items is None:
        return False
    for item, inner in zip(items, _captured_parts(pattern), strict=True):
        fits = _fits(item, inner, values)
        if testing_backend(fits) is None:
            if not fits:
                return False
        else:
            fitting = fits if fitting is True else and_(fitting, _just(fits))
    return fitting


def _just(value: Any) -> Callable[[], Any]:
    return lambda: value


def _fits_either(subject: Any, alternatives: Sequence[Any], values: dict[str, Any]) -> Any:
    """Whether one of several patterns fits; the first that fits gives the captured values."""
    pattern, *further = alternatives
    captured: dict[str, Any] = {}
    fits = _fits(subject, pattern, captured)
    if testing_backend(fits) is None:
        if fits or not further:
            values.update(captured)
            return bool(fits)
        return _fits_either(subject, further, values)
    if not further:
        values.update(captured)
        return fits
    captured_later: dict[str, Any] = {}
    otherwise = _fits_either(subject, further, captured_later)
    if testing_backend(otherwise) is None and not otherwise:
        captured_later = captured
    for name, value in captured.items():
        this, that = _just(value), _just(captured_later.get(name, value))
        values[name] = value if captured_later is captured else if_exp(truth(fits), this, that)()
    return or_(fits, lambda: otherwise)


def _fits_union(subject: StagedUnion, pattern: Pattern, values: dict[str, Any]) -> Any:
    """Whether a pattern fits the alternative that a union is; what it captures is of those it fits.
    """
    names = list(_names(pattern))

    def of_one(alternative: Any) -> Any:
        captured: dict[str, Any] = {}
        fits = _fits(alternative, pattern, captured)
        if testing_backend(fits) is None and not fits:
            captured = {}
        return fits, *[captured.get(name) for name in names]

    fits, *captures = subject.ag__apply_to_each(of_one)
    for name, value in zip(names, captures, strict=True):
        values[name] = value.ag__value if isinstance(value, StagedOptional) else value
    return fits


def _names(pattern: Any) -> Iterator[str]:
    """The names that a pattern captures."""
    if isinstance(pattern, str):
        if pattern not in ("_", "*_"):
            yield pattern.removeprefix("*")
    elif isinstance(pattern, Pattern):
        yield from pattern.names if pattern.kind == "named" else ()
        for inner in pattern.parts:
            yield from _names(inner)


def _captured_parts(pattern: Pattern) -> Iterator[Any]:
    """Return the parts of a pattern for which ``_taken_apart`` returns values."""
    return (inner for inner in pattern.parts if inner not in ("_", "*_"))


def _taken_apart(subject: Any, pattern: Pattern) -> Any:
    """Return the values that a pattern's parts must fit, or None for a subject of another form."""
    values = None if pattern.values is None else pattern.values()
    stands_for = python_type(subject)
    if pattern.kind == "instance":
        isinstance_(subject, values)  # refuses what may be a number, or not
    if stands_for is not None:
        if pattern.kind != "instance":
            return None
        return _of_number(subject, stands_for, values, pattern)
    return _dissector(pattern.kind, tuple(_shape(pattern)))(subject, values)


def _taken_apart_staged(subject: StagedList, pattern: Pattern) -> tuple[Any, Any]:
    """Whether a list of staged length has as many items as a pattern, and what the parts must fit.

    Without as many items those are of no meaning.
    """
    if pattern.kind == "instance" and pattern.values is not None:
        is_one = issubclass(kind_of(subject), pattern.values())
        return is_one, [subject for _ in _captured_parts(pattern)] if is_one else None
    if pattern.kind != "sequence":
        return False, None
    patterns = pattern.parts
    stars = [n for n, p in enumerate(patterns) if isinstance(p, str) and p.startswith("*")]
    size, fewest = length(subject), len(patterns) - len(stars)
    fits = size >= fewest if stars else size == fewest
    star = stars[0] if stars else len(patterns)
    places = [n for n, inner in enumerate(patterns) if inner not in ("_", "*_")]

    def item_for(number: int) -> Any:
        if number == star:
            return as_list(subject[star : size - (fewest - star)])
        return subject[number if number < star else number - len(patterns)]

    items = if_exp(fits, lambda: tuple(map(item_for, places)), lambda: None)()
    return fits, items.ag__value if isinstance(items, StagedOptional) else items


def _shape(pattern: Pattern) -> Iterator[str]:
    """Return a pattern's parts in the syntax of Python's ``match``, each a name that captures."""
    positional = len(pattern.parts) - len(pattern.names)
    for number, inner in enumerate(pattern.parts):
        wild = isinstance(inner, str) and inner in ("_", "*_")
        star = "*" if isinstance(inner, str) and inner.startswith("*") else ""
        text = star + ("_" if wild else f"p{number}")
        if pattern.kind == "mapping":
            text = f"*{text}" if star else f"values.k{number}: {text}"
        elif pattern.kind == "instance" and number >= positional:
            text = f"{pattern.names[number - positional]}={text}"
        yield text


class _Keys:
    """Keys of a mapping pattern, as attributes: a pattern takes no other expressions."""

    def __init__(self, keys: tuple[Any, ...]) -> None:
        for number, key in enumerate(keys):
            setattr(self, f"k{number}", key)


@lru_cache(maxsize=1024)
def _dissector(kind: str, shape: tuple[str, ...]) -> Callable[[Any, Any], Any]:
    """Return a function that takes a subject apart by a pattern all of whose parts are captured."""
    inner = ", ".join(shape)
    pattern = {"sequence": f"[{inner}]", "mapping": f"{{{inner}}}"}.get(kind, f"values({inner})")
    names = [text.rpartition("p")[2] for text in shape if not text.endswith("_")]
    captures = "".join(f"p{name}, " for name in names)
    space: dict[str, Any] = {"Keys": _Keys}
    keys = "Keys(values)" if kind == "mapping" else "values"
    exec(
        compile(
            f"def dissect(subject, values):\n    values = {keys}\n    match subject:\n"
            f"        case {pattern}:\n            return ({captures})\n",
            __file__,
            "exec",
        ),
        space,
    )
    dissect: Callable[[Any, Any], Any] = space["dissect"]
    return dissect


def _of_number(subject: Any, stands_for: type, kind: Any, pattern: Pattern) -> Any:
    """Return the parts of a class pattern for a staged Python number or text."""
    if not issubclass(stands_for, kind):
        return None
    example = _dissector("instance", tuple(_shape(pattern)))(stands_for(), kind)
    if example is None or pattern.names:
        return None if example is None else [getattr(subject, name) for name in pattern.names]
    return [subject] * len(example)
