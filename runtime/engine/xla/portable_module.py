"""Portable modules: a plan as StableHLO for several kinds of processors, by ``jax.export``.

Above, ``export/stablehlo_modules.py`` writes it.  Variables that are read are constants of the
module; what needs this process - calls of kernels, variables that are written, random state - is
refused.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import jax
import jax.export
import jax.numpy as jnp
import numpy as np

from runtime.engine.xla.compiled_request import _storages
from runtime.engine.xla.interpreter import (
    TRACE,
    PlanInterpreter,
    UnknownSizeError,
    XLARefusal,
    is_static,
    new_frame,
)

ROOM = 256
"""Entries that a list has room for; a run that needs more has the status 2."""


def portable_module(
    plan: Any, plan_of: Callable[[Any], Any], shapes: Sequence[tuple[Any, Any]],
    platforms: Sequence[str],
) -> tuple[Any, bool]:  # fmt: skip
    """Return a plan as an ``Exported``, and whether its last result is the status of a run.

    ``shapes`` are sizes and NumPy's dtype of each argument.  XLARefusal for what a module cannot
    do.
    """
    interpreter = PlanInterpreter(plan_of)
    storages = list(dict.fromkeys(_storages(plan, plan_of)))
    has_status = [False]

    def run(*feeds: Any) -> Any:
        TRACE.capacity, TRACE.sizes, TRACE.asked, TRACE.has_calls = ROOM, (), 0, False
        TRACE.number, TRACE.group, TRACE.draws = np.int64(0), None, None
        before = {storage: jnp.asarray(storage.read()) for storage in storages}
        with new_frame(dict(before)) as frame:
            outputs = [_array(x) for x in interpreter.run(plan, feeds)]
            status = frame.status
        written = [s.name for s, x in frame.variables.items() if x is not before[s]]
        if written:
            raise XLARefusal(f"it writes the variable {written[0]!r}, and a module keeps no state")
        if TRACE.has_calls or TRACE.draws is not None:
            raise XLARefusal("it calls Python, or draws random numbers from a state")
        has_status[0] = not is_static(status)
        return (*outputs, status) if has_status[0] else tuple(outputs)

    try:
        with jax.enable_x64(True), jax.default_matmul_precision("highest"):
            arguments = [jax.ShapeDtypeStruct(*s) for s in shapes]  # type: ignore[no-untyped-call]
            exported = jax.export.export(jax.jit(run), platforms=tuple(platforms))(*arguments)
    except UnknownSizeError:
        raise XLARefusal("a size is known in a run only") from None
    except XLARefusal:
        raise
    except Exception as error:
        line = str(error).strip().partition("\n")[0]
        raise XLARefusal(f"JAX cannot trace it: {line}") from error
    return exported, has_status[0]


def _array(value: Any) -> Any:
    if not hasattr(value, "dtype"):
        raise XLARefusal("a result is a list: stack it to a tensor")
    return jnp.asarray(value)
