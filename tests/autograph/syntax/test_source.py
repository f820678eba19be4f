"""``source_of``: the right node, on the user's lines, or an error that says why not."""

from __future__ import annotations

import ast
import asyncio.tasks
import functools
import importlib.machinery
import linecache
import os
import subprocess
import sys
import textwrap
import types
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import gast
import pytest

from autograph.errors import NoSourceError, NotAFunctionError, UnsupportedSyntaxError
from autograph.syntax import recursion_limit as depth
from autograph.syntax.comments import Comment
from autograph.syntax.source import parse_module, source_of
from tests.support import ROOT
from tests.support.nightly import always

STDLIB = """
    argparse ast asyncio.tasks asyncio.base_events bisect cmd codecs collections configparser
    contextlib copy csv dataclasses decimal difflib enum fractions functools heapq inspect
    json.decoder logging optparse pickle random re._parser shutil statistics string subprocess
    tarfile textwrap threading tokenize traceback typing unittest.mock
""".split()
ALWAYS = ["asyncio.tasks", "dataclasses", "enum", "functools", "heapq", "textwrap"]


class Loader:
    """Writes modules into a folder and runs them."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.count = folder, 0

    def __call__(self, text: str, encoding: str = "utf-8") -> types.SimpleNamespace:
        self.count += 1
        self.path = self.folder / f"made_{self.count}.py"
        self.path.write_bytes(text.encode(encoding))
        space: dict[str, Any] = {"__name__": f"made_{self.count}"}
        exec(compile(self.path.read_bytes(), str(self.path), "exec", dont_inherit=True), space)
        return types.SimpleNamespace(**space)


@pytest.fixture
def load(tmp_path: Path) -> Loader:
    return Loader(tmp_path)


def code_objects(code: types.CodeType) -> Iterator[types.CodeType]:
    for const in code.co_consts:
        if isinstance(const, types.CodeType):
            yield const
            yield from code_objects(const)


def body_of(function: Any) -> str:
    """The body of a lambda, unparsed by Python itself."""
    return ast.unparse(gast.gast_to_ast(source_of(function).node.body))


@pytest.mark.parametrize("name", always(ALWAYS, STDLIB))
def test_every_function_of_a_module_is_found_as_in_the_whole_file(name: str) -> None:
    path = importlib.import_module(name).__file__
    text = "".join(linecache.getlines(path))
    places: dict[tuple[int, str], set[str]] = {}
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)):
            line = node.lineno
            if getattr(node, "decorator_list", []):
                line, node.decorator_list = node.decorator_list[0].lineno, []
            key = line, getattr(node, "name", "<lambda>")
            places.setdefault(key, set()).add(ast.dump(node, include_attributes=True))
    for code in code_objects(compile(text, path, "exec", dont_inherit=True)):
        if (candidates := places.get((code.co_firstlineno, code.co_name))) is not None:
            cells = tuple(types.CellType() for _ in code.co_freevars)
            source = source_of(types.FunctionType(code, {}, closure=cells))
            dump = ast.dump(gast.gast_to_ast(source.node), include_attributes=True)
            assert dump in candidates, code.co_qualname
            assert all(source.first_line <= line for line in source.comments)


TREES = {
    "a function": "def same(g): return g\n@same\ndef f(x):\n    return [x]\n",
    "one found in the whole file": "f = (\n  lambda x:\n    [x\n  ])\n",
}


@pytest.mark.parametrize("name", TREES)
def test_every_tree_is_the_callers(load: Loader, name: str) -> None:
    function = load(TREES[name]).f
    source = source_of(function)
    trees = [source.tree(), source.tree(), source_of(function).tree()]
    texts = {ast.dump(tree, include_attributes=True) for tree in trees}
    assert len(texts) == 1
    nodes = [{id(node) for node in ast.walk(tree) if hasattr(node, "lineno")} for tree in trees]
    assert not nodes[0] & nodes[1]
    assert not nodes[0] & nodes[2]
    trees[0].body = None  # as a converter may do
    assert ast.dump(gast.gast_to_ast(source_of(function).node), include_attributes=True) in texts


def test_lambdas_share_a_line(load: Loader) -> None:
    made = load("fs = lambda x: x + 1, lambda x: x + 2, lambda x: x + 1, lambda: (lambda: 5)\n")
    assert [body_of(f) for f in made.fs[:3]] == ["x + 1", "x + 2", "x + 1"]
    assert [source_of(f).node.col_offset for f in made.fs[:3]] == [5, 22, 39]
    assert body_of(made.fs[3]) == "lambda: 5"
    assert body_of(made.fs[3]()) == "5"


def test_lambdas_in_odd_places(load: Loader) -> None:
    made = load(
        textwrap.dedent(
            """\
            é = 'ü'; after_wide = lambda: é * 3
            def default(f=lambda: 1): return f
            def keep(g):
                return lambda f: (f, g)
            @keep(lambda: 2)
            def decorated(): pass
            listed = [lambda i=i: i for i in range(2)]
            broken = (
                lambda x: x
                # between
                + 10
            )
            called = dict(
                key=lambda x:
                    x or (yield),
            )['key']
            class C:
                field = lambda self: self.__hidden
            constant = lambda: None
            folded = lambda: 2 * 3 + (1)
            joined = (lambda a, /, b, *c, d=1, **e: (a) if b else (c))
            """
        )
    )
    assert body_of(made.after_wide) == "é * 3"
    assert body_of(made.default()) == "1"
    assert body_of(made.decorated[1]) == "2"
    assert body_of(made.listed[1]) == "i"
    assert body_of(made.broken) == "x + 10"
    assert source_of(made.broken).comments == {10: Comment("# between", True, 4)}
    assert body_of(made.called) == "x or (yield)"
    assert source_of(made.called).first_line == 14
    assert body_of(made.C.field) == "self.__hidden"
    assert source_of(made.C.field).class_name == "C"
    assert body_of(made.constant) == "None"
    assert body_of(made.folded) == "2 * 3 + 1"
    assert source_of(made.joined).text == "lambda a, /, b, *c, d=1, **e: (a) if b else (c)"


ODD_DEFINITIONS = {
    "one_line": "def f(x): return x;  # why\n",
    "decorators_over_lines": (
        "def d(*a):\n    return lambda f: f\n@d(\n    1,\n  2)\n@(\n    d()\n)\ndef f(\n    x\n):\n"
        "    return x\ndef g(): pass\n"
    ),
    "bracketed_first_decorator": "def d(f): return f\n@(\n    d\n)\ndef f():\n    return 1\n",
    "in_a_block": "if True:\n        def f(x):\n            return x\nelse:\n    pass\n",
    "tabs": "if True:\n\tdef f(x):\n\t\tif x:\n\t\t\treturn 1\n\t\treturn 2\n\tother = 1\n",
    "form_feeds": "x = 1\n\f\ndef f(x):\n    y = x\n\f\n    return y\n\f\nz = 2\n",
    "comment_at_the_margin": "def f(x):\n    y = 1\n# here\n    return y\n# out\nz = 1\n",
    "string_at_the_margin": "def f(x):\n    y = '''\nz = 1\n# no\n'''\n    return y\nz = 1\n",
    "string_last": "def f(x):\n    return '''\ndef g(): pass\n'''\nz = 1\n",
    "nothing_but_a_string": "def f(x):\n    '''\nlong\n    '''\nz = 1\n",
    "backslashes": "def f(x):\n    return x + \\\n1 + \\\n  2\nz = 1\n",
    "brackets_at_the_margin": "def f(x):\n    return [\n1,\n]\nz = 1\n",
    "dead_code_last": "def f(x):\n    return x\n    y = '''\nz\n'''\n    del y\nz = 1\n",
    "asynchronous": "async def f(x):\n  async with x as y:\n    return [z async for z in y]\n",
    "generator": "def f(x):\n    y = yield x\n    return y\n",
    "annotated": "def f(x: 'int' = 3, *a: 'y', **k) -> 'float':\n    return x\n",
    "no_line_end": "def f(x):\n    return x",
    "wide_letters": "é = 'üü'\ndef f(x, é=é): return 'ß', é, x\n",
    "warns": "def f(x):\n    return '\\d' + x\n",
}


@pytest.mark.parametrize("name", ODD_DEFINITIONS)
@pytest.mark.filterwarnings("error")
def test_odd_definitions(load: Loader, name: str) -> None:
    text = ODD_DEFINITIONS[name]
    if name == "warns":
        with pytest.warns(Warning, match="invalid escape"):
            made = load(text)
    else:
        made = load(text)
    source = source_of(made.f)
    expected = next(
        node
        for node in ast.walk(ast.parse(text.replace("\\d", "\\\\d")))
        if getattr(node, "name", "") == "f"
    )
    expected.decorator_list = []
    got = gast.gast_to_ast(source.node)
    assert ast.dump(got) == ast.dump(expected)
    assert (got.lineno, got.end_lineno) == (expected.lineno, expected.end_lineno)
    lines = text.split("\n")
    assert source.text.startswith(lines[source.first_line - 1])
    assert source.text.rstrip("\n") == "\n".join(lines[got.lineno - 1 : got.end_lineno])


def test_text_keeps_the_comments_that_end_the_body(load: Loader) -> None:
    made = load("def f():\n    x = 1  # one\n\n    # two\n    # three\n# out\ny = 1\n")
    source = source_of(made.f)
    assert source.text.endswith("# three\n")
    assert source.comments == {
        2: Comment("# one", False, 11),
        4: Comment("# two", True, 4),
        5: Comment("# three", True, 4),
    }


def test_strings_are_no_comments(load: Loader) -> None:
    assert source_of(load("def f():\n    return '# no', '''\n# no\n'''\n").f).comments == {}


def test_other_encodings(load: Loader) -> None:
    made = load("# coding: latin-1\nfs = 'é', lambda: 'ü', lambda: 'ß'\n", "latin-1")
    assert [body_of(f) for f in made.fs[1:]] == ["'ü'", "'ß'"]


def test_class_names(load: Loader) -> None:
    made = load(
        "class A:\n"
        "    def m(self):\n"
        "        def inner(): return lambda: [lambda: 1 for _ in (1,)]\n"
        "        class B:\n"
        "            def n(self): pass\n"
        "        return inner, B.n\n"
        "    comp = [lambda: 2 for _ in (1,)]\n"
        "def f():\n"
        "    def g(): pass\n"
        "    return g\n"
    )
    inner, n = made.A().m()
    found = [made.A.m, inner, inner(), inner()()[0], n, made.A.comp[0], made.f, made.f()]
    names = [source_of(function).class_name for function in found]
    assert names == ["A", "A", "A", "A", "B", "A", None, None]


def test_methods_and_wrappers() -> None:
    @functools.wraps(asyncio.tasks.gather)
    def wrapper(x: int) -> int:
        assert x != 12, "pytest rewrites this line"
        return x

    source = source_of(wrapper)
    assert source.node.name == "wrapper"
    assert isinstance(source.node.body[0], gast.Assert)
    method = Loader(Path()).__call__
    assert source_of(method).node.name == "__call__"


@pytest.mark.parametrize("thing", [len, int, 3, functools.partial(print)], ids=repr)
def test_no_python_code(thing: Any) -> None:
    with pytest.raises(NotAFunctionError, match="not a Python function"):
        source_of(thing)


def test_text_from_linecache() -> None:
    name, text = "<a cell>", "def f(x):\n    return x\n"
    space: dict[str, Any] = {}
    exec(compile(text, name, "exec", dont_inherit=True), space)
    with pytest.raises(NoSourceError, match="(?s)<a cell>:1: no source found for f.*exec_source"):
        source_of(space["f"])
    linecache.cache[name] = (len(text), None, text.splitlines(keepends=True), name)
    assert source_of(space["f"]).text == text
    del linecache.cache[name]


CHANGES = {
    "line_above": ("def f(x):\n    return x\n", "import os\ndef f(x):\n    return x\n"),
    "constant": ("def f(x):\n    return x + 1\n", "def f(x):\n    return x + 2\n"),
    "operator": ("def f(x):\n    return x + 1\n", "def f(x):\n    return x - 1\n"),
    "less": ("def f(x, y):\n    return x + y\n", "def f(x, y):\n    return x\n"),
    "argument": ("def f(x, y):\n    return x\n", "def f(y, x):\n    return x\n"),
    "other_name": ("def f(x):\n    return x\n", "def g(x):\n    return x\n"),
    "lambda": ("f = lambda x: x + 1\n", "f = lambda x: x + 3\n"),
    "broken": ("def f(x):\n    return x\n", "def f(x:\n"),
    "shorter": ("\n\n\ndef f(x):\n    return x\n", "\n"),
}


@pytest.mark.parametrize("name", CHANGES)
def test_file_changed(load: Loader, name: str) -> None:
    before, after = CHANGES[name]
    made = load(before)
    load.path.write_text(after)
    with pytest.raises(NoSourceError, match="(?s)has changed since (f|<lambda>) .*help: reload"):
        source_of(made.f)


def test_lines_read_before_a_change_still_fit(load: Loader) -> None:
    made = load("def f(x):\n    return x\n")
    source_of(made.f)
    load.path.write_text("def f(x):\n    return 2 * x\n")
    assert source_of(made.f).text == "def f(x):\n    return x\n"


def test_reloaded_after_a_change(load: Loader) -> None:
    source_of(load("def f(x):\n    return x\n").f)
    path, load.count = load.path, load.count - 1
    made = load("def f(x):\n    return 2 * x\n")
    assert load.path == path
    os.utime(path, (1, 1))  # another time stamp, whatever the clock's steps
    assert source_of(made.f).text == "def f(x):\n    return 2 * x\n"


def test_nested_too_deeply(load: Loader, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(depth, "LIMIT", 0)
    made = load("def f(x):\n    return " + "-" * 1100 + "x\n")
    with pytest.raises(UnsupportedSyntaxError, match="nested too deeply"):
        _ = source_of(made.f).node


NO_COLUMNS = """
import sys
sys.path.insert(0, {root!r})
from autograph.errors import NoSourceError
from autograph.syntax.source import source_of
one = lambda x: x + 1
two = lambda: 1, lambda: 2
same = [lambda: 1, lambda: 1]
def three(x): assert x; return x
assert source_of(one).text == 'lambda x: x + 1'
assert source_of(two[1]).text == 'lambda: 2'
assert source_of(same[1]).text == 'lambda: 1'
assert source_of(three).node.name == 'three'
close = [lambda: (lambda: 0 and 5), lambda: (lambda: 0 and 6)]
try:
    source_of(close[0]())
