"""Conversion of a module's text: what is rewritten, and that nothing else is touched."""

from __future__ import annotations

import ast
import linecache
import sysconfig
import warnings
from pathlib import Path

import gast
import pytest

from autograph.conversion import module_source as files
from autograph.conversion.module_source import (
    IMPORT,
    FileError,
    builtin_test,
    convert_bytes,
    convert_text,
)
from autograph.syntax.modules import is_docstring
from autograph.syntax.source import parse_module
from tests.support.nightly import diagonal

LOOP = "def f(n):\n    while n > 1:\n        n = n - 1\n    return n\n"


def loaded(text: str | bytes) -> dict:
    """The namespace of a module's text."""
    namespace = {"__name__": "converted", "__file__": __file__}
    exec(compile(text, "converted.py", "exec"), namespace)
    return namespace


# What stays


@pytest.mark.parametrize(
    "text",
    [
        "",
        "\n\n# nothing\n",
        '"""Only a docstring."""',
        "x = 1; y = [f(i) for i in range(3)]\n",
        "def f(a, b=1):\n    return a  # as it is\n",
        "class A:\n  def f(self): return  self . x\n",
        "if 1: x = lambda a: a if a else 1\n",
        "def f():\r\n\t'''doc'''\r\n",
        "\f\ndef f(): pass",
    ],
)
def test_without_anything_to_convert_the_text_stays(text: str) -> None:
    assert convert_text(text, "m.py") == text
    assert convert_bytes(text.encode(), "m.py") == text.encode()


def test_all_but_the_body_stays() -> None:
    text = (
        "#!/usr/bin/env python\n"
        "# -*- coding: utf-8 -*-\n"
        '"""Module."""\n'
        "\n"
        "import   os\n"
        "x = [ 1,2 ]  # odd  spacing\n"
        "\n\n\n"
        "# about f\n"
        "@ staticmethod\n"
        "def f( a : int=  max(1, 2), *, key = lambda v: (v if v else 1) ) -> 'text':  # header\n"
        "  # before\n"
        '  """Doc.\n'
        "      indented\n"
        '  """  # behind\n'
        "  if a:\n"
        "    a = 1\n"
        "  return a\n"
        "  # end of f\n"
        "# between\n"
        "y = f\n"
        "def untouched( a ): return  a\n"
    )
    converted = convert_text(text, "m.py")
    head, _, rest = text.partition("  if a:\n")
    tail = "  # end of f\n" + rest.partition("  # end of f\n")[2]
    expected_head = head.replace('"""Module."""\n', f'"""Module."""\n\n{IMPORT}\n')
    assert converted.startswith(expected_head)
    assert converted.endswith(tail)
    body = converted[len(expected_head) : -len(tail)]
    assert all(line.startswith("  ") for line in body.splitlines())
    assert "ag__.if_stmt(a," in body


def test_comments_inside_a_body_stay() -> None:
    converted = convert_text(
        "def f(a):  # one\n    # two\n    if a:  # three\n        # four\n"
        "        a = 1\n    return a  # five\n",
        "m.py",
    )
    assert [converted.count(f"# {word}") for word in "one two three four five".split()] == [1] * 5


@pytest.mark.parametrize("ending", ["\r\n", "\r", "\n"])
def test_line_ends_stay(ending: str) -> None:
    text = f'"""Doc."""\nx = 1\n{LOOP}y = """a\nb"""\n'.replace("\n", ending)
    converted = convert_text(text, "m.py")
    assert IMPORT in converted
    assert not {"\n", "\r"} & set(converted.replace(ending, ""))
    assert loaded(converted)["f"](5) == 1


def test_a_file_may_end_without_a_line_end() -> None:
    converted = convert_text(LOOP.rstrip("\n"), "m.py")
    assert not converted.endswith("\n")
    assert loaded(converted)["f"](5) == 1


