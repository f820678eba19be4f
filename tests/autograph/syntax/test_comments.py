"""Comments: read with their places, and written at the statements they stood at."""

from __future__ import annotations

import gast

from autograph.syntax.comments import Comment, comments_of
from autograph.syntax.emit import emit
from autograph.syntax.source import parse_module


def test_comments_of() -> None:
    text = "x = 1  # one  \n\f# two\ny = '# no', '''\n# no\n'''  # three"
    assert comments_of(text, 10) == {
        10: Comment("# one", False, 7),
        11: Comment("# two", True, 1),
        14: Comment("# three", False, 5),
    }


COMMENTED = '''\
# before all

def f(x):  # head
    """Doc."""
    # above
    if x:  # yes
        a = 1  # one
        # end of if
    elif y:  # maybe
        b = 2
    # before else
    else:  # no
        c = 3
    if x:
        pass
        # end
    else:
        # odd
        # start
        pass
    if x: pass  # one line
    for x in y:
        # only above
        pass
    try:  # attempt
        pass
    except E:  # caught
        pass
    finally:  # always
        pass
    match x:  # on x
        # first case
        case 1:  # is one
            pass

    # last of f


# above g
@deco  # decorated
def g():
    pass
    # last of g
# last of all
'''

PLACED = '''\
# before all
def f(x):  # head
    """Doc."""
    # above
    if x:  # yes
        a = 1  # one
        # end of if
    elif y:  # maybe
        b = 2
    else:  # no
        # before else
        c = 3
    if x:
        pass
        # end
    else:
        # odd
        # start
        pass
    if x:
        pass  # one line
    for x in y:
        # only above
        pass
    try:  # attempt
        pass
    except E:  # caught
        pass
    finally:  # always
        pass
    match x:  # on x
        # first case
        case 1:  # is one
            pass
    # last of f


# above g
@deco
def g():  # decorated
    pass
    # last of g
# last of all
'''


def test_comments_stand_where_they_stood() -> None:
    assert emit(parse_module(COMMENTED, "<test>"), comments_of(COMMENTED)) == PLACED


def test_comments_inside_a_statement_move_above_it() -> None:
    text = "x = f(  # one\n    # two\n    a,  # three\n)\ny = (\n    1\n)  # four\n"
    expected = "# one\n# two\n# three\nx = f(a)\ny = 1  # four\n"
    assert emit(parse_module(text, "<test>"), comments_of(text)) == expected


def test_comments_of_generated_statements() -> None:
    """Lines repeat and go back, statements claim whole blocks: each comment comes once."""
    text = "while a:  # loop\n    # step\n    b = 1  # one\n# end\nc = 2  # two\n"
    loop, after = parse_module(text, "<test>").body
    body = gast.copy_location(gast.parse("def loop_body():\n    pass").body[0], loop)
    body.body = loop.body
    call = gast.copy_location(gast.parse("run(loop_body)").body[0], loop)
    emitted = emit([gast.copy_location(gast.Pass(), loop), body, call, after], comments_of(text))
    assert emitted == (
        "pass\ndef loop_body():\n    # step\n    b = 1  # one\nrun(loop_body)  # loop\n"
        "# end\nc = 2  # two\n"
    )
    assert emit(call, comments_of(text)).count("#") == 5
