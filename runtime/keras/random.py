"""``runtime.keras.random``: random tensors; an int as seed gives the same ones at each call."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from runtime.keras.config import floatx
from runtime.ops.array.constants import cast, convert_to_tensor
from runtime.ops.array.gather_scatter import gather
from runtime.ops.array.shape import shape as shape_of
from runtime.ops.array.sorting import argsort
from runtime.ops.array.where import where
from runtime.ops.docstrings import documented
from runtime.ops.random import sampling, shuffling, stateless
from runtime.state.random_generator import Generator
from runtime.types.annexes import explained as _explained
from runtime.types.dtypes import as_dtype

if TYPE_CHECKING:
    from runtime.eager.tensor import Tensor

__all__ = [
    "SeedGenerator", "categorical", "dropout", "normal", "randint", "shuffle", "truncated_normal",
    "uniform",
]  # fmt: skip

_SEED = "int: the same numbers at each call; SeedGenerator: others; None: those of the runtime"
_DTYPE = "dtype; None: ``floatx``"


class SeedGenerator:
    """Source of seeds, with a state; each random function that gets it draws other numbers.

    ``seed`` is an int; None draws one.  ValueError for anything else, and for other keywords.
    """

    def __init__(self, seed: int | None = None, name: str | None = None, **kwargs: Any) -> None:
        if kwargs:
            raise ValueError(f"Unrecognized keyword arguments: {kwargs}")
        if seed is not None and not isinstance(seed, int):
            raise ValueError(f"Argument `seed` must be an integer. Received: seed={seed!r}")
        self.name = name or "seed_generator"
        self._initial_seed = seed
        generator = Generator.from_seed(seed) if seed is not None else None
        self._generator = generator or Generator.from_non_deterministic_state()

    @property
    def state(self) -> Any:
        """Variable with the state."""
        return self._generator.state

    def _checkpoint_children(self) -> Iterator[tuple[str, Any]]:
        """Yield what checkpoints and saved models hold."""
        yield "state", self.state

    def next(self, ordered: bool = True) -> Any:
        """Return another seed, of shape [2]."""
        return self._generator.make_seeds(1)[:, 0]

    def get_config(self) -> dict[str, Any]:
        """Return the arguments that make it."""
        return {"seed": self._initial_seed}

    @classmethod
    def from_config(cls, config: dict[str, Any]) -> SeedGenerator:
        """Make it from its arguments."""
        return cls(**config)


def _drawn(name: str, shape: Any, seed: Any, **options: Any) -> Any:
    """Draw numbers: statelessly with a seed."""
    if seed is None:
        return getattr(sampling, name)(shape, **options)
    if isinstance(seed, SeedGenerator):
        seed = seed.next()
    elif isinstance(seed, int):
        seed = [seed, 0]
    return getattr(stateless, f"stateless_{name}")(shape, seed=seed, **options)


@documented("Tensor", shape="the shape", mean="mean", stddev="standard deviation", dtype=_DTYPE,
            seed=_SEED)  # fmt: skip
def normal(
    shape: Any, mean: Any = 0.0, stddev: Any = 1.0, dtype: Any = None, seed: Any = None
) -> Tensor:
    """Draw normally distributed numbers."""
    return _drawn("normal", shape, seed, mean=mean, stddev=stddev, dtype=dtype or floatx())


@documented("Tensor", shape="the shape", mean="mean", stddev="standard deviation", dtype=_DTYPE,
            seed=_SEED)  # fmt: skip
def truncated_normal(
    shape: Any, mean: Any = 0.0, stddev: Any = 1.0, dtype: Any = None, seed: Any = None
) -> Tensor:
    """Draw normally distributed numbers within two standard deviations."""
    return _drawn(
        "truncated_normal", shape, seed, mean=mean, stddev=stddev, dtype=dtype or floatx()
    )


@documented("Tensor", shape="the shape", minval="least number", maxval="bound, which is not drawn",
            dtype=_DTYPE, seed=_SEED)  # fmt: skip
def uniform(
    shape: Any, minval: Any = 0.0, maxval: Any = 1.0, dtype: Any = None, seed: Any = None
) -> Tensor:
    """Draw evenly distributed numbers."""
    return _drawn("uniform", shape, seed, minval=minval, maxval=maxval, dtype=dtype or floatx())


@documented("Tensor", shape="the shape", minval="least int", maxval="bound, which is not drawn",
            dtype="integer dtype", seed=_SEED)  # fmt: skip
def randint(shape: Any, minval: Any, maxval: Any, dtype: Any = "int32", seed: Any = None) -> Tensor:
    """Draw ints."""
    wide = as_dtype(dtype)
    drawn = wide if wide.name in ("int32", "int64") else as_dtype("int32")
    return cast(_drawn("uniform", shape, seed, minval=minval, maxval=maxval, dtype=drawn), wide)


@documented("Tensor of shape [n, num_samples]", logits="logarithms of weights, [n, classes]",
            num_samples="number of classes to draw", dtype="integer dtype", seed=_SEED)
def categorical(logits: Any, num_samples: int, dtype: Any = "int32", seed: Any = None) -> Tensor:
    """Draw classes by their weights."""
    if seed is None:
        return shuffling.categorical(logits, num_samples, dtype=dtype)
    pair = seed.next() if isinstance(seed, SeedGenerator) else [seed, 0]
    return shuffling.stateless_categorical(logits, num_samples, seed=pair, dtype=dtype)


@documented("Tensor of the shape of ``inputs``", inputs="tensor", rate="share that becomes zero",
            noise_shape="shape of the choice, which broadcasts; None: that of ``inputs``",
            seed=_SEED)  # fmt: skip
def dropout(inputs: Any, rate: float, noise_shape: Any = None, seed: Any = None) -> Tensor:
    """Set elements to zero by chance, and divide the others by what is left."""
    inputs = convert_to_tensor(inputs)
    if not rate:
        return inputs
    chosen = shape_of(inputs) if noise_shape is None else noise_shape
    keeps = uniform(chosen, dtype=inputs.dtype.name, seed=seed) >= rate
    return where(keeps, inputs / (1 - rate), inputs * 0)


@documented("Tensor of the shape of ``x``", x="tensor", axis="the axis", seed=_SEED)
def shuffle(x: Any, axis: int = 0, seed: Any = None) -> Tensor:
    """Bring entries along an axis into a random order."""
    x = convert_to_tensor(x)
    order = argsort(uniform([shape_of(x)[axis]], seed=seed))
    return gather(x, order, axis=axis)


if not TYPE_CHECKING:  # type checkers find what is misspelt
    __getattr__ = _explained(__name__)


def __dir__() -> list[str]:
    return __all__
