"""Tensors of serialized examples: ``io.parse_example`` and its relatives, and their ops.

features.py describes what becomes a tensor, example_rows.py has the kernels.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Any

import numpy as np

from runtime.composite.ragged_tensor import RaggedTensor
from runtime.composite.sparse.sparse_tensor import SparseTensor
from runtime.data.formats.example_rows import (
    Lists,
    column,
    entries,
    features_of,
    filled,
    message_field,
    splits_of,
)
from runtime.data.formats.features import FeaturePlan, plan_of
from runtime.ops import dispatch
from runtime.ops.array.constants import convert_to_tensor
from runtime.ops.op import RAISES, define
from runtime.ops.rules.samples import OpSample, case
from runtime.types import wire_format as wire
from runtime.types.aliases import TensorLike
from runtime.types.dtypes import Array, as_dtype, int64, string
from runtime.types.errors import IncompatibleShapesError, InvalidArgumentError
from runtime.types.shapes import TensorShape, TensorSpec

__all__ = [
    "parse_example", "parse_sequence_example", "parse_single_example",
    "parse_single_sequence_example",
]  # fmt: skip

Plans = Sequence[Any]


def _width(plan: FeaturePlan, single: bool) -> int:
    """How many tensors a feature is of."""
    if plan.kind in ("fixed", "sequence"):
        return 1
    return 3 if plan.kind in ("var", "sparse") else 2 + len(plan.partitions) - single


def _without_batch(plan: FeaturePlan, parts: list[Array]) -> list[Array]:
    """The parts of a feature of a batch of one record as those of the record."""
    if len(parts) == 1:
        return [parts[0][0]]
    if plan.kind in ("var", "sparse"):
        indices, values, sizes = parts
        return [indices[:, 1:], values, sizes[1:]]
    return [parts[0], *parts[2:]]


def _parse_examples(
    serialized: Array, *defaults: Array, plans: Plans, rank: int
) -> tuple[Array, ...]:
    _batch_dims(TensorSpec(serialized.shape, string), rank)
    records = [features_of(record, 1) for record in np.asarray(serialized, object).reshape(-1)]
    return _columns(records, defaults, plans, not rank)


def _columns(
    records: Sequence[Lists], defaults: Sequence[Array], plans: Plans, single: bool
) -> tuple[Array, ...]:
    results: list[Array] = []
    for fields in plans:
        plan = FeaturePlan(*fields)
        parts = column(records, plan, defaults)
        results += _without_batch(plan, parts) if single else parts
    return tuple(results)


def _parse_examples_infer(
    serialized: TensorSpec, *defaults: TensorSpec, plans: Plans, rank: int
) -> tuple[TensorSpec, ...]:
    return tuple(_column_specs(plans, _batch_dims(serialized, rank)))


def _batch_dims(serialized: TensorSpec, rank: int) -> list[int | None]:
    """The static shape of records; ``rank`` says how many axes they have, 0 or 1."""
    if serialized.shape.rank is None:
        return [None] * rank
    if serialized.shape.rank != rank:
        raise IncompatibleShapesError(
            f"parse_example: serialized must be of rank {rank}, got shape {serialized.shape}"
        )
    return serialized.shape.as_list()


def _column_specs(plans: Plans, batch: list[int | None]) -> Iterator[TensorSpec]:
    for fields in plans:
        plan = FeaturePlan(*fields)
        dtype = as_dtype(plan.dtype)
        if plan.kind in ("fixed", "sequence"):
            steps = [None] if plan.kind == "sequence" else []
            yield TensorSpec([*batch, *steps, *plan.dims], dtype)
        elif plan.kind in ("var", "sparse"):
            rank = len(batch) + max(len(plan.dims), 1)
            yield from [TensorSpec([None, rank], int64), TensorSpec([None], dtype),
                        TensorSpec([rank], int64)]  # fmt: skip
        else:
            count = None if not batch or batch[0] is None else batch[0] + 1
            outer = [TensorSpec([count], int64)] * len(batch)
            inner = [TensorSpec([None], int64)] * len(plan.partitions)
            yield from [TensorSpec([None], dtype), *outer, *inner]


def _samples() -> list[OpSample]:
    record = wire.nested(1, wire.nested(1, wire.text(1, "n") + wire.nested(
        2, wire.nested(3, wire.packed_varints(1, [3, 300])))))  # fmt: skip
    plans = (("fixed", "n", "int64", (2,), -1, True, ()), ("var", "n", "int64", (), -1, False, ()),
             ("fixed", "x", "float32", (), 0, False, ()))  # fmt: skip
    return [case([record, record], 0.5, plans=plans, rank=1),
            case(record, 0.5, plans=plans, rank=0)]  # fmt: skip


parse_examples_op = define(
    "parse_example",
    inputs="serialized *defaults",
    same_dtype_inputs=None,
    kernel=_parse_examples,
    infer=_parse_examples_infer,
    grad=None,
    node_name="ParseExampleV2",
    traits=(RAISES,),
    samples=_samples,
    doc="Make tensors of the features of serialized examples.",
)


# -- sequences ------------------------------------------------------------------------------------


def _parse_sequences(
    serialized: Array, *defaults: Array, context: Plans, sequence: Plans, rank: int
) -> tuple[Array, ...]:
    _batch_dims(TensorSpec(serialized.shape, string), rank)
    single = not rank
    records = np.asarray(serialized, object).reshape(-1)
    whole = _columns([features_of(record, 1) for record in records], defaults, context, single)
    lists = [entries(message_field(record, 2), 1) for record in records]
    results = [*whole]
    for fields in sequence:
        plan = FeaturePlan(*fields)
        steps = [_steps(record, plan, number) for number, record in enumerate(lists)]
        counts = np.array([len(record) for record in steps], np.int64)
        rows = [{plan.key: step} for record in steps for step in record]
        step_plan = plan._replace(kind="fixed") if plan.kind == "sequence" else plan
        parts = column(rows, step_plan, defaults)
        results += parts if single else _in_batch(plan, parts, counts, defaults)
        results += [counts] if plan.kind == "sequence" and not single else []
    return tuple(results)


def _steps(record: Lists, plan: FeaturePlan, number: int) -> list[bytes]:
    if plan.key not in record:
        if plan.required:
            raise InvalidArgumentError(
                f"Feature list {plan.key!r} is required but could not be found in record {number}. "
                "FixedLenSequenceFeature(..., allow_missing=True) takes it as empty"
            )
        return []
    return [value for field, _, value in wire.read_fields(record[plan.key]) if field == 1]


def _in_batch(
    plan: FeaturePlan, parts: list[Array], counts: Array, defaults: Sequence[Array]
) -> list[Array]:
    """The parts of a feature of all steps, one behind the other, as those of a batch of records."""
    starts, longest = splits_of(counts), int(counts.max(initial=0))
    if plan.kind == "sequence":
        batch = filled((len(counts), longest, *plan.dims), plan, defaults)
        for number, (start, count) in enumerate(zip(starts, counts)):
            batch[number, :count] = parts[0][start : start + count]
        return [batch]
    if plan.kind == "var":
        indices, values, sizes = parts
        records = np.repeat(np.arange(len(counts)), counts)[indices[:, 0]]
        steps = indices[:, 0] - starts[records]
        whole = np.stack([records, steps, indices[:, 1]], 1)
        return [whole, values, np.array([len(counts), longest, sizes[1]], np.int64)]
    return [parts[0], starts, *parts[1:]]


def _parse_sequences_infer(
    serialized: TensorSpec, *defaults: TensorSpec, context: Plans, sequence: Plans, rank: int
) -> tuple[TensorSpec, ...]:
    batch = _batch_dims(serialized, rank)
    specs = [*_column_specs(context, batch)]
    for fields in sequence:
        plan = FeaturePlan(*fields)
        dtype, axes = as_dtype(plan.dtype), len(batch) + 2
        if plan.kind == "sequence":
            specs.append(TensorSpec([*batch, None, *plan.dims], dtype))
        elif plan.kind == "var":
            specs += [TensorSpec([None, axes], int64), TensorSpec([None], dtype),
                      TensorSpec([axes], int64)]  # fmt: skip
        else:
            count = None if not batch or batch[0] is None else batch[0] + 1
            inner = [TensorSpec([None], int64)] * (1 + len(plan.partitions))
            specs += [TensorSpec([None], dtype), *[TensorSpec([count], int64)] * len(batch), *inner]
        specs += [TensorSpec(batch, int64)] * (len(batch) if plan.kind == "sequence" else 0)
    return tuple(specs)


def _sequence_samples() -> list[OpSample]:
    step = wire.nested(1, wire.nested(3, wire.packed_varints(1, [3, 300])))
    record = wire.nested(2, wire.nested(1, wire.text(1, "n") + wire.nested(2, step + step)))
    sequence = (("sequence", "n", "int64", (2,), -1, True, ()),
                ("var", "n", "int64", (), -1, False, ()))  # fmt: skip
    return [case([record, record], context=(), sequence=sequence, rank=1),
            case(record, context=(), sequence=sequence, rank=0)]  # fmt: skip


parse_sequences_op = define(
    "parse_sequence_example",
    inputs="serialized *defaults",
    same_dtype_inputs=None,
    kernel=_parse_sequences,
    infer=_parse_sequences_infer,
    grad=None,
    node_name="ParseSequenceExampleV2",
    traits=(RAISES,),
    samples=_sequence_samples,
    doc="Make tensors of the features of serialized sequence examples.",
)


# -- public functions -----------------------------------------------------------------------------


def _plans(
    features: Any, defaults: list[Any], caller: str, in_steps: bool = False
) -> dict[Any, FeaturePlan]:
    if not isinstance(features, Mapping):
        raise TypeError(f"{caller}: features must be a dict, got {features!r}")
    return {name: plan_of(name, feature, defaults, in_steps) for name, feature in features.items()}


def _as_tensors(defaults: list[Any]) -> list[Any]:
    return [dispatch.convert(value, as_dtype(dtype)) for value, dtype, _ in defaults]


def _strings(serialized: TensorLike, caller: str, ranks: tuple[int, ...]) -> Any:
    tensor = convert_to_tensor(serialized)
    if tensor.dtype is not string:
        raise InvalidArgumentError(f"{caller}: serialized must be strings, got {tensor.dtype.name}")
    if tensor.shape.rank not in ranks:
        kinds = " or ".join({0: "a scalar", 1: "a vector"}[rank] for rank in ranks)
        raise IncompatibleShapesError(
            f"{caller}: serialized must be {kinds}, got shape {tensor.shape}"
        )
    return tensor


def _packed(plans: Mapping[Any, FeaturePlan], tensors: Iterator[Any], batch: TensorShape) -> Any:
    """The features by name, each of its tensors."""
    features: dict[Any, Any] = {}
    for name, plan in plans.items():
        parts = list(islice(tensors, _width(plan, not batch.rank)))
        features[name] = _value(plan, parts, batch)
    return features


def _value(plan: FeaturePlan, parts: list[Any], batch: TensorShape) -> Any:
    if plan.kind in ("fixed", "sequence"):
        return parts[0]
    if plan.kind in ("var", "sparse"):
        inner = [*plan.dims] if plan.kind == "sparse" else [None]
        return SparseTensor(*parts).with_shape(batch.concatenate(inner))
    return RaggedTensor.from_nested_row_splits(parts[0], parts[1:], validate=False)


def parse_example(serialized: TensorLike, features: Mapping[str, Any], example_names: Any = None,
                  name: str | None = None) -> dict[str, Any]:  # fmt: skip
    """Make tensors of the features of serialized examples.

    Args:
        serialized: string tensor, a vector with an ``Example`` in each entry, or a scalar.
        features: what becomes a tensor, by name: ``FixedLenFeature``, ``VarLenFeature``,
            ``FixedLenSequenceFeature``, ``SparseFeature`` or ``RaggedFeature``.
        example_names: not used; names of the records.
    Returns:
        A dict of tensors, SparseTensors and RaggedTensors, by name.
    Raises:
        InvalidArgumentError: a record is no Example, or a feature is absent, of another dtype or of
            another size.
        TypeError: what describes a feature is none.
        ValueError: ``features`` is empty, or a shape is not known.
    """
    if not features:
        raise ValueError(f"Missing: features was {features!r}.")
    tensor = _strings(serialized, "io.parse_example", (0, 1))
    defaults: list[Any] = []
    plans = _plans(features, defaults, "io.parse_example")
    flat = parse_examples_op(
        tensor, *_as_tensors(defaults), plans=tuple(map(tuple, plans.values())),
        rank=tensor.shape.rank, name=name,
    )
    return dict(_packed(plans, iter(flat), tensor.shape))


def parse_single_example(serialized: TensorLike, features: Mapping[str, Any],
                         example_names: Any = None,
                         name: str | None = None) -> dict[str, Any]:  # fmt: skip
    """Make tensors of the features of one serialized example.

    Args:
        serialized: string tensor, a scalar: an ``Example``.
        features: as of ``parse_example``.
        example_names: not used.
    Returns:
        A dict of tensors, SparseTensors and RaggedTensors, by name, without an axis of a batch.
    Raises:
        InvalidArgumentError: as of ``parse_example``.
        TypeError: as of ``parse_example``.
        ValueError: as of ``parse_example``, or ``serialized`` is no scalar.
    """
    tensor = _strings(serialized, "io.parse_single_example", (0,))
    return parse_example(tensor, features, example_names, name)


def parse_sequence_example(serialized: TensorLike,
                           context_features: Mapping[str, Any] | None = None,
                           sequence_features: Mapping[str, Any] | None = None,
                           example_names: Any = None,
                           name: str | None = None) -> tuple[Any, Any, Any]:  # fmt: skip
    """Make tensors of the features of serialized sequence examples.

    Args:
        serialized: string tensor, a vector with a ``SequenceExample`` in each entry.
        context_features: features of whole records, as of ``parse_example``.
        sequence_features: features of steps: ``FixedLenSequenceFeature``, ``VarLenFeature`` or
            ``RaggedFeature``.
        example_names: not used.
    Returns:
        Dicts of the context, of the sequences, and of the numbers of steps (int64) of those that
        are padded.
    Raises:
        InvalidArgumentError: a record is no SequenceExample, or a feature is absent, of another
            dtype or of another size.
        TypeError: what describes a feature is none.
        ValueError: no features are asked for.
    """
    return _sequences(serialized, context_features, sequence_features, 1, name)


def parse_single_sequence_example(
    serialized: TensorLike, context_features: Mapping[str, Any] | None = None,
    sequence_features: Mapping[str, Any] | None = None, example_name: Any = None,
    name: str | None = None,
) -> tuple[Any, Any]:
    """Make tensors of the features of one serialized sequence example.

    Args:
        serialized: string tensor, a scalar: a ``SequenceExample``.
        context_features: as of ``parse_sequence_example``.
        sequence_features: as of ``parse_sequence_example``.
        example_name: not used.
    Returns:
        Dicts of the context and of the sequences, whose first axis is that of steps.
    Raises:
        InvalidArgumentError: as of ``parse_sequence_example``.
        TypeError: as of ``parse_sequence_example``.
        ValueError: no features are asked for, or ``serialized`` is no scalar.
    """
    return _sequences(serialized, context_features, sequence_features, 0, name)[:2]


def _sequences(
    serialized: Any, context_features: Any, sequence_features: Any, rank: int, name: str | None
) -> tuple[Any, Any, Any]:
    caller = "io.parse_sequence_example" if rank else "io.parse_single_sequence_example"
    if not (context_features or sequence_features):
        raise ValueError("Both `context_features` and `sequence_features` argument are None")
    tensor = _strings(serialized, caller, (rank,))
    defaults: list[Any] = []
    context = _plans(context_features or {}, defaults, caller)
    steps = _plans(sequence_features or {}, defaults, caller, in_steps=True)
    tensors = iter(parse_sequences_op(
        tensor, *_as_tensors(defaults), context=tuple(map(tuple, context.values())),
        sequence=tuple(map(tuple, steps.values())), rank=rank, name=name,
    ))  # fmt: skip
    whole = _packed(context, tensors, tensor.shape)
    sequences: dict[str, Any] = {}
    lengths: dict[str, Any] = {}
    for key, plan in steps.items():
        count = _width(plan, False) + rank * (plan.kind == "ragged")
        parts = list(islice(tensors, count))
        sequences[key] = _value(plan, parts, tensor.shape.concatenate([None]))
        if rank and plan.kind == "sequence":
            lengths[key] = next(tensors)
    return whole, sequences, lengths
