"""What goes with a function to processes that do not have its file."""

from __future__ import annotations

import types

import pytest

from autograph.syntax.exec_source import exec_source
from autograph.syntax.sent_source import keep_texts, source_to_send
from autograph.syntax.source import source_of

factor = 3
items = [1]


def of_a_text(text, **names):
    """The function `f` of a program whose file is nowhere else."""
    namespace = {"__name__": "__main__", **names}
    exec(compile(text, "/nowhere/program.py", "exec"), namespace)
    return namespace["f"]


def test_the_text_is_found_where_the_file_is_not():
    text = "def g(x):\n    return x\n\ndef f(x):\n    return g(x) + 1\n"
    function = of_a_text(text)
    renamed = function.__code__.replace(co_filename="<dynamic-code>")
    arrived = types.FunctionType(renamed, {"__name__": "__main__"})
    keep_texts({"/nowhere/program.py": text.replace("1", "2")})
    keep_texts({"/nowhere/program.py": text})
    keep_texts({"/nowhere/other.py": "def f(x):\n    return x\n"})
    source = source_of(arrived)
    assert source.text == "def f(x):\n    return g(x) + 1\n"
    assert (source.filename, source.first_line) == ("/nowhere/program.py", 4)


def test_texts_of_all_that_it_leads_to():
    def inner(x):
        return x * factor

    def outer(x):
        return inner(x), source_of(x), len(items)

    texts = source_to_send(outer).texts
    assert list(texts) == [__file__] and "def of_a_text" in texts[__file__]
    namespace = {"__name__": "__main__"}
    exec_source("class C:\n    def m(self): return 1\n", namespace, "cell 1")
    instance = namespace["C"]()
    for holder in (instance, instance.m, [instance], {"k": namespace["C"]}):
        assert {*source_to_send(lambda x, holder=holder: holder).texts} == {__file__, "cell 1"}


@pytest.mark.parametrize(
    ("text", "names", "is_fixed"),
    [
        ("def f(x): return x * n", {"n": 3}, True),
        ("def f(x, n=(1, 'a')): return g(x)", {"g": len}, True),
        ("def f(x): return types.CodeType", {"types": types}, True),
        ("def f(x): return n[0]", {"n": [3]}, False),
        ("def f(x, n=[]): return n", {}, False),
        ("def f(x):\n    global n\n    n = x", {"n": 3}, False),
        ("def f(x): return f(x - 1)", {}, False),
        ("def f(x): return n", {"n": object()}, False),
        ("f = (lambda n: lambda x: x * n)(3)", {}, True),
        ("def f(x):\n    n = 0\n    def g():\n        nonlocal n\n        n += x\n    return g",
         {}, True),
        ("def h():\n    n = 0\n    def f():\n        nonlocal n\n        n += 1\n    return f\n"
         "f = h()", {}, False),
    ],
)  # fmt: skip
def test_the_digest_says_whether_copies_are_one(text, names, is_fixed):
    digests = [source_to_send(of_a_text(text, **names)).digest for _ in range(2)]
    assert (digests[0] is not None) == is_fixed and digests[0] == digests[1]


PROGRAMS = [
    "def f(x): return x * 3", "def f(x): return x * 4", "def f(x): return x * 3.0",
    "def f(x): return x + 3", "def f(y): return y * 3", "def f(x=3): return x * 3",
    "def f(x=True): return x * 3", "def f(x=1): return x * 3", "\ndef f(x): return x * 3",
    "f = (lambda n: lambda x: x * n)(3)", "f = (lambda n: lambda x: x * n)(4)",
    "n = 3\ndef f(x): return x * n", "n = 4\ndef f(x): return x * n",
    "def g(x): return 3\ndef f(x): return g(x)", "def g(x): return 4\ndef f(x): return g(x)",
]  # fmt: skip


def test_functions_of_other_parts_have_other_digests():
    digests = [source_to_send(of_a_text(text)).digest for text in PROGRAMS]
    assert None not in digests and len(set(digests)) == len(PROGRAMS)
