"""Nested values: ``flatten`` splits one into its leaves and a ``TreeDef``, its structure.

Sessions, control flow, cache keys and signatures all flatten nests by this module; None is a leaf.
node_types.py defines which classes are structure.  Nothing is recursive, so the depth of a nest
has no limit.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from runtime.types.node_types import NODE_TYPES, NodeType

Path = tuple[Any, ...]
"""The keys, indices and field names that lead to a place in a nest."""

Step = tuple[NodeType, Any]
"""From a node to a child: the node's type, and the child's key."""

Link = tuple["Link", Step] | None
"""The way to a node: that to the node around it, and the last step."""

_CHECKED = 10_000
"""The number of nodes after which a structure is checked for containing itself."""


class StructureError(ValueError):
    """Mismatch of a value with a structure: at ``path`` the value has ``value``."""

    def __init__(self, path: Path, value: Any) -> None:
        super().__init__(f"the value at {path!r} has another structure: {value!r}")
        self.path = path
        self.value = value


def subscripts(path: Iterable[Any]) -> str:
    """Format a path in a nest for messages: ``['a'][0]``."""
    return "".join([f"[{key!r}]" for key in path])


class TreeDef:
    """Structure of a nest, without its leaves.

    skeleton  its nodes in preorder: None for a leaf, else class, number of children and keys
    metadata  what nodes hold besides their children, which need not be hashable

    Equal structures have equal skeletons and metadata.  The text of one is a Python literal with
    ``*``
    for the leaves: ``{'a': *, 'b': [*, *]}``.
    """

    __slots__ = ("metadata", "skeleton")

    def __init__(self, skeleton: tuple[Any, ...], metadata: tuple[Any, ...]) -> None:
        self.skeleton = skeleton
        self.metadata = metadata

    @property
    def num_leaves(self) -> int:
        """Number of leaves."""
        return self.skeleton.count(None)

    def kinds(self) -> tuple[Any, ...]:
        """Skeleton without the order of mappings, which equal specs share."""
        return tuple([
            None if node is None else (node[0], tuple(_known(node[0]).keys(node[2], node[1])))
            for node in self.skeleton
        ])

    def unflatten(self, leaves: Iterable[Any]) -> Any:
        """Make the nest of this structure with these leaves; ValueError for another number."""
        return self.fold(leaves, _unflatten)

    def fold(
        self, leaves: Iterable[Any], combine: Callable[[NodeType, Any, Any, list[Any]], Any]
    ) -> Any:
        """Combine leaves upwards by ``combine(node type, data, metadata, results)``."""
        feed, metadata = list(leaves), list(self.metadata)
        if len(feed) != self.num_leaves:
            raise ValueError(f"the structure {self} takes {self.num_leaves} leaves, "
                             f"got {len(feed)}")  # fmt: skip
        results: list[Any] = []
        for node in reversed(self.skeleton):
            if node is None:
                results.append(feed.pop())
                continue
            cls, arity, data = node
            kind: Any = NODE_TYPES[cls]
            children = results[: -arity - 1 : -1]
            del results[len(results) - arity :]
            node_metadata = metadata.pop() if kind.has_metadata else None
            results.append(combine(kind, data, node_metadata, children))
        return results.pop()

    def flatten_up_to(
        self, value: Any, fits: Callable[[NodeType, Any, int, Any], bool] | None = None
    ) -> list[Any]:
        """Return the parts of a value at the positions of this structure's leaves.

        The value's nodes must have the same keys, or satisfy ``fits(node type, data, arity,
        part)``.
        StructureError, with the path, where they do not.
        """
        todo, items = [value], []
        for position, node in enumerate(self.skeleton):
            item = todo.pop()
            if node is None:
                items.append(item)
                continue
            cls, arity, data = node
            node_type, kind = NODE_TYPES[type(item)], _known(cls)
            if node_type is None or (node_type.opaque and not kind.opaque) or (
                not (fits or _same_keys)(kind, data, arity, item)
            ):  # fmt: skip
                path = tuple([key for _, key in _steps(self._links()[position])])
                raise StructureError(path, item)
            children = node_type.flatten(item)[0]
            todo += reversed(children)
        return items

    def named_parts(
        self, name: str, value: Any,
        fits: Callable[[NodeType, Any, int, Any], bool] | None = None,
    ) -> list[tuple[str, Any]]:  # fmt: skip
        """As ``flatten_up_to``, with what messages call each part of the value of that name."""
        parts = self.flatten_up_to(value, fits)
        return [(name + subscripts(path), part) for path, part in zip(self.paths(), parts)]

    def paths(self) -> list[Path]:
        """Return the path of each leaf."""
        return [tuple([key for _, key in steps]) for steps in self._steps_to_leaves()]

    def labels(self, name: str) -> list[str]:
        """Return the Python expression of each leaf of a variable: ``x['a'][0]``, ``x.h``."""
        return [name + "".join([kind.step(key) for kind, key in steps])
                for steps in self._steps_to_leaves()]  # fmt: skip

    def _steps_to_leaves(self) -> list[list[Step]]:
        return [_steps(link) for link, node in zip(self._links(), self.skeleton) if node is None]

    def _links(self) -> list[Link]:
        """Return the link to the parent of each node, in preorder."""
        todo: list[Link] = [None]
        links: list[Link] = []
        for node in self.skeleton:
            link = todo.pop()
            links.append(link)
            if node is not None:
                cls, arity, data = node
                kind = _known(cls)
                todo += [(link, (kind, key)) for key in reversed(kind.keys(data, arity))]
        return links

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, TreeDef):
            return NotImplemented
        if self.skeleton != other.skeleton:
            return False
        if not self.metadata:
            return True
        kinds = [_known(node[0]) for node in self.skeleton if node is not None]
        holders = [kind for kind in kinds if kind.has_metadata]
        return all(
            kind.same_metadata(mine, theirs)
            for kind, mine, theirs in zip(holders, self.metadata, other.metadata, strict=True)
        )

    def __hash__(self) -> int:
        return hash(self.skeleton)

    def __repr__(self) -> str:
        return self.fold(["*"] * self.num_leaves, _text)


def _known(cls: type) -> NodeType:
    """Return the node type of a class whose values are nodes."""
    node_type = NODE_TYPES[cls]
    assert node_type is not None
    return node_type


def _unflatten(kind: NodeType, data: Any, metadata: Any, children: list[Any]) -> Any:
    if kind.cls is tuple:  # as below, in fewer steps
        return tuple(children)
    return kind.unflatten(data, metadata, children)


def _text(kind: NodeType, data: Any, metadata: Any, texts: list[str]) -> str:
    return kind.text(data, metadata, texts)


def _same_keys(kind: NodeType, data: Any, arity: int, value: Any) -> bool:
    value_kind = _known(type(value))
    children, its, _ = value_kind.flatten(value)
    return list(value_kind.keys(its, len(children))) == list(kind.keys(data, arity))


def flatten(
    value: Any, is_leaf: Callable[[Any], bool] | None = None, expand_composites: bool = False
) -> tuple[list[Any], TreeDef]:
    """Flatten a nest: return its leaves in order, and its structure.

    A value for which ``is_leaf`` is true is a leaf, whatever its class.  With ``expand_composites``
    composite tensors and datasets are nodes, too, whose leaves are their tensors.  TypeError for a
    dict whose keys cannot be sorted, ValueError for a structure that contains itself.
    """
    leaves: list[Any] = []
    skeleton: list[Any] = []
    metadata: list[Any] = []
    todo, limit = [value], _CHECKED
    while todo:
        item = todo.pop()
        cls = type(item)
        kind = NODE_TYPES[cls]
        if kind is None or (kind.opaque and not expand_composites) or (
            is_leaf is not None and is_leaf(item)
        ):  # fmt: skip
            leaves.append(item)
            skeleton.append(None)
            continue
        if cls is tuple or cls is list:  # as below, in fewer steps
            skeleton.append((cls, len(item), None))
            todo += item[::-1]
        else:
            children, data, node_metadata = kind.flatten(item)
            skeleton.append((kind.cls, len(children), data))
            if kind.has_metadata:
                metadata.append(node_metadata)
            todo += children[::-1]
        if len(skeleton) > limit:
            _check_finite(value, is_leaf)
            limit *= 4
    return leaves, TreeDef(tuple(skeleton), tuple(metadata))


def _check_finite(value: Any, is_leaf: Callable[[Any], bool] | None) -> None:
    """Raise ValueError, with the path, for a structure that contains itself."""
    around: dict[int, Any] = {}
    finished: dict[int, Any] = {}
    todo: list[tuple[Any, Link, bool]] = [(value, None, False)]
    while todo:
        item, link, leaving = todo.pop()
        if leaving:
            finished[id(item)] = around.pop(id(item))
            continue
        kind = NODE_TYPES[type(item)]
        if kind is None or id(item) in finished or (is_leaf is not None and is_leaf(item)):
            continue
        if id(item) in around:
            steps = [kind.step(key) for kind, key in _steps(link)]
            if len(steps) > 10:
                steps[5:-5] = ["..."]
            raise ValueError(
                f"a nest must not contain itself, but the {type(item).__name__} at "
                f"nest{''.join(steps)} holds what it is in"
            )
        around[id(item)] = item
        todo.append((item, link, True))
        children, data, _ = kind.flatten(item)
        keys = kind.keys(data, len(children))
        todo += [(child, (link, (kind, key)), False) for key, child in zip(keys, children)]


def _steps(link: Link) -> list[Step]:
    """Return the steps from the root to a node."""
    steps: list[Step] = []
    while link is not None:
        link, step = link
        steps.append(step)
    return steps[::-1]
