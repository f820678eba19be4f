"""The optional parts of conversion, by TensorFlow's names."""

from __future__ import annotations

import pytest

import autograph
from autograph import Feature


def clip(x):
    return x if x > 0 else 0


def test_features_are_checked():
    with pytest.raises(TypeError, match="the text 'PRINT'"):
        autograph.to_graph(everything_optional, experimental_optional_features="PRINT")
    with pytest.raises(TypeError, match="expected a Feature"):
        autograph.to_graph(clip, experimental_optional_features="PRINT")
    with pytest.raises(TypeError, match="expected a Feature"):
        autograph.to_graph(clip, experimental_optional_features=[3])


def everything_optional(x, y):
    assert x == y, "text"
    print(x == y)


def test_features_select_converters():
    everything = autograph.to_code(everything_optional)
    assert "assert_stmt" in everything and "ag__.eq(" in everything
    nothing = autograph.to_code(everything_optional, experimental_optional_features=())
    assert "assert_stmt" not in nothing and "ag__.eq(" not in nothing
    assert autograph.to_code(
        everything_optional, experimental_optional_features=Feature.ALL
    ) == everything


def test_features_that_are_always_on_make_no_difference():
    names = {"ALL", "AUTO_CONTROL_DEPS", "LISTS", "NAME_SCOPES"}
    idle = [feature for feature in Feature if feature.name in names - {"ALL"}]
    assert len(idle) == 3
    assert Feature.resolve(idle) == frozenset()
    assert Feature.resolve([*idle, Feature.PRINT]) == {Feature.PRINT}
    assert Feature.resolve(Feature.ALL) == {f for f in Feature if f.name not in names}


def test_printing_is_a_builtin_where_features_are_added():
    assert Feature.added(Feature.BUILTIN_FUNCTIONS) == {Feature.BUILTIN_FUNCTIONS, Feature.PRINT}
    assert Feature.added(Feature.EQUALITY_OPERATORS) == {Feature.EQUALITY_OPERATORS}
    assert Feature.added(None) == frozenset()


def test_experimental_names_are_those_of_the_package():
    for name in autograph.experimental.__all__:
        assert getattr(autograph.experimental, name) is getattr(autograph, name)


def test_errors_are_of_the_kinds_that_tensorflow_raises():
    for kind in (autograph.DtypeJoinError, autograph.StructureJoinError):
        assert issubclass(kind, TypeError)
