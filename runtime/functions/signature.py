"""Binding of calls to the signature of a traced function, with a cache key for the trace.

Arguments are first converted to the types that the function declares, by an ``input_signature`` or
by annotations.
"""

from __future__ import annotations

import inspect
import types
import typing
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from functools import partial
from typing import Any

from autograph.named_tuples import NamedTuple
from runtime.eager.tensor import Tensor
from runtime.functions.cache_key import (
    KeyBuilder,
    WeakIdKey,
    arrays_among,
    count_tensors,
    flatten_arguments,
    is_tensor_argument,
    key_of,
    may_change,
    replace_tensors,
    spec_names,
)
from runtime.functions.function_name import name_of
from runtime.functions.number_arguments import stage_argument
from runtime.functions.type_format import TypeText, format_type, spec_of
from runtime.ops import dispatch
from runtime.types import nest, treedef
from runtime.types.composite import CompositeSpec, Declared
from runtime.types.node_types import NodeType
from runtime.types.shapes import TensorShape, TensorSpec
from runtime.types.treedef import StructureError, TreeDef, subscripts

Shapes = tuple[TensorShape, ...]
_PARAMETER = inspect.Parameter
_POSITIONAL = (_PARAMETER.POSITIONAL_ONLY, _PARAMETER.POSITIONAL_OR_KEYWORD)
_STARRED = (_PARAMETER.VAR_POSITIONAL, _PARAMETER.VAR_KEYWORD)


Label = tuple[str, Any]
"""Name of an argument, and the kind of its parameter (see ``inspect.Parameter.kind``)."""


class BoundCall(NamedTuple):
    """Call whose arguments are bound to the signature.

    key      cache key, equal for calls that may share a trace if their shapes fit
    shapes   shapes to trace for: those of the tensors, unless others are declared
    tensors  tensors among the arguments, or specs where ``get_concrete_function`` is called
    args, kwargs  bound arguments
    leaves, structure  bound arguments, flattened
    objects  objects that the key compares by identity
    names    names of the TensorSpecs; empty if none has a name
    labels   name and kind of the parameter of each argument
    own_key  the key of the arguments alone, where ``key`` is also that of carried state
    state    what the slots that the function carries hold, when that was looked up
    arrays   for each tensor the array that the caller has, or None; empty when all are None
    """

    key: Hashable
    shapes: Shapes
    tensors: list[Any]
    args: tuple[Any, ...]
    kwargs: dict[str, Any]
    leaves: list[Any]
    structure: TreeDef
    objects: list[WeakIdKey]
    names: tuple[str | None, ...] = ()
    labels: tuple[Label, ...] = ()
    own_key: Hashable = None
    state: tuple[Any, ...] = ()
    arrays: tuple[Any, ...] = ()

    @property
    def values(self) -> tuple[Any, ...]:
        """All arguments, in the order of ``labels``."""
        return (*self.args, *self.kwargs.values())

    def tensor_names(self) -> list[str]:
        """Return a name for each tensor: that of its spec, or of its parameter."""
        names: list[str] = []
        for (name, _), value in zip(self.labels, self.values, strict=True):
            names += [name] * count_tensors(value)
        declared = self.names or (None,) * len(names)
        return [spec_name or name for spec_name, name in zip(declared, names, strict=True)]

    def replace_tensors(self, tensors: Iterable[Any]) -> tuple[Any, ...]:
        """Return all arguments, in the order of ``labels``, with other tensors in them."""
        values: tuple[Any, ...] = replace_tensors(self.leaves, self.structure, iter(tensors))
        return values

    def apply(self, function: Callable[..., Any], values: Sequence[Any]) -> Any:
        """Call a function with values in place of all arguments, in the order of ``labels``."""
        count = len(self.args)
        return function(*values[:count], **dict(zip(self.kwargs, values[count:], strict=True)))


