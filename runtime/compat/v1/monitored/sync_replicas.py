"""``SyncReplicasOptimizer``: updates by the average of the gradients of several workers.

Chen et al. (2016), Revisiting Distributed Synchronous SGD: the first gradients that arrive for a
step count, later ones are left out, as those of backup workers.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from runtime.compat.v1.global_step import get_global_step
from runtime.compat.v1.monitored.coordinator import QueueRunner
from runtime.compat.v1.monitored.session_hooks import SessionRunHook
from runtime.compat.v1.optimizer import Optimizer
from runtime.compat.v1.variables_initializer import (
    global_variables,
    report_uninitialized_variables,
)
from runtime.containers.accumulator import ConditionalAccumulator
from runtime.containers.queue import FIFOQueue
from runtime.graph.collections import GraphKeys
from runtime.graph.default_graph import get_default_graph
from runtime.graph.trace import grouped
from runtime.ops.array.constants import cast
from runtime.ops.array.creation import fill
from runtime.state.indexed_slices import IndexedSlices
from runtime.state.variable import Variable

__all__ = ["SyncReplicasOptimizer"]


class SyncReplicasOptimizer(Optimizer):
    """Optimizer that changes variables by the mean of the gradients of several workers.

    ``opt`` makes the changes, ``replicas_to_aggregate`` gradients each; ``total_num_replicas`` is
    the number of workers, by default the same.  Each worker's session needs the hook of
    ``make_session_run_hook``.  The optimizer's operations are made in a graph.
    """

    def __init__(
        self, opt: Optimizer, replicas_to_aggregate: int, total_num_replicas: int | None = None,
        variable_averages: Any = None, variables_to_average: Any = None,
        use_locking: bool = False, name: str = "sync_replicas",
    ) -> None:  # fmt: skip
        super().__init__(use_locking, name)
        self._opt = opt
        self._replicas = replicas_to_aggregate
        self._tokens = max(total_num_replicas or replicas_to_aggregate, replicas_to_aggregate)
        self._averages, self._averaged = variable_averages, variables_to_average
        self._queue_runner: QueueRunner | None = None
        self.local_step_init_op: Any = None
        self.chief_init_op: Any = None
        self.ready_for_local_init_op: Any = None

    def compute_gradients(self, *args: Any, **kwargs: Any) -> Any:
        """Return what the inner optimizer computes: gradients of this worker."""
        return self._opt.compute_gradients(*args, **kwargs)

    def apply_gradients(
        self, grads_and_vars: Iterable[tuple[Any, Any]], global_step: Any = None,
        name: str | None = None,
    ) -> Any:  # fmt: skip
        """Return the operation of a worker: it gives its gradients, and waits for the update.

        ValueError without gradients or global step, NotImplementedError for IndexedSlices.
        """
        pairs = [(gradient, variable) for gradient, variable in grads_and_vars]
        step = get_global_step() if global_step is None else global_step
        if not pairs:
            raise ValueError("Must supply at least one variable")
        if step is None:
            raise ValueError("Global step is required to check staleness")
        graph = get_default_graph()
        with graph.name_scope(self._name), graph.device(None):  # each worker's task has its own
            local = Variable(
                lambda: cast(0, step.dtype), trainable=False, name="sync_rep_local_step",
                collections=[GraphKeys.LOCAL_VARIABLES],
            )  # fmt: skip
        self.local_step_init_op = local.assign(step.read_value(), read_value=False)
        given: list[Any] = []
        averages: list[tuple[Any, Any]] = []
        started: list[Any] = [self.local_step_init_op]
        for gradient, variable in pairs:
            if isinstance(gradient, IndexedSlices):
                raise NotImplementedError(
                    f"SyncReplicasOptimizer takes dense gradients: that of {variable.name!r} is "
                    "IndexedSlices; pass runtime.convert_to_tensor(gradient)"
                )
            if gradient is None:
                averages.append((None, variable))
                continue
            with graph.colocate_with(variable):
                sums = ConditionalAccumulator(
                    variable.dtype, variable.shape,
                    f"{variable.name.removesuffix(':0')}/grad_accum",
                )  # fmt: skip
                given.append(sums.apply_grad(gradient, local.read_value()))
                averages.append((sums.take_grad(self._replicas), variable))
                started.append(sums.set_global_step(step.read_value()))
        with graph.colocate_with(step):
            queue = FIFOQueue(-1, step.dtype, [()], shared_name="sync_token_q")
            update = self._opt.apply_gradients(averages, step)
            if self._averages is not None:
                with graph.control_dependencies([update]):
                    update = self._averages.apply(self._averaged)
            with graph.control_dependencies([update]):
                tokens = fill([self._tokens], step.read_value())
                released = queue.enqueue_many(tokens)
            with graph.control_dependencies(given):
                token = queue.dequeue()
        with graph.control_dependencies([token.op]), graph.device(None):
            done = local.assign(token, read_value=False)
        self._queue, self._step = queue, step
        self._queue_runner = QueueRunner(queue, [released], _no_op(), _no_op())
        self.chief_init_op = grouped(started, "chief_init")
        self.ready_for_local_init_op = report_uninitialized_variables(global_variables())
        return done

    def get_chief_queue_runner(self) -> QueueRunner:
        """Return the runner whose thread changes the variables; ValueError before gradients."""
        if self._queue_runner is None:
            raise ValueError("Should be called after apply_gradients().")
        return self._queue_runner

    def get_init_tokens_op(self, num_tokens: int = -1) -> Any:
        """Return the operation that lets workers begin: it gives out tokens.

        ValueError before ``apply_gradients``, and for too few tokens.
        """
        if self._queue_runner is None:
            raise ValueError("get_init_tokens_op() should be called after apply_gradients().")
        needed = self._replicas - self._tokens
        if num_tokens == -1:
            num_tokens = self._replicas
        elif num_tokens < needed:
            raise ValueError(f"Too few tokens to finish the first step: {num_tokens} (given) vs "
                             f"{needed} (needed)")  # fmt: skip
        if num_tokens <= 0:
            return _no_op()
        with get_default_graph().colocate_with(self._step):
            return self._queue.enqueue_many(
                fill([num_tokens], self._step.read_value()), name="init_tokens"
            )

    def make_session_run_hook(self, is_chief: bool, num_tokens: int = -1) -> SessionRunHook:
        """Return the hook that a worker's session needs."""
        return _SyncHook(self, is_chief, num_tokens)

    def get_slot(self, var: Variable, name: str) -> Any:
        """Return a slot of the inner optimizer."""
        return self._opt.get_slot(var, name)

    def get_slot_names(self) -> list[str]:
        """Return the names of the inner optimizer's slots."""
        return self._opt.get_slot_names()

    def variables(self) -> Any:
        """Return the variables of the inner optimizer."""
        return self._opt.variables()


def _no_op() -> Any:
    return grouped([], "nothing")


class _SyncHook(SessionRunHook):
    """Hook that starts a worker's part of the synchronous updates."""

    def __init__(self, optimizer: SyncReplicasOptimizer, is_chief: bool, num_tokens: int) -> None:
        self._optimizer, self._chief, self._tokens = optimizer, is_chief, num_tokens

    def begin(self) -> None:
        """Make the operations before the graph is finalized."""
        chief = self._chief
        self._init = self._optimizer.chief_init_op if chief else self._optimizer.local_step_init_op
        self._begin = self._optimizer.get_init_tokens_op(self._tokens) if chief else None
        self._release = self._optimizer.get_init_tokens_op()

    def after_create_session(self, session: Any, coord: Any) -> None:
        """Set the step of this worker; the chief starts the thread that updates variables."""
        session.run(self._init)
        if self._chief:
            runner = self._optimizer.get_chief_queue_runner()
            runner.create_threads(session, coord=coord, daemon=True, start=True)
            session.run(self._begin)

    def end(self, session: Any) -> None:
        """Let the others go on: they might wait for gradients of this worker."""
        session.run(self._release)
