"""What ``runtime`` shows of itself, and when it loads it."""

from __future__ import annotations

import subprocess
import sys
import types

import pytest

import runtime as tf
from tests.support.nightly import NIGHTLY


def fresh(code):
    """What a new interpreter prints when it runs ``code``."""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_dir_shows_public_names_only():
    names = dir(tf)
    assert names == sorted(set(names)) == tf.__all__
    assert not [n for n in names if n.startswith("_")]
    modules = {n for n in names if isinstance(getattr(tf, n), types.ModuleType)}
    assert modules == {*tf._SUBMODULES, "autograph"}
    for internal in ("graph", "control_flow", "ops", "eager", "graph_names", "annotations", "Any"):
        assert internal not in names


def test_every_public_name_is_there_and_says_what_it_is():
    for name in tf.__all__:
        value = getattr(tf, name)
        if callable(value) and not isinstance(value, tf.DType):
            assert (value.__doc__ or "").strip(), name


def test_submodules_show_public_names_only():
    for module in tf._SUBMODULES:
        shown = getattr(tf, module)
        assert shown.__all__ and len(set(shown.__all__)) == len(shown.__all__), module
        for name in shown.__all__:
            if not name.startswith("__array_"):  # the standard's own
                assert not name.startswith("_"), (module, name)
            modules = (("array_api", "fft"), ("array_api", "linalg"), ("test", "mock"),
                       ("optimizers", "schedules"), ("distribute", "cluster_resolver"),
                       ("distribute", "experimental"), ("io", "gfile"),
                           ("experimental", "numpy"))  # fmt: skip
            if module != "keras" and (module, name) not in modules:
                assert not isinstance(getattr(shown, name), types.ModuleType), (module, name)
        lent = {"bool", "cast", "complex", "saturate_cast"} if module == "dtypes" else set()
        assert dir(shown) == sorted({*shown.__all__, *lent}), module


def test_computing_eagerly_loads_no_graph_and_no_converter():
    loaded = fresh(
        "import sys, runtime as tf\n"
        "x = tf.constant([1.0, 2.0])\n"
        "assert (tf.reduce_sum(tf.nn.relu(x) * x + 1)).numpy() == 7\n"
        "print(*[m for m in ('runtime.graph.graph', 'runtime.functions', 'runtime.engine.session',"
        " 'gast', 'autograph.operators', 'autograph.api', 'llvmlite', 'scipy', 're2', 'ml_dtypes')"
        " if m in sys.modules])"
    )
    assert loaded == ""


def test_building_graphs_loads_no_converter():
    loaded = fresh(
        "import sys, runtime as tf\n"
        "with tf.Session(graph=tf.Graph()) as session:\n"
        "    x = tf.placeholder(tf.float32)\n"
        "    assert session.run(x * x + 1, {x: 2.0}) == 5\n"
        "print(*[m for m in ('gast', 'autograph.operators', 'autograph.api') if m in sys.modules])"
    )
    assert loaded == ""


def test_a_plain_call_of_jit_loads_no_graph_no_operator_and_no_engine():
    """What it loads is counted: each module takes some of the time of a first call."""
    loaded = fresh(
        "import os, sys\n"
        "os.environ.pop('RUNTIME_JIT_STRICT', None)\n"
        "import runtime as tf\n"
        "imported = set(sys.modules)\n"
        "f = tf.jit(lambda x: x + 1)\n"
        "assert f(1) == 2 and f(2) == 3\n"
        "ours = [m for m in sys.modules if m.startswith(('runtime', 'autograph'))]\n"
        "print(len(imported.intersection(ours)) < 90, len(set(ours) - imported) < 40)\n"
        "print(*[m for m in ('runtime.graph.graph', 'runtime.engine.executable', 'gast',"
        " 'runtime.functions.concrete_function', 'autograph.operators') if m in sys.modules])"
    )
    assert loaded == "True True"


def test_a_room_of_operators_loads_none_of_the_others():
    assert fresh(
        "import sys, autograph\n"
        "from autograph.staging import UNDEFINED\n"
        "print(*[m for m in ('namespaces', 'calls.calls', 'iteration.loops')"
        " if f'autograph.operators.{m}' in sys.modules])\n"
        "from autograph import operators\n"
        "print('if_stmt' in dir(operators), operators.if_stmt.__name__)\n"
    ) == "True if_stmt"


def test_the_names_of_numpy_load_none_of_its_modules():
    loaded = fresh(
        "import sys, runtime.ops.python.call_numpy\n"
        "print(*[m for m in ('numpy.f2py', 'numpy.testing', 'unittest') if m in sys.modules])"
    )
    assert loaded == ""


def test_the_decorator_is_the_name_however_it_is_imported():
    assert fresh(
        "import runtime.functions.function\nimport runtime as tf\n"
        "print(tf.function(lambda x: x + 1)(tf.constant(1)).numpy())"
    ) == "2"


def test_conversion_knows_tensors_that_were_made_before():
    assert fresh(
        "import runtime as tf\nt = tf.constant([1, 2])\n"
        "from autograph.api import to_graph\n"
        "from autograph.staging import registry\n"
        "print(registry.owning_backend(t).name)"
    ) == "runtime"


@NIGHTLY
def test_operators_know_tensors_however_they_are_imported():
    assert fresh(
        "from autograph import operators as ag__\nimport runtime as tf\n"
        "from autograph.staging import registry\n"
        "print(registry.owning_backend(tf.constant(1)).name)"
    ) == "runtime"
    assert fresh(
        "import runtime as tf\nfrom autograph import operators as ag__\n"
        "from autograph.staging import registry\n"
        "print(registry.owning_backend(tf.constant(1)).name)"
    ) == "runtime"


def test_star_import_brings_the_public_names():
    assert fresh(
        "from runtime import *\nimport builtins\n"
        "names = {'Session', 'attempts', 'constant', 'function'} & {*dir()}\n"
        "builtins.print(sorted(names))"
    ) == "['Session', 'constant', 'function']"


def test_what_is_not_there_is_an_attribute_error():
    for name in ("no_such_name", "__wrapped__"):
        try:
            getattr(tf, name)
        except AttributeError as error:
            assert name in str(error)
        else:
            raise AssertionError(name)


def test_scopes_of_values_and_defaults():
    with tf.Graph().as_default() as graph:
        x = tf.constant(1)
    with tf.name_scope(None, "layer", [x, 2]) as scope:
        assert scope == "layer/" and tf.get_default_graph() is graph
        assert (x + 1).name == "layer/add:0" and tf.get_current_name_scope() == "layer"
    with graph.as_default(), tf.name_scope("given", "layer") as scope:
        assert scope == "given/"
    with pytest.raises(ValueError, match="At least one of name"):
        tf.name_scope(None, values=[x])
    with tf.Graph().as_default():
        other = tf.constant(1)
    scope = tf.name_scope("a", None, [x, other])
    with pytest.raises(ValueError, match="must be from the same graph"):
        scope.__enter__()


def test_eager_scopes_nest():
    with tf.name_scope("a") as outer:
        assert outer == "a/"
        with tf.name_scope("b") as inner:
            assert inner == "a/b/" and tf.get_current_name_scope() == "a/b"
        with tf.name_scope("") as none:
            assert none == ""
        with tf.name_scope("c/") as whole:
            assert whole == "c/"
    assert tf.get_current_name_scope() == ""