except NoSourceError as error:
    assert 'no_debug_ranges' in str(error)
else:
    raise SystemExit('not refused')
"""


@pytest.mark.parametrize("options", [["-X", "no_debug_ranges"], ["-O", "-X", "no_debug_ranges"]])
def test_without_columns(tmp_path: Path, options: list[str]) -> None:
    script = tmp_path / "script.py"
    script.write_text(NO_COLUMNS.format(root=str(ROOT)))
    done = subprocess.run([sys.executable, *options, script], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_parse_module() -> None:
    assert isinstance(parse_module("x = 1\n", "a.py"), gast.Module)
    with pytest.raises(SyntaxError) as caught:
        parse_module("x =\n", "a.py")
    assert (caught.value.filename, caught.value.lineno) == ("a.py", 1)


def test_text_given_to_exec_is_not_another_exec(monkeypatch):
    import linecache

    other = ["x = 1\n"]
    monkeypatch.setitem(linecache.cache, "<string>", (6, None, other, "<string>"))
    namespace = {}
    exec("def f(x):\n    return x", namespace)
    with pytest.raises(NoSourceError, match="no source found for f"):
        source_of(namespace["f"])


def test_code_of_no_file_does_not_keep_the_text_of_its_module():
    loader = importlib.machinery.SourceFileLoader(__name__, __file__)
    namespace = {"__name__": __name__, "__file__": __file__, "__loader__": loader}
    exec(compile("def made(x):\n    return x\n", "made up 1", "exec"), namespace)
    with pytest.raises(NoSourceError):
        source_of(namespace["made"])
    assert "made up 1" not in linecache.cache


def test_a_name_under_which_there_is_another_text():
    namespace = {"__name__": "made"}
    exec(compile("def made(x): return x", "<another>", "exec"), namespace)
    text = "\n# nothing\n"
    linecache.cache["<another>"] = len(text), None, text.splitlines(True), "<another>"
    try:
        with pytest.raises(NoSourceError):
            source_of(namespace["made"])
    finally:
        del linecache.cache["<another>"]
