"""Large native kernels in several threads: results, signals, forks, callers that compete."""

import signal
import threading

import numpy as np
import pytest

import runtime as tf
from runtime.ops.nn.convolution import avg_pool, conv, max_pool
from runtime.ops.nn.convolution_backprop import (
    avg_pool_to_input,
    conv_to_filters,
    conv_to_input,
    max_pool_places,
    max_pool_to_input,
)
from tests.runtime.engine.llvm.test_robustness import forks, output
from tests.support.extras import needs

pytestmark = needs("jit")

SAME = {"strides": (1, 1), "dilations": (1, 1), "padding": "SAME"}


def numbers(*shape):
    return np.random.default_rng(len(shape)).normal(size=shape).astype("float32")


@pytest.fixture
def threads():
    """Set the number of threads of one operation; afterwards it is what it was."""
    settings = tf.config.threading
    before = settings.get_intra_op_parallelism_threads()
    yield settings.set_intra_op_parallelism_threads
    settings.set_intra_op_parallelism_threads(before)


@pytest.fixture
def shared(monkeypatch):
    """Return the numbers of tasks of the kernels that threads shared."""
    from concurrent.futures import ThreadPoolExecutor

    counts = []
    submit = ThreadPoolExecutor.submit

    def counted(self, *args):
        counts.append(args)
        return submit(self, *args)

    monkeypatch.setattr(ThreadPoolExecutor, "submit", counted)
    return counts


def kernels(x, filters, deep, each):
    """Several large kernels, one after the other."""
    y = conv(x, filters, **SAME)
    pools = {**SAME, "window": (3, 3)}
    z = max_pool(deep, **pools)
    return [
        y, conv_to_input(y, filters, np.array(x.shape), **SAME),
        conv_to_filters(x, y, np.array(filters.shape), **SAME), z,
        avg_pool(deep, **pools), max_pool_places(deep, **pools),
        max_pool_to_input(deep, z, **pools),
        avg_pool_to_input(z, np.array(deep.shape), **pools),
        conv(deep, each, **SAME),
    ]


def arguments():
    return [
        numbers(3, 40, 36, 32), numbers(3, 3, 32, 32), numbers(4, 64, 60, 18), numbers(3, 3, 1, 18)
    ]


def test_results_are_equal_to_the_bit_for_any_number_of_threads(threads, shared):
    native = tf.function(kernels, jit_compile=True)
    threads(1)
    expected = native(*arguments())
    assert not shared, "one thread is the calling one"
    for number in (2, 3, 8):
        threads(number)
        for one, other in zip(native(*arguments()), expected, strict=True):
            np.testing.assert_array_equal(one, other)
    assert len(shared) >= 8 * (1 + 2)


def test_callers_compete_for_the_threads(threads):
    threads(3)
    native = tf.function(kernels, jit_compile=True)
    expected, found = native(*arguments()), {}

    def call(number):
        found[number] = [native(*arguments()) for _ in range(3)]

    callers = [threading.Thread(target=call, args=(n,)) for n in range(4)]
    for caller in callers:
        caller.start()
    for caller in callers:
        caller.join()
    for results in found.values():
        for result in results:
            for one, other in zip(result, expected, strict=True):
                np.testing.assert_array_equal(one, other)
    assert len(found) == 4


