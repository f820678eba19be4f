"""Automatic differentiation of eager programs and of graphs, in reverse and forward mode.

backprop.py accumulates gradients from targets to sources; vjp_graph.py makes the derivative of a
traced graph; the rules of operations that hold graphs are in vjp_call.py, vjp_cond.py, vjp_loop.py
and so on.  The public names are in tape.py, gradients.py, gradient_functions.py,
custom_gradient.py, forward_mode.py and gradient_checker.py.
"""

from typing import TYPE_CHECKING

from runtime.autodiff import custom_gradient as custom_gradient
from runtime.autodiff import vjp_call as vjp_call
from runtime.autodiff import vjp_cond as vjp_cond
from runtime.autodiff import vjp_loop as vjp_loop
from runtime.autodiff import vjp_py_function as vjp_py_function
from runtime.autodiff import vjp_recursion as vjp_recursion
from runtime.autodiff import vjp_try as vjp_try
from runtime.autodiff.forward_mode import ForwardAccumulator as ForwardAccumulator
from runtime.autodiff.tape import GradientTape as GradientTape
from runtime.types.annexes import explained as _explained

__all__ = ["ForwardAccumulator", "GradientTape"]


if not TYPE_CHECKING:  # type checkers find what is misspelt
    __getattr__ = _explained(__name__)


def __dir__() -> list[str]:
    return __all__
