"""Hypothesis' strategies for the standard, which array-api-tests rests on, take the namespace."""

from __future__ import annotations

import warnings

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.extra.array_api import make_strategies_namespace

import runtime.array_api as xp

with warnings.catch_warnings():
    warnings.simplefilter("error")  # warns of what it finds missing
    xps = make_strategies_namespace(xp, api_version="2024.12")

FEW = settings(max_examples=15, deadline=None, derandomize=True,
               suppress_health_check=list(HealthCheck))  # fmt: skip


def test_strategies_name_the_version():
    assert xps.api_version == "2024.12"


@FEW
@given(data=st.data())
def test_arrays_of_every_dtype(data):
    dtype = data.draw(xps.scalar_dtypes() | xps.complex_dtypes())
    shape = data.draw(xps.array_shapes(min_dims=0, max_dims=3, max_side=4))
    x = data.draw(xps.arrays(dtype, shape))
    assert x.dtype == dtype and x.shape == shape and x.ndim == len(shape)
    assert x.__array_namespace__() is xp


@FEW
@given(data=st.data())
def test_indices_pick_what_they_say(data):
    shape = data.draw(xps.array_shapes(min_dims=1, max_dims=3, max_side=4))
    size = 1
    for n in shape:
        size *= n
    x = xp.reshape(xp.arange(size), shape)
    index = data.draw(xps.indices(shape, allow_newaxis=True))
    picked = x[index]
    import numpy as np

    np.testing.assert_array_equal(np.asarray(picked), np.arange(size).reshape(shape)[index])


@FEW
@given(data=st.data())
def test_shapes_broadcast(data):
    shapes = data.draw(xps.mutually_broadcastable_shapes(2, max_side=4)).input_shapes
    x, y = (xp.ones(s, dtype=xp.float32) for s in shapes)
    joint = (x + y).shape
    assert xp.broadcast_arrays(x, y)[0].shape == joint == xp.add(x, y).shape


@pytest.mark.parametrize("name", ["float32", "int8", "uint64", "complex128", "bool"])
def test_dtypes_are_keys(name):
    dtype = getattr(xp, name)
    assert {dtype: 1}[xp.zeros(2, dtype=dtype).dtype] == 1
