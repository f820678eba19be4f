"""Base of TensorFlow 1's optimizers: gradients of a loss, and variables that change by them.

A subclass makes its slots, variables that belong to others, in ``_create_slots``, and says in
``_apply_dense`` which operations change one variable.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from runtime.autodiff.gradients import gradients as graph_gradients
from runtime.autodiff.tape import GradientTape
from runtime.compat.v1.variables_initializer import trainable_variables
from runtime.graph.collections import GraphKeys
from runtime.graph.default_graph import name_scope
from runtime.graph.trace import current_graph, grouped
from runtime.ops.array.constants import cast, convert_to_tensor
from runtime.ops.array.creation import fill, ones_like, zeros
from runtime.ops.array.shape import reshape, shape
from runtime.ops.array.where import where
from runtime.staging.conversion import converted_in_turn
from runtime.state.indexed_slices import IndexedSlices
from runtime.state.variable import Variable
from runtime.types import nest

__all__ = ["Optimizer"]


class Optimizer:
    """Base of optimizers: ``minimize`` changes variables so that a loss gets less.

    In a graph each step is an operation that a session runs; eagerly, and in functions, it is made
    at once, and the loss is a function without arguments.  ValueError without a name.
    """

    GATE_NONE, GATE_OP, GATE_GRAPH = 0, 1, 2

    def __init__(self, use_locking: bool, name: str) -> None:
        if not name:
            raise ValueError("Must specify the optimizer name")
        self._use_locking = use_locking
        self._name = name
        self._slots: dict[str, dict[int, tuple[Variable, Variable]]] = {}
        self._others: dict[tuple[str, int], Variable] = {}

    def get_name(self) -> str:
        """Return the name, of which those of slots are made."""
        return self._name

    # -- gradients --------------------------------------------------------------------------------

    def minimize(
        self, loss: Any, global_step: Any = None, var_list: Any = None, gate_gradients: int = 1,
        aggregation_method: Any = None, colocate_gradients_with_ops: bool = False,
        name: str | None = None, grad_loss: Any = None,
    ) -> Any:  # fmt: skip
        """Change variables so that a loss gets less.

        Args:
            loss: scalar tensor; eagerly a function without arguments that returns it.
            global_step: variable to increment.
            var_list: variables; by default the trainable ones of the graph, eagerly those that the
                loss reads.
            gate_gradients: GATE_NONE, GATE_OP or GATE_GRAPH; without effect.
            aggregation_method: without effect.
            colocate_gradients_with_ops: without effect.
            name: name of the operation.
            grad_loss: gradient of the loss, 1 by default.

        Returns:
            In a graph the operation that makes a step; None elsewhere.

        Raises:
            ValueError: there are no variables, or none of them has a gradient.
            RuntimeError: the loss is a tensor under eager execution.
        """
        pairs = self.compute_gradients(
            loss, var_list, gate_gradients, aggregation_method, colocate_gradients_with_ops,
            grad_loss,
        )  # fmt: skip
        if all(gradient is None for gradient, _ in pairs):
            raise ValueError(
                "No gradients provided for any variable, check your graph for ops that do not "
                f"support gradients, between variables {[v.name for _, v in pairs]} and loss "
                f"{loss}."
            )
        return self.apply_gradients(pairs, global_step, name)

    def compute_gradients(
        self, loss: Any, var_list: Any = None, gate_gradients: int = 1,
        aggregation_method: Any = None, colocate_gradients_with_ops: bool = False,
        grad_loss: Any = None,
    ) -> list[tuple[Any, Any]]:  # fmt: skip
        """Return pairs of gradient, or None, and variable; the arguments are those of ``minimize``.

        ValueError without variables, and for another ``gate_gradients``; RuntimeError for a tensor
        under eager execution.
        """
        if gate_gradients not in (self.GATE_NONE, self.GATE_OP, self.GATE_GRAPH):
            raise ValueError(
                "gate_gradients must be one of: Optimizer.GATE_NONE, Optimizer.GATE_OP, "
                f"Optimizer.GATE_GRAPH.  Not {gate_gradients}"
            )
        if callable(loss):
            with GradientTape() as tape:
                value = converted_in_turn(loss)()
            watched = tape.watched_variables() if var_list is None else nest.flatten(var_list)
            return list(zip(tape.gradient(value, list(watched), grad_loss), watched, strict=True))
        if current_graph() is None:
            raise RuntimeError(
                "`loss` passed to Optimizer.compute_gradients should be a function when eager "
                "execution is enabled."
            )
        graph_variables = trainable_variables() if var_list is None else nest.flatten(var_list)
        if not graph_variables:
            raise ValueError("No variables to optimize.")
        for variable in graph_variables:
            if not isinstance(variable, Variable):
                raise TypeError(f"Argument is not a tf.Variable: {variable}")
        seeds = None if grad_loss is None else [grad_loss]
        return list(
            zip(graph_gradients(loss, graph_variables, seeds), graph_variables, strict=True)
        )

    # -- updates ----------------------------------------------------------------------------------

    def apply_gradients(
        self, grads_and_vars: Iterable[tuple[Any, Any]], global_step: Any = None,
        name: str | None = None,
    ) -> Any:  # fmt: skip
        """Change variables by their gradients: tensors, IndexedSlices or None.

        ``global_step`` is incremented after the updates.  Returns an operation in a graph, None
        elsewhere.  ValueError without variables or gradients, TypeError for other gradients.
        """
        pairs = list(grads_and_vars)
        if not pairs:
            raise ValueError("No variables provided.")
        usable = [(_gradient(g), v) for g, v in pairs if g is not None]
        if not usable:
            raise ValueError(
                f"No gradients provided for any variable: {[str(v.name) for _, v in pairs]}."
            )
        with name_scope(None):
            self._create_slots([variable for _, variable in usable])
        with name_scope(name or self._name) as scope:
            self._prepare()
            updates = [self._update(gradient, variable) for gradient, variable in usable]
            graph = current_graph()
            if graph is None:
                self._finish(updates, scope)
                if global_step is not None:
                    global_step.assign_add(cast(1, global_step.dtype))
                return None
            with graph.control_dependencies(_operations(updates)):
                with _beside(usable[0][1]):
                    final_updates = [*updates, self._finish(updates, scope)]
                if global_step is not None:
                    final_updates.append(global_step.assign_add(cast(1, global_step.dtype)))
            done = grouped(_operations(final_updates), "update")
        if not graph.temporary:
            graph.get_collection_ref(GraphKeys.TRAIN_OP).append(done)
        return done

    def _update(self, gradient: Any, variable: Variable) -> Any:
        """Change one variable, within its constraint; return the operations."""
        with _beside(variable):
            return self._updated(gradient, variable)

    def _updated(self, gradient: Any, variable: Variable) -> Any:
        if isinstance(gradient, IndexedSlices):
            done = self._apply_sparse(gradient, variable)
        else:
            done = self._apply_dense(cast(gradient, variable.dtype), variable)
        if variable.constraint is None:
            return done
        graph = current_graph()
        if graph is None:
            return variable.assign(variable.constraint(variable.read_value()))
        with graph.control_dependencies(_operations([done])):
            return variable.assign(variable.constraint(variable.read_value()))

    def _create_slots(self, var_list: Sequence[Variable]) -> None:
        """Make the slots of variables."""

    def _prepare(self) -> None:
        """Make tensors of the arguments, before variables change."""

    def _apply_dense(self, grad: Any, var: Variable) -> Any:
        """Change a variable by its gradient, a tensor; return the operations."""
        return self._resource_apply_dense(grad, var)

    def _resource_apply_dense(self, grad: Any, handle: Variable) -> Any:
        """Change a variable by its gradient, a tensor; what TensorFlow calls in its place."""
        raise NotImplementedError(f"{type(self).__name__} does not implement _apply_dense()")

    def _apply_sparse(self, grad: Any, var: Variable) -> Any:
        """Change a variable by IndexedSlices; return the operations."""
        return self._apply_dense(cast(convert_to_tensor(grad), var.dtype), var)

    def _finish(self, update_ops: Sequence[Any], name_scope: str) -> Any:
        """Change what belongs to no variable, after the updates; return the operations."""
        return []

    def _number(self, value: Any, variable: Any) -> Any:
        """Return an argument, which may be a function without arguments, in a variable's dtype."""
        return cast(value() if callable(value) else value, variable.dtype)

    # -- slots ------------------------------------------------------------------------------------

    def get_slot(self, var: Variable, name: str) -> Any:
        """Return the slot of a variable; None if there is none."""
        entry = self._slots.get(name, {}).get(id(var))
        return None if entry is None else entry[1]

    def get_slot_names(self) -> list[str]:
        """Return the names of the slots, in order."""
        return sorted(self._slots)

    def variables(self) -> list[Variable]:
        """Return the variables of the optimizer in the current graph, by name."""
        graph = current_graph()
        every = [slot for slots in self._slots.values() for _, slot in slots.values()]
        every += self._others.values()
        of_graph = [v for v in every if v.graph is None or graph is None or v.graph is graph]
        return sorted(of_graph, key=lambda v: str(v.name))

    def _checkpoint_children(self) -> Iterator[tuple[str, Any]]:
        """Yield the variables for checkpoints: slots by their variables' order."""
        for (name, _), variable in self._others.items():
            yield name, variable
        for name, slots in self._slots.items():
            yield name, [slot for _, slot in slots.values()]

    def _zeros_slot(self, var: Variable, slot_name: str, op_name: str) -> Variable:
        """Return the slot of a variable, made with zeros."""
        return self._slot(var, slot_name, op_name, lambda: zeros(var.shape.as_list(), var.dtype))

    def _filled_slot(self, var: Variable, slot_name: str, op_name: str, value: float) -> Variable:
        """Return the slot of a variable, made with a number everywhere."""
        return self._slot(
            var, slot_name, op_name, lambda: fill(var.shape.as_list(), cast(value, var.dtype))
        )

    def _slot(
        self, var: Variable, slot_name: str, op_name: str, value: Callable[[], Any]
    ) -> Variable:
        slots = self._slots.setdefault(slot_name, {})
        if id(var) not in slots:
            label = f"{str(var.name).removesuffix(':0')}/{op_name}"
            slot_count = sum(id(var) in slot_count for slot_count in self._slots.values())
            if slot_count and var.graph is None:  # graphs make names unique
                label = f"{label}_{slot_count}"
            with _beside(var):
                slot = Variable(value, trainable=False, name=label, dtype=var.dtype)
            slots[id(var)] = var, slot
        return slots[id(var)][1]

    def _get_or_make_slot(
        self, var: Variable, val: Any, slot_name: str, op_name: str
    ) -> Variable:
        """Return the slot of a variable, made with a value."""
        return self._slot(var, slot_name, op_name, lambda: convert_to_tensor(val))

    def _other(self, name: str, value: float, like: Variable) -> Variable:
        """Return a variable that belongs to no other one; each graph has its own."""
        graph = like.graph
        key = name, 0 if graph is None else id(graph)
        if key not in self._others:
            self._others[key] = Variable(
                lambda: convert_to_tensor(value, like.dtype), trainable=False, name=name
            )
        return self._others[key]

    def _change(
        self, changes: Sequence[tuple[Variable, Any]], touched: IndexedSlices | None = None
    ) -> list[Any]:
        """Assign new values to variables; with ``touched``, only to the rows of these slices."""
        if touched is not None:
            rows = _rows(touched, changes[0][0])
            changes = [(v, where(rows, value, v.read_value())) for v, value in changes]
        return [variable.assign(value) for variable, value in changes]


