"""Lists and dicts as staging makes them: what they are is a list or dict, but not always all of it.

``kind_of`` gives the type that the user's program would see.
"""

from __future__ import annotations

from typing import Any, NoReturn

from autograph.errors import EffectError
from autograph.places import user_place


def _refuse(self: Any, *args: Any, **kwargs: Any) -> NoReturn:
    what = kind_of(self).__name__
    raise EffectError(
        f"a {what} that a staged index chose is changed, but which {what} it is, is not known",
        where=user_place(),
        help="change it through all indexes, as in 'a[i][j] = v', or change a copy: "
        f"{what}(x)",
    )


class ChosenList(list[Any]):
    """One of several lists: their items joined.  Changing it would have to change one of them."""

    append = extend = insert = pop = remove = clear = sort = reverse = _refuse
    __setitem__ = __delitem__ = __iadd__ = __imul__ = _refuse


class ChosenDict(dict[Any, Any]):
    """One of several dicts: their items joined.  Changing it would have to change one of them."""

    update = setdefault = pop = popitem = clear = _refuse
    __setitem__ = __delitem__ = __ior__ = _refuse


_KINDS: dict[type, type] = {ChosenList: list, ChosenDict: dict}


def kind_of(value: Any) -> type:
    """``type(value)`` as the user's program would have it."""
    kind = type(value)
    return _KINDS.get(kind, kind)


def chosen(value: Any) -> Any:
    """A value joined of several items; lists and dicts in it cannot be changed."""
    kind = type(value)
    if kind is list:
        return ChosenList(map(chosen, value))
    if kind is dict:
        return ChosenDict({key: chosen(item) for key, item in value.items()})
    if kind is tuple:
        return tuple(map(chosen, value))
    if isinstance(value, tuple) and hasattr(kind, "_make"):
        return kind._make(map(chosen, value))
    return value