@pytest.mark.parametrize("number", [1, 2])
def test_signals_interrupt_a_kernel(number, threads, monkeypatch):
    from runtime.engine.llvm.arrays import shared_tasks

    stopped, stop = [], shared_tasks._stop

    def kept(frame, error):
        stopped.append(error)
        stop(frame, error)

    def interrupt(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(shared_tasks, "_stop", kept)
    threads(number)
    native = tf.function(lambda x, f: conv(x, f, **SAME), jit_compile=True)
    x, filters = numbers(1, 256, 256, 64), numbers(31, 31, 64, 64)
    small = [tf.constant(x[:, :9, :9]), tf.constant(filters[:3, :3])]
    expected = native(*small).numpy()
    before = signal.signal(signal.SIGALRM, interrupt)
    count = shared_tasks.thread_pool.intra_op_threads

    def begin():
        """The kernel begins: however long it took to compile, the signal comes while it runs."""
        signal.setitimer(signal.ITIMER_REAL, 0.2)
        return count()

    monkeypatch.setattr(shared_tasks.thread_pool, "intra_op_threads", begin)
    try:
        with pytest.raises(KeyboardInterrupt):
            native(x, filters)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    monkeypatch.undo()
    assert len(stopped) == 1, "it was interrupted in the kernel"
    np.testing.assert_array_equal(native(*small), expected)


@forks
def test_threads_start_when_a_kernel_is_large_and_not_before():
    """A forked process starts threads of its own."""
    assert output("""
        import numpy as np
        tf.config.threading.set_intra_op_parallelism_threads(2)
        convolve = tf.function(lambda x, f: tf.nn.conv2d(x, f, 1, "SAME"))
        def run(size):
            x, f = np.ones((1, size, size, 32), "f4"), np.ones((3, 3, 32, 32), "f4")
            return float(convolve(x, f)[0, 1, 1, 0])
        def names():
            return [t.name for t in threading.enumerate()][1:]
        print(run(8), names())
        print(run(64), names(), flush=True)  # or the child would print it once more
        child = os.fork()
        if not child:
            print(names(), run(64), names(), flush=True)
            os._exit(0)
        os.waitpid(child, 0)
        print(run(64))
    """) == (
        "288.0 []\n288.0 ['runtime-intra-op_0']\n[] 288.0 ['runtime-intra-op_0']\n288.0"
    )


def convolved(x, filters):
    return conv(x, filters, **SAME)


def multiplied(x, weights):
    return x @ weights


@pytest.mark.parametrize("step,x,weights", [
    (convolved, numbers(1, 40, 40, 32), numbers(3, 3, 32, 32)),
    (multiplied, numbers(2, 200, 200), numbers(200, 200)),
])  # fmt: skip
def test_signals_end_loops_of_kernels(step, x, weights):
    """The loop looks for signals after so much work, not only after so many iterations."""

    def loop(x, weights, turns):
        for _ in tf.range(turns):
            x = step(x, weights)
        return x

    def interrupt(*_):
        raise KeyboardInterrupt

    native = tf.function(loop, jit_compile=True)
    given = tf.constant(x), tf.constant(weights)
    native(*given, tf.constant(2))
    before = signal.signal(signal.SIGALRM, interrupt)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.3)
        with pytest.raises(KeyboardInterrupt) as error:
            native(*given, tf.constant(10000))
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    names = [entry.name for entry in error.traceback]
    assert "poll" in names, str(names)


def combined(x, y):
    z = tf.exp(x) * 2.0 + y
    return (
        z, tf.reduce_sum(z), tf.reduce_sum(z, 0), tf.reduce_mean(z, 1), tf.reduce_mean(z, 0),
        tf.reduce_max(z), tf.reduce_mean(z), tf.reduce_prod(tf.cos(x), 1), tf.reduce_any(x > 4.0),
    )  # fmt: skip


@pytest.mark.parametrize("dims", [[700, 900], [None, None], [None, 900]])
def test_large_fusions_are_equal_to_the_bit_for_any_number_of_threads(dims, threads, shared):
    x, y = numbers(700, 900), numbers(900)
    spec = [tf.TensorSpec(dims, tf.float32), tf.TensorSpec([900], tf.float32)]
    native = tf.function(combined, jit_compile=True, input_signature=spec)
    for given in (x, np.asfortranarray(x), np.repeat(x, 2, axis=1)[:, ::2]):
        threads(1)
        del shared[:]
        expected = native(tf.constant(given), y)
        assert not shared
        for number in (2, 4):
            threads(number)
            for one, other in zip(native(tf.constant(given), y), expected, strict=True):
                np.testing.assert_array_equal(one, other)
        assert shared
        for one, other in zip(expected, combined(tf.constant(given), tf.constant(y)), strict=True):
            np.testing.assert_allclose(one, other, rtol=2e-5, atol=2e-4)


def test_small_fusions_and_updates_run_in_one_thread(threads, shared):
    weights = tf.Variable(numbers(700, 900))

    @tf.function(jit_compile=True)
    def update(x, y):
        weights.assign_sub(0.1 * tf.exp(weights))
        return combined(x, y)

    threads(4)
    update(numbers(70, 90), numbers(90))
    assert not shared
    text = update.get_concrete_function(numbers(70, 90), numbers(90)).llvm_ir()
    assert "share_tasks" not in text


