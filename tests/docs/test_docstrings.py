"""Docstrings of public functions: a summary, the arguments, the result and the errors."""

from __future__ import annotations

import ast
import builtins
import inspect
import re
import textwrap
from collections.abc import Iterator

import runtime
from runtime.ops.op import OpDef
from tests.docs.surface import modules, names_of

NO_VERBS = {"The", "A", "An", "As", "Each", "How", "It", "This", "What", "Where", "Whether"}
SECTION = re.compile(r"^(Args|Returns|Yields|Raises):\n((?:[ ]+.*\n?)+)", re.MULTILINE)
ARGUMENT = re.compile(r"^ {4}(\*{0,2}\w+(?:, \*{0,2}\w+)*): ", re.MULTILINE)
# `name` names the operation in a graph, whatever the op is.
EVERYWHERE = {"name", "self"}


def public_functions() -> dict[str, object]:
    """Each public function and op once, by one of its names."""
    found: dict[int, tuple[str, object]] = {}
    for title, module in modules().items():
        for name in names_of(module):
            value = getattr(module, name)
            if inspect.isfunction(value) or isinstance(value, OpDef):
                found.setdefault(id(value), (f"{title}.{name}", value))
    return {name: value for name, value in found.values()}


def problems(value: object) -> Iterator[str]:
    """What the docstring of a function or op lacks."""
    doc = inspect.cleandoc(value.__doc__ or "") + "\n"
    first = doc.split()[0] if doc.strip() else ""
    if not re.fullmatch(r"[A-Z]\w+", first) or first in NO_VERBS:
        yield f"its summary begins with {first!r}, not with a verb"
    sections = dict(SECTION.findall(doc))
    named = ", ".join(ARGUMENT.findall(sections.get("Args", ""))).replace("*", "").split(", ")
    missing = [p for p in parameters(value) if p not in named]
    if missing:
        yield f"Args: does not name {missing}"
    if stale := set(named) - {""} - set(parameters(value)) - EVERYWHERE:
        yield f"Args: names {sorted(stale)}, which are no parameters"
    if not {"Returns", "Yields"} & sections.keys():
        yield "there is no Returns:"
    for names in raised(value):
        if not any(re.search(rf"\b{name}\b", sections.get("Raises", "")) for name in names):
            yield f"Raises: does not name {names[0]}"


def parameters(value: object) -> list[str]:
    if isinstance(value, OpDef):
        return [name.removeprefix("*") for name in value.inputs]
    return [p for p in inspect.signature(value).parameters if p not in EVERYWHERE]


def raised(value: object) -> list[list[str]]:
    """The errors that a function raises in its own text, each with its base classes."""
    if isinstance(value, OpDef):
        refuses = value.dtype_kinds and value.same_dtype_inputs is not None
        return [["InvalidArgumentError"]] if refuses else []
    tree = ast.parse(textwrap.dedent(inspect.getsource(inspect.unwrap(value))))
    found = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call):
            name = ast.unparse(node.exc.func)
            error = inspect.unwrap(value).__globals__.get(name) or getattr(builtins, name, None)
            bases = [base.__name__ for base in getattr(error, "__mro__", ())[:-2]]
            found.append([name, *bases])
    return found


FUNCTIONS = public_functions()


def test_public_functions_have_docstrings_of_the_form():
    wrong = [
        f"{name}: {problem}" for name, value in FUNCTIONS.items() for problem in problems(value)
    ]  # fmt: skip
    assert len(FUNCTIONS) > 600 and not wrong, "\n".join(wrong)


def test_the_check_finds_what_is_missing():
    def half(x: object, y: object) -> None:
        """The half."""
        raise ValueError(x, y)

    assert [*problems(half)] == [
        "its summary begins with 'The', not with a verb", "Args: does not name ['x', 'y']",
        "there is no Returns:", "Raises: does not name ValueError",
    ]  # fmt: skip
    assert not [*problems(runtime.nn.conv2d)]
