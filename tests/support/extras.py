"""Tests that need an extra of pyautograph: they are skipped, by name, where it is not installed."""

from __future__ import annotations

import importlib.util

import pytest

from runtime.ops.op import TABLE

PACKAGES = {
    "special": ["scipy"], "text": ["re2"], "jit": ["ml_dtypes", "llvmlite"], "hdf5": ["h5py"],
    "progress": ["tqdm"], "xla": ["jax"], "onnx": ["onnx"], "native": ["llvmlite", "ziglang"],
    "mpi": ["mpi4py"], "images": ["PIL"], "dask": ["distributed"],
}  # fmt: skip

FOR_DERIVATIVES = {"digamma": "special", "lgamma": "special", "random_gamma": "special",
                   "stateless_random_gamma": "special"}  # fmt: skip
"""Ops whose derivatives, first or second, need what their kernels do not."""


def installed(extra):
    """Whether the packages of an extra are there; so for none, the empty text."""
    return all(importlib.util.find_spec(name) for name in PACKAGES.get(extra, ()))


def needs(extra):
    """The mark of a test that needs an extra."""
    return pytest.mark.skipif(not installed(extra), reason=f"the extra {extra!r} is not installed")


def marked(given, more=None):
    """Parameters that begin with an op's name; those of ops that need an extra have its mark.

    ``more`` names extras that ops need besides those of their kernels.
    """
    found = []
    for case in given:
        values = (case,) if isinstance(case, str) else case
        extra = TABLE[values[0]].extra or (more or {}).get(values[0])
        found.append(pytest.param(*values, marks=needs(extra) if extra else ()))
    return found
