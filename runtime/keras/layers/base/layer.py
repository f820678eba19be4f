"""``Layer``: a function of tensors with weights, which are made when it is called first."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Self

from runtime.graph.default_graph import name_scope
from runtime.keras import dtype_policies as policies
from runtime.keras import regularizers
from runtime.keras.functional import functional_graph as functional
from runtime.keras.layers.base.call_arguments import (
    CallSignature,
    as_inputs,
    build_arguments,
    by_sample,
    check_is_tensor,
    floats,
    shapes_in,
    specs_of,
)
from runtime.keras.layers.base.call_context import Entered, for_shapes
from runtime.keras.layers.base.input_spec import check_inputs
from runtime.keras.layers.base.layer_state import LayerState
from runtime.keras.layers.base.masks import mask_of, masks_of, set_mask
from runtime.keras.layers.base.saved_arguments import made_again, saved_arguments, takes_any_keyword
from runtime.keras.layers.base.weighted import Weighted
from runtime.keras.name_scopes import current_path
from runtime.keras.names import snake_case, unique_name
from runtime.staging.conversion import converted_in_graph
from runtime.state import deferred
from runtime.types import nest

if TYPE_CHECKING:
    from runtime.eager.tensor import Tensor

__all__ = ["Layer"]

_LEGACY = ("input_shape", "input_dim", "batch_input_shape", "batch_shape", "batch_size", "weights")
"""Arguments that say what the layer will be called with, or which weights it starts with."""


class Layer(Weighted):
    """Function of tensors with weights; to be subclassed.

    A subclass defines ``call(self, inputs)``, and makes weights in ``build(self, input_shape)``
    or in ``__init__``: variables that are assigned to attributes, and those of layers there.
    ``call`` may have parameters ``training`` and ``mask``, which are passed on from layer to layer.

    Args:
        activity_regularizer: function of each output that gives a loss.
        trainable: whether the weights are among ``trainable_weights``.
        dtype: dtype of weights, and of the floats that ``call`` gets, or a ``DTypePolicy``; by
            default that of ``keras.config.dtype_policy()``.
        autocast: whether floats of other dtypes are cast to it.
        name: name; by default the class's in snake case, with a number.
        kwargs: ``input_shape`` or ``batch_input_shape``: shape of the input, without or with the
            batch, for the first layer of a Sequential; ``weights``: arrays to start with.

    Raises:
        ValueError: for other keywords.
    """

    _is_stateless = False
    """Whether the layer counts as built from the start: there is nothing to make."""
    _takes_floats = False
    """Whether ints and bools in the first argument of ``call`` become floats."""

    def __new__(cls, *args: Any, **kwargs: Any) -> Self:  # noqa: D102
        layer = object.__new__(cls)
        layer._keras = LayerState(args, kwargs)
        layer._name = ""
        return layer

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        if "build" in vars(cls):
            cls.build = _building(cls.build)  # type: ignore[method-assign]

    def __init__(
        self, *, activity_regularizer: Any = None, trainable: bool = True, dtype: Any = None,
        autocast: bool = True, name: str | None = None, **kwargs: Any,
    ) -> None:  # fmt: skip
        unknown = [key for key in kwargs if key not in _LEGACY]
        if unknown:
            raise ValueError(
                f"Unrecognized keyword arguments passed to {type(self).__name__}: "
                f"{ {key: kwargs[key] for key in unknown} }"
            )
        if name is not None and (not isinstance(name, str) or "/" in name):
            raise ValueError(
                "Argument `name` must be a string and cannot contain character `/`. Received: "
                f"name={name} (of type {type(name)})"
            )
        if not isinstance(trainable, bool):
            raise ValueError(f"Expected `trainable` to be a boolean. Received: {trainable!r}")
        self._name = name or unique_name(snake_case(type(self).__name__))
        state = self._keras
        state.initialized = True
        state.trainable = bool(trainable)
        state.policy = policies.get(dtype)
        state.autocast = autocast
        state.initial_weights = kwargs.get("weights")
        self.activity_regularizer = regularizers.get(activity_regularizer)
        self.input_spec: Any = None
        self.supports_masking = type(self).compute_mask is not Layer.compute_mask
        batch_shape = kwargs.get("batch_input_shape", kwargs.get("batch_shape"))
        if batch_shape is None and "input_dim" in kwargs:
            kwargs.setdefault("input_shape", (kwargs["input_dim"],))
        if batch_shape is None and kwargs.get("input_shape") is not None:
            batch_shape = (kwargs.get("batch_size"), *kwargs["input_shape"])
        state.input_shape = None if batch_shape is None else tuple(batch_shape)

        if self._is_stateless and type(self).build is Layer.build:
            state.built = True

    # -- names and dtypes -------------------------------------------------------------------------

    @property
    def name(self) -> str:
        """Name of the layer."""
        if not self._name:  # a subclass that has not called super().__init__()
            self._name = unique_name(snake_case(type(self).__name__))
        return self._name

    @name.setter
    def name(self, value: str) -> None:
        self._name = value

    @property
    def path(self) -> str | None:
        """Names of what the layer is within and its own, ``model/dense``; None before build()."""
        path: str | None = self._keras.path
        return path

    @property
    def name_scope(self) -> Any:
        """Name scope of the layer, a context manager."""
        return name_scope(self.name)

    @property
    def dtype(self) -> str:
        """Name of the dtype of weights."""
        name: str = self._keras.dtype.name
        return name

    variable_dtype = dtype

    @property
    def compute_dtype(self) -> str:
        """Name of the dtype that the layer computes in."""
        name: str = self._keras.compute.name
        return name

    input_dtype = compute_dtype

    @property
    def dtype_policy(self) -> policies.DTypePolicy:
        """Dtypes of weights and computations."""
        policy: policies.DTypePolicy = self._keras.policy
        return policy

    @dtype_policy.setter
    def dtype_policy(self, value: Any) -> None:
        self._keras.policy = policies.get(value)

    # -- in functional models ---------------------------------------------------------------------

    @property
    def input(self) -> Any:
        """Symbolic tensor, or list, of the first call with ``Input`` tensors; AttributeError."""
        return _one_or_list(functional.first_call(self).inputs)

    @property
    def output(self) -> Any:
        """Symbolic tensor, or list, that this call returned; AttributeError if there is none."""
        return _one_or_list(nest.flatten(functional.first_call(self).outputs))

    # -- building and calling ---------------------------------------------------------------------

    @property
    def built(self) -> bool:
        """Whether the weights are made."""
        built: bool = self._keras.built
        return built

    @built.setter
    def built(self, value: bool) -> None:
        self._keras.built = bool(value)

    def build(self, input_shape: Any) -> None:
        """Make the weights for inputs of a shape (None for unknown sizes); to be overridden."""
        self._keras.built = True

    def call(self, *args: Any, **kwargs: Any) -> Any:
        """Compute the outputs; to be overridden."""
        raise NotImplementedError(
            f"Layer {type(self).__name__} does not have a `call` method implemented."
        )

    def __call__(self, *args: Any, **kwargs: Any) -> Tensor:
        """Call the layer; the first call makes its weights.

        Type checkers take the result for a tensor; what ``call`` returns it is: maybe a nest.

        Tensors of ``Input`` give symbolic outputs, of which a ``Model`` is made.  Arrays, and lists
        of numbers, become tensors.
        """
        state = self._keras
        if not state.initialized:
            raise RuntimeError(
                f"In layer {type(self).__name__!r}, you forgot to call `super().__init__()` as the "
                "first statement in the `__init__()` method. Go add it!"
            )
        dtype = state.compute if state.autocast else None
        inputs = [as_inputs(value, dtype) for value in args]
        kwargs = {name: as_inputs(value, dtype) for name, value in kwargs.items()}
        leaves = nest.flatten((inputs, kwargs))
        if any(map(functional.is_functional, leaves)):
            with for_shapes():
                return functional.call_symbolically(self, tuple(inputs), kwargs)
        signature = self._signature
        if self._takes_floats:
            inputs[:1] = [floats(value, state.compute) for value in inputs[:1]]
            name = signature.names[0]
            if name in kwargs:
                kwargs[name] = floats(kwargs[name], state.compute)
        with self._first_scope(), Entered(self) as context, policies.computing_in(state.policy):
            accepted = signature.has_training or signature.takes_any
            mode = kwargs.get("training") if accepted else kwargs.pop("training", None)
            bound = signature.bound(tuple(inputs), kwargs)
            mode = bound.get("training", mode)
            if mode is None:
                mode = context.training
                if signature.has_training and mode is not None:
                    signature.put("training", mode, inputs, kwargs)
            context.training = mode
            self._prepare(bound)
            first = next(iter(bound.values()), None)
            for name, argument in signature.masks.items():
                input_masks = masks_of(bound.get(argument)) if bound.get(name) is None else None
                if input_masks is not None:
                    bound[name] = input_masks
                    signature.put(name, input_masks, inputs, kwargs)
            if context.layer is self:
                self._forget_losses()
            outputs = converted_in_graph(self.call, f"{self.name}.call")(*inputs, **kwargs)
            if self.activity_regularizer is not None:
                for output in nest.flatten(outputs):
                    self.add_loss(by_sample(self.activity_regularizer(output), output))
            if self.supports_masking:
                self._pass_mask_on(first, bound.get("mask"), outputs)
        return outputs

    @property
    def _signature(self) -> CallSignature:
        state = self._keras
        if state.signature is None:
            state.signature = CallSignature(self.call)
        signature: CallSignature = state.signature
        return signature

    def _prepare(self, bound: dict[str, Any]) -> None:
        """Make the weights for the arguments of a call unless they are made, and check them."""
        first = next(iter(bound.values()), None)
        if not self.built:
            check_inputs(self.input_spec, first, self.name)
            shapes = build_arguments(self.build, bound)
            if shapes and type(self).build is not Layer.build:
                check_is_tensor(self, first)
            self.build(**(shapes or {}))
            self._keras.built = True
            if deferred.WAITING:
                deferred.resolve()
            self._start_weights()
        check_inputs(self.input_spec, first, self.name)

    def _start_weights(self) -> None:
        state = self._keras
        if state.initial_weights is not None:
            weights, state.initial_weights = state.initial_weights, None
            self.set_weights(weights)

    def _pass_mask_on(self, inputs: Any, mask: Any, outputs: Any) -> None:
        mask = masks_of(inputs) if mask is None else mask
        is_default = type(self).compute_mask is Layer.compute_mask
        if is_default and all(input_mask is None for input_mask in nest.flatten(mask)):
            return
        flat = nest.flatten(outputs)
        if not is_default and all(mask_of(output) is not None for output in flat):
            return
        masks = self.compute_mask(inputs, mask)
        if masks is None:
            return
        masks = masks if isinstance(masks, list | tuple) else [masks] * len(flat)
        for output, output_mask in zip(flat, masks, strict=False):
            set_mask(output, output_mask)

    def compute_mask(self, inputs: Any, previous_mask: Any) -> Any:
        """Return the mask of the outputs; that of the inputs by default."""
        return previous_mask

    def compute_output_shape(self, *args: Any, **kwargs: Any) -> Any:
        """Return the shape of the output for inputs of a shape, as tuples."""
        if type(self).call is Layer.call:
            raise NotImplementedError(
                f"Layer {type(self).__name__} does not have a `compute_output_shape` method "
                "implemented."
            )
        outputs = self.compute_output_spec(
            *[specs_of(shape, self._keras.compute) for shape in args],
            **{
                name.removesuffix("_shape"): specs_of(shape, self._keras.compute)
                for name, shape in kwargs.items()
            },
        )
        return shapes_in(outputs)

    def compute_output_spec(self, *args: Any, **kwargs: Any) -> Any:
        """Return the outputs for tensors or ``TensorSpec``s, as tensors without values."""
        with for_shapes():
            return functional.outputs_of(self, args, kwargs)

    # -- configuration ----------------------------------------------------------------------------

    def get_config(self) -> dict[str, Any]:
        """Return the arguments that make an equal layer, as plain values.

        NotImplementedError where a subclass has arguments that are none; it overrides this then.
        """
        config = {"name": self.name, "trainable": self.trainable}
        config["dtype"] = self.dtype_policy.name
        cls = type(self)
        if cls.get_config is Layer.get_config and cls.__init__ is not Layer.__init__:
            arguments = {**saved_arguments(self, *self._keras.arguments), "name": self.name}
            return {**config, **arguments} if takes_any_keyword(cls.__init__) else arguments
        if self.activity_regularizer is not None:
            config["activity_regularizer"] = regularizers.serialize(self.activity_regularizer)
        return config

    @classmethod
    def from_config(cls, config: dict[str, Any]) -> Any:
        """Make a layer from its configuration, or from that of Keras."""
        return made_again(cls, config, cls.get_config is Layer.get_config)

    def get_build_config(self) -> dict[str, Any] | None:
        """Return the shapes that ``build`` was called with; None before."""
        shapes: dict[str, Any] | None = self._keras.build_shapes
        if not shapes:
            return shapes
        return {"input_shape": next(iter(shapes.values()))} if len(shapes) == 1 else {
            "shapes_dict": shapes
        }

    def build_from_config(self, config: dict[str, Any]) -> None:
        """Make the weights for the shapes of ``get_build_config``."""
        if config and not self.built:
            if "shapes_dict" in config:
                self.build(**config["shapes_dict"])
            else:
                self.build(*config.values())
            self._keras.built = True

    def __repr__(self) -> str:
        return f"<{type(self).__name__} name={self.name}, built={self.built}>"


def _one_or_list(tensors: list[Any]) -> Any:
    return tensors[0] if len(tensors) == 1 else tensors


def _building(build: Callable[..., Any]) -> Callable[..., Any]:
    """Return a layer's ``build`` so that weights are named after the layer, and it counts as built.
    """

    signature = inspect.signature(build)

    @functools.wraps(build)
    def building(self: Any, *args: Any, **kwargs: Any) -> Any:
        if self._keras.build_shapes is None:
            self._keras.build_shapes = dict(signature.bind(None, *args, **kwargs).arguments)
            self._keras.build_shapes.pop(next(iter(signature.parameters)))
        with self._first_scope(), self.name_scope:
            self._keras.path = current_path()
            result = build(self, *args, **kwargs)
        self._keras.built = True
        return result

    return building
