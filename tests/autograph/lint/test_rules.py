"""What the rules of `autograph check` find in a function, and what they let pass."""

from __future__ import annotations

import sysconfig
import warnings
from pathlib import Path

import pytest

from autograph.conversion.module_source import FileError
from autograph.lint.modules import check_bytes, chosen
from tests.autograph.lint.test_codes import found
from tests.support import nightly

# Each case: the codes, in order, and the body of a function of n, xs and flag=True.
CASES = {
    # staying statements
    "yield in a loop over a range": ("AG101", "for i in range(n):\n    x = yield i"),
    "yield in a loop over a list": ("", "for x in xs:\n    yield x"),
    "nested tests around a yield": ("AG101", "if n > 0:\n    if n > 1:\n        x = yield 1"),
    "yield under a switch": ("", "if flag:\n    yield 1"),
    "yield under a test of type": ("", "if isinstance(n, int):\n    yield n - 1"),
    "yield under a comparison with text": ("", "if n == 'a':\n    yield 1"),
    "return from a generator": ("AG101", "if n > 0:\n    return\nx = yield 1"),
    "yield in a function inside": ("", "if n > 0:\n    def g():\n        yield 1"),
    "yield beside": ("", "if n > 0:\n    n = 1\nyield n"),
    "yield in an expression": ("", "y = yield\nn = n + 1 if n > 0 else y"),
    "locals": ("AG103", "while n > 0:\n    n -= len(locals())"),
    "own function named eval": ("AG103", "def eval(x):\n    return x\nif n > 0:\n    n = eval(n)"),
    "attribute named exec": ("", "if n > 0:\n    xs.exec('a')"),
    "return in finally": (
        "", "try:\n    n = n + 1\nfinally:\n    if n > 0:\n        return 1"),
    "loop inside of finally": (
        "", "try:\n    pass\nfinally:\n    while n > 0:\n        n -= 1\n        break"),
    "certain class body": ("", "class A:\n    if flag:\n        x = 1"),
    "class body in a loop": ("AG105", "class A:\n    for k in range(n):\n        x = k"),
    "named in first operand": ("", "if (m := n) > 0 and m < 5:\n    return m"),
    "named in a lambda": ("", "if n > 0 and (lambda: (m := 1))():\n    return 1"),
    # effects
    "set in a loop": ("", "s = {1}\nwhile n > 0:\n    s.discard(n)\n    n -= 1"),
    "set made in the branch": ("", "if n > 0:\n    s = set()\n    s.add(1)"),
    "set behind an early return": ("", "s = set()\nif n > 0:\n    return 1\ns.add(1)"),
    "set behind a branch": ("", "s = set()\nif n > 0:\n    n = 1\ns.add(1)"),
    "set behind a loop that breaks": (
        "", "s = set()\nwhile n > 0:\n    n -= 1\n    if n > 5:\n        break\ns.add(n)"),
    "set behind continue": (
        "", "s = set()\nfor x in xs:\n    if n > 5:\n        continue\n    s.add(1)"),
    "add of something else": ("", "if n > 0:\n    xs.add(1)"),
    "discard of an attribute": ("AG202", "if n > 0:\n    xs.seen.discard(1)"),
    "bytearray item": ("AG202", "b = bytearray(3)\nif n > 0:\n    b[0] = 1"),
    "list item": ("", "b = [1, 2]\nif n > 0:\n    b[0] = 1"),
    "set under a switch": ("", "s = set()\nif flag:\n    s.add(1)"),
    "random": ("AG203", "import random\nwhile n > 0:\n    n -= random.random()"),
    "random by another name": ("AG203", "from random import choice as c\nif n > 0:\n    n = c(xs)"),
    "random outside": ("", "import random\nk = random.random()\nif n > 0:\n    n = k"),
    "open": ("AG203", "if n > 0:\n    open('a')"),
    "own function named open": ("", "def open(x):\n    return x\nif n > 0:\n    open('a')"),
    "file": ("AG203", "with open('a') as f:\n    if n > 0:\n        f.write('a')"),
    "file that is only read outside": (
        "", "f = open('a')\ntext = f.read()\nif n > 0:\n    n = len(text)"),
    "method named open": ("", "if n > 0:\n    xs.open('a')"),
    # joins
    "text and number": ("AG301", "y = 1\nif n > 0:\n    y = 'a'\nreturn y"),
    "text and number, not used": ("", "if n > 0:\n    y = 'a'\nelse:\n    y = 1"),
    "number and float": ("", "if n > 0:\n    y = 1\nelse:\n    y = 0.5\nreturn y"),
    "bool and number": ("AG301", "y = False\nwhile n > 0:\n    y = 1\n    n -= 1\nreturn y"),
    "expression": ("AG301", "return 1 if n > 0 else 'a'"),
    "expression under a switch": ("", "return 1 if flag else 'a'"),
    "None and number": ("", "if n > 0:\n    y = None\nelse:\n    y = 1\nreturn y"),
    "returned": ("AG301", "if n > 0:\n    return 1\nelse:\n    return 'a'"),
    "lists of different lengths": ("AG302", "if n > 0:\n    return [1]\nreturn [1, 'a']"),
    "lists of unknown length": ("", "if n > 0:\n    return [*xs]\nreturn [1, 2]"),
    "tuple and list": ("AG301", "if n > 0:\n    return [1]\nreturn (1,)"),
    # values
    "item of something else": ("", "return xs.item()"),
    "item with an argument": ("", "n = n - 1\nreturn n.item(0)"),
    "math of a list": ("", "import math\nreturn math.fsum(xs)"),
    "math of a constant": ("", "import math\nreturn math.sqrt(2) * n"),
    "own math": ("", "math = xs\nn -= 1\nreturn math.sqrt(n)"),
    "set of numbers": ("AG404", "n -= 1\nreturn {n, 1}"),
    "dict of numbers": ("", "n -= 1\nreturn {'a': n}"),
}


