"""``emit``: the text parses back to the same tree, reads well, and keeps the comments."""

from __future__ import annotations

import ast
import math
import sys
import sysconfig
import textwrap
import tokenize
import warnings
from pathlib import Path

import gast
import pytest
from hypothesis import given
from hypothesis import strategies as st

from autograph.syntax.comments import comments_of
from autograph.syntax.emit import emit
from autograph.syntax.source import parse_module
from tests.support.nightly import always

STDLIB = Path(sysconfig.get_path("stdlib"))
FILES = """
    _pydecimal.py _weakrefset.py abc.py argparse.py ast.py asyncio/streams.py asyncio/taskgroups.py
    asyncio/tasks.py base64.py bdb.py calendar.py codecs.py collections/__init__.py colorsys.py
    contextlib.py copy.py dataclasses.py difflib.py email/header.py encodings/cp037.py enum.py
    fractions.py functools.py gettext.py graphlib.py heapq.py html/entities.py inspect.py
    json/encoder.py keyword.py opcode.py operator.py pathlib.py pickletools.py pprint.py random.py
    re/_parser.py reprlib.py selectors.py sre_compile.py statistics.py string.py textwrap.py this.py
    token.py tokenize.py turtledemo/clock.py types.py typing.py unittest/mock.py urllib/parse.py
    uuid.py wsgiref/headers.py xml/dom/minidom.py zipapp.py
    test/test_fstring.py test/test_grammar.py test/test_patma.py test/test_exception_group.py
    test/test_except_star.py test/test_type_params.py test/test_unparse.py test/test_asyncgen.py
    test/test_named_expressions.py test/test_unpack_ex.py test/test_string_literals.py
""".split()
ALWAYS = """
    argparse.py asyncio/tasks.py enum.py functools.py heapq.py json/encoder.py textwrap.py
    test/test_fstring.py test/test_patma.py test/test_except_star.py test/test_type_params.py
    test/test_unparse.py test/test_string_literals.py
""".split()


def assert_same(text: str) -> str:
    """Emit what ``text`` parses to; the result must parse to the same."""
    emitted = emit(parse_module(text, "<test>"))
    assert ast.dump(ast.parse(emitted)) == ast.dump(ast.parse(text)), emitted
    assert emitted.endswith("\n")
    return emitted


@pytest.mark.parametrize("name", always(ALWAYS, [f for f in FILES if (STDLIB / f).exists()]))
def test_a_file_of_the_standard_library(name: str) -> None:
    with tokenize.open(STDLIB / name) as file:
        text = file.read()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert_same(text)
        comments = comments_of(text)
        emitted = emit(parse_module(text, name), comments)
        assert ast.dump(ast.parse(emitted)) == ast.dump(ast.parse(text))
    kept = sorted(comment.text for comment in comments_of(emitted).values())
    assert kept == sorted(comment.text for comment in comments.values())


