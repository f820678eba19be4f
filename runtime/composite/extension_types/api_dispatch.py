"""``dispatch_for_api`` and its like: what functions of this package do with the user's classes.

An op that is given a value of an extension type asks here (``apply_op``), by way of the conversion
that refuses to make a tensor of it.  A function that is plain Python is made to ask first: while
something is registered for it, its code is that of :func:`_interceptor`, so that every reference to
it, also from inside of this package, takes part, and costs nothing before.
"""

from __future__ import annotations

import inspect
import types
import typing
from collections.abc import Callable, Mapping
from typing import Any

from runtime.ops import dispatch
from runtime.ops.op import ELEMENTWISE, OpDef
from runtime.types.value import Value

__all__ = ["dispatch_for_api", "unregister_dispatch_for"]

_NO, _FITS, _DECIDES = 0, 1, 2
"""A value is not of an annotation; it is; it is, and its class is the user's."""


def _fit(value: Any, annotation: Any) -> int:
    """Return how a value fits an annotation: a class, or Union or List of annotations."""
    origin = typing.get_origin(annotation)
    if origin in (typing.Union, types.UnionType):
        return max(_fit(value, choice) for choice in typing.get_args(annotation))
    if origin is list:
        if not isinstance(value, list | tuple) or not value:
            return _NO
        (item_type,) = typing.get_args(annotation)
        fits = [_fit(item, item_type) for item in value]
        return max(fits) if all(fits) else _NO
    if not isinstance(value, annotation):
        return _NO
    is_users = not isinstance(value, Value) and dispatch.conversion_for(value) is refuse_conversion
    return _DECIDES if is_users else _FITS


def check_annotation(annotation: Any) -> None:
    origin = typing.get_origin(annotation)
    if origin in (typing.Union, types.UnionType, list):
        for argument in typing.get_args(annotation):
            check_annotation(argument)
    elif not isinstance(annotation, type):
        raise ValueError(f"Type annotation {annotation} is not currently supported by dispatch.")
    elif not issubclass(annotation, Value) and annotation.__module__ != "builtins":
        _let_classes_decide(annotation)


def _let_classes_decide(cls: type) -> None:
    """Let ops ask here for values of a class that is neither a tensor nor convertible to one."""
    if not hasattr(cls, "__tf_flatten__") and not hasattr(cls, "_apply_op"):
        dispatch.register_tensor_conversion_function(cls, refuse_conversion, 0)
        cls._apply_op = apply_op  # type: ignore[attr-defined]


def refuse_conversion(value: Any, dtype: Any = None, name: Any = None, as_ref: bool = False) -> Any:
    """Raise the error of a value that is no tensor, which lets ops ask for dispatch targets."""
    raise UnsupportedValueError(value)


class UnsupportedValueError(ValueError, dispatch.OpOverride):
    """Value of an extension type where a tensor is needed."""

    def __init__(self, value: Any) -> None:
        Exception.__init__(
            self,
            f"Attempt to convert a value ({value!r}) with an unsupported type ({type(value)}) to a "
            "Tensor.",
        )
        self.value = value


class DispatchTarget(typing.NamedTuple):
    """Function that an API calls in its place for values of some types."""

    function: Callable[..., Any]
    """The function, of the arguments of the API."""
    signatures: tuple[Mapping[str, Any], ...]
    """Annotations by the names of parameters; one of them must fit."""
    registered: Callable[..., Any]
    """What the user gave to the decorator."""

    def fits(self, arguments: Mapping[str, Any]) -> bool:
        """Return whether a call with these arguments is for this function."""
        for signature in self.signatures:
            fits = [_fit(arguments.get(name), kind) for name, kind in signature.items()]
            if fits and all(fits) and max(fits) == _DECIDES:
                return True
        return False


