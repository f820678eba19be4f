"""Every op on its samples: as ONNX it gives what its kernel gives, or it is refused."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

import runtime as tf
from runtime.ops.op import TABLE, Missing, OpDef
from runtime.types.errors import UnimplementedError
from tests.support import onnx_models
from tests.support.nightly import EVERYTHING, NIGHTLY, selected

exporting = pytest.importorskip("runtime.export.onnx_models.exporting")

FAULTS = {
    "softsign": ("evaluator", "of a scalar its result is no array"),
    "conv_to_input": ("evaluator", "it has no groups of transposed convolutions"),
    "conv_transpose": ("evaluator", "it has no groups of transposed convolutions"),
}
"""Op -> the runner that has a fault of its own, and which."""

FAILS = {"compare_numbers": "an int beyond 2**53 is not compared with a float"}
"""Op -> for which sample a run fails, as docs/onnx.md says."""


def samples_of(op: OpDef) -> Sequence[Any]:
    if isinstance(op.samples, Missing | None) or op.name in ("constant", "placeholder"):
        return []
    try:
        return op.samples()
    except ModuleNotFoundError:  # an extra
        return []


OPS = [name for name, op in TABLE.complete().items() if samples_of(op)]


def exported(op: OpDef, inputs: Sequence[Any], attrs: dict[str, Any], fixed: Sequence[int]) -> Any:
    """The op as a model of its inputs, without those that are fixed before the run."""
    free = [k for k in range(len(inputs)) if k not in fixed]

    def call(*tensors: Any) -> Any:
        values = list(inputs)
        for place, tensor in zip(free, tensors, strict=True):
            values[place] = tensor
        return op(*values, **attrs)

    specs = [
        tf.TensorSpec(x.shape, tf.string if x.dtype == object else x.dtype)
        for x in (inputs[k] for k in free)
    ]
    model = exporting.onnx_model(tf.function(call, autograph=False), *specs)
    return model, [inputs[k] for k in free]


def outcome(op: OpDef, sample: Any) -> str:
    """"exported", or why the sample is refused; an AssertionError where a result differs."""
    inputs = [np.asarray(x) for x in sample.inputs]
    try:
        wanted = onnx_models.arrays_of(op(*map(tf.constant, inputs), **sample.attrs))
    except Exception as error:  # it raises eagerly, too
        return f"raises {type(error).__name__}"
    numbers = [k for k, x in enumerate(inputs) if k and x.dtype.kind in "iu"]
    reason = ""
    for fixed in ([], numbers) if numbers else ([],):
        try:
            model, arrays = exported(op, inputs, sample.attrs, fixed)
        except UnimplementedError as error:
            reason = str(error).rpartition("): ")[2]
            continue
        for runner in onnx_models.RUNNERS:
            try:
                onnx_models.assert_same(model, arrays, wanted, [runner])
            except onnx_models.NoKernelError:
                continue
            except Exception:
                if FAULTS.get(op.name, ("",))[0] != runner and op.name not in FAILS:
                    raise
        return "exported"
    assert reason, op.name
    return reason


@pytest.mark.parametrize("name", OPS)
def test_gives_what_the_kernel_gives_or_is_refused(name):
    op = TABLE[name]
    samples = samples_of(op)
    for sample in samples if EVERYTHING else samples[:1]:
        outcome(op, sample)


@pytest.mark.parametrize("_", selected([pytest.param(0, marks=NIGHTLY)]))
def test_share(_, capsys):
    """At least 175 of the ops are exported for all of their samples; the others by reason."""
    kinds = {name: {outcome(TABLE[name], s) for s in samples_of(TABLE[name])} for name in OPS}
    whole = [name for name, found in kinds.items() if found == {"exported"}]
    some = [name for name, found in kinds.items() if "exported" in found]
    with capsys.disabled():
        print(f"ONNX: {len(whole)} of {len(OPS)} ops exported, {len(some) - len(whole)} partly")
        reasons: dict[str, list[str]] = {}
        for name, found in kinds.items():
            for reason in found - {"exported"}:
                reasons.setdefault(reason[:100], []).append(name)
        for reason, names in sorted(reasons.items(), key=lambda entry: -len(entry[1])):
            print(f"  {len(names):4} {reason} ({', '.join(names[:3])})")
    assert len(whole) >= 175
    assert len(some) >= 195
