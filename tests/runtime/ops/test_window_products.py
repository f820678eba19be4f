"""Convolution and its gradients: sums written out, and the one as the adjoint of the others."""

from itertools import product

import numpy as np
import pytest

from runtime.ops.nn import window_products
from runtime.ops.nn.convolution import conv, edges_of, span_of
from runtime.ops.nn.convolution_backprop import conv_to_filters, conv_to_input

STRIDES = ((1, 1), (2, 1), (3, 2))
DILATIONS = ((1, 1), (2, 1), (1, 3))
PADDINGS = ("SAME", "VALID", ((1, 0), (2, 1)), ((0, 4), (5, 0)))
ATTRS = [
    {"strides": s, "dilations": d, "padding": p}
    for s, d, p in product(STRIDES, DILATIONS, PADDINGS)
]
SHAPES = [  # input, filters
    ((2, 7, 9, 4), (3, 3, 4, 5)), ((2, 7, 9, 4), (3, 2, 4, 2)), ((2, 7, 9, 4), (3, 2, 2, 6)),
    ((2, 7, 9, 4), (3, 3, 1, 8)), ((2, 7, 9, 4), (3, 3, 1, 4)), ((1, 8, 7, 3), (1, 1, 3, 2)),
    ((2, 8, 8, 1), (2, 2, 1, 3)), ((0, 7, 9, 4), (3, 3, 4, 5)), ((2, 7, 9, 4), (3, 3, 4, 0)),
]  # fmt: skip


def written_out(x, filters, strides, dilations, padding):
    """The convolution, one place after the other."""
    spans = [span_of(w, d) for w, d in zip(filters.shape, dilations)]
    edges = [edges_of(x.shape[i + 1], spans[i], strides[i], padding, i) for i in (0, 1)]
    x = np.pad(x, [(0, 0), *edges, (0, 0)])
    sizes = [(n - s) // step + 1 for n, s, step in zip(x.shape[1:], spans, strides)]
    taken, out = filters.shape[2:]
    groups = x.shape[-1] // taken
    result = np.zeros((len(x), *sizes, out))
    for i, j, g in np.ndindex(*sizes, groups):
        rows = slice(i * strides[0], i * strides[0] + spans[0], dilations[0])
        columns = slice(j * strides[1], j * strides[1] + spans[1], dilations[1])
        part = x[:, rows, columns, g * taken : (g + 1) * taken]
        own = slice(g * out // groups, (g + 1) * out // groups)
        result[:, i, j, own] = np.einsum("bijc,ijco->bo", part, filters[..., own])
    return result


@pytest.mark.parametrize("block", [1, 150, 1 << 17])
@pytest.mark.parametrize("shapes", SHAPES)
def test_convolution_and_its_adjoints(shapes, block, monkeypatch):
    monkeypatch.setattr(window_products, "BLOCK", block)
    random = np.random.default_rng(0)
    x, filters = (random.normal(size=shape) for shape in shapes)
    for attrs in ATTRS:
        y = conv.kernel(x, filters, **attrs)
        np.testing.assert_allclose(y, written_out(x, filters, **attrs), 1e-9, 1e-9)
        dy = random.normal(size=y.shape)
        dx = conv_to_input.kernel(dy, filters, np.array(x.shape), **attrs)
        df = conv_to_filters.kernel(x, dy, np.array(filters.shape), **attrs)
        assert (dx.shape, df.shape) == shapes
        np.testing.assert_allclose(np.vdot(x, dx), np.vdot(y, dy), 1e-8, 1e-8)
        np.testing.assert_allclose(np.vdot(filters, df), np.vdot(y, dy), 1e-8, 1e-8)


def test_layouts_of_the_input_do_not_matter():
    random = np.random.default_rng(0)
    x, filters = random.normal(size=(2, 4, 7, 9)), random.normal(size=(3, 3, 4, 5))
    last = np.moveaxis(x, 1, -1)
    for attrs in ATTRS:
        found = conv.kernel(last, filters[::-1], **attrs)
        same = conv.kernel(last.copy(), filters[::-1].copy(), **attrs)
        np.testing.assert_allclose(found, same, 1e-12, 1e-12)
