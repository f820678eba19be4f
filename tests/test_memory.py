"""Conversions live as long as the functions they belong to, and no longer.

The long run is `python -m tests.slow.convert_fresh`.
"""

from __future__ import annotations

import gc
import subprocess
import sys

import pytest

from autograph import flags
from tests.support.kept_objects import converted_and_dropped


@pytest.mark.parametrize(
    ("case", "count"),
    [
        ("converted_and_dropped", 100),
        ("staged_and_dropped", 20),
        ("called_and_dropped", 20),
        ("refused_and_dropped", 50),
        ("failed_and_dropped", 20),
        ("marked_and_dropped", 20),
    ],
)
def test_nothing_is_kept(case: str, count: int):
    command = [sys.executable, "-m", "tests.support.kept_objects", case, str(count)]
    run = subprocess.run(command, capture_output=True, text=True, timeout=300)
    assert run.returncode == 0, run.stderr


def test_flags_hold_nothing(tmp_path):
    with flags.DUMP(str(tmp_path)):
        references = converted_and_dropped(1)
    gc.collect()
    assert not any(ref() for ref in references)
