"""Rows that compute one element from the elements at the same place: arithmetic and maths."""

from __future__ import annotations

import numpy as np

from runtime.facets.infer import broadcast, same
from runtime.op import ARITHMETIC, COMMUTATIVE, ELEMENTWISE, NUMERIC, define

__all__ = ["add", "multiply", "negative", "subtract"]

add = define(
    "add",
    inputs="x y",
    kernel=np.add,
    infer=broadcast,
    kinds=NUMERIC + "O",
    spells=("__add__", "__radd__", np.add),
    traits=(ELEMENTWISE, ARITHMETIC, COMMUTATIVE),
    doc="``x + y`` element-wise, with broadcasting; joins strings.",
)

subtract = define(
    "subtract",
    inputs="x y",
    kernel=np.subtract,
    infer=broadcast,
    kinds=NUMERIC,
    label="sub",
    spells=("__sub__", "__rsub__", np.subtract),
    traits=(ELEMENTWISE, ARITHMETIC),
    doc="``x - y`` element-wise, with broadcasting.",
)

multiply = define(
    "multiply",
    inputs="x y",
    kernel=np.multiply,
    infer=broadcast,
    kinds=NUMERIC,
    label="mul",
    spells=("__mul__", "__rmul__", np.multiply),
    traits=(ELEMENTWISE, ARITHMETIC, COMMUTATIVE),
    doc="``x * y`` element-wise, with broadcasting.",
)

negative = define(
    "negative",
    kernel=np.negative,
    infer=same,
    kinds=NUMERIC,
    label="Neg",
    spells=("__neg__", np.negative),
    traits=(ELEMENTWISE, ARITHMETIC),
    doc="``-x`` element-wise.",
)
