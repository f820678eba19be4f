"""``runtime.summary``: functions that write values for TensorBoard.

They write to the default writer, or do nothing if there is none.  In a graph for sessions, where no
writer is the default, they return Summary messages, as in TensorFlow 1, for a ``FileWriter``.
"""

from __future__ import annotations

from typing import Any

from autograph.errors import StagingError
from runtime.graph.collections import GraphKeys
from runtime.ops.array.constants import convert_to_tensor
from runtime.ops.rules.static_arguments import static_int
from runtime.summaries import defaults, encodings, graph_messages, messages
from runtime.summaries.encodings import Encoding
from runtime.summaries.summary_ops import serialize_op, write_op
from runtime.types.dtypes import int64, string

__all__ = ["audio", "graph", "histogram", "image", "scalar", "text", "write"]


def _record(
    tag: Any, data: Any, step: Any, encoding: Encoding, encoding_v1: Encoding | None = None,
    collections: Any = None,
) -> Any:  # fmt: skip
    """Write a value, in a graph when it runs; or serialize it, as TensorFlow 1 does."""
    if not isinstance(tag, str) or not tag:
        raise ValueError(f"the name of a summary must be a text that is not empty, got {tag!r}")
    building = defaults.function_graph()
    writer = None if building is None else defaults.fixed_in_graph("writer")
    scope = defaults.scope_in_graph()
    name = f"{scope}/{tag}" if scope else tag
    if building is not None and not building.building_function and writer is None:
        operation = serialize_op(data, values=encoding_v1 or encoding, tag=name, name=tag)
        building.add_to_collections(collections or [GraphKeys.SUMMARIES], operation)
        return operation
    inputs = []
    step = _given("step", step)
    if step is not None:
        inputs.append(convert_to_tensor(step, int64 if isinstance(step, int) else None))
    condition = _given("recording", None)
    if condition is not None:
        should_record = condition() if callable(condition) else condition
        inputs.append(convert_to_tensor(should_record))
    return write_op(
        data, *inputs, values=encoding, writer=writer.value if writer else None, tag=name,
        scoped=building is None or building.building_function,
        has_step=step is not None, has_condition=condition is not None,
    )  # fmt: skip


def _given(name: str, value: Any) -> Any:
    """Return an argument, or else the default if it is fixed in the graph that is built."""
    if value is not None or defaults.function_graph() is None:
        return value
    setting = defaults.fixed_in_graph(name)
    return setting.value if setting else None


def scalar(
    name: str, data: Any, step: Any = None, description: str | None = None, *,
    collections: Any = None, family: str | None = None,
) -> Any:  # fmt: skip
    """Write a number.

    Args:
        name: name in TensorBoard; name scopes come before it.
        data: scalar, which becomes float32.
        step: int at which it is shown; by default that of ``summary.experimental.set_step`` or
            ``as_default``.
        description: text in Markdown.
        collections: for graphs of sessions, the collections that get the message.
        family: for graphs of sessions, a prefix of the name.
    Returns:
        Whether it was written, a bool tensor; in a graph for sessions without a default writer the
        Summary message, a scalar of dtype string.
    Raises:
        InvalidArgumentError: ``data`` is no scalar.
        ValueError: there is no step.
    """
    data = convert_to_tensor(data)
    if data.shape.rank:
        raise ValueError(f"summary.scalar {name!r} takes a scalar, got shape {data.shape}")
    tag = f"{family}/{name}" if family else name
    return _record(
        tag, data, step, encodings.scalar(description), encodings.scalar_v1, collections
    )


def histogram(
    name: str, data: Any, step: Any = None, buckets: int | None = None,
    description: str | None = None, *, collections: Any = None, family: str | None = None,
) -> Any:  # fmt: skip
    """Write how values are distributed: how many are in each of some buckets of one width.

    Args:
        name: name in TensorBoard.
        data: finite values of any shape.
        step: as for ``scalar``.
        buckets: number of buckets: 30.
        description: text in Markdown.
        collections: as for ``scalar``.
        family: as for ``scalar``.
    Returns:
        As ``scalar``.
    Raises:
        InvalidArgumentError: a value is NaN or infinite.
        ValueError: there is no step, or ``buckets`` is negative.
    """
    count = 30 if buckets is None else static_int(buckets, "buckets")
    if count < 0:
        raise ValueError(f"buckets must not be negative, got {count}")
    tag = f"{family}/{name}" if family else name
    return _record(
        tag, convert_to_tensor(data), step, encodings.histogram(count, description),
        encodings.histogram_v1, collections,
    )  # fmt: skip


