"""Automatic differentiation: gradients of programs, eager or in graphs, in both modes.

reverse.py walks from results to sources; pairs.py makes the derivative of a traced graph; the
rules of rows with graphs are in calls.py, branches.py, loops.py ...  On top stand the public
names: tape.py, gradients.py, functions.py, custom.py, forward.py, checking.py.
"""

from runtime.autodiff import custom_gradient as custom_gradient
from runtime.autodiff import vjp_call as vjp_call
from runtime.autodiff import vjp_cond as vjp_cond
from runtime.autodiff import vjp_loop as vjp_loop
from runtime.autodiff import vjp_py_function as vjp_py_function
from runtime.autodiff import vjp_recursion as vjp_recursion
from runtime.autodiff import vjp_try as vjp_try
from runtime.autodiff.forward_mode import ForwardAccumulator as ForwardAccumulator
from runtime.autodiff.tape import GradientTape as GradientTape

__all__ = ["ForwardAccumulator", "GradientTape"]


def __dir__() -> list[str]:
    return __all__
