"""``ImageLayer``: what layers of images share: formats, and what goes with images."""

from __future__ import annotations

from typing import Any

from runtime.keras.layers.base.layer import Layer
from runtime.keras.layers.convolution.windows import chosen
from runtime.keras.layers.reshaping import data_format_of
from runtime.keras.random import uniform as seeded_uniform
from runtime.ops.array.constants import cast, convert_to_tensor
from runtime.ops.array.shape import expand_dims, squeeze, transpose
from runtime.ops.array.shape import shape as shape_of
from runtime.ops.random.sampling import uniform


class ImageLayer(Layer):
    """Base of layers of images, alone or in a batch, that change them while training.

    Beside images, a layer takes dicts: ``images``, and perhaps ``labels``, ``bounding_boxes``
    (``boxes`` in the format ``bounding_box_format``, and their ``labels``) and
    ``segmentation_masks``.  What ``get_random_transformation`` draws is done to all of them, by
    ``transform_images`` and so on, which subclasses may define.
    """

    always = False
    """Whether images are changed outside of training, too."""
    keeps_places = False
    """Whether all that is in an image stays where it is."""

    def __init__(
        self, data_format: str | None = None, bounding_box_format: str | None = None,
        **kwargs: Any,
    ) -> None:  # fmt: skip
        super().__init__(**kwargs)
        self.bounding_box_format: Any = bounding_box_format
        self.data_format = data_format_of(data_format, type(self).__name__)

    def call(self, data: Any, training: Any = True) -> Any:
        """Change the images, and what belongs to them."""
        images = convert_to_tensor(data["images"] if isinstance(data, dict) else data)
        if images.shape.rank not in (3, 4):
            raise ValueError(
                "Expected the input image to be rank 3 or 4. Received "
                f"inputs.shape={images.shape} for the layer {self.name!r} ({type(self).__name__})"
            )
        drawn = self.get_random_transformation(images, training=training)
        changed = self.transform_images(images, drawn, training=training)
        if not isinstance(data, dict):
            return changed
        outputs = {**data, "images": changed}
        is_alone = images.shape.rank == 3
        if "bounding_boxes" in data:
            boxes = data["bounding_boxes"]
            outputs["bounding_boxes"] = self._boxes(boxes, drawn, is_alone, training)
        if "labels" in data:
            labels = convert_to_tensor(data["labels"])
            labels = self.transform_labels(
                expand_dims(labels, 0) if is_alone else labels, drawn, training=training
            )
            outputs["labels"] = squeeze(labels, [0]) if is_alone else labels
        if "segmentation_masks" in data:
            outputs["segmentation_masks"] = self.transform_segmentation_masks(
                convert_to_tensor(data["segmentation_masks"]), drawn, training=training
            )
        return outputs

    def _boxes(self, boxes: Any, drawn: Any, is_alone: bool, training: Any) -> Any:
        if not self.bounding_box_format:
            raise ValueError(
                "You passed an input with a 'bounding_boxes' key, but you didn't specify a "
                "bounding box format. Pass a `bounding_box_format` argument to your "
                f"{type(self).__name__} layer, e.g. `bounding_box_format='xyxy'`."
            )
        if not isinstance(boxes, dict) or not {"boxes", "labels"} <= set(boxes):
            raise ValueError(
                "Expected the `bounding_boxes` argument to be a dict with keys 'boxes' and "
                f"'labels'. Received: bounding_boxes={boxes}"
            )
        boxes = {
            **boxes, "boxes": cast(convert_to_tensor(boxes["boxes"]), "float32"),
            "labels": convert_to_tensor(boxes["labels"]),
        }  # fmt: skip
        if is_alone:
            boxes = {
                name: expand_dims(value, 0) if name in ("boxes", "labels") else value
                for name, value in boxes.items()
            }
        boxes = self.transform_bounding_boxes(boxes, drawn, training=training)
        if is_alone:
            boxes = {
                name: squeeze(value, [0]) if name in ("boxes", "labels") else value
                for name, value in boxes.items()
            }
        return boxes

    def get_random_transformation(self, data: Any, training: Any = True, seed: Any = None) -> Any:
        """Return what is done to images and to all that belongs to them, a dict."""
        images = data["images"] if isinstance(data, dict) else data
        return {"input_shape": sizes_of(images)}

    def transform_images(self, images: Any, transformation: Any, training: Any = True) -> Any:
        """Change images."""
        images = convert_to_tensor(images)
        if not self.always:
            images = cast(images, self.compute_dtype)
            if not training:
                return images
        return self._in_batch(images, transformation, False)

    def transform_labels(self, labels: Any, transformation: Any, training: Any = True) -> Any:
        """Change labels: they stay as they are."""
        return labels

    def transform_segmentation_masks(
        self, segmentation_masks: Any, transformation: Any, training: Any = True
    ) -> Any:
        """Change masks as images, but between no two values of theirs."""
        if self.keeps_places or not (training or self.always):
            return segmentation_masks
        return self._in_batch(convert_to_tensor(segmentation_masks), transformation, True)

    def transform_bounding_boxes(
        self, bounding_boxes: Any, transformation: Any, training: Any = True
    ) -> Any:
        """Change a dict with ``boxes`` and ``labels``."""
        if self.keeps_places or not (training or self.always):
            return bounding_boxes
        return self._move_boxes(bounding_boxes, transformation)

    def _in_batch(self, images: Any, transformation: Any, are_masks: bool) -> Any:
        """Change images of either format, alone or in a batch."""
        is_alone = images.shape.rank == 3
        images = expand_dims(images, 0) if is_alone else images
        first = self.data_format == "channels_first"
        images = transpose(images, [0, 2, 3, 1]) if first else images
        images = self._change_images(images, transformation, are_masks)
        images = transpose(images, [0, 3, 1, 2]) if first else images
        return squeeze(images, [0]) if is_alone else images

    def _change_images(self, images: Any, transformation: Any, are_masks: bool) -> Any:
        """Change a batch of images, (batch, height, width, channels)."""
        raise NotImplementedError

    def _move_boxes(self, bounding_boxes: Any, transformation: Any) -> Any:
        """Change boxes as the images."""
        raise NotImplementedError

    def _size(self, shape: Any) -> tuple[Any, Any]:
        """Return the height and the width of images of a shape."""
        start = len(shape) - (2 if self.data_format == "channels_first" else 3)
        return shape[start], shape[start + 1]

    def compute_output_shape(self, input_shape: Any) -> Any:
        """Return the shape of the outputs."""
        return input_shape

    def get_config(self) -> dict[str, Any]:
        """Return the arguments."""
        config = {**super().get_config(), "data_format": self.data_format}
        if self.bounding_box_format is not None:
            config["bounding_box_format"] = self.bounding_box_format
        return config

    def _sized(self, shape: Any, height: int, width: int) -> tuple[Any, ...]:
        """Return a shape with other sizes of the images."""
        start = len(shape) - (2 if self.data_format == "channels_first" else 3)
        return (*shape[:start], height, width, *shape[start + 2 :])

    def _needs_size(self, images: Any) -> None:
        """Raise ValueError for images, (batch, height, width, channels), of an unknown size."""
        if None in images.shape.as_list()[1:]:
            raise ValueError(
                f"layer {self.name!r} ({type(self).__name__}) needs images of a known size, got "
                f"the shape {images.shape}; give it to Input"
            )


