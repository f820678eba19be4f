"""Shared by all tests: golden files, and the switch `--update-golden` that rewrites them."""

from __future__ import annotations

import gc
import hashlib
import os
import shutil
import signal
import sys
from collections.abc import Callable, Generator
from pathlib import Path

import pytest

from tests.support import nightly

os.environ.setdefault("RUNTIME_JIT_BESIDE", "0")  # tests know which run is machine code
os.environ.setdefault("RUNTIME_JIT_STRICT", "1")  # what should be staged must not run as Python
os.environ.setdefault("JAX_NUM_CPU_DEVICES", "4")  # they stand for GPUs
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # products are small, and cores are taken


# A shell's background jobs ignore SIGINT, and tests that interrupt calls would wait for ever.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

ROOT = Path(__file__).parent.parent
CACHES = ROOT / ".pytest_cache"

# Hundreds of child processes import the packages.  Who wants no bytecode beside the sources has it
# among the caches of pytest; who chose a folder for it has nothing changed.
if sys.dont_write_bytecode and sys.pycache_prefix is None:
    sys.pycache_prefix = str(CACHES / "bytecode")
    sys.dont_write_bytecode = False
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    os.environ["PYTHONPYCACHEPREFIX"] = sys.pycache_prefix

# Bytecode is kept before: of all that Hypothesis is, pytest rewrites the asserts, in seconds.
from hypothesis import HealthCheck, settings  # noqa: E402

