"""An epoch of the examples' networks, here and by Keras 3 on TensorFlow, JAX and torch.

    taskset -c 0 python -m benchmarks.epochs_against_keras                 # both networks
    taskset -c 0 python -m benchmarks.epochs_against_keras lstm --epochs 8

Each system trains the same network in a process of its own, on one thread: the same data, batches
and first weights, whose predictions are compared.  Printed are the processor's seconds of the first
epoch, compilation included, and the median of the others.
"""

from __future__ import annotations

import argparse
import importlib
import importlib.util
import json
import os
import statistics
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.timing import ONE_THREAD, pin, processor_time, spoken

ROOT = Path(__file__).parents[1]
OURS = "runtime"
PEERS = ("tensorflow", "jax", "torch")
NETWORKS = ("convolution", "lstm")
ROWS, BATCH, SHOWN = 1400, 32, 20
TOLERANCE = 1e-4


def network(name: str, keras: Any) -> Any:
    """The network of examples/training of this name, compiled as there."""
    layers = keras.layers
    if name == "lstm":
        model = keras.Sequential([keras.Input((8, 8)), layers.LSTM(64), layers.Dense(10)])
    else:
        model = keras.Sequential([
            keras.Input((8, 8, 1)),
            layers.Conv2D(32, 3, padding="same", activation="relu"),
            layers.MaxPooling2D(),
            layers.Conv2D(64, 3, padding="same", activation="relu"),
            layers.Flatten(),
            layers.Dropout(0.4),
            layers.Dense(10),
        ])  # fmt: skip
    draw = np.random.default_rng(1)
    model.set_weights([0.1 * draw.normal(size=w.shape) for w in model.get_weights()])
    loss = keras.losses.SparseCategoricalCrossentropy(from_logits=True)
    optimizer = keras.optimizers.Adam(2e-3 if name == "convolution" else 5e-3)
    options = {"jit_compile": True} if keras.__name__ == "runtime.keras" else {}
    model.compile(optimizer, loss, metrics=["accuracy"], **options)
    return model


def train(name: str, system: str, epochs: int) -> dict[str, Any]:
    """Seconds of the epochs, and predictions before them, in this process."""
    keras = importlib.import_module("runtime.keras" if system == OURS else "keras")
    if system == "torch":
        importlib.import_module("torch").set_num_threads(1)
    draw = np.random.default_rng(0)
    shape = (ROWS, 8, 8) if name == "lstm" else (ROWS, 8, 8, 1)
    x, y = draw.random(shape, np.float32), draw.integers(0, 10, ROWS).astype(np.int32)
    model = network(name, keras)
    shown = np.asarray(model.predict(x[:SHOWN], verbose=0)).tolist()
    times = []

    class Clock(keras.callbacks.Callback):  # type: ignore[misc, name-defined]
        """Notes when epochs end."""

        def on_epoch_end(self, epoch: int, logs: Any = None) -> None:
            """Note the time."""
            times.append(processor_time())

    start = processor_time()
    model.fit(x, y, batch_size=BATCH, epochs=epochs, verbose=0, callbacks=[Clock()])
    return {"seconds": np.diff([start, *times]).tolist(), "predictions": shown}


def measured(name: str, system: str, epochs: int) -> dict[str, Any]:
    """The same, from a new process."""
    backend = {} if system == OURS else {"KERAS_BACKEND": system}
    threads = {"TF_NUM_INTRAOP_THREADS": "1", "TF_NUM_INTEROP_THREADS": "1"}
    found = subprocess.run(
        [sys.executable, "-m", "benchmarks.epochs_against_keras", name,
         "--epochs", str(epochs), "--system", system],
        capture_output=True, text=True, cwd=ROOT, env=os.environ | ONE_THREAD | threads | backend,
    )  # fmt: skip
    if found.returncode:
        raise RuntimeError(f"{system} failed:\n{found.stderr}")
    result: dict[str, Any] = json.loads(found.stdout.splitlines()[-1])
    return result


def compare(name: str, epochs: int, rounds: int, systems: list[str]) -> None:
    """Measure a network by all systems, which take turns, and print the figures."""
    print(f"{name}: {ROWS} rows, batches of {BATCH}, {epochs} epochs, {rounds} rounds", flush=True)
    found: dict[str, list[dict[str, Any]]] = {system: [] for system in systems}
    for _ in range(rounds):
        for system in systems:
            found[system].append(measured(name, system, epochs))
    wanted = np.array(found[OURS][0]["predictions"])
    figures = {}
    for system, results in found.items():
        given = np.array(results[0]["predictions"])
        if not np.allclose(given, wanted, TOLERANCE, TOLERANCE):
            raise RuntimeError(f"{system} predicts otherwise by {np.abs(given - wanted).max()}")
        first = statistics.median(result["seconds"][0] for result in results)
        later = statistics.median(s for result in results for s in result["seconds"][1:])
        figures[system] = first, later
        ratios = [figure / own for figure, own in zip(figures[system], figures[OURS])]
        print(f"  {system:<12} first epoch {spoken(first):>8} ({ratios[0]:5.2f} x ours)   "
              f"others {spoken(later):>8} ({ratios[1]:5.2f} x ours)", flush=True)  # fmt: skip


def main() -> None:
    """Run the command."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.epochs_against_keras", description=__doc__.splitlines()[0]
    )
    parser.add_argument("networks", nargs="*", metavar="NETWORK", help=", ".join(NETWORKS))
    parser.add_argument("--epochs", type=int, default=6, help="2 or more: 6")
    parser.add_argument("--rounds", type=int, default=3, help="processes of each system: 3")
    parser.add_argument("--system", help=argparse.SUPPRESS)  # train in this process
    given = parser.parse_args()
    if unknown := set(given.networks) - set(NETWORKS):
        parser.error(f"no network is named {', '.join(unknown)}; there are {', '.join(NETWORKS)}")
    if given.epochs < 2:
        parser.error("--epochs: the first one is measured by itself; give 2 or more")
    pin()
    if given.system:
        print(json.dumps(train(given.networks[0], given.system, given.epochs)))
        return
    packages = {name: importlib.util.find_spec(name) for name in ("keras", *PEERS)}
    missing = [name for name, spec in packages.items() if spec is None]
    if missing:
        print(f"not installed, and left out: {', '.join(missing)}")
    there = [name for name in PEERS if name not in missing and "keras" not in missing]
    for name in given.networks or NETWORKS:
        compare(name, given.epochs, given.rounds, [OURS, *there])


if __name__ == "__main__":
    main()
