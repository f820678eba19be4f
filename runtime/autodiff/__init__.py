"""Automatic differentiation: gradients of programs, eager or in graphs, in both modes.

reverse.py walks from results to sources; pairs.py makes the derivative of a traced graph; the
rules of rows with graphs are in calls.py, branches.py, loops.py ...  On top stand the public
names: tape.py, gradients.py, functions.py, custom.py, forward.py, checking.py.
"""

from runtime.autodiff import branches as branches
from runtime.autodiff import calls as calls
from runtime.autodiff import custom as custom
from runtime.autodiff import loops as loops
from runtime.autodiff import python_calls as python_calls
from runtime.autodiff import recursion as recursion
from runtime.autodiff import tries as tries
from runtime.autodiff.forward import ForwardAccumulator as ForwardAccumulator
from runtime.autodiff.tape import GradientTape as GradientTape

__all__ = ["ForwardAccumulator", "GradientTape"]


def __dir__() -> list[str]:
    return __all__
