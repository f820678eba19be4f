"""What calling a compiled function costs: x + 1 on a scalar."""

from __future__ import annotations

from typing import Any

import numpy as np

from benchmarks.against_peers.line import Line, Target
from benchmarks.against_peers.systems import function, jax, jit, numba, python, tensorflow

ONE = np.float32(1)


def successor(x: Any) -> Any:
    """Add one."""
    return x + 1


LINES = [
    Line(
        "call of a compiled x + 1",
        inputs=lambda: (ONE,),
        small=lambda: (ONE,),
        systems={
            "Python": lambda x: python(successor)(float(x)),
            "numba": lambda x: numba(successor)(float(x)),
            "JAX": jax(lambda jax: successor),
            "TensorFlow": tensorflow(lambda tf: successor),
            "runtime.function": function(lambda tf: successor),
            "runtime.jit": lambda x: jit(successor)(float(x)),
        },
        targets=(Target("runtime.function", 0.1, "JAX"), Target("runtime.jit", 0.1, "JAX")),
    ),
]