# Texts that come back as they are.
SAME = {
    "precedence": """\
        x = a + b * c - (d - e)
        x = (a + b) * c ** -d ** e
        x = (-a) ** b
        x = -a ** b
        x = not a == b
        x = (not a) == b
        x = (a and b or c) and (d or e)
        x = a and (b and c)
        x = (a < b) < c < d
        x = a if b else c if d else e
        x = (a if b else c) if (d if e else f) else g
        x = (lambda: a) if b else lambda: c
        x = yield
        x = await a ** b
        x = (await a)(b)
        x = a << b | c & ~d ^ e
        x = (a, *b)[0].c
        x = (1).real + 1.5.real
        x = (-1).real
        x = [*a, *b | c]
        x = f(*a, *(b or c), d=e, **g)
        x = f((y := 1), z=(y := 2))
        x = a @ b // c % d
        """,
    "slices": """\
        a[1:2, ::3]
        a[b:c]
        a[:]
        a[::-1]
        a[1,]
        a[()]
        a[*b]
        a[*b, c]
        a[(x := 1)]
        a[(b, c), d]
        a[b:c, ..., None]
        """,
    "tuples": """\
        x, y = y, x
        x, *y = z
        (x,) = y
        x = ()
        for x, y in z:
            pass
        for x in (1, 2):
            pass
        return_ = [x for x, y in z]
        x = y = 1, 2
        x[1, 2] = 3, *y
        del (x, y), z
        """,
    "functions": """\
        def f(a, b: int, /, c, d=1, *e: str, g, h: int = 2, **i: x) -> y | None:
            return a, *b


        def f(*, a):
            yield a, b
            x = yield
            x = yield from a
            return


        @a.b(c)
        @lambda f: f
        @x[0]
        async def f():
            async with a as b, c as (d, e):
                return [x async for x in y if await z if (lambda: 1)]
            async for x, y in z:
                await x
            else:
                pass


        f = lambda a, /, b=1, *c, d, **e: (yield)
        f = lambda *, a=1: a
        """,
    "classes": """\
        class A:
            pass


        @b
        class A(B, metaclass=C):
            x: int
            y: int = 1
            (z): int = 2
            x.y: int

            def f(self):
                pass

            def g(self):
                def h():
                    pass
                return h

            w = 1
        """,
    "statements": """\
        import a.b as c, d
        from . import e
        from ..f import *
        from g import h as i
        x += 1
        x **= yield
        x: int = 1, 2
        assert a, (b, c)
        assert (a, b)
        raise
        raise A from b
        global j, k
        if a:
            pass
        elif b:
            pass
        else:
            if c:
                pass
            d
        while x := f():
            break
        else:
            continue
        with a, b as c:
            pass
        with ((a, b)):
            pass
        with (a, b) as c:
            pass
        with (yield):
            pass
        try:
            pass
        except (A, B) as e:
            pass
        except C:
            raise
        except:
            pass
        else:
            pass
        finally:
            pass
        try:
            pass
        except* A as e:
            pass
        """,
    "match": """\
        match (a, b):
            case 1 | -1.5 | 1 + 2j | 'x' | None:
                pass
            case [a, [b, *_], *c] if x := a:
                pass
            case {'k': v, a.b: c | d as e, **rest}:
                pass
            case {}:
                pass
            case [A(), b.C(x, y=1 | 2, z=[])]:
                pass
            case (a as b) as c:
                pass
            case {**rest}:
                pass
            case _:
                pass
        """,
    "displays": """\
        x = {1, 2, *a}
        x = {**a, 'b': c, **(d or e)}
        x = {a: b for a, b in c for d in e if f if g or h}
        x = f(a for a in b)
        x = f((a for a in b), c)
        x = {(a := 1) for b in (c if d else e)}
        """,
    "constants": """\
        x = 10
        x = True, None, ...
        x = b'\\x00"'
        x = u'a'
        x = 'it\\'s "so"'
        x = "it's"
        x = 1e309, 1e309j, 2.5j
        x = '\\ud800\\x00é'
        """,
    "fstrings": '''\
        x = f'{a}{b!r}{c:>{d}}{e!s:.2f}'
        x = f'{{}}{ {1: 2}[1]}{(lambda: 1)}'
        x = f"it's {a}" + f'{a["b"]}'
        x = f"""it's {a['b']} "so" {c}"""
        x = f'{(a := 1)}{a if b else c}{(a, b)}'
        x = f'\\n{a}\\\\'
        x = f''
        x = f'a' if b else f'{c:}'
        ''',
    "docstrings": '''\
        """One line."""


        def f():
            """First.

            Second \\\\ line, "quoted" and \\"\\"\\".
            """
            return 'no docstring'


        class A:
            """It's \\x00 all ends in a quote\\""""


        async def g():
            """"""
        ''',
}
if sys.version_info >= (3, 12):
    SAME["type_parameters"] = """\
        type A = int
        type B[T: (int, str), *Ts, **P] = list[T] | tuple[*Ts]


        def f[T](x: T) -> T:
            return x


        class C[T: int](B):
            pass
        """
