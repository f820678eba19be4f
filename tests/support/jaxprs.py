"""Jaxprs run by Python, equation by equation: what JAX would compile, without the compiler."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

MOST_TURNS = 20_000


def interpreted(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return what traces a function once for each types of arguments, and runs its jaxpr."""
    import jax

    traced: dict[Any, Any] = {}

    def run(*args: Any) -> Any:
        key = tuple((type(arg), np.shape(arg)) for arg in args)
        if key not in traced:
            trees: list[Any] = []

            def leaves(*args: Any) -> Any:
                flat, tree = jax.tree.flatten(function(*args))
                trees.append(tree)
                return flat

            traced[key] = jax.make_jaxpr(leaves)(*args), trees[-1]
        closed, tree = traced[key]
        values = jax.tree.map(jax.numpy.asarray, list(args))
        return jax.tree.unflatten(tree, run_jaxpr(closed, jax.tree.leaves(values)))

    return run


def run_jaxpr(closed: Any, values: Sequence[Any]) -> list[Any]:
    """Run the equations of a jaxpr, which may be closed."""
    jaxpr, constants = getattr(closed, "jaxpr", closed), getattr(closed, "consts", ())
    known = dict(zip([*jaxpr.constvars, *jaxpr.invars], [*constants, *values], strict=True))

    def read(atom: Any) -> Any:
        return np.asarray(atom.val, atom.aval.dtype) if hasattr(atom, "val") else known[atom]

    for equation in jaxpr.eqns:
        inputs = [read(atom) for atom in equation.invars]
        run = _CONTROL.get(equation.primitive.name, _bind)
        known.update(zip(equation.outvars, run(equation, inputs), strict=True))
    return [read(atom) for atom in jaxpr.outvars]


def _bind(equation: Any, inputs: list[Any]) -> list[Any]:
    primitive = equation.primitive
    outputs = primitive.bind(*inputs, **primitive.get_bind_params(equation.params))
    return list(outputs) if primitive.multiple_results else [outputs]


def _call(equation: Any, inputs: list[Any]) -> list[Any]:
    params = equation.params
    return run_jaxpr(params["jaxpr"] if "jaxpr" in params else params["call_jaxpr"], inputs)


def _cond(equation: Any, inputs: list[Any]) -> list[Any]:
    branches = equation.params["branches"]
    return run_jaxpr(branches[min(max(int(inputs[0]), 0), len(branches) - 1)], inputs[1:])


def _while(equation: Any, inputs: list[Any]) -> list[Any]:
    params = equation.params
    first, second = params["cond_nconsts"], params["cond_nconsts"] + params["body_nconsts"]
    state = inputs[second:]
    for _ in range(MOST_TURNS):
        (again,) = run_jaxpr(params["cond_jaxpr"], [*inputs[:first], *state])
        if not np.any(again):
            return state
        after = run_jaxpr(params["body_jaxpr"], [*inputs[first:second], *state])
        kept = np.asarray(again)
        state = after if not kept.ndim else [
            np.where(kept.reshape(kept.shape + (1,) * (np.ndim(old) - kept.ndim)), new, old)
            for new, old in zip(after, state, strict=True)
        ]  # fmt: skip
    raise AssertionError(f"a loop has not ended after {MOST_TURNS} turns")


def _scan(equation: Any, inputs: list[Any]) -> list[Any]:
    params = equation.params
    if "ft_in" in params:  # JAX 0.11 keeps the inputs of a scan as a tree
        constants, carried, _ = [len(leaves) for leaves in params["ft_in"].unpack()]
    else:
        constants, carried = params["num_consts"], params["num_carry"]
    fixed, state = inputs[:constants], inputs[constants : constants + carried]
    sources = inputs[constants + carried :]
    turns = range(params["length"])
    columns: list[list[Any]] = []
    for k in reversed(turns) if params["reverse"] else turns:
        outputs = run_jaxpr(params["jaxpr"], [*fixed, *state, *[s[k] for s in sources]])
        state = outputs[:carried]
        columns.append(outputs[carried:])
    ordered = columns[::-1] if params["reverse"] else columns
    stacked = [np.stack([np.asarray(v) for v in column]) for column in zip(*ordered, strict=True)]
    if not columns:
        avals = [atom.aval for atom in equation.outvars[carried:]]
        stacked = [np.zeros(aval.shape, aval.dtype) for aval in avals]
    return [*state, *stacked]


_CONTROL: dict[str, Callable[[Any, list[Any]], list[Any]]] = {
    "cond": _cond, "while": _while, "scan": _scan, "jit": _call, "pjit": _call,
    "closed_call": _call, "checkpoint": _call,
}  # fmt: skip