def _rows(slices: IndexedSlices, variable: Variable) -> Any:
    """Return which rows of a variable IndexedSlices have, in a shape that broadcasts with it."""
    ones = ones_like(convert_to_tensor(slices.indices), dtype=variable.dtype)
    count = convert_to_tensor(IndexedSlices(ones, slices.indices, shape(variable)[:1]))
    return reshape(count, [-1, *[1] * (len(variable.shape) - 1)]) > 0


def _gradient(value: Any) -> Any:
    """Return a gradient as a tensor or IndexedSlices; TypeError for other values."""
    if isinstance(value, IndexedSlices):
        return value
    try:
        return convert_to_tensor(value)
    except (TypeError, ValueError) as error:
        raise TypeError(
            f"Gradient must be convertible to a Tensor or IndexedSlices, or None: {value!r}"
        ) from error


def _operations(values: Any) -> list[Any]:
    """Return the operations of a nest of operations and tensors."""
    return [getattr(v, "op", v) for v in nest.flatten(values) if v is not None]


def _beside(variable: Variable) -> contextlib.AbstractContextManager[Any]:
    """Return the scope whose operations run on the device of a graph's variable.

    Its task on a cluster changes it in one request: no other worker comes between.
    """
    graph = current_graph()
    if graph is None or graph is not variable.graph:
        return contextlib.nullcontext()
    return graph.colocate_with(variable)
