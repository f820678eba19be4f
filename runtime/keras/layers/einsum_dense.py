"""``EinsumDense``: a product with a kernel by Einstein's convention."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from runtime.keras import activations, constraints, initializers, regularizers
from runtime.keras.layers.base.layer import Layer
from runtime.keras.layers.dense import weight_config
from runtime.ops.linalg.products import einsum

__all__ = ["EinsumDense"]


class EinsumDense(Layer):
    """``activation(einsum(equation, inputs, kernel) + bias)``.

    Args:
        equation: such as ``"abc,cd->abd"``: letters of the inputs, of the kernel and of the result;
            ``...`` may stand for the first or the last axes of inputs and result.
        output_shape: shape of a result, without the batch; an int for one axis.  None for sizes
            that are not known; they must not be those of the kernel.
        activation: activation, or its name.
        bias_axes: letters of the result along which there is a bias; None for no bias.
        kernel_initializer: initializer, or its name; so are the other arguments of weights.
        bias_initializer: initializer of the bias.
        kernel_regularizer: regularizer of the kernel.
        bias_regularizer: regularizer of the bias.
        kernel_constraint: constraint of the kernel.
        bias_constraint: constraint of the bias.
        kwargs: arguments of ``Layer``.

    Raises:
        ValueError: for an equation that is none, and for shapes that do not fit it.
    """

    _takes_floats = True

    def __init__(
        self, equation: str, output_shape: Any, activation: Any = None,
        bias_axes: str | None = None, kernel_initializer: Any = "glorot_uniform",
        bias_initializer: Any = "zeros", kernel_regularizer: Any = None,
        bias_regularizer: Any = None, kernel_constraint: Any = None, bias_constraint: Any = None,
        **kwargs: Any,
    ) -> None:  # fmt: skip
        super().__init__(**kwargs)
        self.equation = equation
        single = isinstance(output_shape, int)
        self.partial_output_shape = (output_shape,) if single else tuple(output_shape)
        self.bias_axes = bias_axes
        self.activation = activations.get(activation)
        self.kernel_initializer = initializers.get(kernel_initializer)
        self.bias_initializer = initializers.get(bias_initializer)
        self.kernel_regularizer = regularizers.get(kernel_regularizer)
        self.bias_regularizer = regularizers.get(bias_regularizer)
        self.kernel_constraint = constraints.get(kernel_constraint)
        self.bias_constraint = constraints.get(bias_constraint)

    def build(self, input_shape: Any) -> None:
        """Make ``kernel`` and ``bias``."""
        _, kernel, outputs, sizes = self._sizes(input_shape)
        self.kernel = self.add_weight(
            tuple([sizes.get(label) for label in kernel]),
            _with_axes(self.kernel_initializer, kernel, outputs), name="kernel",
            regularizer=self.kernel_regularizer, constraint=self.kernel_constraint,
        )  # fmt: skip
        self.bias = None
        if self.bias_axes is not None:
            self.bias = self.add_weight(
                self._bias_shape(outputs, sizes), self.bias_initializer, name="bias",
                regularizer=self.bias_regularizer, constraint=self.bias_constraint,
            )  # fmt: skip

    def _bias_shape(self, outputs: Sequence[str], sizes: dict[str, Any]) -> tuple[Any, ...]:
        """Return the shape of the bias, which broadcasts to the outputs from their last axes."""
        bias_labels = str(self.bias_axes)
        strange = [label for label in bias_labels if label not in outputs]
        if strange:
            raise ValueError(
                f"Bias dimension '{strange[0]}' was requested, but is not part of the output spec "
                f"'{''.join(outputs)}'"
            )
        if not bias_labels:
            return ()
        first = min(outputs.index(label) for label in bias_labels)
        return tuple([sizes[label] if label in bias_labels else 1 for label in outputs[first:]])

    def _sizes(self, input_shape: Any) -> tuple[list[str], list[str], list[str], dict[str, Any]]:
        """Return the labels of inputs, kernel and outputs, and the sizes of the labels.

        The axes of ``...`` have the labels '.0', '.1' ...
        """
        operands, arrow, right = self.equation.replace(" ", "").partition("->")
        terms = operands.split(",")
        if not arrow or len(terms) != 2:
            raise ValueError(
                f"Invalid einsum equation '{self.equation}'. Equations must be in the form "
                "[X],[Y]->[Z], ...[X],[Y]->...[Z], or [X]...,[Y]->[Z]...."
            )
        dot_axes = len(input_shape) - len(terms[0].replace("...", ""))
        if dot_axes < 0 or (dot_axes and "..." not in terms[0]):
            raise ValueError(
                f"the equation '{self.equation}' does not fit inputs of shape {tuple(input_shape)}"
            )
        inputs, outputs = _labels(terms[0], dot_axes), _labels(right, dot_axes)
        sizes = dict(zip(inputs, input_shape, strict=True))
        output_sizes = [None, *self.partial_output_shape]  # the first axis is the batch
        # axes of ``...`` at the end have no sizes in output_shape
        named = outputs[: len(outputs) - dot_axes] if right.endswith("...") else outputs
        if len(named) < len(output_sizes):
            raise ValueError(
                f"output_shape {self.partial_output_shape} has more sizes than the result of "
                f"'{self.equation}' has axes"
            )
        output_sizes = [None] * (len(named) - len(output_sizes)) + output_sizes
        for label, size in zip(named, output_sizes, strict=True):
            input_size = sizes.get(label)
            if None not in (size, input_size) and size != input_size:
                raise ValueError(
                    f"Input shape and output shape do not match at shared dimension '{label}'. "
                    f"Input shape is {input_size}, and output shape is {size}."
                )
            sizes[label] = size if input_size is None else input_size
        for label in terms[1]:
            if label not in sizes:
                raise ValueError(
                    f"Weight dimension '{label}' did not have a match in either the input spec "
                    f"'{''.join(inputs)}' or the output spec '{''.join(outputs)}'. For this layer, "
                    "the weight must be fully specified."
                )
        return inputs, list(terms[1]), outputs, sizes

    def call(self, inputs: Any, training: Any = None) -> Any:
        """Compute the outputs."""
        outputs = einsum(self.equation, inputs, self.kernel)
        if self.bias is not None:
            outputs = outputs + self.bias
        return outputs if self.activation is None else self.activation(outputs)

    def compute_output_shape(self, input_shape: Any) -> Any:
        """Return the shape of the outputs."""
        _, _, outputs, sizes = self._sizes(input_shape)
        return tuple([sizes[label] for label in outputs])

    def get_config(self) -> dict[str, Any]:
        """Return the arguments."""
        config = super().get_config()
        return {
            **config, "equation": self.equation, "output_shape": self.partial_output_shape,
            "activation": activations.serialize(self.activation), "bias_axes": self.bias_axes,
            "activity_regularizer": config.get("activity_regularizer"), **weight_config(self),
        }  # fmt: skip


def _with_axes(initializer: Any, kernel: Sequence[str], outputs: Sequence[str]) -> Any:
    """Return an initializer that knows which axes of the kernel count inputs and outputs."""
    if not isinstance(initializer, initializers.VarianceScaling):
        return initializer
    output_axes = [n for n, label in enumerate(kernel) if label in outputs]
    input_axes = [n for n, label in enumerate(kernel) if label not in outputs]
    return initializer.of_axes(input_axes, output_axes)


def _labels(term: str, count: int) -> list[str]:
    """Return the labels of the axes of a term, '.0', '.1' ... for those of ``...``."""
    before, dots, after = term.partition("...")
    return [*before, *([f".{n}" for n in range(count)] if dots else []), *after]