def test_threads_that_are_long_in_coming_are_not_waited_for_again(threads, shared):
    from runtime.engine.llvm.arrays import shared_tasks

    threads(2)
    task = 12345
    shared_tasks._note_wait(task, spent=1e-3, waited=1e-2)
    shared_tasks._note_wait(task, spent=1e-3, waited=1e-2)
    ran = []
    run = shared_tasks._Run(lambda task, frame, limit: ran.append(limit) or 0)
    counts = []
    for _ in range(4):
        shared_tasks._share(run, task, 0, 2)
        counts.append(len(shared))
    assert counts == [0, 0, 1, 2]


def test_a_fusion_that_gives_up_in_a_thread_calls_the_kernels(threads, shared):
    threads(3)
    x = np.arange(1, 3_000_001)
    y = np.ones_like(x)
    native = tf.function(lambda x, y: x // y + x * 2, jit_compile=True)
    np.testing.assert_array_equal(native(tf.constant(x), tf.constant(y)), x * 3)
    assert shared
    y[-5] = 0
    with pytest.raises(tf.errors.InvalidArgumentError):
        native(tf.constant(x), tf.constant(y))


def test_signals_after_a_shared_fusion_are_raised(threads, monkeypatch):
    """The results of the fusion are complete then, and are dropped."""
    from runtime.engine.llvm.arrays import shared_tasks

    threads(2)
    native = tf.function(lambda x: tf.exp(x) + tf.reduce_sum(x), jit_compile=True)
    x = numbers(1500, 1500)
    expected = native(x).numpy()

    wait = shared_tasks._wait

    def interrupted(others, frame):
        wait(others, frame)  # or the others write to arrays that are gone
        shared_tasks._stop(frame, KeyboardInterrupt())

    with monkeypatch.context() as patch:
        patch.setattr(shared_tasks, "_wait", interrupted)
        with pytest.raises(KeyboardInterrupt):
            native(x)
    np.testing.assert_array_equal(native(x), expected)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("number", [1, 3])
def test_batches_of_products_are_shared(dtype, number, threads, monkeypatch):
    from runtime.engine.llvm.arrays import product_code, tile_choice

    monkeypatch.setattr(tile_choice, "_LEAST_BATCH", 1)
    monkeypatch.setattr(tile_choice, "_TASK", 1 << 12)
    steps, choose = [], product_code.products_of_task
    monkeypatch.setattr(
        product_code, "products_of_task", lambda *known: steps.append(choose(*known)) or steps[-1]
    )
    threads(number)
    random = np.random.default_rng(0)
    a = random.normal(size=(17, 9, 14)).astype(dtype)
    b, turned = (random.normal(size=shape).astype(dtype) for shape in ((17, 14, 33), (33, 14)))

    def products(a, b, turned):
        return tf.matmul(a, b), tf.matmul(a[::2], b[::-2]), tf.matmul(a[None], turned.T[None, None])

    found = tf.function(products, jit_compile=True)(*map(tf.constant, (a, b, turned)))
    for one, other in zip(found, products(a, b, tf.constant(turned)), strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-4 if dtype == "float32" else 1e-12,
                                   atol=1e-5 if dtype == "float32" else 1e-12)  # fmt: skip
    assert all(steps) and len(steps) == 3


def test_signals_interrupt_a_batch(threads, monkeypatch):
    from runtime.engine.llvm.arrays import shared_tasks, tile_choice

    monkeypatch.setattr(tile_choice, "_LEAST_BATCH", 1)
    monkeypatch.setattr(tile_choice, "_TASK", 1)
    threads(2)
    a = tf.constant(np.ones((4, 64, 64), np.float32))
    native = tf.function(lambda a: tf.matmul(a, a), jit_compile=True)
    np.testing.assert_array_equal(native(a), np.full((4, 64, 64), 64.0))

    def interrupt(*_):
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(shared_tasks.thread_pool, "intra_op_pool", interrupt)
        with pytest.raises(KeyboardInterrupt):
            for _ in range(100):  # up to 64 run alone after one that waited for busy cores
                native(a)
    np.testing.assert_array_equal(native(a), np.full((4, 64, 64), 64.0))
