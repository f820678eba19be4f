"""``runtime.summary``: values of a run for TensorBoard, as in TensorFlow."""

from types import SimpleNamespace as _Names
from typing import TYPE_CHECKING

from runtime.summaries.file_writer import FileWriter as FileWriter
from runtime.summaries.file_writer import merge as merge
from runtime.summaries.file_writer import merge_all as merge_all
from runtime.summaries.step import get_step as _get_step
from runtime.summaries.step import set_step as _set_step
from runtime.summaries.summaries import audio as audio
from runtime.summaries.summaries import graph as graph
from runtime.summaries.summaries import histogram as histogram
from runtime.summaries.summaries import image as image
from runtime.summaries.summaries import scalar as scalar
from runtime.summaries.summaries import text as text
from runtime.summaries.summaries import write as write
from runtime.summaries.writers import SummaryWriter as SummaryWriter
from runtime.summaries.writers import create_file_writer as create_file_writer
from runtime.summaries.writers import create_noop_writer as create_noop_writer
from runtime.summaries.writers import flush as flush
from runtime.summaries.writers import record_if as record_if
from runtime.summaries.writers import should_record_summaries as should_record_summaries
from runtime.types.annexes import explained as _explained

experimental = _Names(get_step=_get_step, set_step=_set_step)
"""The default step."""

__all__ = [
    "FileWriter", "SummaryWriter", "audio", "create_file_writer", "create_noop_writer",
    "experimental", "flush", "graph", "histogram", "image", "merge", "merge_all", "record_if",
    "scalar", "should_record_summaries", "text", "write",
]  # fmt: skip


if not TYPE_CHECKING:  # type checkers find what is misspelt
    __getattr__ = _explained(__name__)


def __dir__() -> list[str]:
    return __all__