class _Api:
    """Function of this package, and what is registered for it."""

    def __init__(self, function: Any) -> None:
        self.function = function
        self.targets: list[DispatchTarget] = []
        self.signature = _signature_of(function)
        self.original: Any = None

    def add(self, target: DispatchTarget) -> None:
        self.targets.append(target)
        if isinstance(self.function, types.FunctionType) and self.original is None:
            self._intercept()

    def remove(self, registered: Any) -> bool:
        """Remove what was registered; return whether there was something."""
        before = len(self.targets)
        self.targets = [t for t in self.targets if t.registered is not registered]
        if not self.targets and self.original is not None:
            self.function.__code__ = self.original.__code__
            del self.function.__signature__
            self.original = None
        return len(self.targets) < before

    def _intercept(self) -> None:
        function = self.function
        self.original = types.FunctionType(
            function.__code__, function.__globals__, function.__name__, function.__defaults__,
            function.__closure__,
        )  # fmt: skip
        self.original.__kwdefaults__ = function.__kwdefaults__
        function.__signature__ = self.signature
        function.__code__ = _interceptor(self.call, function.__code__)

    def call(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """Call the one target that fits the arguments, or the function itself."""
        try:
            arguments = self.signature.bind(*args, **kwargs).arguments
        except TypeError:
            return self.original(*args, **kwargs)  # which words the error
        chosen = self.target_for(arguments)
        if chosen is None:
            return self.original(*args, **kwargs)
        return chosen.function(*args, **kwargs)

    def target_for(self, arguments: Mapping[str, Any]) -> DispatchTarget | None:
        """Return the target for arguments; ValueError if there are several."""
        fitting = [target for target in self.targets if target.fits(arguments)]
        if len(fitting) > 1:
            names = " and ".join(str(target.registered) for target in fitting[:2])
            raise ValueError(
                "Multiple dispatch targets that were registered with tf.dispatch_for "
                f"({names}) match the arguments to {self.function.__name__}"
            )
        return fitting[0] if fitting else None


def _interceptor(call: Callable[..., Any], code: types.CodeType) -> types.CodeType:
    """Return code that gives all arguments of a function to ``call``."""

    def intercepted(*args: Any, **kwargs: Any) -> Any:
        ask: Any = "what is called"
        return ask(args, kwargs)

    template = intercepted.__code__
    constants = tuple([call if c == "what is called" else c for c in template.co_consts])
    return template.replace(
        co_consts=constants, co_freevars=code.co_freevars, co_name=code.co_name,
        co_qualname=code.co_qualname,
    )  # fmt: skip


_APIS: dict[Any, _Api] = {}

HANDLERS: dict[tuple[Any, ...], Callable[..., Any]] = {}
"""By the annotations of one or two operands: the handler of all element-wise APIs."""


def _elementwise_handler(inputs: Any) -> Callable[..., Any] | None:
    for kinds, handler in HANDLERS.items():
        if len(kinds) == len(inputs):
            fits = [_fit(value, kind) for value, kind in zip(inputs, kinds, strict=True)]
            if all(fits) and max(fits) == _DECIDES:
                return handler
    return None


def api_of(function: Any) -> _Api:
    if not isinstance(function, types.FunctionType | OpDef) or not (
        function.__module__ or ""
    ).startswith("runtime."):
        raise ValueError(f"{function} does not support dispatch.")
    return _APIS.setdefault(function, _Api(function))


def _signature_of(function: Any) -> inspect.Signature:
    """Return the parameters of an API; for an op its inputs, its attributes and the name."""
    if isinstance(function, types.FunctionType):
        return inspect.signature(function)
    kind, keyword = inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY
    own: dict[str, inspect.Parameter] = {}
    for name in function.inputs:
        own[name] = inspect.Parameter(name.lstrip("*"), kind)
    for name, parameter in inspect.signature(function.infer).parameters.items():
        if parameter.kind is keyword:
            own[name] = inspect.Parameter(name, keyword, default=parameter.default)
    own["name"] = inspect.Parameter("name", keyword, default=None)
    return inspect.Signature(list(own.values()))


def apply_op(value: Any, op: OpDef, inputs: Any, attrs: dict[str, Any], name: str | None) -> Any:
    """Call what is registered for an op and a value among its inputs.

    TypeError, which is a ValueError too, without it.
    """
    api = _APIS.get(op)
    named = dict(zip(op.inputs, inputs, strict=False))
    target = None if api is None else api.target_for(named)
    if target is not None:
        keywords = {**attrs} if name is None else {**attrs, "name": name}
        return target.function(*inputs, **keywords)
    if ELEMENTWISE in op.traits and len(inputs) in (1, 2):
        handler = _elementwise_handler(inputs)
        if handler is not None:
            return handler(_with_attributes(op, attrs, name), *inputs)
    raise UnsupportedValueError(value)


def _with_attributes(op: OpDef, attrs: dict[str, Any], name: str | None) -> Callable[..., Any]:
    if not attrs and name is None:
        return op

    def applied(*inputs: Any) -> Any:
        return op(*inputs, name=name, **attrs)

    return applied


def dispatch_for_api(
    api: Callable[..., Any], *signatures: Mapping[Any, Any]
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Register a function that an API calls in its place for values of certain types.

    Args:
        api: function or op of this package.
        signatures: dicts of annotations by names or places of parameters; by default the
            annotations of the function.  An annotation is a class, ``Union`` or ``List`` of such.
            At least one annotated argument must be of an extension type or a class of the user's.
    Returns:
        Decorator, which returns the function.
    Raises:
        ValueError: the API takes no part in this, the function has no annotations, or parameters
            that the API does not have.
    """
    entry = api_of(api)
    names = list(entry.signature.parameters)
    stated = [_named(signature, names) for signature in signatures]

    def decorator(function: Callable[..., Any]) -> Callable[..., Any]:
        by_name = tuple(stated or [_named(_annotations_of(function), names)])
        if by_name == ({},):
            raise ValueError(
                "The dispatch_for_api decorator must be called with at least one signature, or "
                "applied to a function that has type annotations on its parameters."
            )
        _check_parameters(entry.signature, inspect.signature(function))
        entry.add(DispatchTarget(_without_name(function), by_name, function))
        return function

    return decorator


def _annotations_of(function: Callable[..., Any]) -> dict[str, Any]:
    hints = typing.get_type_hints(function)
    return {name: hint for name, hint in hints.items() if name != "return"}


def _named(signature: Any, names: list[str]) -> dict[str, Any]:
    """Return annotations by names; TypeError or ValueError for what is none."""
    if not isinstance(signature, Mapping) or not all(isinstance(k, str | int) for k in signature):
        raise TypeError("signatures must be dictionaries mapping parameter names to type "
                        "annotations.")  # fmt: skip
    named = {}
    for key, annotation in signature.items():
        name = names[key] if isinstance(key, int) and key < len(names) else key
        if name not in names:
            raise ValueError(f"signature includes annotation for unknown parameter {name!r}.")
        check_annotation(annotation)
        named[name] = annotation
    return named


def _check_parameters(api: inspect.Signature, target: inspect.Signature) -> None:
    """Raise ValueError where a function does not have the parameters of the API, in their order.

    It may have more, which TensorFlow's function has, and leave out what has a default.
    """
    kinds = [p.kind for p in target.parameters.values()]
    if inspect.Parameter.VAR_KEYWORD in kinds:
        return
    own = list(target.parameters)
    needed = [n for n, p in api.parameters.items() if p.default is inspect.Parameter.empty]
    shared = [name for name in own if name in api.parameters]
    order = [name for name in api.parameters if name in shared]
    extra = [
        name for name, p in target.parameters.items()
        if name not in api.parameters and p.default is inspect.Parameter.empty
    ]  # fmt: skip
    if extra or shared != order or own[: len(needed)] != needed:
        raise ValueError(
            f"Dispatch function's signature {target} does not match API's signature {api}."
        )


def _without_name(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return the function without the argument ``name``, where it has none."""
    parameters = inspect.signature(function).parameters
    if "name" in parameters or any(p.kind is p.VAR_KEYWORD for p in parameters.values()):
        return function

    def called(*args: Any, name: str | None = None, **kwargs: Any) -> Any:
        return function(*args, **kwargs)

    return called


def unregister_dispatch_for(dispatch_target: Callable[..., Any]) -> None:
    """Remove what one of the decorators registered.

    Args:
        dispatch_target: the decorated function.
    Returns:
        None.
    Raises:
        ValueError: it was not registered.
    """
    removed = [api.remove(dispatch_target) for api in _APIS.values()]
    kinds = [key for key, handler in HANDLERS.items() if handler is dispatch_target]
    for key in kinds:
        del HANDLERS[key]
    if not any(removed) and not kinds:
        raise ValueError(
            f"Function {dispatch_target} was not registered using a `@dispatch_for_*` decorator."
        )
