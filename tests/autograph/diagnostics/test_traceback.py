"""Tracebacks hold the user's lines: while tracing, and when a graph runs."""

from __future__ import annotations

import traceback
from pathlib import Path

import pytest

import autograph
import runtime as tf
from autograph import flags
from tests.support import ROOT
from tests.test_errors import GENERATED


def pick(table, i):
    return tf.gather(table, i)


def total(table, indices):
    result = 0.0
    for i in indices:
        if i >= 0:
            result = result + pick(table, i)
    return result


def mixed(x):
    while x < 100:
        if x > 10:
            label = "large"
        else:
            label = x
        x = x + tf.size(label)
    return x


def frames(error):
    return [
        (str(Path(frame.filename).relative_to(ROOT)), frame.name, frame.line)
        for frame in traceback.extract_tb(error.__traceback__)
    ]


def lines(function):
    first = function.__code__.co_firstlineno
    return Path(__file__).read_text().splitlines()[first - 1 :]


def raised(call, *args):
    with pytest.raises(Exception) as caught:
        call(*args)
    return caught.value


def test_while_tracing_a_function():
    error = raised(tf.function(mixed), tf.constant(1))
    assert isinstance(error, autograph.DtypeJoinError)
    _, machinery, *own = frames(error)
    assert machinery[:2] == ("runtime/functions/function.py", "__call__")
    assert own == [
        ("tests/autograph/diagnostics/test_traceback.py", "mixed", "while x < 100:"),
        ("tests/autograph/diagnostics/test_traceback.py", "mixed", "if x > 10:"),
    ]


def test_while_tracing_by_hand():
    with tf.Graph().as_default():
        error = raised(autograph.to_graph(mixed), tf.placeholder(tf.int32, []))
    _, entered, *own = frames(error)  # entered: where the call was handed to the staged version
    assert entered[1:] == ("mixed", "def mixed(x):")
    assert [name for _, name, _ in own][:2] == ["mixed", "while_stmt"]
    assert len(own) <= 5


def test_debug_shows_everything():
    with flags.DEBUG(True):
        error = raised(tf.function(mixed), tf.constant(1))
    inner = [frame[:2] for frame in frames(error)]
    assert ("autograph/operators/joins/plan.py", "spec_of_branches") in inner


def place(function, text):
    offset = next(n for n, line in enumerate(lines(function)) if line.strip() == text)
    return f"{__file__}:{function.__code__.co_firstlineno + offset}, in {function.__name__}: {text}"


RUN_TIME = [
    "indices = 7 is not in [0, 3) (axis 0 of the tensor of shape (3,))",
    f"  in operation 'GatherV2' (gather), made at {place(pick, 'return tf.gather(table, i)')}",
    f"  called at {place(total, 'result = result + pick(table, i)')}",
    "  inputs: params float32[3], indices int32[]",
]


def test_when_a_function_runs():
    error = raised(tf.function(total), tf.constant([1.0, 2.0, 3.0]), tf.constant([1, 7]))
    assert isinstance(error, tf.errors.InvalidArgumentError)
    assert str(error).splitlines() == RUN_TIME
    assert [f[0] for f in frames(error)] == [
        "tests/autograph/diagnostics/test_traceback.py", "runtime/functions/function.py"
    ]


def test_when_a_session_runs():
    with tf.Graph().as_default(), tf.Session() as session:
        indices = tf.placeholder(tf.int32, [None])
        result = autograph.to_graph(total)(tf.constant([1.0, 2.0, 3.0]), indices)
        error = raised(session.run, result, {indices: [1, 7]})
    assert str(error).splitlines() == RUN_TIME
    assert [f[0] for f in frames(error)] == [
        "tests/autograph/diagnostics/test_traceback.py", "runtime/engine/session.py"
    ]


def test_an_exception_of_the_user_has_the_place_as_a_note():
    def checked(x):
        if x < 0:
            raise LookupError("negative")
        return x

    error = raised(tf.function(checked), tf.constant(-1))
    assert type(error) is LookupError and error.args == ("negative",)
    (note,) = error.__notes__
    assert note.startswith("in operation 'raise' (raise), made at ")
    assert note.endswith('in checked: raise LookupError("negative")')


@pytest.mark.parametrize("call", [tf.function(mixed), tf.function(total)], ids=["trace", "run"])
def test_no_generated_name_is_shown(call):
    args = (tf.constant(1),) if call.__name__ == "mixed" else (tf.constant([1.0]), tf.constant([7]))
    error = raised(call, *args)
    text = "".join(traceback.format_exception(error))
    assert not GENERATED.search(text)


def test_an_undefined_variable_names_where_it_is_assigned():
    def sign(x):
        if x > 0:
            word = 1
        elif x < 0:
            word = -1
        return word

    error = raised(tf.function(sign), tf.constant(0))
    assert type(error) is UnboundLocalError
    line = sign.__code__.co_firstlineno
    assert error.__notes__[:2] == [
        f"'word' is assigned only at {__file__}:{line + 2}: word = 1",
        f"'word' is assigned only at {__file__}:{line + 4}: word = -1",
    ]
    assert error.__notes__[2].endswith(f"made at {__file__}:{line + 5}, in sign: return word")
