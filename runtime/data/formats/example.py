"""Examples: records of named lists of values, as TensorFlow's files have them.

``train.Example`` and its parts.  parse_example.py makes tensors of them.
"""

from __future__ import annotations

from runtime.types.wire_message import WireField, WireMessage, fields

__all__ = [
    "BytesList", "Example", "Feature", "FeatureList", "FeatureLists", "Features", "FloatList",
    "Int64List", "SequenceExample",
]  # fmt: skip


class BytesList(WireMessage):
    """List of bytes: ``value``."""

    _fields = fields(value=WireField(1, "bytes", repeated=True))


class FloatList(WireMessage):
    """List of float32s: ``value``."""

    _fields = fields(value=WireField(1, "float", repeated=True))


class Int64List(WireMessage):
    """List of int64s: ``value``."""

    _fields = fields(value=WireField(1, "int64", repeated=True))


class Feature(WireMessage):
    """List of values of one kind: ``bytes_list``, ``float_list`` or ``int64_list``."""

    _fields = fields(
        bytes_list=WireField(1, BytesList, oneof="kind"),
        float_list=WireField(2, FloatList, oneof="kind"),
        int64_list=WireField(3, Int64List, oneof="kind"),
    )


class Features(WireMessage):
    """Features by name: the map ``feature``."""

    _fields = fields(feature=WireField(1, Feature, key="string"))


class Example(WireMessage):
    """Record of ``features``."""

    _fields = fields(features=WireField(1, Features))


class FeatureList(WireMessage):
    """List of features, one for each step: ``feature``."""

    _fields = fields(feature=WireField(1, Feature, repeated=True))


class FeatureLists(WireMessage):
    """Lists of features by name: the map ``feature_list``."""

    _fields = fields(feature_list=WireField(1, FeatureList, key="string"))


class SequenceExample(WireMessage):
    """Record of features of the whole, ``context``, and of its steps, ``feature_lists``."""

    _fields = fields(
        context=WireField(1, Features),
        feature_lists=WireField(2, FeatureLists),
    )
