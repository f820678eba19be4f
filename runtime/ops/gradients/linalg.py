"""Derivatives of matrix and tensor products."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from runtime.ops.array.creation import eye_op, fill_op
from runtime.ops.array.shape import known_rank, transpose_op
from runtime.ops.gradients.dynamic_shapes import sizes, summed_to
from runtime.ops.linalg.product_axes import dot_axes
from runtime.ops.linalg.products import (
    LETTERS,
    einsum_op,
    einsum_terms,
    matmul_op,
    tensordot_op,
)


def matmul(
    a: Any, b: Any, y: Any, dy: Any, *, transpose_a: bool = False, transpose_b: bool = False
) -> tuple[Any, ...]:
    """Products of the gradient with the other matrix, batches summed where they were broadcast."""

    def product(x: Any, z: Any, flip_x: bool, flip_z: bool) -> Any:
        return matmul_op(x, z, transpose_a=flip_x, transpose_b=flip_z)

    def da() -> Any:
        if transpose_a:
            return summed_to(product(b, dy, transpose_b, True), a)
        return summed_to(product(dy, b, False, not transpose_b), a)

    def db() -> Any:
        if transpose_b:
            return summed_to(product(dy, a, True, transpose_a), b)
        return summed_to(product(a, dy, not transpose_a, False), b)

    return da, db


def _factor(term: str, free: list[str]) -> tuple[str, list[tuple[str, str]]]:
    """A term without repeated labels, and which new label stands for which old one."""
    labels: list[str] = []
    twins = []
    for label in term:
        if label in labels:
            fresh = free.pop()
            twins.append((label, fresh))
            label = fresh
        labels.append(label)
    return "".join(labels), twins


def einsum(*values: Any, equation: str) -> tuple[Any, ...]:
    """For each input the product of the gradient and the others, with the equation turned round.

    A label that only this input has is spread out by a factor of ones; one that it has twice
    takes the diagonal by an identity matrix.
    """
    inputs, dy = values[:-2], values[-1]
    terms, out = einsum_terms(equation, _ranks(inputs, equation))
    return tuple([partial(_einsum_by, i, inputs, dy, terms, out) for i in range(len(inputs))])


def _einsum_by(i: int, inputs: Any, dy: Any, terms: list[str], out: str) -> Any:
    """The gradient of one input."""
    x, term = inputs[i], terms[i]
    free = [c for c in LETTERS if c not in "".join(terms) + out]
    target, twins = _factor(term, free)
    operands = [dy, *inputs[:i], *inputs[i + 1 :]]
    labels = [out, *terms[:i], *terms[i + 1 :]]
    shape = sizes(x)
    unit = np.ones((), x.dtype.as_numpy_dtype)
    for label in dict.fromkeys(term):
        if label not in "".join(labels):
            operands.append(fill_op(shape[term.index(label)][None], unit))
            labels.append(label)
    for label, fresh in twins:
        size = shape[term.index(label)]
        operands.append(eye_op(size, size, dtype=x.dtype))
        labels.append(label + fresh)
    return summed_to(einsum_op(*operands, equation=f"{','.join(labels)}->{target}"), x)


def _ranks(inputs: Any, equation: str) -> list[int]:
    """The ranks of the inputs; those that are not known stand in the equation, unless by dots."""
    terms = equation.replace(" ", "").partition("->")[0].split(",")
    return [
        len(term) if x.shape.rank is None and "..." not in term else known_rank(x, "einsum")
        for x, term in zip(inputs, terms, strict=True)
    ]


def tensordot(a: Any, b: Any, y: Any, dy: Any, *, axes: Any) -> tuple[Any, ...]:
    """Products of the gradient with the other tensor over the axes that it kept."""
    ranks = known_rank(a, "the gradient of tensordot"), known_rank(b, "the gradient of tensordot")
    axes_of_a, axes_of_b = dot_axes(axes, *ranks)
    kept_a = [i for i in range(ranks[0]) if i not in axes_of_a]
    kept_b = [i for i in range(ranks[1]) if i not in axes_of_b]
    from_a, from_b = range(len(kept_a)), range(len(kept_a), len(kept_a) + len(kept_b))
    # What comes out: the kept axes of a, then those summed over, in the order b has them.
    order_a = kept_a + [axes_of_a[axes_of_b.index(j)] for j in sorted(axes_of_b)]
    order_b = [axes_of_b[axes_of_a.index(i)] for i in sorted(axes_of_a)] + kept_b

    def da() -> Any:
        product = tensordot_op(dy, b, axes=(tuple(from_b), tuple(kept_b)))
        return transpose_op(product, np.argsort(order_a))

    def db() -> Any:
        product = tensordot_op(a, dy, axes=(tuple(kept_a), tuple(from_a)))
        return transpose_op(product, np.argsort(order_b))

    return da, db
