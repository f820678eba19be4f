"""Optional features of conversion, by TensorFlow's names."""

from __future__ import annotations

import enum
from collections.abc import Iterable


class Feature(enum.Enum):
    """Optional feature of a conversion, beyond control flow and calls."""

    ALL = "ALL"
    """Every feature below."""

    AUTO_CONTROL_DEPS = "AUTO_CONTROL_DEPS"
    """Always on: effects keep the order of the program."""

    ASSERT_STATEMENTS = "ASSERT_STATEMENTS"
    """``assert`` of a staged test is checked at run time."""

    BUILTIN_FUNCTIONS = "BUILTIN_FUNCTIONS"
    """``len``, ``range``, ``abs`` ... of staged values are staged."""

    EQUALITY_OPERATORS = "EQUALITY_OPERATORS"
    """``==`` and ``!=`` of tuples, lists and dicts that hold staged values are staged."""

    LISTS = "LISTS"
    """Always on: lists grow and shrink on staged paths."""

    NAME_SCOPES = "NAME_SCOPES"
    """Accepted: operations are named without the functions that made them."""

    PRINT = "PRINT"
    """``print`` prints staged values at run time, as Python prints them."""

    @classmethod
    def resolve(cls, features: Feature | Iterable[Feature] | None) -> frozenset[Feature]:
        """Resolve the ``features`` argument of a public function to a set of features.

        None and ALL mean all features.  Features without effect are left out.

        Raises:
            TypeError: the argument is neither a Feature nor an iterable of Features.
        """
        idle = {cls.AUTO_CONTROL_DEPS, cls.LISTS, cls.NAME_SCOPES}
        everything = frozenset(cls) - {cls.ALL} - idle
        if features is None:
            return everything
        if isinstance(features, str):
            raise TypeError(f"expected a Feature or several, got the text {features!r}")
        members = (features,) if isinstance(features, Feature) else tuple(features)
        for feature in members:
            if not isinstance(feature, cls):
                raise TypeError(f"expected a Feature or several, got {feature!r}")
        return everything if cls.ALL in members else everything.intersection(members)

    @classmethod
    def added(cls, features: Feature | Iterable[Feature] | None) -> frozenset[Feature]:
        """Resolve the features of a traced function: ``print`` is staged with the builtins only."""
        members = cls.resolve(features or ())
        return members | {cls.PRINT} if cls.BUILTIN_FUNCTIONS in members else members