def image(
    name: str, data: Any, step: Any = None, max_outputs: int = 3, description: str | None = None,
    *, collections: Any = None, family: str | None = None,
) -> Any:  # fmt: skip
    """Write images.

    Args:
        name: name in TensorBoard.
        data: images of shape [k, height, width, channels] with 1 to 4 channels: grey, grey and
            alpha, RGB, RGB and alpha; uint8, uint16, or floats from 0 to 1.
        step: as for ``scalar``.
        max_outputs: number of images that are written at most.
        description: text in Markdown.
        collections: as for ``scalar``.
        family: as for ``scalar``.
    Returns:
        As ``scalar``.
    Raises:
        InvalidArgumentError: another shape or dtype.
        ValueError: there is no step.
    """
    most = static_int(max_outputs, "max_outputs")
    tag = f"{family}/{name}" if family else name
    return _record(
        tag, convert_to_tensor(data), step, encodings.image(most, description),
        encodings.image_v1(most), collections,
    )  # fmt: skip


def text(name: str, data: Any, step: Any = None, description: str | None = None) -> Any:
    """Write texts, which TensorBoard shows as Markdown.

    Args:
        name: name in TensorBoard.
        data: texts of any shape; a matrix is shown as a table.
        step: as for ``scalar``.
        description: text in Markdown.
    Returns:
        As ``scalar``.
    Raises:
        ValueError: there is no step.
    """
    return _record(name, convert_to_tensor(data, string), step, encodings.text(description))


def audio(
    name: str, data: Any, sample_rate: int, step: Any = None, max_outputs: int = 3,
    encoding: str | None = None, description: str | None = None,
) -> Any:  # fmt: skip
    """Write clips of sound, as WAV of 16 bits.

    Args:
        name: name in TensorBoard.
        data: floats from -1 to 1 of shape [clips, frames, channels] with 1 or 2 channels.
        sample_rate: frames per second.
        step: as for ``scalar``.
        max_outputs: number of clips that are written at most.
        encoding: 'wav' or None.
        description: text in Markdown.
    Returns:
        As ``scalar``.
    Raises:
        InvalidArgumentError: another shape or dtype.
        ValueError: there is no step, or another encoding.
    """
    if encoding not in (None, "wav"):
        raise ValueError(f"Unknown encoding: {encoding!r}; there is 'wav'")
    rate = static_int(sample_rate, "sample_rate")
    made = encodings.audio(rate, static_int(max_outputs, "max_outputs"), description)
    return _record(name, convert_to_tensor(data), step, made)


def write(
    tag: str, tensor: Any, step: Any = None, metadata: Any = None, name: str | None = None
) -> Any:
    """Write an array as it is, for a plugin of TensorBoard.

    Args:
        tag: name in TensorBoard.
        tensor: any array.
        step: as for ``scalar``.
        metadata: SummaryMetadata message, or its bytes.
        name: has no effect.
    Returns:
        As ``scalar``.
    Raises:
        ValueError: there is no step.
        TypeError: ``metadata`` is something else.
    """
    about = metadata.SerializeToString() if hasattr(metadata, "SerializeToString") else metadata
    if not isinstance(about, bytes | None):
        raise TypeError(f"metadata must be a SummaryMetadata message or bytes, got {metadata!r}")
    return _record(tag, convert_to_tensor(tensor), step, encodings.array(about or b""))


def graph(graph_data: Any, name: str | None = None) -> Any:
    """Write a graph, for the page "Graphs" of TensorBoard.

    Branches and loop bodies are functions of the graph's library there.

    Args:
        graph_data: a Graph, such as ``f.get_concrete_function(...).graph``.
        name: has no effect.
    Returns:
        Whether it was written, a bool.
    Raises:
        StagingError: a graph is being built.
        TypeError: ``graph_data`` is no graph.
    """
    if defaults.function_graph() is not None:
        raise StagingError(
            "summary.graph writes a whole graph, and cannot be part of one",
            help="call it outside of the function",
        )
    data = graph_messages.graph_def(graph_data)
    writer = defaults.running("writer")
    if writer is None or writer.file is None:
        return False
    writer.file.add(None, messages.graph_field(data))
    return True
