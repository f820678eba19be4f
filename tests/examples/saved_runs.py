"""Training examples that are saved, and gone on with in another process.

    python -m tests.examples.saved_runs begin FOLDER small|full NAME ...
    python -m tests.examples.saved_runs go-on FOLDER small|full NAME ...

The first process ends a training and leaves another half done.  The second one loads what was
saved and compares its answers, then ends the second training and compares all variables.
"""

from __future__ import annotations

import importlib
import os
import sys
from pathlib import Path
from typing import Any

import numpy as np

import runtime as tf
from runtime import keras
from runtime.train.tracking import variables_of

LENGTHS = {
    "convolution": (20, 4), "lstm": (25, 4), "logistic": (60, 8),
    "characters": (30, 4), "variational": (100, 4), "actor_critic": (300, 4),
}  # fmt: skip
"""By name: epochs, turns or episodes of a full run, and of a small one."""


class SavedRun:
    """One example: how it is trained, saved and loaded."""

    def __init__(self, name: str, full: bool) -> None:
        self.module = importlib.import_module(f"examples.training.{name}")
        self.length = LENGTHS[name][0 if full else 1]
        self.full = full

    def variables(self, model: Any) -> dict[str, Any]:
        """The values of all variables, those of the optimizer and of random generators too."""
        found = variables_of(tf.train.Checkpoint(model=model))[0]
        return {path: variable.numpy() for path, variable in found.items()}

    def save(self, model: Any, folder: Path) -> None:
        tf.saved_model.save(model, folder / "folder")

    def loaded(self, folder: Path) -> list[Any]:
        return [tf.saved_model.load(folder / "folder")]


class Fitted(SavedRun):
    """Model that ``fit`` trains; a callback backs it up."""

    def __init__(self, name: str, full: bool) -> None:
        super().__init__(name, full)
        if name == "characters":
            x, y = self.module.data() if full else self.module.data(length=12, step=60)
        elif full:
            x, y = self.module.data()[:2]
        else:
            draw = np.random.default_rng(0)
            shape = {"convolution": (40, 8, 8, 1), "lstm": (40, 8, 8), "variational": (40, 64)}
            x, y = draw.random(shape[name], np.float32), draw.integers(0, 10, 40)
        self.x, self.y = x, x if name == "variational" else y

    def train(self, length: int, folder: Path | None = None) -> Any:
        model = self.module.network(jit_compile=self.full)
        backup = []
        if folder is not None:
            backup = [keras.callbacks.BackupAndRestore(folder / "run", delete_checkpoint=False)]
        model.fit(self.x, self.y, epochs=length, verbose=0, callbacks=backup)
        return model

    def save(self, model: Any, folder: Path) -> None:
        super().save(model, folder)
        model.save(folder / "model.keras")

    def loaded(self, folder: Path) -> list[Any]:
        return [*super().loaded(folder), keras.models.load_model(folder / "model.keras")]

    def answers(self, model: Any) -> list[Any]:
        found = [model(self.x[:20])]
        if self.module.__name__.endswith("characters"):
            found += [model.write([1, 2], 1.0, 30, seed) for seed in range(3)]
        return found


class Checkpointed(SavedRun):
    """Module with a training function; a checkpoint holds it."""

    def train(self, length: int, folder: Path | None = None) -> Any:
        model, done = self.make(), tf.Variable(0)
        checkpoint = tf.train.Checkpoint(model=model, done=done)
        if folder is not None and (folder / "run").exists():
            checkpoint.read(folder / "run").assert_consumed()
        self.go_on(model, length - int(done))
        done.assign(length)
        if folder is not None:
            checkpoint.write(folder / "run")
        return model


class Regression(Checkpointed):
    def make(self) -> Any:
        return self.module.Regression(jit_compile=self.full)

    def go_on(self, model: Any, length: int) -> None:
        draw = np.random.default_rng(0)
        data = self.module.data() if self.full else (draw.random((40, 64)), np.arange(40) % 10)
        model.train(tf.constant(data[0]), tf.constant(data[1]), tf.constant(length))

    def answers(self, model: Any) -> list[Any]:
        return [model(np.random.default_rng(1).random((20, 64)))]


class Agent(Checkpointed):
    def make(self) -> Any:
        return self.module.Agent(jit_compile=self.full)

    def go_on(self, model: Any, length: int) -> None:
        for _ in range(length):
            model.train()

    def answers(self, model: Any) -> list[Any]:
        starts = np.random.default_rng(1).uniform(-0.05, 0.05, [5, 4]).astype(np.float32)
        return [model.balance(start) for start in starts]


def saved_run(name: str, full: bool) -> Any:
    return {"logistic": Regression, "actor_critic": Agent}.get(name, Fitted)(name, full)


def begin(name: str, folder: Path, full: bool) -> None:
    """Train to the end, and half of the way; save the second model, and answers of it."""
    run = saved_run(name, full)
    os.makedirs(folder)
    np.savez(folder / "whole.npz", **run.variables(run.train(run.length)))
    half = run.train(run.length // 2, folder)
    run.save(half, folder)
    np.savez(folder / "answers.npz", *[np.asarray(answer) for answer in run.answers(half)])


def go_on(name: str, folder: Path, full: bool) -> None:
    """Compare what is loaded with what was saved, and the end of the run with the other one's."""
    run = saved_run(name, full)
    answers = list(np.load(folder / "answers.npz").values())
    for model in run.loaded(folder):
        for found, expected in zip(run.answers(model), answers, strict=True):
            np.testing.assert_array_equal(found, expected)
    found, whole = run.variables(run.train(run.length, folder)), np.load(folder / "whole.npz")
    assert found.keys() == set(whole)
    for path, value in found.items():
        np.testing.assert_array_equal(value, whole[path], path)


if __name__ == "__main__":
    step, place, size, *names = sys.argv[1:]
    for example in names:
        {"begin": begin, "go-on": go_on}[step](example, Path(place) / example, size == "full")
        print(example)
