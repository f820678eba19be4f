"""The way of an operation through the native engine: through how few files it leads."""

from __future__ import annotations

from benchmarks.call_paths import COMPILED_OP, Ways
from runtime.types import flags
from tests.support.extras import needs

pytestmark = needs("jit")

MOST_FILES = 15
"""A dispatch that asks module after module whether an operation is theirs took 28.  Steps that look
for arrays and lists have nothing to look at in a function of numbers."""


def test_an_op_on_numbers_asks_few_files_of_the_engine():
    ways = Ways()
    with flags.JIT_CACHE("0"):  # else it asks for code that is kept, too
        ways.compiled_op()
    files = {call.file for call in ways.recorders[COMPILED_OP].calls}
    engine = sorted(file for file in files if file.startswith("runtime/engine/llvm/"))
    assert len(engine) <= MOST_FILES, engine
    assert not [file for file in engine if "/arrays/" in file or "/array_loops/" in file]
