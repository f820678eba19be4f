"""Cases of layers: class, arguments, shapes of the inputs (texts: other arrays), call arguments."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np


class LayerCase(NamedTuple):
    """A layer, and a call of it."""

    kind: str
    arguments: dict[str, Any]
    inputs: Any
    call: dict[str, Any] = {}

    @property
    def name(self) -> str:
        """Text that tells the case from others."""
        given = [f"{k}={v}" for k, v in self.arguments.items()]
        shown = "ints" if isinstance(self.inputs, np.ndarray) else self.inputs
        called = [k if "mask" in k else f"{k}={v}" for k, v in self.call.items()]
        return f"{self.kind}({', '.join(given)}) of {shown} {', '.join(called)}".strip()


STEPS = np.array([[True, True, False, True], [True, False, False, False]])
ROWS = (2, 4, 3)
IMAGE, VOLUME = (2, 6, 5, 4), (1, 4, 5, 3, 2)
PAIR = [(2, 4, 3), (2, 4, 3)]
INTS = np.array([[0, 2, 1, 3], [3, 0, 0, 1]], "int32")
ACTIVE = {"training": True}


def _some(kinds: str, inputs: Any, *arguments: dict[str, Any], **call: Any) -> list[LayerCase]:
    return [LayerCase(k, a, inputs, call) for k in kinds.split() for a in arguments or ({},)]


SEQUENCE_CONVOLUTIONS = [
    *_some("Conv1D", (2, 7, 4),
           {"filters": 3, "kernel_size": 3, "padding": "causal", "dilation_rate": 2},
           {"filters": 4, "kernel_size": 2, "groups": 2, "activation": "tanh"},
           {"filters": 2, "kernel_size": 3, "strides": 2, "padding": "same"}),
    *_some("SeparableConv1D", (2, 7, 4),
           {"filters": 3, "kernel_size": 3, "depth_multiplier": 2, "padding": "same"}),
    *_some("DepthwiseConv1D", (2, 7, 4), {"kernel_size": 3, "depth_multiplier": 2, "strides": 2}),
    *_some("Conv1DTranspose", (2, 4, 3),
           {"filters": 2, "kernel_size": 3, "strides": 2},
           {"filters": 2, "kernel_size": 3, "strides": 2, "padding": "same"},
           {"filters": 2, "kernel_size": 4, "strides": 3, "output_padding": 2}),
]  # fmt: skip
IMAGE_CONVOLUTIONS = [
    *_some("Conv2D", IMAGE,
           {"filters": 3, "kernel_size": 3, "use_bias": False},
           {"filters": 4, "kernel_size": [3, 2], "strides": [1, 2], "padding": "same",
            "groups": 2, "activation": "relu"},
           {"filters": 2, "kernel_size": 2, "dilation_rate": 2}),
    *_some("DepthwiseConv2D", IMAGE, {"kernel_size": 3, "depth_multiplier": 2},
           {"kernel_size": 2, "padding": "same", "activation": "sigmoid"}),
    *_some("SeparableConv2D", IMAGE, {"filters": 5, "kernel_size": 3, "padding": "same"}),
    *_some("Conv2DTranspose", (2, 3, 4, 2),
           {"filters": 3, "kernel_size": 3, "strides": 2, "padding": "same"},
           {"filters": 3, "kernel_size": 2, "strides": 2, "output_padding": 1},
           {"filters": 3, "kernel_size": 3, "strides": [2, 1], "padding": "valid"}),
    *_some("Conv3D", VOLUME, {"filters": 2, "kernel_size": 2, "strides": 2, "padding": "same"}),
    *_some("Conv3DTranspose", (1, 2, 3, 2, 2), {"filters": 2, "kernel_size": 2, "strides": 2}),
]  # fmt: skip
POOLING = [
    *_some("MaxPooling1D AveragePooling1D", (2, 7, 3), {"pool_size": 3, "strides": 2},
           {"pool_size": 2, "padding": "same"}),
    *_some("MaxPooling2D AveragePooling2D", IMAGE, {"pool_size": [3, 2], "padding": "same"},
           {"pool_size": 2, "strides": 1}),
    *_some("MaxPooling3D AveragePooling3D", VOLUME, {"pool_size": 2}),
    *_some("GlobalMaxPooling1D GlobalAveragePooling1D", ROWS, {}, {"keepdims": True}),
    *_some("GlobalAveragePooling1D", ROWS, {}, mask=STEPS),
    *_some("GlobalMaxPooling2D GlobalAveragePooling2D", IMAGE, {}, {"keepdims": True}),
    *_some("GlobalMaxPooling3D GlobalAveragePooling3D", VOLUME),
    *_some("GlobalAveragePooling2D GlobalMaxPooling2D", IMAGE, {"data_format": "channels_first"}),
]  # fmt: skip
ADAPTIVE = [
    *_some("AdaptiveAveragePooling1D AdaptiveMaxPooling1D", (2, 7, 3), {"output_size": 3},
           {"output_size": 9}, {"output_size": [7]}),
    *_some("AdaptiveAveragePooling2D AdaptiveMaxPooling2D", IMAGE, {"output_size": 2},
           {"output_size": [4, 3]}),
    *_some("AdaptiveAveragePooling2D", IMAGE, {"output_size": 2, "data_format": "channels_first"}),
    *_some("AdaptiveAveragePooling3D AdaptiveMaxPooling3D", VOLUME, {"output_size": [3, 2, 2]}),
]  # fmt: skip
NORMALIZATION = [
    *_some("BatchNormalization", (5, 3), {}, {"scale": False, "momentum": 0.5}, **ACTIVE),
    *_some("BatchNormalization", IMAGE, {"axis": 1, "center": False}, **ACTIVE),
    *_some("BatchNormalization", ROWS, {}, training=True, mask=STEPS),
    *_some("BatchNormalization", ROWS, {"epsilon": 0.1}),
    *_some("BatchNormalization", ROWS, {"trainable": False}, **ACTIVE),
    *_some("LayerNormalization", ROWS, {}, {"axis": [1, 2]}, {"axis": 1, "center": False}),
    *_some("GroupNormalization", IMAGE, {"groups": 2}, {"groups": -1}, {"groups": 3, "axis": 1}),
    *_some("UnitNormalization", ROWS, {}, {"axis": [1, 2]}),
    *_some("RMSNormalization", ROWS, {}, {"axis": [1, 2], "epsilon": 0.1}),
]  # fmt: skip
ATTENTION = [
    *_some("Attention", PAIR, {}, {"use_scale": True}, {"score_mode": "concat", "use_scale": True}),
    *_some("Attention AdditiveAttention", PAIR, {}, mask=[STEPS, STEPS]),
    *_some("Attention AdditiveAttention", [*PAIR, PAIR[0]], {}, use_causal_mask=True),
    *_some("AdditiveAttention", PAIR, {"use_scale": False}),
]  # fmt: skip
BASIC = [
    *_some("Dense", ROWS, {"units": 2}, {"units": 2, "use_bias": False, "activation": "tanh"}),
    *_some("EinsumDense", ROWS, {"equation": "abc,cd->abd", "output_shape": [4, 5],
                                 "bias_axes": "d", "activation": "relu"},
           {"equation": "...x,xy->...y", "output_shape": 4, "bias_axes": "y"},
           {"equation": "ab...,bc->ac...", "output_shape": 4, "bias_axes": "c"}),
    *_some("Embedding", INTS, {"input_dim": 4, "output_dim": 3}),
    *_some("Masking", ROWS, {"mask_value": 0.5}),
    *_some("ReLU", ROWS, {"max_value": 1.0, "negative_slope": 0.1, "threshold": 0.2}),
    *_some("LeakyReLU ELU Identity Flatten Softmax", ROWS),
    *_some("Softmax", ROWS, {"axis": 1}, mask=np.repeat(STEPS[..., None], 3, 2)),
    *_some("PReLU", ROWS, {}, {"shared_axes": [1]}),
    *_some("Activation", ROWS, {"activation": "gelu"}),
    *_some("Reshape", ROWS, {"target_shape": [3, 4]}, {"target_shape": [-1, 2]}),
    *_some("Permute", ROWS, {"dims": [2, 1]}),
    *_some("RepeatVector", (2, 3), {"n": 2}),
    *_some("Dropout SpatialDropout1D GaussianDropout AlphaDropout", ROWS, {"rate": 0.5}),
    *_some("GaussianNoise", ROWS, {"stddev": 0.5}),
    *_some("ActivityRegularization", ROWS, {"l1": 0.1}),
    *_some("ZeroPadding1D", ROWS, {"padding": [1, 2]}),
    *_some("ZeroPadding2D", IMAGE, {"padding": [[1, 0], [0, 2]]}),
    *_some("ZeroPadding3D", VOLUME, {}),
    *_some("Cropping1D", ROWS, {"cropping": 1}),
    *_some("Cropping2D", IMAGE, {"cropping": [[1, 2], [0, 1]]}),
    *_some("Cropping3D", VOLUME, {}),
    *_some("UpSampling1D", ROWS, {"size": 3}),
    *_some("UpSampling2D", IMAGE, {"size": [2, 1]}),
    *_some("UpSampling3D", VOLUME, {}),
    *_some("Add Subtract Multiply Average Maximum Minimum Concatenate", PAIR),
    *_some("Dot", PAIR, {"axes": 2}, {"axes": [1, 1], "normalize": True}),
]  # fmt: skip
RECURRENT = [
    *_some("SimpleRNN LSTM GRU", ROWS, {"units": 2}, {"units": 2, "return_sequences": True,
                                                      "go_backwards": True}),
    *_some("SimpleRNN LSTM GRU", ROWS, {"units": 2, "return_sequences": True}, mask=STEPS),
    *_some("GRU", ROWS, {"units": 2, "reset_after": False}, {"units": 2, "use_bias": False}),
    *_some("LSTM", ROWS, {"units": 2, "unit_forget_bias": False, "return_state": True}),
]  # fmt: skip
FRAMES = {1: (2, 3, 5, 2), 2: (2, 3, 4, 5, 2), 3: (1, 2, 3, 4, 3, 2)}
CONVOLVED = [
    *[case for rank, shape in FRAMES.items()
      for case in _some(f"ConvLSTM{rank}D", shape, {"filters": 2, "kernel_size": 2})],
    *_some("ConvLSTM1D", FRAMES[1],
           {"filters": 2, "kernel_size": 3, "padding": "same", "return_sequences": True},
           {"filters": 2, "kernel_size": 2, "return_state": True, "use_bias": False},
           {"filters": 2, "kernel_size": 2, "dilation_rate": 2, "go_backwards": True}),
    *_some("ConvLSTM2D", FRAMES[2],
           {"filters": 3, "kernel_size": [2, 3], "strides": 2, "unit_forget_bias": False,
            "return_sequences": True, "recurrent_activation": "hard_sigmoid"}),
    *_some("ConvLSTM1D", FRAMES[1], {"filters": 2, "kernel_size": 2, "return_sequences": True},
           mask=np.array([[True, True, False], [True, False, True]])),
]  # fmt: skip
MOVED = {"height_factor": [0.3, 0.3], "width_factor": [-0.7, -0.7]}
ZOOMED = {"height_factor": [0.4, 0.4], "width_factor": [-0.2, -0.2]}
TURNED = {"factor": [0.13, 0.13]}  # both bounds are equal, so that nothing is left to chance
IMAGES = [
    *_some("Resizing", IMAGE, {"height": 7, "width": 4}, {"height": 3, "width": 9},
           {"height": 4, "width": 8, "interpolation": "nearest"},
           {"height": 2, "width": 3, "antialias": True},
           {"height": 4, "width": 3, "interpolation": "bicubic", "crop_to_aspect_ratio": True},
           {"height": 2, "width": 4, "interpolation": "bicubic", "antialias": True},
           {"height": 3, "width": 2, "interpolation": "lanczos3", "pad_to_aspect_ratio": True},
           {"height": 2, "width": 3, "interpolation": "lanczos5", "pad_to_aspect_ratio": True,
            "fill_value": 0.5, "antialias": True}),
    *_some("UpSampling2D", (1, 2, 3, 2), {"interpolation": "bicubic"},
           {"size": [1, 2], "interpolation": "lanczos3", "data_format": "channels_first"}),
    *_some("CenterCrop", IMAGE, {"height": 3, "width": 4}, {"height": 9, "width": 4}),
    *_some("RandomCrop", IMAGE, {"height": 8, "width": 7}, {"height": 3, "width": 9}, **ACTIVE),
    *_some("RandomBrightness", IMAGE, {"factor": [0.1, 0.1], "value_range": [0, 1]}, **ACTIVE),
    *_some("RandomContrast", IMAGE, {"factor": 0.0, "value_range": [0, 1]}, **ACTIVE),
    *[case for fill in ("reflect", "wrap", "nearest", "constant")
      for kind, factors in {"RandomTranslation": MOVED, "RandomZoom": ZOOMED,
                            "RandomRotation": TURNED}.items()
      for case in _some(kind, IMAGE, {**factors, "fill_mode": fill, "fill_value": 0.5}, **ACTIVE)],
    *[case for kind, factors in {"RandomTranslation": MOVED, "RandomZoom": ZOOMED,
                                 "RandomRotation": TURNED}.items()
      for case in _some(kind, IMAGE, {**factors, "interpolation": "nearest"}, **ACTIVE)],
    *_some("RandomZoom", IMAGE, {"height_factor": [0.5, 0.5]}, **ACTIVE),
    *_some("RandomTranslation", IMAGE, {**MOVED, "data_format": "channels_first"}, **ACTIVE),
    *_some("RandomFlip", IMAGE, {"mode": "vertical"}, training=False),
]  # fmt: skip
CASES = {
    case.name: case for case in (
        *SEQUENCE_CONVOLUTIONS, *IMAGE_CONVOLUTIONS, *POOLING, *NORMALIZATION, *ATTENTION, *BASIC,
        *RECURRENT, *ADAPTIVE, *CONVOLVED, *IMAGES,
    )
}  # fmt: skip
