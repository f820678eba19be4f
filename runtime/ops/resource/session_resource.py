"""Base of what sessions keep the content of besides variables: queues, tables, accumulators."""

from __future__ import annotations

from typing import Any


class SessionResource:
    """Attribute of operations, whose content a session keeps, or the task of a cluster.

    ``name`` is unique in its graph: on a task, sessions share what has the same name.
    ``made_on`` is the device that was asked for where it was made; empty for none.
    """

    __slots__ = ()

    name: str
    per_session: bool
    made_on: str

    def clear(self) -> None:
        """Have no content of one's own."""
        raise NotImplementedError

    def __reduce__(self) -> tuple[Any, ...]:
        if not self.per_session:
            raise TypeError(f"{self!r} has its content in this process; make it in the graph")
        slots = [name for kind in type(self).__mro__ for name in getattr(kind, "__slots__", ())]
        names = [name for name in slots or vars(self) if name not in _CONTENT]
        return _again, (type(self), {name: getattr(self, name) for name in names})


_CONTENT = ("_content", "_entries")


def _again(kind: type[SessionResource], fields: dict[str, Any]) -> SessionResource:
    """Return a resource without content."""
    resource = object.__new__(kind)
    for name, value in fields.items():
        setattr(resource, name, value)
    resource.clear()
    return resource
