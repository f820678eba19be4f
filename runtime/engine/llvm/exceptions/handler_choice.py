"""Choice of the handler for an exception, in Python: the sites of a ``try`` in native code."""

from __future__ import annotations

import threading
from contextlib import AbstractContextManager
from typing import Any

import numpy as np

from runtime.ops.control_flow.try_except import part_array

NO_HANDLER = -1


class HandlerChoice:
    """Kernels of the sites of one ``try``, which ask the statement what its handlers are."""

    def __init__(self, attempt: Any, part_specs: list[list[Any]]) -> None:
        self._attempt = attempt
        self._part_specs = part_specs
        """For each handler, the specs of what it takes of the exception."""
        self._blanks = [_blank(spec) for specs in part_specs for spec in specs]
        self._handling = _Handling()

    def choose(self, error: BaseException) -> Any:
        """Return the number of the handler for an exception, and the parts for all handlers."""
        choice = self._attempt.find_handler(error)
        if choice is None:
            return np.int64(NO_HANDLER), *self._blanks
        number, values = choice
        specs = self._part_specs[number]
        start = sum(map(len, self._part_specs[:number]))
        results = list(self._blanks)
        results[start : start + len(specs)] = [
            part_array(value, spec.dtype) for value, spec in zip(values, specs)
        ]
        block = self._attempt.handling(error)
        block.__enter__()
        self._handling.blocks.append(block)
        return np.int64(number), *results

    def leave(self) -> tuple[()]:
        """End the handling of the exception that was chosen for last."""
        self._handling.blocks.pop().__exit__(None, None, None)
        return ()


class _Handling(threading.local):
    """Exceptions that this thread handles."""

    def __init__(self) -> None:
        self.blocks: list[AbstractContextManager[Any]] = []


def _blank(spec: Any) -> Any:
    """Return a value that no handler reads."""
    dtype = spec.dtype.as_numpy_dtype
    return b"" if dtype is object else np.zeros((), dtype)[()]
