"""What editors know: pyright and jedi are asked for types and completions in a user's program."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.editors.language_server import LanguageServer
from tests.support import ROOT
from tests.support.nightly import always

PROGRAM = """\
import autograph
import numpy as np
import runtime as tf
from runtime import keras

x = tf.constant([[1.0, 2.0]])
v = tf.Variable(3.0)
ds = tf.data.Dataset.from_tensor_slices(x)
model = keras.Sequential([keras.layers.Dense(3)])


@tf.function
def scaled(a: tf.Tensor, factor: float = 2.0) -> tf.Tensor:
    return a * factor


@tf.function(jit_compile=True)
def shifted(a: tf.Tensor) -> tf.Tensor:
    return a + 1


@tf.jit
def halved(n: int) -> float:
    return n / 2


class Trainer:
    @tf.function
    def step(self, a: tf.Tensor, n: int = 2) -> tf.Tensor:
        return a * n


trainer = Trainer()
"""

QUESTIONS = """\
x                                      Tensor          .sha    shape
x.shape                                TensorShape     .ra     rank
x.dtype                                DType           .is_f   is_floating
x + 1                                  Tensor          .num    numpy
x @ x                                  Tensor          .sha    shape
x[0]                                   Tensor          .dty    dtype
x > 1                                  Tensor          .sha    shape       pyright
1 + x                                  Tensor          .sha    shape       pyright
-x                                     Tensor          .sha    shape       pyright
x == x                                 Tensor          .sha    shape       pyright
abs(x)                                 Tensor          .sha    shape       pyright
tf.reduce_sum(x)                       Tensor          .sha    shape
tf.sin(x)                              Tensor          .sha    shape
tf.matmul(x, x)                        Tensor          .sha    shape
tf.cast(x, tf.int32)                   Tensor          .sha    shape
tf.concat([x, x], 0)                   Tensor          .sha    shape
tf.reshape(x, [-1])                    Tensor          .sha    shape
tf.where(x > 1, x, x)                  Tensor          .sha    shape
tf.zeros([2])                          Tensor          .sha    shape
tf.gather(x, 0)                        Tensor          .sha    shape
tf.math.cos(x)                         Tensor          .sha    shape
tf.math.top_k(x)                       TopKV2          .ind    indices
tf.nn.relu(x)                          Tensor          .sha    shape
tf.nn.softmax(x)                       Tensor          .sha    shape
tf.linalg.qr(x)                        Qr              .q      q
tf.linalg.inv(x)                       Tensor          .sha    shape
tf.random.normal([2])                  Tensor          .sha    shape
tf.strings.upper("a")                  Tensor          .sha    shape
tf.signal.fft(x)                       Tensor          .sha    shape
tf.image.resize(x, [1, 2])             Tensor          .sha    shape
tf.bitwise.bitwise_and(1, 2)           Tensor          .sha    shape
tf.array_api.cumulative_sum(x)         Tensor          .sha    shape
tf.float32                             DType           .na     name
v                                      Variable        .assi   assign_add
v + 1                                  Tensor          .sha    shape
v.assign_add(1.0)                      Variable        .num    numpy
v.read_value()                         Tensor          .sha    shape
tf.GradientTape()                      GradientTape    .grad   gradient
tf.Graph()                             Graph           .get_op get_operations
tf.Session()                           Session         .ru     run
tf.placeholder(tf.float32, [2])        SymbolicTensor  .sha    shape
tf.TensorArray(tf.float32, 3)          TensorArray     .wri    write
ds                                     Dataset         .shu    shuffle
ds.map(lambda a: a).batch(2)           Dataset         .pre    prefetch
tf.data.Dataset.range(3)               Dataset         .enum   enumerate
scaled                                 TypedFunction   .exp    explain
scaled(x)                              Tensor          .sha    shape
shifted(x)                             Tensor          .sha    shape
halved(3)                              float           .is_i   is_integer
trainer.step(x)                        Tensor          .sha    shape
scaled.get_concrete_function(x)        ConcreteFunction .gra   graph
autograph.to_graph(scaled)             TypedFunction   .exp    explain
model                                  Sequential      .comp   compile
model(x)                               Tensor          .sha    shape
model.fit(x, x)                        History         .hist   history
keras.layers.Dense(3)                  Dense           .get_w  get_weights
keras.layers.Dense(3)(x)               Tensor          .sha    shape
keras.ops.sum(x)                       Tensor          .sha    shape
keras.activations.relu(x)              Tensor          .sha    shape
keras.losses.mean_squared_error(x, x)  Tensor          .sha    shape
keras.optimizers.Adam(0.1)             Adam            .appl   apply_gradients
tf.saved_model                         saved_model     .loa    load        jedi
tf.errors.OutOfRangeError("")          OutOfRangeError .mess   message
tf.distribute.MirroredStrategy()       MirroredStrategy .sco   scope
"""


def questions() -> list[tuple[str, str, str, str, str]]:
    """Expression, its type, the beginning of an attribute, one of those offered, the only tool."""
    rows = []
    for line in QUESTIONS.splitlines():
        expression, rest = re.split(r" {2,}", line, maxsplit=1)
        words = rest.split()
        rows.append((expression, *words[:3], words[3] if len(words) > 3 else ""))
    return rows


ROWS = questions()
OF_JEDI = [row for row in ROWS if row[4] != "pyright"]
OF_PYRIGHT = [row for row in ROWS if row[4] != "jedi"]


def test_there_are_sixty_questions() -> None:
    assert len(ROWS) >= 60 and len(OF_JEDI) >= 55


LATE = always([("tf.Gradient", "GradientTape")], [
    ("tf.Gradient", "GradientTape"), ("tf.reduce_", "reduce_logsumexp"),
    ("tf.data.Data", "Dataset"), ("tf.keras.layers.Con", "Conv2D"),
])  # fmt: skip
JEDI_SLICE = always([r for r in OF_JEDI if r[0] in ("x", "tf.reduce_sum(x)", "scaled(x)")],
                    OF_JEDI)  # fmt: skip


@pytest.mark.parametrize("row", JEDI_SLICE, ids=lambda row: row[0])
def test_jedi_knows_types_and_attributes(row: Any, tmp_path: Path) -> None:
    jedi = pytest.importorskip("jedi")
    expression, kind, start, name, _ = row
    line = len(PROGRAM.splitlines()) + 1
    project = jedi.Project(tmp_path, added_sys_path=[str(ROOT)])
    here = tmp_path / "program.py"
    asked = jedi.Script(f"{PROGRAM}z = {expression}\nz\n", path=here, project=project)
    assert kind in [found.name for found in asked.infer(line + 1, 1)]
    begun = jedi.Script(f"{PROGRAM}z = {expression}\nz{start}\n", path=here, project=project)
    assert name in [offer.name for offer in begun.complete(line + 1, len(f"z{start}"))]


@pytest.mark.parametrize("row", LATE, ids=lambda row: row[1])
def test_jedi_completes_names_that_are_loaded_late(row: tuple[str, str], tmp_path: Path) -> None:
    text, name = row
    jedi = pytest.importorskip("jedi")
    project = jedi.Project(tmp_path, added_sys_path=[str(ROOT)])
    begun = jedi.Script(f"import runtime as tf\n{text}\n", project=project)
    assert name in [offer.name for offer in begun.complete(2, len(text))]


@pytest.mark.nightly
def test_pyright_knows_types(tmp_path: Path) -> None:
    pytest.importorskip("basedpyright")
    first = len(PROGRAM.splitlines()) + 1
    asked = "".join(f"reveal_type({row[0]})\n" for row in OF_PYRIGHT)
    (tmp_path / "program.py").write_text(PROGRAM + asked)
    report = checked(tmp_path)
    kinds = {
        entry["range"]["start"]["line"] + 1 - first: entry["message"].rsplit('is "')[-1].rstrip('"')
        for entry in report if re.match('Type of ".*" is "', entry["message"])
    }  # fmt: skip
    wrong = {
        row[0]: kinds[n] for n, row in enumerate(OF_PYRIGHT) if kinds[n].split("[")[0] != row[1]
    }
    assert not wrong


@pytest.mark.nightly
def test_pyright_checks_calls_of_traced_functions(tmp_path: Path) -> None:
    pytest.importorskip("basedpyright")
    wrong = "scaled(x, 1.0, 2)\nscaled(x, fact=1.0)\ntrainer.step(x, n='a')\n"
    calls = f"{wrong}scaled(x, factor=3.0)\n"
    first = len(PROGRAM.splitlines()) + 1
    (tmp_path / "program.py").write_text(PROGRAM + calls)
    errors = [e for e in checked(tmp_path) if e["severity"] == "error"]
    assert {e["range"]["start"]["line"] + 1 - first for e in errors} == {0, 1, 2}


@pytest.mark.nightly
def test_pyright_offers_attributes(tmp_path: Path) -> None:
    pytest.importorskip("basedpyright")
    first = len(PROGRAM.splitlines())
    missing = {}
    with LanguageServer(tmp_path, ROOT) as server:
        for expression, _, start, name, _ in OF_PYRIGHT:
            lines = f"{PROGRAM}z = {expression}\nz{start}\n"
            offers = server.completions(lines, first + 1, len(f"z{start}"))
            if name not in offers:
                missing[expression] = offers[:5]
    assert not missing


def checked(folder: Path) -> list[dict[str, Any]]:
    """What pyright reports of the program in a folder."""
    (folder / "pyrightconfig.json").write_text(json.dumps({"extraPaths": [str(ROOT)]}))
    done = subprocess.run(
        [sys.executable, "-m", "basedpyright", "--outputjson", "--pythonpath", sys.executable],
        cwd=folder, capture_output=True, text=True, timeout=300,
    )  # fmt: skip
    found: list[dict[str, Any]] = json.loads(done.stdout)["generalDiagnostics"]
    return found
