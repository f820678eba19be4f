"""Where the blocks of README.md and docs/ come from, and what must hold after running one."""

from __future__ import annotations

import inspect
import os
import shutil
import textwrap
import unittest
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import autograph
import runtime as tf
from examples.collatz import collatz
from runtime.ops.op import TABLE, Missing
from tests.docs import engine, rooms, tour, training
from tests.runtime.summaries.reader import summaries


def after_op(namespace: dict[str, object], printed: str) -> None:
    """The new op works eagerly; then its row goes again."""
    try:
        result = namespace["cbrt"](tf.constant([8.0, 27.0]))
        np.testing.assert_allclose(result.numpy(), [2.0, 3.0], rtol=1e-6)
    finally:
        del TABLE["cbrt"]


def after_error(namespace: dict[str, object], printed: str) -> None:
    """The text of the error is the one that the page promises."""
    assert printed.startswith("prices.py:12: 'total' is")
    assert "\n  help: give both" in printed


def after_readme(namespace: dict[str, object], printed: str) -> None:
    """The example prints what its comments say."""
    eager = "tf.Tensor(111, shape=(), dtype=int32)"
    assert printed.splitlines() == ["111", "111", eager, "111"]


def after_readme_training(namespace: dict[str, object], printed: str) -> None:
    """The network learns, and what is loaded predicts the same."""
    accuracy, equal = printed.splitlines()
    assert int(accuracy.removeprefix("accuracy ").removesuffix("%")) > 90 and equal == "True"


def after_profile(namespace: dict[str, object], printed: str) -> None:
    """The table names the line of the loop's body."""
    assert "Tanh" in printed and "profiling.md:profile:7: x = x - 0.1" in printed


def after_graph_def(namespace: dict[str, object], printed: str) -> None:
    assert namespace["y"].name == "copy/y:0" and not printed


def after_saved(namespace: dict[str, object], printed: str) -> None:
    again = tf.saved_model.load(namespace["path"])
    assert again.slope.numpy() == namespace["loaded"].slope.numpy() == -1.0 and not printed


def after_summaries(namespace: dict[str, object], printed: str) -> None:
    tags = [tag for _, tag, _ in summaries(Path(namespace["logs"]))]
    assert tags == ["height"] * 10 + ["noise"]


def after_summaries_in_sessions(namespace: dict[str, object], printed: str) -> None:
    assert [v[2][0] for *_, v in summaries(Path(namespace["writer"].get_logdir()))] == [0, 0.25, 1]


def after_training_step(namespace: dict[str, object], printed: str) -> None:
    """The step of the page finds the weights that the data was made with."""
    np.testing.assert_allclose(namespace["weights"].numpy(), [[2.0], [-1.0]], atol=0.1)


def after_session_step(namespace: dict[str, object], printed: str) -> None:
    """The optimizer of the page belongs to the graph."""
    assert namespace["weight"].graph is namespace["step"].graph


def after_metrics_of_tensorflow_1(namespace: dict[str, object], printed: str) -> None:
    """The names are TensorFlow's."""
    assert namespace["update"].name == "accuracy/update_op:0"  # type: ignore[attr-defined]
    assert not printed


def after_session_of_tensorflow_1(namespace: dict[str, object], printed: str) -> None:
    """The page leaves eager execution switched on, and names weights as TensorFlow does."""
    assert tf.executing_eagerly()
    assert [v.name for v in namespace["x"].graph.get_collection("trainable_variables")][0] == (
        "hidden/kernel:0"
    )


def after_minimization(namespace: dict[str, object], printed: str) -> None:
    """The search took fewer steps than it might have."""
    assert int(namespace["found"].num_iterations) < 100


def after_backup(namespace: dict[str, object], printed: str) -> None:
    """The page compares equal runs; two epochs more make other weights."""
    shorter = namespace["train"]([], 3)
    assert not (shorter[0] == namespace["whole"][0]).all()
    shutil.rmtree(namespace["folder"])
    assert not printed


def after_model(namespace: dict[str, object], printed: str) -> None:
    """The loaded model of the page has gone on from where the other one stopped; nothing speaks."""
    again, model = namespace["again"], namespace["model"]
    assert int(again.optimizer.iterations) > int(model.optimizer.iterations) > 0
    shutil.rmtree(os.path.dirname(namespace["path"]))
    assert not printed


def after_own_layer(namespace: dict[str, object], printed: str) -> None:
    """The model of the page learns."""
    losses = namespace["history"]["loss"]
    assert losses[-1] < losses[0]


def after_own_classes(namespace: dict[str, object], printed: str) -> None:
    """The page's class is found by its name; later tests do not find it."""
    registered = tf.keras.saving.get_custom_objects()
    assert registered.pop("mine>Capped") is namespace["Capped"]


