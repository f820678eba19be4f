"""docs/gallery.md: a section for each program of examples, and the picture that it draws.

The curves and tables come from calls of the examples as plain Python, without machine code: every
processor gives the same pictures, up to the last bits of products of matrices.
"""

from __future__ import annotations

import contextlib
import importlib
import inspect
import io
import math
from collections.abc import Callable, Sequence
from pathlib import Path
from types import ModuleType

import runtime as tf
from examples.training.pictures import curves, document, images, save, text
from tests.support import ROOT

PAGE = ROOT / "docs" / "gallery.md"
FOLDER = ROOT / "docs" / "gallery"
TIMES = "<!-- times -->\n"
"""What stands before and behind the table that `python -m benchmarks.gallery` writes."""
HEAD = """# Gallery

The programs of [examples](../examples), each with a picture of what it computes, or of its graph.
Each is plain Python on tensors, and runs as it is, converted, in a `Session` and as a `function`:
`python -m examples.collatz`. Longer ones are at the [end](#trainings).

`pytest tests/docs --update-golden` writes the pictures and the text, `python -m benchmarks.gallery`
the times: do not edit.

## Times

"""
TRAININGS = {
    "convolution": "A convolutional network reads digits.",
    "lstm": "An LSTM reads digits row by row.",
    "logistic": "Logistic regression, fitted by L-BFGS.",
    "characters": "A model of characters writes text.",
    "variational": "A variational autoencoder draws digits.",
    "actor_critic": "An actor and a critic balance a pole.",
}
TAIL = """
## Without a picture

- [newton.ipynb](../examples/newton.ipynb): Newton's method in a notebook, with graphs and errors.
- [examples/digits](../examples/digits): classifiers of digits, an LSTM and an autoencoder.
- [examples/browser](../examples/browser): a classifier of digits in a page, without a server.
"""


def names() -> list[str]:
    """The programs of the folder, by name."""
    return sorted(path.stem for path in (ROOT / "examples").glob("*.py"))


def example(name: str) -> ModuleType:
    """A program of the folder."""
    return importlib.import_module(f"examples.{name}")


def page(times: str) -> str:
    """The whole page, with this table of times."""
    sections = "".join(section(name) for name in names())
    trainings = "".join(training(name, says) for name, says in TRAININGS.items())
    return f"{HEAD}{TIMES}{times}{TIMES}{sections}\n## Trainings\n{trainings}{TAIL}"


def times_shown() -> str:
    """The table of times, as it stands on the page."""
    return PAGE.read_text(encoding="utf-8").split(TIMES)[1]


def section(name: str) -> str:
    """What the page says of a program: the words of its docstring, link and picture."""
    doc = (inspect.getdoc(example(name)) or "").replace("``", "`")
    doc = doc.replace("docs/tour.md", "[the tour](tour.md)")
    what = "Its graph" if name in GRAPHS else "What it computes"
    return (
        f"\n## {name}\n\n{doc}\n\n[examples/{name}.py](../examples/{name}.py)\n\n"
        f"![{what}](gallery/{name}.svg)\n"
    )


def training(name: str, says: str) -> str:
    """The lines of a program that has a page of its own."""
    return f"\n[{says}](examples/{name}.md)\n\n![{says}](examples/{name}.svg)\n"


# -- pictures -------------------------------------------------------------------------------------

GRAPHS = ("first_even", "square_if_positive", "sum_even")
"""Examples whose graph is their picture."""
LOSS, VALUE = "log10 of the loss, from -6", "log10 of the value, from -6"


def draw(name: str, path: Path) -> None:
    """Write the picture of an example."""
    module = example(name)
    if name in GRAPHS:
        trace = tf.function(getattr(module, name)).get_concrete_function(*module.inputs())
        save(path, trace.to_svg().replace(f"{ROOT}/", ""))  # lines of source, wherever this lies
    else:
        PICTURES[name](path, module)


def beam_search(path: Path, module: ModuleType) -> None:
    sentences, scores = module.beam_search(*module.inputs())
    rows = [
        [*words, f"{score:.3f}"]
        for words, score in zip(sentences.numpy().tolist(), scores.numpy().tolist())
    ]
    head = [*(f"word {k}" for k in range(1, len(rows[0]))), "score"]
    cells(path, "The three best sentences after word 1", [head, *rows])


def bouncing_ball(path: Path, module: ModuleType) -> None:
    height, _, step, end = module.inputs()
    balls = [module.bouncing_ball(height, tf.constant(k / 100), step, end) for k in range(10, 91)]
    lines = {
        "bounces": [float(bounces) for bounces, _ in balls],
        "seconds until it rests": [float(time) for _, time in balls],
    }
    curves(path, "A ball from two metres", lines, "speed kept by a bounce, in %", "", 10, 100)


def collatz(path: Path, module: ModuleType) -> None:
    steps = [float(module.collatz(n)) for n in range(1, 201)]
    curves(path, "Steps from a number to 1", {"steps": steps}, "number", "steps")


