"""Docstrings of public functions: a summary, the arguments, the result and the errors."""

from __future__ import annotations

import ast
import builtins
import inspect
import re
import textwrap
from collections.abc import Iterator

import pytest

import runtime
from runtime.ops.op import OpDef
from tests.docs.surface import modules, names_of

# Modules whose public functions do not have the form yet.  Shrink it.
NOT_YET: set[str] = {
    "autograph.diagnostics.verbosity", "autograph.operators.loops",
    "runtime.autodiff.custom_gradient", "runtime.autodiff.gradient_checker",
    "runtime.autodiff.gradient_functions", "runtime.autodiff.gradients",
    "runtime.compat.v1.variable_scope", "runtime.composite.ragged_tensor",
    "runtime.composite.string_split", "runtime.composite.type_spec",
    "runtime.containers.hash_table", "runtime.control_flow.cond", "runtime.control_flow.map_fn",
    "runtime.control_flow.py_function", "runtime.eager.dlpack", "runtime.engine.config",
    "runtime.engine.session", "runtime.functions.decorator", "runtime.ops.string.hashing",
    "runtime.state.creator_scope", "runtime.state.random_generator", "runtime.testing.cases",
    "runtime.types.dtypes", "runtime.types.nest",
}  # fmt: skip
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


def module_of(value: object) -> str:
    return "runtime.ops" if isinstance(value, OpDef) else value.__module__


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
        f"{name}: {problem}" for name, value in FUNCTIONS.items()
        if module_of(value) not in NOT_YET for problem in problems(value)
    ]  # fmt: skip
    assert len(FUNCTIONS) > 600 and not wrong, "\n".join(wrong)


@pytest.mark.parametrize("module", sorted(NOT_YET))
def test_modules_that_are_not_done_shrink(module):
    lacking = [n for n, v in FUNCTIONS.items() if module_of(v) == module and [*problems(v)]]
    assert lacking, f"{module} is done: take it off NOT_YET"


def test_the_check_finds_what_is_missing():
    def half(x: object, y: object) -> None:
        """The half."""
        raise ValueError(x, y)

    assert [*problems(half)] == [
        "its summary begins with 'The', not with a verb", "Args: does not name ['x', 'y']",
        "there is no Returns:", "Raises: does not name ValueError",
    ]  # fmt: skip
    assert not [*problems(runtime.nn.conv2d)]