@pytest.mark.parametrize("unit", ["\t", "  ", "        ", "   "])
def test_indentation_is_the_users(unit: str) -> None:
    text = (
        "class A:\n1def f(self, n):\n2'''Doc.'''\n2def g():\n3'''In\n    ner.'''\n3return n\n"
        "2if n:\n3n = -n\n2return g()\n"
    )
    for level in "321":
        text = text.replace(f"\n{level}", "\n" + unit * int(level))
    converted = convert_text(text, "m.py")
    for line in converted.splitlines():
        bare = line.lstrip("\t ")
        if bare and bare != "ner.'''" and bare != 'ner."""':
            assert line == unit * line[: len(line) - len(bare)].count(unit) + bare
    assert loaded(converted)["A"]().f(3) == -3
    assert "In\n    ner." in converted


# Where functions stand


@pytest.mark.parametrize(
    "text",
    [
        "def f(n): return n if n else 7",
        "def f(n): n = n if n else 7; return n;  # comment",
        "def f(n): 'Doc'; return n or 7",
        "def f(n):\n    'Doc'; return n or 7\n",
        "def f(n): return (n or\n  7)\nx = 1\n",
        "def f(\n  n, m={1: lambda: 2}, *a: [1, 2][0:1]) -> lambda: 3: return n or 7",
        "if True:\n  def f(n): return n or 7\nelse: pass",
        "try:\n\tdef f(n):\n\t\tif n: return n\n\t\treturn 7\nfinally: x = 1",
        "for i in [1]:\n  def f(n):\n    return n or \\\n  7\n",
        "with open(__file__) as x:\n    def f(n):\n        return n or 7\n\n    y = 1",
        "def f(n):\n  return n or 7\n  # end\n\n  # more\nx = 1",
        "def f(n):\n  return n or 7;\n",
        "match 1:\n  case 1:\n    def f(n):\n      return n or 7\n",
        "def f(n):\n    @(lambda g: g)\n    def g():\n        return n or 7\n    return g()",
        "@(lambda g: g)\n# about f\n@(lambda g:\n  g)\ndef f(n): return n or 7",
        "ä = 'ö'; ü = 1\ndef f(n, ß='ä ö ü'): ß = 'ü'; return n or 7  # ä\n",
        "def f(n):\n  '''ä\n  ö''' ; return n or 7",
        "def f(n):\n  x = '''ä\n  ö'''\n  return n or 7 if x == 'ä\\n  ö' else x",
    ],
)
def test_function(text: str) -> None:
    converted = convert_text(text, "m.py")
    assert "ag__." in converted
    f = loaded(converted)["f"]
    assert (f(5), f(0)) == (5, 7)
    assert f.__doc__ == loaded(text)["f"].__doc__


def test_methods_of_nested_classes() -> None:
    text = (
        "class A:\n"
        "    x = 3\n"
        "    class B:\n"
        "        __p = 4\n"
        "        y = 1\n"
        "        def f(self, default=y or x):\n"
        "            return self.__p or default\n"
        "        @property\n"
        "        def g(self): return self.f() and 5\n"
        "    def h(self, n=x or 9):\n"
        "        if n == 3:\n"
        "            return super().__repr__()\n"
        "        return n\n"
    )
    namespace = loaded(convert_text(text, "m.py"))
    a = namespace["A"]()
    assert (a.B().f(), a.B().g, a.h(4)) == (4, 5, 4)
    assert a.h().startswith("<converted.A object")


def test_generators_and_coroutines() -> None:
    text = (
        "def f(n):\n    for i in range(n):\n        if i % 2: yield i or 1\n"
        "async def g(n):\n    if n: n = await h(n)\n    return n or 2\n"
        "async def h(n): return n and 6\n"
    )
    namespace = loaded(convert_text(text, "m.py"))
    assert list(namespace["f"](6)) == [1, 3, 5]
    coroutine = namespace["g"](3)
    with pytest.raises(StopIteration) as stopped:
        coroutine.send(None)
    assert stopped.value.value == 6


