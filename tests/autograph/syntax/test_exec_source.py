"""Functions whose source is given as text."""

import pytest

import autograph
import runtime as tf

TEXT = '''
def clip(x):
    if x > 3:
        return 3
    return x
'''


def test_functions_from_text_are_converted():
    clip = autograph.exec_source(TEXT)["clip"]
    assert int(tf.function(clip)(tf.constant(5))) == 3
    assert "if_stmt" in autograph.to_code(clip)


def test_a_namespace_and_a_name_may_be_given():
    namespace = {"__name__": "mine", "limit": 2}
    same = autograph.exec_source("def f(x):\n    return x % limit\n", namespace, "<cell 1>")
    assert same is namespace
    assert namespace["f"].__code__.co_filename == "<cell 1>"
    assert namespace["f"].__module__ == "mine"
    assert autograph.to_graph(namespace["f"])(5) == 1


def test_errors_are_pythons():
    with pytest.raises(SyntaxError):
        autograph.exec_source("def f(:\n")
    with pytest.raises(ZeroDivisionError):
        autograph.exec_source("1 / 0\n")
