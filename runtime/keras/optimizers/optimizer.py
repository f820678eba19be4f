"""Base of optimizers: state per variable, what happens to gradients before and after an update.

A subclass makes its state in ``build`` and says in ``update_step`` how one variable changes; each
update is a few element-wise operations and then the writes, so native code needs one loop.
"""

from __future__ import annotations

import inspect
import re
import warnings
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Self

from runtime.autodiff.gradients import gradients as graph_gradients
from runtime.autodiff.tape import GradientTape
from runtime.control_flow.cond import cond
from runtime.graph.parts import part_of_graph
from runtime.graph.trace import current_graph
from runtime.keras import initializers
from runtime.keras.config import floatx
from runtime.keras.effects import RecordedEffects
from runtime.keras.names import snake_case, unique_name
from runtime.keras.optimizers.arguments import check_at_least, check_clipping, checked_rate
from runtime.keras.optimizers.assigning import Assigning, Positions
from runtime.keras.optimizers.averages import MovingAverages
from runtime.keras.optimizers.schedules import LearningRateSchedule
from runtime.keras.replicas import aggregation_of, once, summed
from runtime.keras.serialization import deserialize_keras_object, serialize_keras_object
from runtime.keras.weight import Weight
from runtime.ops.array.constants import cast, convert_to_tensor, identity
from runtime.ops.math.clipping import clip_by_global_norm, clip_by_norm, clip_by_value
from runtime.staging.conversion import converted_in_turn
from runtime.state.variable import Variable
from runtime.types.aliases import DTypeLike, ShapeLike, TensorLike
from runtime.types.dtypes import as_dtype, int64

_IGNORED = ("decay", "is_legacy_optimizer", "jit_compile")