def edit_distance(path: Path, module: ModuleType) -> None:
    a, b = "kitten", "sitting"
    rows = [
        [a[:i][-1:] or "-", *(
            int(module.edit_distance(module.letters(a[:i]), module.letters(b[:j])))
            for j in range(len(b) + 1)
        )]
        for i in range(len(a) + 1)
    ]  # fmt: skip
    cells(path, "From the beginnings of kitten to those of sitting", [["", "-", *b], *rows], 34)


def fizzbuzz(path: Path, module: ModuleType) -> None:
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        module.fizzbuzz(tf.constant(30))
    words = printed.getvalue().split()
    cells(path, "What it says", [words[k : k + 5] for k in range(0, 30, 5)], 72)


def kfac_matmul(path: Path, module: ModuleType) -> None:
    x, targets, weights, _ = module.inputs()
    losses = [
        logarithm(module.kfac_matmul(x, targets, weights, tf.constant(k / 100))[1])
        for k in range(1, 21)
    ]
    curves(path, "Loss after 40 steps", {LOSS: losses}, "rate, in %", "")


def kfac_mlp(path: Path, module: ModuleType) -> None:
    inputs = module.inputs()[:-1]
    losses = [logarithm(module.kfac_mlp(*inputs, k)[1]) for k in range(1, 61, 5)]
    curves(path, "Loss of the network", {LOSS: losses}, "steps, in fives", "")


def lbfgs(path: Path, module: ModuleType) -> None:
    function, x, _ = module.inputs()
    state = x, *module.value_and_slope(function, x), [], []
    values = [logarithm(state[1])]
    for _ in range(40):
        state = module.more_turns(function, *state, 1)
        values.append(logarithm(state[1]))
    curves(path, "Down Rosenbrock's valley", {VALUE: values}, "turns", "", 0)


def lstm(path: Path, module: ModuleType) -> None:
    xs, _, weights, bias = module.inputs()
    outputs = [
        module.lstm(xs, tf.constant([k, k]), weights, bias)[0][0].numpy().tolist()
        for k in range(1, xs.shape[0] + 1)
    ]
    lines = {f"unit {k + 1}": [row[k] for row in outputs] for k in range(4)}
    curves(path, "Outputs of the cell", lines, "time step", "output")


def maml(path: Path, module: ModuleType) -> None:
    losses = module.maml(*module.inputs())[1].numpy().tolist()
    curves(path, "Loss after training on three tasks", {"loss": losses}, "step", "loss")


def mandelbrot(path: Path, module: ModuleType) -> None:
    re, im = tf.meshgrid(tf.linspace(-2.0, 0.5, 60), tf.linspace(-1.1, 1.1, 40))
    turns = module.mandelbrot(re, im, tf.constant(30)).numpy()
    images(path, "Turns before a point escapes", {"": [turns / 30]}, 6)


def neural_ode(path: Path, module: ModuleType) -> None:
    y, _, weights, _, tolerance = module.inputs()
    ends = [module.solve(y, weights, tf.constant(k / 10), tolerance) for k in range(1, 61)]
    lines = {f"y[{k}]": [float(end[k]) for end in ends] for k in range(2)}
    curves(path, "The solution", lines, "time, in tenths", "")


def newton_root(path: Path, module: ModuleType) -> None:
    lines = {
        f"tolerance {tolerance:g}": [
            float(module.newton_root(tf.constant(float(a)), tf.constant(tolerance)))
            for a in range(31)
        ]
        for tolerance in (10.0, 1.0, 1e-5)
    }
    curves(path, "Square roots", lines, "number", "root", 0, 100)


def stable_softplus(path: Path, module: ModuleType) -> None:
    value, gradient = module.stable_softplus(tf.range(-8.0, 9.0))
    lines = {"value": value.numpy().tolist(), "gradient": gradient.numpy().tolist()}
    curves(path, "Softplus", lines, "x", "", -8, 100)


PICTURES: dict[str, Callable[[Path, ModuleType], None]] = {
    drawer.__name__: drawer
    for drawer in (
        beam_search, bouncing_ball, collatz, edit_distance, fizzbuzz, kfac_matmul, kfac_mlp, lbfgs,
        lstm, maml, mandelbrot, neural_ode, newton_root, stable_softplus,
    )
}  # fmt: skip
"""By name of an example: what draws values that it computes."""


def logarithm(value: object) -> float:
    """The decimal logarithm, of 1e-6 at least: what is less is rounding, which differs."""
    return math.log10(max(float(value), 1e-6))


def cells(path: Path, title: str, rows: Sequence[Sequence[object]], width: int = 64) -> None:
    """Write rows of words in boxes; words with letters are blue, numbers grey."""
    boxes = []
    for i, row in enumerate(rows):
        for j, word in enumerate(row):
            x, y = 16 + j * width, 40 + i * 28
            colour = "#dce8f6" if str(word).isalpha() else "#f4f4f4"
            place = f'x="{x}" y="{y}" width="{width - 3}" height="25"'
            boxes.append(f'<rect {place} fill="{colour}"/>')
            middle = x + (width - 3) / 2
            boxes.append(text(middle, y + 17, word, 'text-anchor="middle"'))
    across = max(32 + len(rows[0]) * width, 8 * len(title) + 32)
    save(path, document(across, 52 + len(rows) * 28, title, boxes))