# The import


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("", "{}\n\n\n"),
        ('"""Doc."""\n', '"""Doc."""\n\n{}\n'),
        ('"""Doc.\n\n"""\n\nimport os\n', '"""Doc.\n\n"""\n\n{}\n\nimport os\n'),
        ("from __future__ import annotations\n", "from __future__ import annotations\n{}\n"),
        (
            '"""D"""; from __future__ import annotations; x = 1\n',
            '"""D"""; from __future__ import annotations; {}; x = 1\n',
        ),
        ('"""D""" ; x = 1  # c\n', '"""D"""; {} ; x = 1  # c\n'),
        (
            "from __future__ import (annotations,\n  division) ;  # c\n",
            "from __future__ import (annotations,\n  division) ;  # c\n{}\n",
        ),
        ("# coding: utf-8\n", "# coding: utf-8\n{}\n\n\n"),
        ("#!/bin/x\n# coding: utf-8\nimport os\n", "#!/bin/x\n# coding: utf-8\n{}\nimport os\n"),
        ("# Licence\n\n# about f\n", "# Licence\n\n{}\n\n\n# about f\n"),
        ("# Licence\n\n@ (lambda f: f)\n", "# Licence\n\n{}\n\n\n@ (lambda f: f)\n"),
        ("x = 1; y = 2\n", "{}\nx = 1; y = 2\n"),
        ("\\\nx = 1\n", "\\\n{}\nx = 1\n"),
        ("f'not a docstring'\n", "{}\nf'not a docstring'\n"),
        ("import __future__\n", "{}\nimport __future__\n"),
    ],
)
def test_place_of_the_import(before: str, after: str) -> None:
    converted = convert_text(before + LOOP, "m.py")
    assert converted.startswith(after.format(IMPORT))
    assert loaded(converted)["f"](3) == 1
    assert ast.get_docstring(ast.parse(converted)) == ast.get_docstring(ast.parse(before + LOOP))


def test_converting_twice_is_converting_once() -> None:
    converted = convert_text(LOOP, "m.py")
    assert convert_text(converted, "m.py") == converted


def test_functions_of_a_converted_file_are_not_converted_again() -> None:
    import autograph

    f = loaded(convert_text(LOOP, "m.py"))["f"]
    assert autograph.to_graph(f) is f


def test_a_star_import_of_a_converted_file_changes_nothing() -> None:
    import autograph

    converted = loaded(convert_text(LOOP, "m.py"))
    text = "def g(n):\n    return n or 7\n"
    linecache.cache["star.py"] = (len(text), None, text.splitlines(True), "star.py")
    namespace = {**converted, "__name__": "star"}
    exec(compile(text, "star.py", "exec"), namespace)
    graph = autograph.to_graph(namespace["g"])
    assert graph is not namespace["g"]
    assert graph(0) == 7


# Names


def test_which_names_are_builtins() -> None:
    tree = parse_module(
        "import os.path as open, sys.x\nfrom m import len as abs\nlist = 1\n"
        "def dict(int): str = 1\n"
        "class A:\n  tuple = 1\n  def set(self):\n    global sum\n    sum = 1\n"
        "for max in []: pass\ntry: pass\nexcept E as min: pass\n"
        "match 1:\n  case {**all}: pass\n  case [*any]: pass\n  case 1 as map: pass\n"
        "if (zip := 1): pass\n",
        "m.py",
    )
    is_builtin = builtin_test(tree)
    bound = ["open", "abs", "list", "dict", "sum", "max", "min", "all", "any", "map", "zip", "sys"]
    assert [name for name in bound if is_builtin(name)] == []
    free = ["len", "int", "str", "tuple", "set", "super", "locals"]
    assert [name for name in free if not is_builtin(name)] == []
    assert not is_builtin("no_such_builtin")


# Encodings


@pytest.mark.parametrize(
    "data",
    [
        b"# coding: latin-1\nx = '\xe4'\n" + LOOP.encode(),
        b"\xef\xbb\xbfx = '\xc3\xa4'\n" + LOOP.encode(),
        "# -*- coding: cp1252 -*-\nx = 'ä'\n".encode("cp1252") + LOOP.encode(),
        "# vim: set fileencoding=shift_jis :\nx = 'あ'\n".encode("shift_jis") + LOOP.encode(),
    ],
)
def test_the_encoding_stays(data: bytes) -> None:
    converted = convert_bytes(data, "m.py")
    assert loaded(converted)["x"] == loaded(data)["x"]
    assert loaded(converted)["f"](4) == 1
    assert converted.split(b"x = ")[1].startswith(data.split(b"x = ")[1].partition(b"\n")[0])


