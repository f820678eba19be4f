"""Members of enumerations, looked up by a staged value or name.

    Color(n)             =>  one of Color's members, or ValueError, as the run decides
    Color[name]          =>  the same with KeyError
"""

from __future__ import annotations

import enum
from collections.abc import Callable, Mapping
from typing import Any

from autograph.diagnostics.user_frame import user_line
from autograph.errors import ConcreteValueError
from autograph.operators.containers.known_keys import position_of
from autograph.operators.containers.map_items import choose
from autograph.operators.containers.map_keys import compared_kind, key_backend, kind_of_key
from autograph.operators.containers.slices import ENUMS
from autograph.staging.staged_string import StagedText

_NO_RULE = vars(enum.Enum)["_missing_"].__func__


def by_value(cls: Any) -> Callable[..., Any]:
    """Return what to call instead of an enumeration."""

    def look_up(*args: Any, **kwargs: Any) -> Any:
        if len(args) != 1 or kwargs or key_backend(args[0]) is None:
            return cls(*args, **kwargs)
        if cls._missing_.__func__ is not _NO_RULE or issubclass(cls, enum.Flag):
            raise ConcreteValueError(
                f"{cls.__name__}() looks up a member by a staged value, and has a rule of its own "
                "for values that are none of its members'",
                where=user_line(),
                help="compare the value with those of the members",
            )
        members = {member.value: member for member in cls.__members__.values()}
        missing = StagedText(((args[0], "r", ""), f" is not a valid {cls.__qualname__}"))
        return _member(members, args[0], ValueError(missing))

    return look_up


def _by_name(cls: Any, name: Any) -> Any:
    return _member(cls.__members__, name, KeyError(name))


def _member(members: Mapping[Any, Any], key: Any, missing: Exception) -> Any:
    """The member of a staged key; ``missing`` is raised, at run time, where there is none."""
    backend: Any = key_backend(key)
    key = key.staged() if isinstance(key, StagedText) else key
    kind = compared_kind(kind_of_key(key))
    alike = {value: m for value, m in members.items() if compared_kind(kind_of_key(value)) == kind}
    position = position_of(backend, alike, key, missing)
    return choose(backend, list(alike.values()), position, "an enumeration")


ENUMS.append(_by_name)
