"""``Model``: a layer to train, evaluate, save and look at."""

from __future__ import annotations

import copy
import inspect
import json
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Self

from runtime.keras.functional.configuration import (
    functional_config,
    tensors_of_config,
)
from runtime.keras.functional.functional_graph import LayerCall
from runtime.keras.functional.program import FunctionalProgram, step_of
from runtime.keras.layers.base.call_arguments import shape_of
from runtime.keras.layers.base.input_layer import InputLayer, input_layer_of
from runtime.keras.models import saving
from runtime.keras.models.input_specs import in_lists, input_specs, specs_of
from runtime.keras.models.state_trees import set_state_tree, state_tree
from runtime.keras.training.trainer import Trainer
from runtime.types import nest
from runtime.types.value import Value

__all__ = ["Model"]


class Model(Trainer):
    """Layer to train, evaluate, save and look at.

    ``Model(inputs, outputs)`` is a functional model: it computes the outputs, tensors that layers
    made of ``Input`` tensors, for values of the inputs, both nests.  Subclasses define ``call``.

    Args:
        inputs: tensor of ``Input``, or a nest of those.
        outputs: tensor that depends on the inputs, or a nest of those.
        name: name of the model.
        kwargs: arguments of ``Layer``.

    Raises:
        ValueError: for what is no symbolic tensor, and for outputs that need other inputs.
    """

    def __new__(cls, *args: Any, **kwargs: Any) -> Self:  # noqa: D102
        if cls is Model and (args or "inputs" in kwargs or "outputs" in kwargs):
            cls = Functional  # type: ignore[assignment]
        return super().__new__(cls, *args, **kwargs)

    def __init__(
        self, inputs: Any = None, outputs: Any = None, name: str | None = None, **kwargs: Any
    ) -> None:
        super().__init__(name=name, **kwargs)
        self._keras.program = None
        self._keras.input_specs = None
        """Types of the inputs of the first call, with batches of any size."""
        if inputs is not None or outputs is not None:
            _make_functional(type(self))
            self._set_program(inputs, outputs)

    def _set_program(self, inputs: Any, outputs: Any) -> None:
        """Become the model of inputs and outputs."""
        program = FunctionalProgram(inputs, outputs)
        self._keras.program = program
        self._functional_layers = program.layers(input_layer_of)
        self._keras.built = True
        self._keras.signature = None

    @property
    def _program(self) -> FunctionalProgram | None:
        program: FunctionalProgram | None = getattr(self._keras, "program", None)
        return program

    def call(self, inputs: Any, training: Any = None, mask: Any = None) -> Any:
        """Compute the outputs; subclasses override this."""
        if self._program is None:
            return super().call(inputs)
        return self._program.run(inputs, name=self.name)

    def build(self, input_shape: Any = None) -> None:
        """Make the weights for inputs of a shape, by a call in a graph that is thrown away."""
        if self.built or self._program is not None:
            return
        if input_shape is None:
            raise ValueError(f"build() of model {self.name!r} needs the shape of the inputs")
        self._build_by(lambda: self.compute_output_shape(input_shape))

    def _build_by(self, call: Callable[[], Any]) -> None:
        if type(self).call is not Model.call and not self._keras.building:
            self._keras.building = True
            try:
                call()
            finally:
                self._keras.building = False
        self._keras.built = True

    def get_build_config(self) -> dict[str, Any] | None:
        """Return the shapes and dtypes of the inputs of the first call, as plain values."""
        specs = self._keras.input_specs
        if self._program is not None or specs is None:
            return super().get_build_config()
        if any(spec.shape.rank is None for spec in nest.flatten(specs)):
            return None
        return {
            "input_shape": in_lists(nest.map_structure(lambda s: s.shape.as_list(), specs)),
            "input_dtype": in_lists(nest.map_structure(lambda s: s.dtype.name, specs)),
        }

    def build_from_config(self, config: dict[str, Any]) -> None:
        """Make the weights for the inputs of ``get_build_config``."""
        dtypes = config.get("input_dtype")
        if dtypes is None or type(self).build is not Model.build:
            super().build_from_config(config and {"input_shape": config["input_shape"]})
        elif not self.built:
            specs = specs_of(config["input_shape"], dtypes)
            self._build_by(lambda: self.compute_output_spec(specs))

    def _prepare(self, bound: dict[str, Any]) -> None:
        if type(self).build is Model.build:  # the call makes the weights
            self._keras.built = True
        if self._program is None and self._keras.input_specs is None:
            inputs, *other_arguments = [*bound.values(), None]
            if not any(isinstance(leaf, Value) for leaf in nest.flatten(other_arguments)):
                self._keras.input_specs = input_specs(inputs)
        super()._prepare(bound)

    # -- files ------------------------------------------------------------------------------------

    def save(
        self, filepath: Any, overwrite: bool = True, include_optimizer: bool = True, **kwargs: Any
    ) -> None:
        """Write the model, its weights and its optimizer to a file; see ``models.save_model``."""
        saving.save_model(self, filepath, overwrite, include_optimizer, **kwargs)

    def save_weights(self, filepath: Any, overwrite: bool = True) -> None:
        """Write the weights to a file; ValueError before they are made."""
        saving.save_weights(self, filepath, overwrite)

    def export(
        self, filepath: Any, format: str = "tf_saved_model", verbose: bool | None = None,
        input_signature: Any = None, **kwargs: Any,
    ) -> None:  # fmt: skip
        """Write the call of the model, without training, for ``saved_model.load`` or as ONNX.

        What is loaded has the function ``serve``, and the signature ``serving_default``.

        Args:
            filepath: the folder, or with "onnx" the file.
            format: "tf_saved_model", or "onnx" (the extra ``onnx``; see ``runtime.export.onnx``).
            verbose: whether the folder is printed.
            input_signature: list with the TensorSpecs of the inputs; by default those of a
                functional model, or of the first call.

        Raises:
            ValueError: for another format or keyword, and where no types are known; what
                ``saved_model.save`` or ``export.onnx`` raises.
        """
        from runtime.keras.models.exporting import export_model

        if kwargs:
            raise ValueError(f"export() has no options for this format, got {sorted(kwargs)}")
        export_model(self, filepath, format, input_signature)
        if verbose:
            print(f"Saved the function 'serve' of the model {self.name!r} at {str(filepath)!r}.")

    def _saved_functions(self) -> dict[str, Any]:
        """Return the functions that a saved model has besides those of the class."""
        from runtime.keras.models.exporting import serving_function

        serve = serving_function(self) if self.built else None
        return {} if serve is None else {"__call__": serve}

    def _default_save_signature(self) -> Any:
        """Return the function that becomes the signature of a saved model; None if unknown."""
        return self._saved_functions().get("__call__")

    def _trace_with_sizes(self) -> tuple[Any, Any]:
        """Return the trace to export, and names of its sizes; ValueError if types are not known."""
        from runtime.keras.models.exporting import batch_sizes, named_trace, serving_function

        serve = serving_function(self)
        if serve is None:
            raise ValueError(
                f"the types of the inputs of model {self.name!r} are not known: call it before"
            )
        trace = named_trace(serve)
        return trace, batch_sizes(trace)

    def _saved_children(self) -> Iterator[tuple[str, Any]]:
        """Yield what a saved model holds: what computes, without what trains."""
        yield from ((name, v) for name, v in self._checkpoint_children() if name != "optimizer")

    def load_weights(self, filepath: Any, skip_mismatch: bool = False) -> None:
        """Set the weights to those of a file; ValueError where they do not fit, changing none."""
        saving.load_weights(self, filepath, skip_mismatch)

    # -- what it consists of ----------------------------------------------------------------------

    @property
    def layers(self) -> list[Any]:
        """Layers of the model, without those inside of them."""
        if self._program is not None:
            return list(self._functional_layers)
        return self._layers

    @layers.setter
    def layers(self, value: Any) -> None:
        raise AttributeError(
            "`Model.layers` attribute is reserved and should not be used. Please use another name."
        )

    def get_layer(self, name: str | None = None, index: int | None = None) -> Any:
        """Return a layer by name, or by index; ValueError if there is none."""
        if (name is None) == (index is None):
            raise ValueError("give the name of a layer, or its index")
        if index is not None:
            if not -len(self.layers) <= index < len(self.layers):
                raise ValueError(
                    f"Was asked to retrieve layer at index {index} but model only has "
                    f"{len(self.layers)} layers."
                )
            return self.layers[index]
        for layer in self.layers:
            if layer.name == name:
                return layer
        names = [layer.name for layer in self.layers]
        raise ValueError(f"No such layer: {name}. Existing layers are: {names}.")

    def _checkpoint_children(self) -> Iterator[tuple[str, Any]]:
        """Yield the layers by number, and what the attributes hold."""
        yield "layers", [layer for layer in self.layers if not isinstance(layer, InputLayer)]
        for name, value in super()._checkpoint_children():
            if name not in ("_functional_layers", "_sequence"):
                yield name, value
        optimizer = getattr(self, "optimizer", None)
        if optimizer is not None:
            yield "optimizer", optimizer

    def _symbolic(self, which: str) -> Any:
        program = self._program
        if program is None:
            raise AttributeError(
                f"{type(self).__name__} {self.name!r} has no {which}: it is no functional model, "
                "and has not been given inputs"
            )
        return getattr(program, which)

    @property
    def inputs(self) -> list[Any]:
        """Symbolic tensors of the inputs, as a list; AttributeError unless it is functional."""
        return nest.flatten(self._symbolic("inputs"))

    @property
    def outputs(self) -> list[Any]:
        """Symbolic tensors of the outputs, as a list; AttributeError unless it is functional."""
        return nest.flatten(self._symbolic("outputs"))

    @property
    def output_names(self) -> list[str] | None:
        """Names of the layers that give the outputs; None for other models."""
        program = self._program
        if program is None:
            return None
        steps = [step_of(tensor) for tensor in nest.flatten(program.outputs)]
        return [step.layer.name if isinstance(step, LayerCall) else step.name for step in steps]

    @property
    def input(self) -> Any:
        """Symbolic tensor, or nest, of the inputs; AttributeError unless it is functional."""
        return self._symbolic("inputs")

    @property
    def output(self) -> Any:
        """Symbolic tensor, or nest, of the outputs; AttributeError unless it is functional."""
        return self._symbolic("outputs")

    @property
    def input_shape(self) -> Any:
        """Shape of the input, as a tuple, or nest of shapes."""
        return nest.map_structure(shape_of, self.input)

    @property
    def output_shape(self) -> Any:
        """Shape of the output, as a tuple, or nest of shapes."""
        return nest.map_structure(shape_of, self.output)

    def get_state_tree(self, value_format: str = "backend_tensor") -> dict[str, Any]:
        """Return the values of all variables, in dicts by the parts of their paths.

        ``value_format`` is "backend_tensor" or "numpy_array".  ValueError for two variables of one
        path.
        """
        return state_tree(self, value_format)

    def set_state_tree(self, state_tree: dict[str, Any]) -> None:
        """Set variables to the values of ``get_state_tree``, or of some of them."""
        set_state_tree(self, state_tree)

    # -- copies -----------------------------------------------------------------------------------

    def __reduce_ex__(self, protocol: Any) -> Any:
        """Return how to make a functional model anew: its symbolic tensors cannot be pickled."""
        if self._program is None:
            return super().__reduce_ex__(protocol)
        from runtime.keras.models.pickling import pickled_model

        return pickled_model(self)

    def __deepcopy__(self, memo: dict[int, Any]) -> Any:
        """Return a copy that shares nothing, also of layers whose classes are not registered."""
        copied = memo[id(self)] = type(self).__new__(type(self))
        vars(copied).update(copy.deepcopy(vars(self), memo))
        return copied

    @classmethod
    def from_config(cls, config: dict[str, Any], custom_objects: Any = None) -> Any:
        """Make a model from its configuration, a functional one for its layers and calls."""
        is_functional = {"layers", "input_layers", "output_layers"} <= config.keys()
        if is_functional and (cls is Model or _takes_inputs_and_outputs(cls)):
            inputs, outputs = tensors_of_config(config, custom_objects)
            model = cls(inputs, outputs, name=config.get("name"))
            if not config.get("trainable", True):
                model.trainable = False
            return model
        return super().from_config(config)

    # -- how it looks -----------------------------------------------------------------------------

    def summary(
        self, line_length: int | None = None, positions: Sequence[float] | None = None,
        print_fn: Callable[[str], Any] | None = None, expand_nested: bool = False,
        show_trainable: bool = False, layer_range: Sequence[str] | None = None,
    ) -> None:  # fmt: skip
        """Print the layers as a table, and the number of weights.

        Args:
            line_length: length of the lines, 80 by default.
            positions: where columns end, as shares of the length.
            print_fn: function that gets the text, ``print`` by default.
            expand_nested: whether layers of models inside are shown.
            show_trainable: whether there is a column that says which layers are trained.
            layer_range: patterns of the names of the first and of the last layer to show.

        Raises:
            ValueError: for another number of positions, and patterns that no layer matches.
        """
        from runtime.keras.models.summary import print_summary

        print_summary(
            self, line_length, positions, print_fn, expand_nested, show_trainable, layer_range
        )

    def __diagram__(self) -> Any:
        from runtime.keras.models.diagrams import model_diagram

        return model_diagram(self)

    def _repr_html_(self) -> str:
        from runtime.graph.drawable import notebook_html

        return notebook_html(self.__diagram__())

    def to_json(self, **kwargs: Any) -> str:
        """Return the configuration as JSON; ``kwargs`` are arguments of ``json.dumps``."""
        from runtime.keras.serialization import serialize_keras_object

        return json.dumps(serialize_keras_object(self), **kwargs)


def _make_functional(cls: type[Any]) -> None:
    """Put ``Functional`` in the place of ``Model`` among the bases of a class, as Keras does."""
    if issubclass(cls, Functional) or cls is Model:
        return
    for base in cls.__mro__:
        if Model in base.__bases__ and base is not Functional:
            base.__bases__ = tuple(Functional if b is Model else b for b in base.__bases__)


def _takes_inputs_and_outputs(cls: type[Any]) -> bool:
    """Return whether a class is made of inputs, outputs and a name, or passes anything on."""
    parameters = [*inspect.signature(cls.__init__).parameters.values()][1:]
    anything = [inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD]
    if [p.kind for p in parameters] == anything:
        return True
    return [p.name for p in parameters[:3]] == ["inputs", "outputs", "name"]


class Functional(Model):
    """Model of what layers compute from ``Input`` tensors; arguments as of ``Model``."""

    def get_config(self) -> dict[str, Any]:
        """Return the layers and their calls, as plain values; ValueError for operations.

        The arguments of subclasses that are not made of inputs and outputs.
        """
        if self._program is None or not _takes_inputs_and_outputs(type(self)):
            return super().get_config()
        return functional_config(self, self._keras.program)