@pytest.mark.parametrize("case", CASES)
def test_rule(case: str) -> None:
    codes, body = CASES[case]
    lines = "".join(f"    {line}\n" for line in body.split("\n"))
    assert found(f"def f(n, xs, flag=True):\n{lines}") == codes.split()


@pytest.mark.parametrize(
    ("parameters", "codes"),
    [
        ("n", "AG202"), ("n: int", "AG202"), ("n: 'float | None'", "AG202"),
        ("n: tf.Tensor", "AG202"), ("n: str", ""), ("n: list[int]", ""), ("n: 'str | None'", ""),
        ("n: Optional[str]", ""), ("n: Optional[int]", "AG202"), ("n=False", ""), ("n=''", ""),
        ("n=0", "AG202"), ("*n", ""), ("*, n=None", "AG202"),
    ],
)  # fmt: skip
def test_parameters(parameters: str, codes: str) -> None:
    text = f"def f({parameters}):\n    s = bytearray(1)\n    if n > 0:\n        s[0] = 1\n"
    assert found(f"from typing import Optional\n{text}") == codes.split()


@pytest.mark.parametrize(
    "use", ["n.strip()", "n['a']", "n()", "'a' in n", "n + 'a'", "isinstance(n, A)", "n == 'x'"]
)
def test_one_use_as_something_else_is_enough(use: str) -> None:
    text = "def f(n):\n    s = bytearray(1)\n    if n > 0:\n        s[0] = 1\n"
    assert found(text) == ["AG202"]
    assert found(f"{text}    return {use}\n") == []


def test_what_a_text_picks_is_no_number() -> None:
    text = "def f(rows):\n    s = bytearray(1)\n    if rows[0]{} > 0:\n        s[0] = 1\n"
    assert found(text.format("")) == ["AG202"]
    assert found(text.format("['a']")) == []


def test_strict_takes_every_parameter() -> None:
    text = "def f(xs):\n    b = bytearray(1)\n    for x in xs:\n        if x:\n            b[0] = 1"
    assert found(text) == []
    assert found(text, strict=True) == ["AG202"]


def test_inner_functions_know_the_variables_around() -> None:
    text = "def f(n):\n    n = n - 1\n    def g():\n        if n > 0:\n            x = yield 1\n"
    assert found(text) == ["AG101"]
    assert found(text.replace("def g()", "def g(n)").replace("n > 0", "n")) == []


def test_methods_and_module_level() -> None:
    body = "s = bytearray(1)\nif n > 0:\n    s[0] = 1\n"
    inner = "".join(f"    {line}\n" for line in body.splitlines())
    deeper = "".join(f"    {line}\n" for line in inner.splitlines())
    assert found(f"n = 3\n{body}") == []
    assert found(f"class A:\n    def f(self, n):\n{deeper}") == ["AG202"]
    assert found(f"class A:\n    def f(n):\n{deeper}") == []
    assert found(f"class A:\n    @staticmethod\n    def f(n):\n{deeper}") == ["AG202"]


@pytest.mark.parametrize(
    ("comment", "codes"),
    [
        ("", "AG202"), ("# noqa", ""), ("# why # NOQA", ""), ("# noqa: AG202", ""),
        ("# noqa: E501, AG202", ""), ("# noqa: AG2", ""), ("# noqa:AG101", "AG202"),
        ("# no qa", "AG202"),
    ],
)  # fmt: skip
def test_noqa(comment: str, codes: str) -> None:
    text = f"def f(n):\n    s = bytearray(1)\n    if n > 0:\n        s[0] = 1  {comment}\n"
    assert found(text) == codes.split()


def test_messages_and_places() -> None:
    text = "def f(n):\n\ts = bytearray(1); ä = 1\n\twhile ä and not n > 0:\n\t\t'ä'; s[0] = 1\n"
    (problem,) = check_bytes(text.encode(), "m.py", {"AG202"})
    assert problem.message == "if 'n > 0' (line 3) is staged, 's', a bytearray, cannot change here"
    assert (problem.line, problem.column, problem.end_column) == (4, 8, 12)
    assert problem.text == "\t\t'ä'; s[0] = 1"


def test_chosen_codes() -> None:
    usual = chosen((), ())
    assert "AG202" in usual and "AG405" not in usual
    assert "AG405" in chosen(("AG4",), ())
    assert chosen(("AG2",), ("AG203",)) == {"AG202"}
    with pytest.raises(ValueError, match="XX"):
        chosen((), ("XX",))


def test_what_is_not_python() -> None:
    with pytest.raises(FileError, match="m.py:1:5: invalid syntax"):
        check_bytes(b"x = = 1", "m.py", {"AG202"})


def test_the_standard_library_is_nearly_free_of_findings() -> None:
    """Fewer than one in 1,500 lines: ordinary Python is not to be nagged."""
    lines = number = 0
    folder = Path(sysconfig.get_path("stdlib"))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for path in folder.glob("[a-c]*.py" if nightly.EVERYTHING else "co*.py"):
            data = path.read_bytes()
            lines += data.count(b"\n")
            number += len(check_bytes(data, str(path), chosen((), ())))
    assert lines > (10_000 if nightly.EVERYTHING else 4_000)
    assert number * 1500 < lines
