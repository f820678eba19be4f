"""Layout node for numbers that have different Python types on different paths.

``NumberNode`` holds the place of the type in ``KINDS`` and a value of each type.  Beside a tensor
a joined number becomes one number of its widest type, which takes the tensor's dtype.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from autograph.operators.joins import nodes
from autograph.operators.joins.descriptions import is_array, spec_of
from autograph.operators.joins.exact_joins import join_specs
from autograph.operators.joins.join_errors import cannot, of_dtypes
from autograph.operators.joins.nodes import LeafNode, Node, without_value
from autograph.operators.state.closure_cells import UNDEFINED
from autograph.operators.state.sentinels import NEVER
from autograph.staging.joined_number import KINDS, JoinedNumber
from autograph.staging.protocol import Backend
from autograph.staging.state_spec import MISSING, Spec
from autograph.syntax.data_classes import dataclass


@dataclass(frozen=True)
class NumberNode:
    """A number of one of several types: ``kinds`` has the spec of each, in the order of KINDS."""

    name: str
    kind: Spec
    kinds: tuple[tuple[type, Spec], ...]

    def specs(self) -> list[Spec]:
        return [self.kind, *(spec for _, spec in self.kinds)]

    def lower(self, value: Any, backend: Backend) -> list[Any]:
        if value is NEVER or value is UNDEFINED:
            return [MISSING] * (1 + len(self.kinds))
        if isinstance(value, JoinedNumber):
            kind, values = value.ag__kind, value.ag__values
        else:
            own_kind = backend.python_type(value) or type(value)
            kind, values = KINDS.index(own_kind), {own_kind: value}
        return [kind, *(values.get(number_kind, MISSING) for number_kind, _ in self.kinds)]

    def lift(self, values: Iterator[Any], backend: Backend) -> Any:
        kind = next(values)
        tensors = {number_kind: next(values) for number_kind, _ in self.kinds}
        return JoinedNumber(kind, tensors, backend)

    def widen(self, value: Any, backend: Backend) -> Node:
        if (without := without_value(self, value, backend)) is not None:
            return without
        found = _kinds_of(value, backend)
        if found is None:
            return self._beside_tensor(value, backend)
        kinds = {**dict(self.kinds), **found}
        if len(kinds) == len(self.kinds):
            return self
        return NumberNode(self.name, self.kind, _in_order(kinds))

    def _beside_tensor(self, value: Any, backend: Backend) -> Node:
        spec = spec_of(value, backend)
        if spec is None:
            raise cannot(self.name, backend, self.kinds[-1][1], value)
        if is_array(value, backend):
            return nodes.ARRAYS["mixed"](self.name, self.kinds[-1][1], value, backend)
        try:
            for _, own_spec in self.kinds:
                joined = join_specs(own_spec, spec, backend)
        except TypeError as error:
            raise of_dtypes(self.name, error) from None
        return LeafNode(self.name, joined, may_be_number=True)


def _in_order(kinds: Mapping[type, Spec]) -> tuple[tuple[type, Spec], ...]:
    return tuple((kind, kinds[kind]) for kind in KINDS if kind in kinds)


def _kinds_of(value: Any, backend: Backend) -> dict[type, Spec] | None:
    """Return the types that a number may have, with their specs; None for other values."""
    if isinstance(value, JoinedNumber):
        return {kind: spec_of(number, backend) for kind, number in value.ag__values.items()}
    spec = spec_of(value, backend)
    kind = None if spec is None else backend.number_kind(spec)
    return None if kind is None else {kind: spec}


def of_number(name: str, value: JoinedNumber, backend: Backend, make: Any = None) -> Node:
    """Return the node for a joined number; there are no items to ``make`` nodes of."""
    kinds = _kinds_of(value, backend)
    assert kinds is not None
    return NumberNode(name, spec_of(value.ag__kind, backend), _in_order(kinds))


def joined(node: LeafNode, value: Any, backend: Backend) -> Node | None:
    """Return the node for a value beside a number of another type; None for other values."""
    own_kind = None if node.spec is None else backend.number_kind(node.spec)
    if isinstance(value, JoinedNumber):
        wide = of_number(node.name, value, backend)
        if own_kind is not None:
            kinds_of_both = _in_order({own_kind: node.spec, **dict(wide.kinds)})
            return NumberNode(node.name, wide.kind, kinds_of_both)
        return _beside_number(node, wide, backend)
    kinds = None if own_kind is None else _kinds_of(value, backend)
    if own_kind is None or kinds is None or own_kind in kinds:
        return None
    return NumberNode(node.name, spec_of(0, backend), _in_order({own_kind: node.spec, **kinds}))


def _beside_number(node: LeafNode, number: NumberNode, backend: Backend) -> Node:
    """Return the node for a tensor beside a joined number."""
    spec = node.spec
    try:
        if spec is None:
            raise TypeError("it is a number on one path and a staged sequence on the other")
        for _, own_spec in number.kinds:
            spec = join_specs(spec, own_spec, backend)
    except TypeError as error:
        raise of_dtypes(node.name, error) from None
    return LeafNode(node.name, spec, may_be_number=True)


nodes.NUMBERS["joined"] = joined
nodes.MAKERS[JoinedNumber] = of_number