class Optimizer(Assigning):
    """Base of optimizers: ``apply_gradients`` changes variables by their gradients.

    ``learning_rate`` is a number, a schedule or a function without arguments.  ``weight_decay``
    takes that part times the learning rate from each variable.  Of ``clipnorm``, for the norm of
    each gradient, ``global_clipnorm``, for that of all, and ``clipvalue``, for each element, one
    may be given.  ``use_ema`` keeps moving averages of the variables, which replace them every
    ``ema_overwrite_frequency`` steps and at the end of training.  Gradients are divided by
    ``loss_scale_factor``; the means of ``gradient_accumulation_steps`` gradients are applied
    together.

    ValueError for other arguments, and for values out of range.
    """

    def __init__(
        self, learning_rate: Any, weight_decay: float | None = None, clipnorm: float | None = None,
        clipvalue: float | None = None, global_clipnorm: float | None = None,
        use_ema: bool = False, ema_momentum: float = 0.99,
        ema_overwrite_frequency: int | None = None, loss_scale_factor: float | None = None,
        gradient_accumulation_steps: int | None = None, name: str | None = None, **kwargs: Any,
    ) -> None:  # fmt: skip
        unknown = {key: value for key, value in kwargs.items() if key not in _IGNORED}
        if unknown:
            raise ValueError(f"Argument(s) not recognized: {unknown}")
        check_clipping(clipnorm, clipvalue, global_clipnorm)
        check_at_least("gradient_accumulation_steps", gradient_accumulation_steps, 2)
        super().__init__(name=None)
        self._label = name or unique_name(snake_case(type(self).__name__))
        self.weight_decay = weight_decay
        self.clipnorm, self.clipvalue = clipnorm, clipvalue
        self.global_clipnorm = global_clipnorm
        self.use_ema = use_ema
        self.loss_scale_factor = loss_scale_factor
        self.gradient_accumulation_steps = gradient_accumulation_steps
        self._averages = MovingAverages(use_ema, ema_momentum, ema_overwrite_frequency)
        self.built = False
        self._variables: list[Variable] = []
        self._trained: list[Variable] = []
        self._positions: dict[int, int] = {}
        self._accumulated: list[Variable] = []
        self._undecayed: list[Any] = []
        self._iterations = self.add_variable((), dtype=int64, name="iteration")
        self._learning_rate = checked_rate(learning_rate)
        if not callable(learning_rate):
            self._initial_rate = float(learning_rate)
            self._learning_rate = self.add_variable(
                (), initializers.Constant(self._initial_rate), name="learning_rate"
            )

    def __init_subclass__(cls) -> None:
        """Let ``inspect.signature`` show the arguments of the base, which subclasses pass on."""
        super().__init_subclass__()
        signature = inspect.signature(cls.__init__)
        parameters = list(signature.parameters.values())[1:]
        if any(p.kind is p.VAR_POSITIONAL for p in parameters):
            named = [p for p in parameters if p.kind is p.POSITIONAL_OR_KEYWORD]
            names = {p.name for p in named} | {"self", "learning_rate"}
            base = inspect.signature(Optimizer.__init__).parameters.values()
            named += [p for p in base if p.name not in names]
            cls.__signature__ = signature.replace(parameters=named)  # type: ignore[attr-defined]

    # -- state ----------------------------------------------------------------------------------

    @property
    def name(self) -> str:
        """Name, of which those of the variables begin."""
        return self._label

    @property
    def variables(self) -> list[Variable]:  # type: ignore[override]
        """Variables of the optimizer: the iteration, the learning rate, the state."""
        return list(self._variables)

    def _checkpoint_children(self) -> Iterator[tuple[str, Any]]:
        """Yield the variables, by number."""
        yield "variables", self._variables

    @property
    def iterations(self) -> Any:
        """Number of updates so far, an int64 scalar: a variable, or a tensor with accumulation."""
        steps = self.gradient_accumulation_steps
        return self._iterations if not steps else self._iterations // steps

    @property
    def learning_rate(self) -> Any:
        """Learning rate now: a variable of a number, a tensor of a schedule or function."""
        rate = self._learning_rate
        if isinstance(rate, LearningRateSchedule):
            return converted_in_turn(rate)(self.iterations)
        return rate if isinstance(rate, Variable) else converted_in_turn(rate)()

    @learning_rate.setter
    def learning_rate(self, value: Any) -> None:
        if isinstance(self._learning_rate, LearningRateSchedule) and not callable(value):
            raise TypeError(
                "This optimizer was created with a `LearningRateSchedule` as its learning rate, so "
                "its learning rate cannot be set. Create the optimizer with a number if it has to "
                "be."
            )
        if callable(value):
            if isinstance(self._learning_rate, Variable):
                self._variables = [v for v in self._variables if v is not self._learning_rate]
            self._learning_rate = checked_rate(value)
        else:
            self._learning_rate.assign(value)

    def build(self, variables: Sequence[Variable]) -> None:
        """Make the state for the variables that are to be trained."""
        if self.built:
            return
        self._trained = list(variables)
        self._positions = Positions(self._trained)
        if self.use_ema:
            self._averages.variables = self.add_optimizer_variables(self._trained, "average")
        if self.gradient_accumulation_steps:
            self._accumulated = self.add_optimizer_variables(
                self._trained, "gradient_accumulator"
            )
        self.built = True

    def add_variable(
        self, shape: ShapeLike, initializer: Any = "zeros", dtype: DTypeLike | None = None,
        aggregation: Any = None, layout: Any = None, name: str | None = None,
    ) -> Variable:
        """Make a variable of the optimizer, of a shape and dtype."""
        initial = initializers.get(initializer)
        kind = as_dtype(floatx() if dtype is None else dtype)
        variable = Weight(
            lambda: initial(shape, kind) if initial else None, trainable=False,
            name=f"{self._label}/{name or 'variable'}", aggregation=aggregation_of(aggregation),
        )  # fmt: skip
        self._variables.append(variable)
        return variable

    def add_variable_from_reference(
        self, reference_variable: Variable, name: str | None = None, initializer: Any = "zeros"
    ) -> Variable:
        """Make a variable of the optimizer with the shape and dtype of another one."""
        label = f"{reference_variable.path.replace('/', '_')}_{name or 'variable'}"
        shape = reference_variable.shape
        return self.add_variable(shape, initializer, reference_variable.dtype, name=label)

    def add_optimizer_variables(
        self, trainable_variables: Sequence[Variable], name: Any, initializer: Any = "zeros"
    ) -> Any:
        """Make a variable for each of some; for several names, a tuple of lists."""
        if isinstance(name, str):
            add_variable = self.add_variable_from_reference
            return [add_variable(variable, name, initializer) for variable in trainable_variables]
        is_one = not isinstance(initializer, list | tuple)
        several = [initializer] * len(name) if is_one else initializer
        rows = [
            [self.add_variable_from_reference(v, *arguments) for arguments in zip(name, several)]
            for v in trainable_variables
        ]
        return tuple([list(column) for column in zip(*rows)] or [[] for _ in name])

    def _get_variable_index(self, variable: Variable) -> int:
        """Return the position of a variable among those that the state was made for."""
        return self._positions[id(variable)]

    # -- updates --------------------------------------------------------------------------------

    def apply_gradients(self, grads_and_vars: Iterable[tuple[Any, Variable]]) -> Any:
        """Change variables by their gradients, which may be IndexedSlices or None.

        Returns the number of iterations; in a graph what has to be run for the update.  ValueError
        if there is no gradient, or for variables that the state was not made for.
        """
        pairs = list(grads_and_vars)
        return self.apply([gradient for gradient, _ in pairs], [variable for _, variable in pairs])

    def apply(
        self, grads: Sequence[Any], trainable_variables: Sequence[Variable] | None = None
    ) -> Any:
        """Change the variables, by default those of ``build``, by a gradient each."""
        pairs = self._with_gradients(list(grads), trainable_variables)
        gradients = summed([gradient for gradient, _ in pairs])
        with part_of_graph(current_graph(), self.name):
            return once(lambda: self._apply(gradients, [variable for _, variable in pairs]))

    def _apply(self, grads: list[Any], changed: list[Variable]) -> Any:
        """Change variables by gradients that are those of all replicas."""
        effects = RecordedEffects()
        gradients = [
            cast(gradient, variable.dtype)
            for gradient, variable in zip(grads, changed, strict=True)
        ]
        if self.loss_scale_factor:
            gradients = [gradient / self.loss_scale_factor for gradient in gradients]
        if self.gradient_accumulation_steps:
            self._accumulate(gradients, changed)
        else:
            self._update(gradients, changed)
        if self.use_ema:
            self._averages.update(self._trained, self.iterations)
        for variable in changed:
            if variable.constraint is not None:
                variable.assign(variable.constraint(variable.read_value()))
        with effects.before(self._variables):
            after = self._iterations.assign_add(1)
        return self._iterations if effects.graph is None else after

    def _with_gradients(
        self, grads: list[Any], variables: Sequence[Variable] | None
    ) -> list[tuple[Any, Variable]]:
        """Return the gradients that there are, with their variables."""
        if variables is None:
            variables = self._trained
            if len(grads) != len(variables):
                raise ValueError(
                    "Gradients that are given without variables must match those of build() one by "
                    f"one. Received {len(grads)} gradients; there are {len(variables)} variables."
                )
        pairs = [pair for pair in zip(grads, variables) if pair[0] is not None]
        if not pairs:
            raise ValueError("No gradients provided for any variable.")
        missing = [v.name for g, v in zip(grads, variables) if g is None]
        if missing:
            warnings.warn(f"Gradients do not exist for variables {missing}.", stacklevel=4)
        if not self.built:
            self.build(variables)
        for _, variable in pairs:
            if id(variable) not in self._positions:
                raise ValueError(
                    f"Unknown variable: {variable!r}. This optimizer can only be called for the "
                    "variables it was built with; make another one for other variables."
                )
        return pairs

    def _accumulate(self, grads: list[Any], variables: list[Variable]) -> None:
        """Add gradients up; update with their means in every so many steps."""
        steps = self.gradient_accumulation_steps
        sums = [self._accumulated[self._get_variable_index(v)] for v in variables]

        def update() -> Any:
            means = [(g + s) / steps for g, s in zip(grads, sums)]
            self._update(means, variables)
            for gradient_sum in sums:
                gradient_sum.assign(gradient_sum * 0.0)
            return identity(0)

        def add() -> Any:
            for gradient, gradient_sum in zip(grads, sums):
                gradient_sum.assign_add(gradient)
            return identity(0)

        cond((self._iterations + 1) % steps == 0, update, add)

    def _update(self, grads: list[Any], variables: list[Variable]) -> None:
        """Clip gradients, decay weights and update the variables."""
        grads = self._clipped(grads)
        rate = self.learning_rate
        for variable in variables:
            self._decay(variable, rate)
        for gradient, variable in zip(grads, variables):
            self.update_step(gradient, variable, rate)

    def update_step(self, gradient: Any, variable: Variable, learning_rate: Any) -> None:
        """Change one variable by its gradient, a tensor of its shape and dtype."""
        raise NotImplementedError(f"{type(self).__name__} does not implement update_step()")

    def _clipped(self, grads: list[Any]) -> list[Any]:
        if self.clipnorm:
            return [clip_by_norm(gradient, self.clipnorm) for gradient in grads]
        if self.global_clipnorm:
            clipped: list[Any] = clip_by_global_norm(grads, self.global_clipnorm)[0]
            return clipped
        if self.clipvalue:
            return [clip_by_value(g, -self.clipvalue, self.clipvalue) for g in grads]
        return grads

    def _decay(self, variable: Variable, learning_rate: Any) -> None:
        """Take the weight decay from a variable."""
        if self.weight_decay is None or self._is_undecayed(variable):
            return
        share = cast(self.weight_decay, variable.dtype) * cast(learning_rate, variable.dtype)
        variable.assign(variable - variable * share)

    def _is_undecayed(self, variable: Variable) -> bool:
        variable_name = variable.name.removesuffix(":0")
        return any(
            pattern is variable
            if isinstance(pattern, Variable)
            else re.search(pattern, variable_name)
            for pattern in self._undecayed
        )

    def exclude_from_weight_decay(
        self, var_list: Iterable[Variable] | None = None, var_names: Iterable[str] | None = None
    ) -> None:
        """Leave variables without weight decay: some, and those whose names have a text in them.

        ValueError once the state is made.
        """
        if self.built:
            raise ValueError(
                "`exclude_from_weight_decay()` can only be called before the optimizer is built."
            )
        self._undecayed = [*(var_list or ()), *(var_names or ())]

    def minimize(
        self, loss: Any, var_list: Sequence[Variable], tape: GradientTape | None = None
    ) -> Any:
        """Change variables so that a loss gets less; return what ``apply_gradients`` returns.

        ``loss`` is a function without arguments, or a tensor that ``tape`` has recorded; in a graph
        a tensor needs no tape.  ValueError for a tensor without a tape elsewhere.
        """
        if callable(loss):
            with tape or GradientTape() as tape:
                loss = converted_in_turn(loss)()
        if tape is not None:
            gradients = tape.gradient(loss, list(var_list))
        elif current_graph() is None:
            raise ValueError("`tape` is required when a tensor is passed as `loss`.")
        else:
            gradients = graph_gradients(loss, list(var_list))
        return self.apply_gradients(zip(gradients, var_list))

    # -- other ----------------------------------------------------------------------------------

    def scale_loss(self, loss: TensorLike) -> Any:
        """Return a loss times ``loss_scale_factor``."""
        factor = self.loss_scale_factor
        return loss if factor is None else convert_to_tensor(loss) * factor

    def finalize_variable_values(self, var_list: Sequence[Variable]) -> None:
        """Replace variables by their moving averages, with ``use_ema``."""
        if self.use_ema:
            self._averages.overwrite(var_list, self._positions)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} name={self.name}>"

    def get_config(self) -> dict[str, Any]:
        """Return the arguments, from which ``from_config`` makes an equal optimizer."""
        rate = self._learning_rate
        if isinstance(rate, Variable):
            rate = float(rate.numpy()) if rate.graph is None else self._initial_rate
        elif callable(rate):
            rate = serialize_keras_object(rate)
        return {
            "name": self.name, "learning_rate": rate, "weight_decay": self.weight_decay,
            "clipnorm": self.clipnorm, "global_clipnorm": self.global_clipnorm,
            "clipvalue": self.clipvalue, "use_ema": self.use_ema,
            "ema_momentum": self._averages.momentum,
            "ema_overwrite_frequency": self._averages.frequency,
            "loss_scale_factor": self.loss_scale_factor,
            "gradient_accumulation_steps": self.gradient_accumulation_steps,
        }  # fmt: skip

    @classmethod
    def from_config(cls, config: dict[str, Any], custom_objects: Any = None) -> Self:
        """Make an optimizer from its arguments."""
        rate = config.get("learning_rate")
        if isinstance(rate, dict):
            rate = deserialize_keras_object(rate, custom_objects)
            config = {**config, "learning_rate": rate}
        return cls(**config)
