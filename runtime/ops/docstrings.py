"""Docstrings of op definitions, composed from what the definitions declare.

``define`` calls ``compose``: dtypes and errors stand in fields of the definition, so the text
cannot differ from them.  Inference rules describe the results with ``gives``; a definition whose
rule has no description keeps the text that it was given.  ``documented`` adds the sections that
many public functions of one kind share.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from autograph.named_tuples import NamedTuple

Rule = TypeVar("Rule", bound=Callable[..., Any])
Function = TypeVar("Function", bound=Callable[..., Any])

WRONG_SHAPES = "the shapes do not broadcast (also a ValueError)"
MATRICES = "(..., N, N)"
NOT_SQUARE = "the last two axes differ in size (also a ValueError)"

_KINDS = {
    "b": "bool", "biu": "integer or bool", "c": "complex", "f": "floating",
    "fc": "floating or complex", "i": "signed integer", "iu": "integer",
    "iuf": "integer or floating", "iufc": "numeric",
    "iufcO": "numeric or string", "iufcb": "numeric or bool", "O": "string",
}  # fmt: skip
"""What dtypes of these kind letters are called."""


class Result(NamedTuple):
    """What an inference rule says of the results, of its errors and of the inputs' shape."""

    text: str
    error: str
    shape: str


_RESULTS: dict[Callable[..., Any], Result] = {}


def gives(text: str, error: str = "", shape: str = "") -> Callable[[Rule], Rule]:
    """Document the results of ops with an inference rule, and when the rule raises.

    Args:
        text: description of the results; ``{x}`` stands for the first input.
        error: condition under which the rule raises InvalidArgumentError; empty: it does not.
        shape: shape of the inputs; empty: any.
    Returns:
        Decorator that enters the rule and returns it.
    """

    def enter(rule: Rule) -> Rule:
        _RESULTS[rule] = Result(text, error, shape)
        return rule

    return enter


def like(rule: Callable[..., Any]) -> Callable[[Rule], Rule]:
    """Document the results of a rule as those of the ``rule`` that it is made of."""
    return gives(*_RESULTS.get(rule, ()) or ("",))


def compose(doc: str, inputs: Sequence[str], shared: slice | None, dtype_kinds: str,
            infer: Callable[..., Any], fails: str, extra: str) -> str:  # fmt: skip
    """Return the docstring of an op: its summary, its inputs, its results and its errors.

    Args:
        doc: summary of the op; with an ``Args:`` section it is the whole text.
        inputs: names of the tensor inputs.
        shared: slice of the inputs that have one dtype.
        dtype_kinds: NumPy kind letters of the dtypes that those may have; empty: any.
        infer: inference rule of the op.
        fails: condition under which the kernel raises InvalidArgumentError; empty: it does not.
        extra: extra of the package that the kernel needs; empty: none.
    Returns:
        The docstring; ``doc`` itself where the definition does not say what the result is.
    """
    result = _RESULTS.get(infer)
    names = [name.removeprefix("*") for name in inputs]
    if "\nArgs:" in doc or not result or not result.text or shared != slice(None) or not names:
        return doc
    is_single = len(inputs) == 1 and inputs[0] == names[0]
    kinds = f"{_KINDS[dtype_kinds]} dtype" if dtype_kinds else "dtype"
    inputs_text = of_dtype(dtype_kinds) if is_single else f"one {kinds}"
    inputs_text = f"shape {result.shape} and of {inputs_text}" if result.shape else inputs_text
    inputs_text = f"tensor of {inputs_text}" if is_single else f"tensors of {inputs_text}"
    errors = []
    if dtype_kinds:
        wrong = (
            f"``{names[0]}`` has another dtype" if is_single else "the dtypes differ or do not fit"
        )
        errors.append(f"{wrong} (also a TypeError)")
    elif not is_single:
        errors.append("the dtypes differ (also a TypeError)")
    errors += [text for text in (result.error, fails) if text]
    lines = [line for paragraph in doc.split("\n\n") for line in [*_wrapped(paragraph, ""), ""]]
    lines += ["Args:", *_wrapped(f"    {', '.join(names)}: {inputs_text}."), "Returns:"]
    lines += _wrapped(f"    {result.text.format(x=names[0])}", "    ")
    if errors or extra:
        lines.append("Raises:")
    if errors:
        lines += _wrapped(f"    InvalidArgumentError: {'; '.join(errors)}.")
    if extra:
        lines.append(f"    ModuleNotFoundError: SciPy, of the extra ``{extra}``, is not installed.")
    return "\n".join([*lines, ""])


def _wrapped(line: str, indent: str = "        ") -> list[str]:
    """The line in lines of at most 100 characters (``textwrap`` would cost an import)."""
    lines = []
    while len(line) > 100:
        end = line.rindex(" ", 0, 101)
        lines.append(line[:end])
        line = indent + line[end + 1 :]
    return [*lines, line]


def of_dtype(kinds: str) -> str:
    """Return what an input of these kind letters has: "a floating dtype", or "any dtype"."""
    if not kinds:
        return "any dtype"
    words = _KINDS[kinds]
    return f"{'an' if words[0] in 'aeiou' else 'a'} {words} dtype"


def summary(doc: str) -> str:
    """Return the first paragraph of a docstring, in one line."""
    return " ".join(doc.strip().split("\n\n")[0].split())


def documented(result: str, raises: str = "", **parameters: str) -> Callable[[Function], Function]:
    """Return a decorator that adds the arguments, the result and the errors to a docstring."""

    def with_sections(function: Function) -> Function:
        lines = [f"    {name}: {text}.\n" for name, text in parameters.items()]
        sections = f"Args:\n{''.join(lines)}Returns:\n    {result}.\n"
        if raises:
            sections += f"Raises:\n    {raises}.\n"
        function.__doc__ = f"{function.__doc__ or ''}\n\n{sections}"
        return function

    return with_sections