if sys.version_info >= (3, 13):
    SAME["type_defaults"] = "type A[T: x = int, *U = *tuple[int], **V = [int]] = T\n"


@pytest.mark.parametrize("name", SAME)
def test_text_comes_back(name: str) -> None:
    text = textwrap.dedent(SAME[name])
    assert assert_same(text) == text


@pytest.mark.parametrize(
    "text",
    [
        "x = 'a' 'b' \"c\"",
        "x = '''a\nb'''",
        "x = ('''a\n''', '''b\n\"\"\"c\\t\\\\''' f'{d}')",
        "f'''{a['b']} {c[\"d\"]}\n'''",
        "f\"\"\"{f'''{f'{f\"{1}\"}'}'''}\"\"\"",
        "f'{a!r:{b!s:>9}}'",
        "f'''{\n'a'\n}'''",
        "f'{x:\\x7b}'",
        "x = -0.0, -1j, 1 - 2j, 1e-300",
        "class A(*b, **c): x = 1; y = 2",
        "def f():\n    'not ' 'plain'\n    'second'",
        "'module'\n'second'",
        "if a: pass\nelif b:\n    x\nelse: y",
        "print((x for x in y))",
        "with (open(a) as b, open(c) as d,): pass",
        "for x in *a, b: pass",
        "print(*a or b, **c or d)",
        "a = b if c else (d := 2)",
        "lambda x=(lambda: 1), *y: (x, y)",
        "(a.b): int",
        "x = " + " + ".join(["y"] * 150),
    ],
    ids=lambda text: text[:20],
)
def test_tree_comes_back(text: str) -> None:
    assert_same(text)


@given(st.text(max_size=30))
def test_any_string(value: str) -> None:
    try:
        value.encode()
    except UnicodeEncodeError:
        value = repr(value)
    for node in (ast.Constant(value), ast.JoinedStr([ast.Constant(value)])):
        text = emit(gast.ast_to_gast(node))
        assert eval(text) == value, text
    body = [ast.Expr(ast.Constant(value)), ast.Pass()]
    text = emit(gast.ast_to_gast(ast.Module(body, [])))
    assert ast.parse(text).body[0].value.value == value, text


@given(st.text(max_size=10), st.text(max_size=10), st.sampled_from(["", "x", ">9"]))
def test_any_string_inside_an_fstring(literal: str, inner: str, spec: str) -> None:
    """Before Python 3.12 some fields have no spelling; they become a call of ``format``."""
    field = ast.FormattedValue(ast.Constant(inner), 114, ast.JoinedStr([ast.Constant(">20")]))
    node = ast.JoinedStr([ast.Constant(literal), field, ast.Constant(spec)])
    text = emit(gast.ast_to_gast(node))
    assert eval(text) == f"{literal}{inner!r:>20}{spec}", text


@given(st.floats() | st.complex_numbers() | st.integers() | st.binary())
def test_any_number(value: complex | bytes) -> None:
    found = eval(emit(gast.Constant(value, None)))
    assert repr(found) == repr(value) or cmath_same(found, value)


def cmath_same(left: complex, right: complex) -> bool:
    """Equal, or not a number at the same places."""
    pairs = [(left.real, right.real), (left.imag, right.imag)]
    return all(a == b or math.isnan(a) and math.isnan(b) for a, b in pairs)


def test_a_number_beyond_the_limit_of_digits() -> None:
    assert eval(emit(gast.Constant(1 << 20_000, None))) == 1 << 20_000


def test_generated_trees() -> None:
    empty = gast.parse("def f():\n    pass").body[0]
    empty.body = []
    assert emit(empty, indent=1) == "    def f():\n        pass\n"
    assert emit(gast.parse("a\nb").body) == "a\nb\n"
    assert emit(gast.parse("a + b").body[0].value) == "a + b\n"
    assert emit([]) == "\n"