class FunctionSignature:
    """Parameters of a Python function, and their declared types."""

    def __init__(
        self, function: Callable[..., Any], input_signature: Any = None, bound: bool = False,
        hints: bool = False, stages: bool = False,
    ) -> None:  # fmt: skip
        self._stages = stages  # numbers, texts and collections among the arguments: runtime.jit
        self.name = name_of(function)
        self.signature = _signature(function, hints)
        if bound:
            self.signature = _without_first(self.signature)
        parameters = self.signature.parameters.values()
        simple = all(p.kind is p.POSITIONAL_OR_KEYWORD for p in parameters)
        self.hints = {p.name: hint for p in parameters if (hint := _hint(p))} if hints else {}
        self.specs: dict[str, Any] | None = None
        """Name of a parameter -> nest of TensorSpecs, for ``*args`` a tuple of nests."""
        if input_signature is not None:
            self.specs = self._assign_specs(_specs_in(input_signature), bound)
        self._declares = self.specs is not None or bool(self.hints)
        self._positional = [(p.name, p.kind) for p in parameters if p.kind in _POSITIONAL]
        self._starred = next((p.name for p in parameters if p.kind is p.VAR_POSITIONAL), "args")
        self._changeable = {p.name: p.default for p in parameters if may_change(p.default)}
        """Defaults that may have other contents in a later call, by name."""
        self._simple = len(parameters) if simple and not self._declares else -1
        """Number of arguments if calls by position alone need no binding; else -1."""

    # -- calls -----------------------------------------------------------------------------------

    def call(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> BoundCall:
        """Bind a call to the signature; TypeError if its arguments do not fit."""
        raw: Any = None
        if kwargs or len(args) != self._simple:
            bound, raw = self._bind(args, kwargs)
            args, kwargs = bound.args, bound.kwargs
        elif self._stages:
            pairs = zip(self.signature.parameters, args, strict=True)
            args = tuple([stage_argument(self.name, *pair) for pair in pairs])
        leaves, structure = flatten_arguments((*args, *kwargs.values()))
        builder = KeyBuilder()
        key = builder.key(leaves, structure), tuple(kwargs)
        types, shapes = builder.tensors, builder.shapes
        if self._declares:
            typed: Any = {**bound.arguments, **self._specs_of(bound.arguments)}
            declared, specs = KeyBuilder(), inspect.BoundArguments(self.signature, typed)
            key_of((*specs.args, *specs.kwargs.values()), declared)
            types, shapes = declared.tensors, declared.shapes
        names, objects = spec_names(types), builder.objects
        labels = self._labels(len(args), tuple(kwargs))
        arrays = builder.arrays() if raw is None else arrays_among(raw, len(builder.tensors))
        return BoundCall(
            key, shapes, builder.tensors, args, kwargs, leaves, structure, objects, names, labels,
            key, (), arrays,
        )  # fmt: skip

    def _specs_of(self, arguments: dict[str, Any]) -> dict[str, Any]:
        """Return the declared specs of arguments, by parameter."""
        if self.specs is not None:
            return self.specs
        return {
            name: self._map_items(name, arguments[name], partial(_spec_unless_none, hint))
            for name, hint in self.hints.items() if isinstance(hint, TensorSpec)
        }  # fmt: skip

    def _map_items(self, name: str, value: Any, convert: Callable[[str, Any], Any]) -> Any:
        """Convert an argument; of ``*args`` and ``**kwargs`` each one in it."""
        kind = self.signature.parameters[name].kind
        if kind is _PARAMETER.VAR_POSITIONAL:
            return tuple([convert(name, item) for item in value])
        if kind is _PARAMETER.VAR_KEYWORD:
            return {key: convert(key, item) for key, item in value.items()}
        return convert(name, value)

    def _bind(self, args: Any, kwargs: Any) -> tuple[inspect.BoundArguments, Any]:
        """Return the arguments, converted to declared types; and as given, if that differs."""
        try:
            bound = self.signature.bind(*args, **kwargs)
        except TypeError as error:
            raise TypeError(
                f"{self.name}() {error}. Its signature is {self.declared_signature()}."
            ) from None
        if self._stages:
            self._stage_all(bound.arguments)
        bound.apply_defaults()
        raw = (*bound.args, *bound.kwargs.values()) if self._declares else None
        for name in self.signature.parameters:
            value = bound.arguments[name]
            if self.specs is not None:
                bound.arguments[name] = self._coerce_argument(name, value)
            elif name in self.hints:
                convert = partial(self._convert_item, self.hints[name])
                bound.arguments[name] = self._map_items(name, value, convert)
        return bound, raw

    def _stage_all(self, arguments: dict[str, Any]) -> None:
        """Stage bound arguments, and the defaults that the function may change."""
        for name, value in (self._changeable | arguments).items():
            arguments[name] = self._map_items(name, value, partial(stage_argument, self.name))

    # -- declared types -----------------------------------------------------------------------

    def _assign_specs(self, input_signature: list[Any], bound: bool) -> dict[str, Any]:
        """Assign the input signature to the parameters; TypeError if it does not fit."""
        signature = self.signature
        if not bound and next(iter(signature.parameters), None) in ("self", "cls"):
            signature = _without_first(signature)  # it leaves out the instance of a method
        parameters = signature.parameters.values()
        positional = [p for p in parameters if p.kind in _POSITIONAL]
        starred = [p.name for p in parameters if p.kind is p.VAR_POSITIONAL]
        extra = input_signature[len(positional) :]
        if extra and not starred:
            raise TypeError(
                f"{self.name}: input_signature contains {len(extra)} extra type constraints: it "
                f"has {len(input_signature)} entries for the signature {self.signature}"
            )
        specs = {p.name: spec for p, spec in zip(positional, input_signature)}
        for p in parameters:
            if p.name in specs or p.default is not p.empty or p.kind in _STARRED:
                continue
            if p.kind is not p.KEYWORD_ONLY:
                raise TypeError(
                    f"{self.name}: input_signature missing type constraint for {p.name}"
                )
            raise TypeError(
                f"{self.name}: Since input_signature is defined, keyword-only parameter "
                f"`{p.name}` must have a default value"
            )
        return {**specs, **{name: tuple(extra) for name in starred}}

    def _coerce_argument(self, name: str, value: Any) -> Any:
        """Convert an argument to the types that the input signature declares."""
        assert self.specs is not None
        parameter = self.signature.parameters[name]
        if name in self.specs:
            starred = parameter.kind is parameter.VAR_POSITIONAL
            if starred and len(value) != len(self.specs[name]):
                count = len(self.specs[name])
                raise self._signature_error(name, f"{count} values", f"{len(value)}: {value!r}")
            return self._coerce(name, value, self.specs[name])
        default = parameter.default
        if parameter.kind in _STARRED:
            default = () if parameter.kind is parameter.VAR_POSITIONAL else {}
        elif default is parameter.empty:
            return value  # the instance of a method
        if value is not default and key_of(value) != key_of(default):
            raise self._signature_error(
                name, f"the default {format_type(default)}", format_type(value)
            )
        return value

    def _coerce(self, name: str, value: Any, spec: Any) -> Any:
        """Convert a value to the tensors that a nest of specs declares."""
        specs, structure = treedef.flatten(spec)
        try:
            leaves = structure.named_parts(name, value, _is_laid_out)
        except StructureError as error:
            declared_spec = nest.part_at(spec, error.path)
            label = name + subscripts(error.path)
            raise self._signature_error(
                label, format_type(declared_spec), format_type(error.value)
            ) from None
        pairs = zip(leaves, specs, strict=True)
        return structure.unflatten([self._as_spec(*leaf, spec) for leaf, spec in pairs])

    def _as_spec(self, name: str, value: Any, spec: Any) -> Any:
        """Convert a value to the type that a spec declares."""
        if not isinstance(spec, TensorSpec):
            if spec._takes(value):
                return Declared(spec, value)
            raise self._signature_error(name, format_type(spec), format_type(value))
        if isinstance(value, TensorSpec):
            if value.dtype is not spec.dtype or not value.shape.is_subtype_of(spec.shape):
                raise self._signature_error(name, format_type(spec), format_type(value))
            return spec
        try:
            tensor = dispatch.convert(value, spec.dtype)
        except (TypeError, ValueError) as error:
            shown = repr(spec_of(value)) if is_tensor_argument(value) else repr(value)
            raise self._signature_error(name, format_type(spec), shown, error) from None
        if not tensor.shape.is_compatible_with(spec.shape):
            raise self._signature_error(name, format_type(spec), format_type(tensor))
        return tensor

    def _signature_error(
        self, name: str, expected: str, received: str, error: Exception | None = None
    ) -> TypeError:
        received += f" ({error})" if error is not None else ""
        return TypeError(
            f"{self.name}(): the argument {name!r} does not fit the input_signature: expected "
            f"{expected}, got {received}. The signature is {self.declared_signature()}."
        )

    def _convert_item(self, hint: Any, name: str, value: Any) -> Any:
        """Convert an argument to what an annotation declares."""
        if isinstance(hint, TensorSpec) and value is not None:
            return self._as_spec(name, value, hint)
        if value is None or is_tensor_argument(value):
            return value
        try:
            return dispatch.convert(value)
        except (TypeError, ValueError) as error:
            raise TypeError(
                f"{self.name}(): the argument {name!r} is annotated as a Tensor, but {value!r} "
                f"cannot become one: {error}"
            ) from None

    def declared_arguments(self) -> tuple[tuple[Any, ...], dict[str, Any]]:
        """Return the input signature as arguments; ValueError if there is none."""
        if self.specs is None:
            raise ValueError(
                f"{self.name}: get_concrete_function() without arguments needs an "
                "input_signature; pass TensorSpec(shape, dtype) for each tensor"
            )
        specs: Any = dict(self.specs)
        bound = inspect.BoundArguments(self.signature, specs)
        return bound.args, bound.kwargs

    def declared_signature(self) -> inspect.Signature:
        """The signature, with declared types as annotations."""
        types = {name: TypeText(format_type(spec)) for name, spec in (self.specs or {}).items()}
        params = self.signature.parameters.values()
        return inspect.Signature([p.replace(annotation=types.get(p.name, p.empty)) for p in params])

    def _labels(self, count: int, keywords: tuple[str, ...]) -> tuple[Label, ...]:
        """Labels of bound arguments: ``count`` by position, ``*args`` one by one, and keywords."""
        labels, starred = self._positional[:count], count - len(self._positional)
        if starred > 0:
            names = [name for name, _ in labels]
            names += [f"{self._starred}_{i}" for i in range(starred)]
            labels = [(name, _PARAMETER.POSITIONAL_ONLY) for name in names]
        return (*labels, *[(name, _PARAMETER.KEYWORD_ONLY) for name in keywords])


def _spec_unless_none(spec: TensorSpec, name: str, value: Any) -> TensorSpec | None:
    """The declared type of an argument, which may be None in place of a tensor."""
    return None if value is None else spec


def _is_laid_out(kind: NodeType, data: Any, arity: int, value: Any) -> bool:
    """Whether an argument has as many entries as declared, under the same keys if it is a dict."""
    keys, by_name = [key for key, _ in nest.entries(value)], issubclass(kind.cls, Mapping)
    if len(keys) != arity or by_name != isinstance(value, Mapping):
        return False
    return not by_name or keys == list(kind.keys(data, arity))


def _signature(function: Callable[..., Any], hints: bool) -> inspect.Signature:
    if hints:
        try:
            return inspect.signature(function, eval_str=True)
        except (NameError, SyntaxError, AttributeError, TypeError, ValueError):
            pass  # annotations that cannot be evaluated are ignored
    try:
        return inspect.signature(function)
    except ValueError:  # some builtins have no signature
        return inspect.signature(lambda *args, **kwargs: None)


def _without_first(signature: inspect.Signature) -> inspect.Signature:
    parameters = list(signature.parameters.values())
    has_first = bool(parameters) and parameters[0].kind in _POSITIONAL
    return signature.replace(parameters=parameters[has_first:])


def _hint(parameter: inspect.Parameter) -> Any:
    """Return the TensorSpec or the class Tensor that annotates a parameter, else None."""
    annotation = parameter.annotation
    if isinstance(annotation, TensorSpec):
        return annotation
    is_union = typing.get_origin(annotation) in (typing.Union, types.UnionType)
    choices = typing.get_args(annotation) if is_union else (annotation,)
    if Tensor in choices and all(choice in (Tensor, type(None)) for choice in choices):
        return Tensor
    return None


def _specs_in(input_signature: Any) -> list[Any]:
    if not isinstance(input_signature, tuple | list):
        raise TypeError(
            "input_signature must be either a tuple or a list, got "
            f"{type(input_signature).__name__}: {input_signature!r}"
        )
    leaves = nest.flatten(list(input_signature))
    wrong = [leaf for leaf in leaves if not isinstance(leaf, TensorSpec | CompositeSpec)]
    if wrong:
        raise TypeError(
            "input_signature must be a possibly nested sequence of TensorSpec objects, got invalid "
            f"args {wrong}. Give one TensorSpec(shape, dtype) for each tensor argument."
        )
    return list(input_signature)
