"""Arrays that a traced function makes of Python values alone, and later changes by staged values.

    a = np.zeros(3)              # made while tracing: a constant, as long as nothing changes it
    a[0] = x                     # EffectError; the function is traced again, and 'a' is staged

Such an array cannot hold a staged value.  Where the trace finds that it would have to, it is traced
again, and the calls that made such arrays give staged ones, with NumPy's aliases and views.  Calls
are recognised by their place in the code.  ``builtins`` and ``compiled_callables`` report arrays
here; whoever traces functions asks with ``creating``.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable, Iterable
from types import CodeType
from typing import Any

from autograph.diagnostics.user_frame import user_frame
from autograph.operators.state.outside_arrays import constant_changes
from autograph.operators.state.saved_memory import SavedMemory, memory_of
from autograph.staging.registry import tracing_backend
from autograph.syntax.thread_setting import ThreadSetting

Place = tuple[CodeType, int]
"""Code of the user's, and the instruction in it."""

_MOST_PLACES = 4
"""Where arrays of more places have to be staged, all are."""

_PLAIN = (bool, int, float, complex, str, type, type(None), type(...), slice)


class ArrayCreations:
    """Places of a function that make arrays, those among them whose arrays have to be staged."""

    def __init__(self) -> None:
        self._staged: set[Place] = set()
        self._all = False
        """Whether all arrays are staged that the function makes."""
        self._made: dict[int, tuple[weakref.ref[Any], Place]] = {}
        self._joined: dict[int, tuple[Any, SavedMemory]] = {}

    def take(self, array: Any, place: Place) -> bool:
        """Note an array that was made; return whether it has to be staged."""
        if self._all or place in self._staged:
            return True
        key = id(array)
        self._made[key] = weakref.ref(array, lambda _: self._made.pop(key, None)), place
        return False

    def has_made(self, array: Any) -> bool:
        """Whether an array was made by a call in the function's code."""
        noted = self._made.get(id(array))
        return noted is not None and noted[0]() is array

    def begin(self) -> None:
        """Begin a trace."""
        self._joined.clear()

    def note_joined(self, array: Any) -> None:
        """Note an array that a staged one is on some path."""
        memory = None if id(array) in self._joined else memory_of(array)
        if memory is not None:
            self._joined[id(array)] = array, SavedMemory(array, memory)

    def check_joined(self) -> None:
        """EffectError for an array that tracing changed after it became a staged one on a path."""
        for array, before in self._joined.values():
            if not before.is_in(array):
                raise constant_changes(array, "changes after a variable became one of several")

    def learn(self, array: Any, is_from_before: Callable[[Any], bool]) -> bool:
        """Stage an array, or what it is a view of, from now on; return whether that is new."""
        if self._all or is_from_before(array):
            return False
        owner = array
        while type(getattr(owner, "base", None)) is type(array):
            owner = owner.base
            if is_from_before(owner):
                return False
        creation = self._made.get(id(owner))
        if creation is None or len(self._staged) == _MOST_PLACES:
            self._all = True  # it may be computed from others
        else:
            self._staged.add(creation[1])
        return True


creating = ThreadSetting[ArrayCreations | None](None)
"""``with creating(creations)``: within the block, note arrays that are made, and stage those that
have to be."""


def note_creation(result: Any, arguments: Iterable[Any]) -> Any:
    """Return what converted code gets for an array that a function made of these arguments."""
    creations = creating.value
    backend = None if creations is None else tracing_backend()
    if creations is None or backend is None or type(result) not in backend.array_types:
        return result
    arrays = [*arguments]
    if getattr(result, "base", None) is not None or not _are_plain(arrays, backend.array_types):
        return result
    if any(result is argument for argument in arrays):
        return result
    frame = user_frame()
    if frame is None or not creations.take(result, (frame.f_code, frame.f_lasti)):
        return result
    return backend.own_array(result)


def _are_plain(values: Iterable[Any], arrays: tuple[type, ...]) -> bool:
    """Whether a function that gets such values cannot give an array that somebody else holds."""
    for value in values:
        if isinstance(value, list | tuple):
            if not _are_plain(value, arrays):
                return False
        elif not isinstance(value, (*_PLAIN, *arrays)) and type(value).__module__ != "numpy.dtypes":
            return False
    return True