class RandomImageLayer(ImageLayer):
    """Base of layers that draw a number for each image."""

    def __init__(self, seed: int | None = None, data_format: str | None = None,
                 **kwargs: Any) -> None:  # fmt: skip
        super().__init__(data_format, **kwargs)
        self.seed = seed

    def _drawn(self, images: Any, low: float, high: float, seed: Any, axes: int = 3) -> Any:
        """Return a number for each image, in a shape with so many axes of size 1 behind it."""
        is_alone = images.shape.rank == 3
        count = 1 if is_alone else shape_of(images)[0]
        numbers = self._uniform([count, *[1] * axes], low, high, seed)
        numbers.set_shape([1 if is_alone else images.shape[0], *[1] * axes])
        return numbers

    def _uniform(self, shape: Any, low: float, high: float, seed: Any) -> Any:
        if seed is None:
            return uniform(shape, low, high, "float32", seed=self.seed)
        return seeded_uniform(shape, low, high, "float32", seed=seed)

    def get_random_transformation(self, data: Any, training: Any = True, seed: Any = None) -> Any:
        """Return what is drawn for images, a dict; None outside of training."""
        if not training:
            return None
        images = convert_to_tensor(data["images"] if isinstance(data, dict) else data)
        return {**self._draw(images, seed), "input_shape": sizes_of(images)}

    def _draw(self, images: Any, seed: Any) -> dict[str, Any]:
        """Return what is drawn, by name."""
        raise NotImplementedError

    def get_config(self) -> dict[str, Any]:
        """Return the arguments."""
        return {**super().get_config(), "seed": self.seed}


def sizes_of(images: Any) -> tuple[Any, ...]:
    """Return the shape of a tensor; a size that is not known yet is a tensor."""
    images = convert_to_tensor(images)
    sizes = images.shape.as_list()
    if None not in sizes:
        return tuple(sizes)
    actual = shape_of(images)
    return tuple(actual[axis] if size is None else size for axis, size in enumerate(sizes))


def factor_of(value: Any, name: str, low: float, high: float) -> tuple[float, float]:
    """Return the bounds of a factor, one number or two; ValueError outside of ``low, high``."""
    bounds = tuple(value) if isinstance(value, list | tuple) else (value,)
    numbers = [n for n in bounds if isinstance(n, int | float) and low <= n <= high]
    if len(numbers) != len(bounds) or len(bounds) not in (1, 2):
        raise ValueError(
            f"The `{name}` argument should be a number (or a list of two numbers) in the range "
            f"[{low}, {high}]. Received: {name}={value!r}"
        )
    if len(bounds) == 1:
        return max(-abs(numbers[0]), low), abs(numbers[0])
    return min(numbers), max(numbers)


def way(value: str, allowed: tuple[str, ...], name: str, layer: Any) -> str:
    """Return an argument that must be one of several texts; ValueError for others."""
    return chosen(value, allowed, name, type(layer).__name__)