# A slow or busy machine is no failure.
settings.register_profile("quiet", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("quiet")

GOLDEN = Path(__file__).parent / "golden"


def pytest_configure(config: pytest.Config) -> None:
    """Let LLVM hardly optimise, but where all tests run (``-m ""``).

    Two thirds of the suite's time was LLVM's.  The code that this project writes is the same; what
    optimisation may bring out of it (a wrong ``noalias`` or ``nsw``) shows in tests/fuzz, where
    LLVM does what it does for users.

    A third of the texts that LLVM compiles in a run occurs again in it, and nearly all occur
    in the next run: machine code is kept, by the hash of its text, among the caches of pytest.
    """
    nightly.EVERYTHING = config.option.markexpr != "not nightly"
    if config.option.markexpr:
        os.environ.setdefault("RUNTIME_JIT_LEVEL", "1")
        if "RUNTIME_JIT_CACHE" not in os.environ:
            os.environ["RUNTIME_JIT_CACHE"] = str(machine_code_folder())
    os.environ.setdefault("RUNTIME_JIT_CACHE", "0")  # tests leave the user's cache alone


def machine_code_folder() -> Path:
    """Where machine code is kept that these sources made; that of older sources goes.

    What is compiled to other code has another key, but who changes the compiler may forget to say
    so (``PASSES_VERSION``): then its tests must not pass by what the compiler was.
    """
    compiler = ROOT / "runtime" / "engine" / "llvm" / "machine_code.py"
    folder = CACHES / "machine_code" / hashlib.sha256(compiler.read_bytes()).hexdigest()[:16]
    folder.mkdir(parents=True, exist_ok=True)
    for older in folder.parent.iterdir():
        if older != folder:
            shutil.rmtree(older, ignore_errors=True)
    return folder


@pytest.hookimpl(tryfirst=True, wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Load all operations in one order before tests are made of their table.

    Else the order is that in which the files of tests happen to use names, and two workers of
    pytest-xdist that disagree about the tests run none of them.

    Tens of thousands of tests stay until the end: the garbage collector neither walks through them
    while they are made, nor again and again while they run (a quarter and a tenth of the time).
    """
    from tests.support.operations import load_all  # not before the flags are set

    load_all()
    gc.disable()
    try:
        return (yield)
    finally:
        gc.collect()
        gc.freeze()
        gc.enable()


@pytest.hookimpl(tryfirst=True)  # a third of the tests need not be put in order first
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """What takes longest comes first, so that no worker waits for the other in the end.

    It also stays together: of two workers one alone makes what the tests of such files share.
    Of long series in the files of ``SHARES`` a part runs, the rest where all tests run.
    """
    if not nightly.EVERYTHING:
        kept = nightly.sliced([item.nodeid for item in items], SHARES)
        config.hook.pytest_deselected(items=[item for item in items if item.nodeid not in kept])
        items[:] = [item for item in items if item.nodeid in kept]
    items.sort(key=lambda item: item.path.name not in LONGEST)


LONGEST = (
    "test_annexes.py", "test_wheel.py",
    # they share the syntax trees of all sources
    "test_layers.py", "test_budget.py", "test_one_definition.py", "test_door.py",
    "test_executable.py",
)  # fmt: skip
SHARES = {
    f"tests/{path}": share
    for share, paths in {
        9: """
            runtime/engine/xla/test_programs.py runtime/engine/xla/test_sweep.py
        """,
        6: """
            autograph/staging/test_tiny_backend.py benchmarks/test_against_peers.py
            runtime/ops/test_gradients.py
        """,
        4: """
            test_op_table.py runtime/engine/xla/test_tensor_arrays.py
            runtime/engine/llvm/test_array_sweep.py runtime/engine/llvm/test_complex_sweep.py
            runtime/engine/llvm/test_computed_elements.py runtime/engine/llvm/test_narrow_sweep.py
            runtime/engine/llvm/test_native_random.py runtime/engine/llvm/test_native_variables.py
            runtime/functions/test_codecs.py runtime/functions/test_jit_containers.py
            runtime/functions/test_jit_lists.py runtime/functions/test_jit_nested_maps.py
            runtime/functions/test_long_loops.py runtime/functions/test_references.py
            runtime/functions/test_variants.py runtime/keras/test_golden.py
            runtime/keras/test_layer_golden.py runtime/staging/numpy_arrays/test_numpy_functions.py
        """,
        3: """
            runtime/array_api/test_functions.py runtime/data/test_staged.py
            runtime/engine/llvm/test_narrow_floats.py runtime/engine/llvm/test_native_tries.py
            runtime/engine/llvm/test_products.py runtime/engine/llvm/test_row_layouts.py
            runtime/engine/llvm/test_scalar_sweep.py runtime/engine/llvm/test_short_rows.py
            runtime/engine/vector_math/test_vector_math.py
            runtime/functions/test_array_arguments.py runtime/functions/test_joined_numbers.py
            runtime/functions/test_library_attributes.py
            runtime/functions/test_optional_attributes.py runtime/keras/test_attention_golden.py
            runtime/keras/test_features.py runtime/ops/test_op_refusals.py
            runtime/ops/test_small_matrices.py runtime/ops/test_tensorflow_calls.py
            runtime/ops/test_window_products.py
            runtime/staging/python_numbers/test_numbers_beside_scalars.py
            runtime/staging/python_numbers/test_python_functions.py
        """,
        2: """
            test_programs.py
            runtime/array_api/test_expressions.py runtime/data/test_elements.py
            runtime/types/test_bfloat16.py

            autograph/cli/test_names.py::test_pipes_and_devices_are_refused
            autograph/conversion/test_module_source.py::test_only_bodies_change
            autograph/operators/calls/test_recursion_in_trees.py::test_values_of_python_are_staged_before_the_calls_multiply
            autograph/syntax/test_emit.py::test_a_file_of_the_standard_library
            runtime/composite/test_ctc.py::test_gradients_are_slopes
            runtime/engine/llvm/test_array_loops.py::test_orders
            runtime/engine/llvm/test_array_loops.py::test_scans_are_equal_to_the_bit
            runtime/engine/llvm/test_array_loops.py::test_the_first_nan_is_the_extreme
            runtime/engine/llvm/test_array_loops.py::test_updates_at_indexes
            runtime/engine/llvm/test_computed_elements.py::test_indexes_are_checked
            runtime/engine/llvm/test_fusions.py::test_reductions
            runtime/engine/llvm/test_narrow_floats.py::test_chains
            runtime/engine/llvm/test_native_array_writes.py::test_numbers_that_are_converted
            runtime/engine/llvm/test_products.py::test_matrices_of_all_layouts
            runtime/engine/llvm/test_reductions.py::test_arrays
            runtime/engine/llvm/test_scalar_sweep.py::test_tensors
            runtime/engine/llvm/test_tiles.py::test_tiles
            runtime/engine/xla/test_sizes.py::test_as_on_the_cpu
            runtime/staging/test_long_chains.py::test_long_chains_are_staged
            runtime/engine/llvm/test_windows.py::test_convolutions_and_their_gradients
            runtime/engine/llvm/test_windows.py::test_numbers_that_are_not_finite
            runtime/engine/llvm/test_windows.py::test_pooling_and_its_gradients
            runtime/engine/vector_math/test_vector_math.py::test_a_lane_has_the_bits_of_the_scalar_function
            runtime/keras/test_optimizers.py::test_state_is_made_in_the_first_call_of_a_function
            runtime/staging/numpy_arrays/test_numpy_equivalents.py::test_of_each_dtype_and_shape
            runtime/staging/test_eager_is_staged.py::test_binary
            runtime/test_error_texts.py::test_a_traceback_proposes_the_nearest_once
        """,  # noqa: E501
    }.items()
    for path in paths.split()
}
"""Of these series, and of the long ones in these files, one test of so many runs always.

They are those that take more than a second: of all other series a part would save nothing.
"""


def pytest_addoption(parser: pytest.Parser) -> None:
    """Adds the switch that accepts today's output as the expected one."""
    parser.addoption(
        "--update-golden",
        action="store_true",
        help="rewrite tests/golden from what the tests produce now, then read the difference",
    )


@pytest.fixture
def golden(request: pytest.FixtureRequest) -> Callable[[str, str], None]:
    """A function `golden(name, text)` that compares text with tests/golden/<name>.

    A golden file that is missing is a failure, not a first draft.
    """

    def check(name: str, text: str) -> None:
        path = GOLDEN / name
        text = text.rstrip("\n") + "\n"
        if request.config.getoption("--update-golden"):
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
            return
        if not path.exists():
            pytest.fail(f"{path} is missing; write it with `pytest --update-golden` and read it")
        assert text == path.read_text(encoding="utf-8"), (
            f"{path} differs; if the new text is right, run `pytest --update-golden`"
        )

    return check