def after_pipeline(namespace: dict[str, object], printed: str) -> None:
    """The batches of the page hold all of its data."""
    labels = [label for _, some in namespace["batches"] for label in some.numpy().tolist()]
    assert sorted(labels) == [0, 0, 1, 1]


def after_staged(namespace: dict[str, object], printed: str) -> None:
    """The loop of the page is one of the graph."""
    concrete = namespace["first_above"].get_concrete_function(
        namespace["numbers"], tf.constant(3, tf.int64)
    )
    assert "While" in {operation.type for operation in concrete.graph.get_operations()}


def after_array_api(namespace: dict[str, object], printed: str) -> None:
    """Eagerly and as a function, the columns have mean 0 and deviation 1."""
    assert printed == "[[-1. -1.]\n [ 1.  1.]]\n" * 2


def after_testing(namespace: dict[str, object], printed: str) -> None:
    """The tests of the page pass."""
    result = unittest.TestResult()
    unittest.defaultTestLoader.loadTestsFromTestCase(namespace["SquareTest"]).run(result)
    assert result.testsRun == 4 and result.wasSuccessful(), result.failures + result.errors


def missing() -> str:
    """The fields of op definitions that are not there yet, by reason."""
    reasons: dict[tuple[str, str], list[str]] = {}
    for name, op in sorted(TABLE.items()):
        for field in ("kernel", "infer", "grad", "lower", "samples"):
            value = getattr(op, field)
            if isinstance(value, Missing):
                reasons.setdefault((field, value.reason), []).append(name)
    lines = []
    for (field, reason), names in sorted(reasons.items()):
        everywhere = len(names) == len(TABLE)
        lines.append(f"{field}: {reason} ({'all' if everywhere else len(names)} ops)")
        if not everywhere:
            text = ", ".join(names)
            lines += textwrap.wrap(text, 100, initial_indent="    ", subsequent_indent="    ")
    return "\n".join(lines)


def after_state(namespace: dict[str, object], printed: str) -> None:
    assert printed == "51.0 2\n"


def after_functions(namespace: dict[str, object], printed: str) -> None:
    """The reasons are those that the comments of the page give."""
    vector = "TensorSpec(shape=(2,), dtype=tf.int32, name=None)"
    scalar = "TensorSpec(shape=(), dtype=tf.int32, name=None)"
    assert printed.splitlines() == [
        "it is the first trace",
        "no trace fits; trace 1 comes nearest; "
        f"the shape of 'x' differs: it was {scalar} and is {vector}",
        "no trace fits; trace 1 comes nearest; "
        "the Python value of 'by' differs: it was Literal[2] and is Literal[3]",
        "CacheInfo(hits=1, misses=3, maxsize=512, currsize=3)",
    ]


def after_flags(namespace: dict[str, object], printed: str) -> None:
    """The block runs; what it writes to stderr is for people."""


SHOWN: dict[str, Callable[[], str]] = {
    "collatz source": lambda: inspect.getsource(collatz),
    "collatz code": lambda: autograph.to_code(collatz),
    "missing fields": missing,
    **tour.SHOWN,
    **engine.SHOWN,
    **rooms.SHOWN,
    **training.SHOWN,
}


def after_failure(namespace: dict[str, object], printed: str) -> None:
    """A failed operation named its line in the page."""
    assert "item = tf.gather" in str(namespace["text"]) and not printed


def after_session(namespace: dict[str, object], printed: str) -> None:
    """The session of the page is closed, and its graph is there."""
    with pytest.raises(RuntimeError, match="closed Session"):
        namespace["session"].run("y:0")  # type: ignore[attr-defined]
    assert "y = matmul(x, " in str(namespace["graph"])


def after_derivative(namespace: dict[str, object], printed: str) -> None:
    assert "tape" in namespace and not printed


def after_examples(namespace: dict[str, object], printed: str) -> None:
    """The page's batch has the records of its file."""
    assert sorted(namespace["batch"]) == ["label", "words"] and not printed


def after_ragged(namespace: dict[str, object], printed: str) -> None:
    """Its own asserts say what comes out; the elements of the joint dataset are numbers."""
    assert "DatasetSpec" in repr(namespace["parts"]) and not printed


def after_queue(namespace: dict[str, object], printed: str) -> None:
    """The thread has ended, and the queue is closed and empty."""
    assert not namespace["thread"].is_alive()  # type: ignore[attr-defined]
    assert namespace["found"] == [1, 2, 3, 4]


def after_jit(namespace: dict[str, object], printed: str) -> None:
    """The page prints what its comments say."""
    assert printed == "111 118\n111 118\n1\n[1, 2, 3]\n"


def after_arrays(namespace: dict[str, object], printed: str) -> None:
    assert printed == "[[1.0, 1.0], [5.0, 5.0], [0.0, 0.0]]\n"