def test_escapes_that_the_encoding_lacks() -> None:
    data = b"# coding: latin-1\ndef f(n):\n    return '\\u20ac' if n else 1\n"
    assert loaded(convert_bytes(data, "m.py"))["f"](1) == "\u20ac"


# Errors


@pytest.mark.parametrize(
    ("data", "text"),
    [
        (b"def f(:\n  pass\n", "m.py:1:7: invalid syntax"),
        (b"x = 1\n  y = 2\n", "m.py:2:"),
        (b"x = 1\nreturn 1\n", "m.py:2:1: 'return' outside function"),
        (b"x\n\ny = '\xff'", "m.py:3:6: byte 0xff is not utf-8; save the file as UTF-8"),
        (b"'\xc3\xa4' '\xff'", "m.py:1:6: byte 0xff is not utf-8"),
        (b"# coding: ascii\nx = '\xe4'", "m.py:2:6: byte 0xe4 is not ascii"),
        (b"# coding: rot13\n", "m.py:1: "),
        (b"# coding: no-such\n", "m.py:1: unknown encoding: no-such; name an encoding"),
        (b"# coding: undefined\nx = 1\n", "m.py:1: "),
        (b"# coding: punycode\nx = 1\n", "m.py:1:"),
        (b"\xef\xbb\xbf# coding: latin-1\n", "m.py:1: encoding problem: utf-8"),
        (b"x = 1\n\0", "m.py:2: not Python source: a NUL byte, so the file is binary"),
        (b"\x7fELF\0\0\xff", "m.py:1: not Python source"),
        (b"x = 1\nag__ = 2\n", "m.py:2:1: the name ag__ is reserved for the operators"),
        (b"def f():\n  import ag__\n", "m.py:2:10: the name ag__"),
    ],
)
def test_error(data: bytes, text: str) -> None:
    with pytest.raises(FileError) as raised:
        convert_bytes(data, "m.py")
    assert str(raised.value).startswith(text)
    assert "\n" not in str(raised.value)


def test_nested_too_deeply() -> None:
    with pytest.raises(FileError, match="m.py"):
        convert_bytes(b"def f(x):\n    return " + b"-" * 100_000 + b"x", "m.py")


# Everything else, on real files


def marked(node: gast.FunctionDef, features: object, is_builtin: object) -> None:
    """Stands in for a conversion: adds the statement ``ag__`` to the function."""
    mark = gast.parse("ag__").body[0]
    for part in (mark, mark.value):
        gast.copy_location(part, node.body[0])
    has_docstring = is_docstring(node.body[0])
    if len(node.body) == 1 and has_docstring:
        node.body.append(mark)
    else:
        node.body.insert(int(has_docstring), mark)


class Unmarked(ast.NodeTransformer):
    """Takes out what ``marked`` and the import added."""

    def visit_Expr(self, node: ast.Expr) -> ast.Expr | None:
        self.generic_visit(node)
        is_mark = isinstance(node.value, ast.Name) and node.value.id == "ag__"
        return None if is_mark else node

    def visit_ImportFrom(self, node: ast.ImportFrom) -> ast.ImportFrom | None:
        return None if node.module == "autograph" else node


REAL = ["argparse", "dataclasses", "inspect", "textwrap", "typing", "zipfile"]


@pytest.mark.parametrize("name, ending", diagonal(REAL, ["\n", "\r\n"]))
def test_only_bodies_change(name: str, ending: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every function of a real module gets a mark; without the marks it is the same module."""
    path = Path(sysconfig.get_path("stdlib"), f"{name}.py")
    if not path.exists():
        path = path.with_suffix("") / "__init__.py"
    monkeypatch.setattr(files.pipeline, "convert", marked)
    text = path.read_text("utf-8").replace("\n", ending)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        tree, converted = ast.parse(text), ast.parse(convert_text(text, str(path)))
    marks = sum(isinstance(n, ast.Name) and n.id == "ag__" for n in ast.walk(converted))
    functions = sum(1 for _ in files.ModuleText(text, str(path)).functions())
    assert marks == functions > 10
    assert ast.dump(Unmarked().visit(converted)) == ast.dump(tree)
