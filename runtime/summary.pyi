"""Types of the names of ``runtime.summary``, for editors and type checkers.

Written by `pytest tests/editors --update-golden` from the module itself: do not edit.
"""

# ruff: noqa

from runtime.eager.tensor import Tensor
from runtime.summaries.file_writer import FileWriter as FileWriter
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
from typing import Any

experimental: Any
def merge(inputs: Any, collections: Any = None, name: str | None = None) -> Tensor: ...
def merge_all(key: Any = 'summaries', scope: str | None = None, name: str | None = None) -> Tensor: ...