def after_numpy(namespace: dict[str, object], printed: str) -> None:
    """Its own assert compares the gradient."""
    assert "slope" in namespace and not printed


def after_vector_math(namespace: dict[str, object], printed: str) -> None:
    """The text defines the function."""
    head = f"define internal <8 x float> @{namespace['name']}(<8 x float> %x0)"
    assert head in str(namespace["text"]) and not printed


def after_drawing(namespace: dict[str, object], printed: str) -> None:
    assert "next x" in namespace["trace"].to_svg()  # type: ignore[attr-defined]


def after_xla(namespace: dict[str, object], printed: str) -> None:
    assert float(printed) != 0


def after_devices(namespace: dict[str, object], printed: str) -> None:
    assert "[[1. ]\n [2.5]] " in printed


def after_clusters(namespace: dict[str, object], printed: str) -> None:
    """The program of the page trains in a process alone, too."""
    assert namespace["train"]() < 0.1 and not printed  # type: ignore[operator]


def after_mirrored(namespace: dict[str, object], printed: str) -> None:
    """Its own assert compares the losses."""
    assert len(namespace["losses"]) == 10 and not printed  # type: ignore[arg-type]


def after_mixed_precision(namespace: dict[str, object], printed: str) -> None:
    """Its own asserts look at the dtypes."""
    assert len(namespace["model"].layers) == 2 and not printed  # type: ignore[attr-defined]


def after_onnx(namespace: dict[str, object], printed: str) -> None:
    assert Path("collatz.onnx").is_file() and not printed


def after_images(namespace: dict[str, object], printed: str) -> None:
    assert printed == "(2, 32, 32, 3)\n"


def after_editors(namespace: dict[str, object], printed: str) -> None:
    assert namespace["scaled"](tf.constant([1.0]), factor=3.0).numpy() == 3.0


def after_printing(*lines: str) -> Callable[[dict[str, object], str], None]:
    """The block prints these lines, which its comments promise."""

    def check(namespace: dict[str, object], printed: str) -> None:
        assert printed.splitlines() == list(lines)

    return check


def after_types(names: dict[str, object], printed: str) -> None:
    """What the page registers is removed, for the tests that follow."""
    assert "[2. 4.]" in printed
    names["tf"].experimental.unregister_dispatch_for(names["both"])  # type: ignore[attr-defined]


after_running: dict[str, Callable[[dict[str, object], str], None]] = {
    "array api": after_array_api,
    "arrays": after_arrays,
    "op": after_op,
    "clusters": after_clusters,
    "devices": after_devices,
    "drawing": after_drawing,
    "editors": after_editors,
    "for libraries": after_printing("12 user_function", "True"),
    "from jax": after_printing("1.4142 0.3536"),
    "from jax here": after_printing("[1. 3. 6.]", "negative"),
    "from numpy arrays": after_printing("[ 0.  0.  9. 18. 27. 18.  9.  0.  0.]"),
    "from numpy derivatives": after_printing("3.0 0.1667"),
    "from numpy jit": after_printing("1.0"),
    "from tensorflow 1": after_printing("[1. 1.]"),
    "from tensorflow 1 loops": after_printing("111"),
    "from tensorflow 2": after_printing("True"),
    "from tensorflow 2 staged": after_printing(
        "tf.Tensor(10, shape=(), dtype=int32) tf.Tensor(29, shape=(), dtype=int32)"
    ),
    "from tensorflow 2 types": after_types,
    "when not to stage": after_printing("10", "2"),
    "error": after_error,
    "failure": after_failure,
    "graphdef": after_graph_def,
    "flags": after_flags,
    "functions": after_functions,
    "images": after_images,
    "jit": after_jit,
    "onnx": after_onnx,
    "stablehlo": lambda namespace, printed: None,
    "onnx import": lambda namespace, printed: None,
    "state": after_state,
    "metrics of TensorFlow 1": after_metrics_of_tensorflow_1,
    "minimization": after_minimization,
    "backup": after_backup,
    "model": after_model,
    "own classes": after_own_classes,
    "own layer": after_own_layer,
    "pipeline": after_pipeline,
    "profile": after_profile,
    "queue": after_queue,
    "ragged": after_ragged,
    "examples": after_examples,
    "tape": after_derivative,
    "loop": after_derivative,
    "mirrored": after_mirrored,
    "mixed precision": after_mixed_precision,
    "numpy": after_numpy,
    "own": after_derivative,
    "readme": after_readme,
    "readme training": after_readme_training,
    "saved": after_saved,
    "session": after_session,
    "session of TensorFlow 1": after_session_of_tensorflow_1,
    "session step": after_session_step,
    "staged": after_staged,
    "summaries": after_summaries,
    "summaries in sessions": after_summaries_in_sessions,
    "testing": after_testing,
    "training step": after_training_step,
    "vector math": after_vector_math,
    "xla": after_xla,
}
