"""Random programs are compiled as for users, whatever the rest of the suite does."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from runtime.types.flags import JIT_LEVEL


@pytest.fixture(autouse=True)
def llvm_optimises() -> Iterator[None]:
    """LLVM optimises as much as pays."""
    with JIT_LEVEL("auto"):
        yield
