"""Kernel IR as text, and the rules that the verifier holds: each is broken once."""

import pytest

import runtime as tf
from runtime.engine.llvm import kernel_ir as ir
from runtime.engine.llvm.exceptions.try_ir import Save, Try
from runtime.engine.llvm.printer import print_module
from runtime.engine.llvm.verifier import verify
from runtime.errors import InternalError
from tests.runtime.engine.llvm.native_programs import lowered_modules
from tests.support.extras import needs

INT = ir.INT64


def register(number, type=INT):
    return ir.Register(type, number)


def module(instructions=(), results=(), gives=(), params=()):
    """A module of one function."""
    function = ir.KernelFunction("main")
    function.block = ir.Block(params)
    function.block.instructions = list(instructions)
    function.block.results = tuple(results)
    function.gives = tuple(gives)
    made = ir.KernelModule(())
    made.functions.append(function)
    return made


def site(takes=(), gives=()):
    made = ir.Site(None)
    made.takes, made.gives = tuple(takes), tuple(gives)
    return made


def inner(params=(), results=()):
    block = ir.Block(params)
    block.results = tuple(results)
    return block


A, B, C, T = register(1), register(2), register(3), register(4, ir.BOOL)
ARRAY = register(5, ir.OBJECT)


def switch(splits, branch):
    return ir.Switch([T, A], [B], [branch], splits)


def loop(state, test, body):
    return ir.WhileLoop([A], state, test, body, 0)


def good_test():
    return inner([C], [C])


def callee():
    return module(params=[register(7)], results=[], gives=[INT]).entry


def attempt(body=None, handler=None, splits=(1, 0, 0), saved=(INT,)):
    found = Try(saved)
    found.args, found.results, found.splits = (A,), (B,), splits
    found.body = inner([C], [C]) if body is None else body
    found.otherwise = inner([register(6)], [])
    found.otherwise.results = found.otherwise.params
    found.handlers = (inner([register(7)], []) if handler is None else handler,)
    found.handlers[0].results = found.handlers[0].params[:1]
    found.parts = ((),)
    return found


def saving():
    body = inner([C], [C])
    body.instructions.append(Save(attempt(saved=(ir.FLOAT64,)), [C]))
    return body


BROKEN = {
    "the arguments of block 0 of a try": module([attempt(inner([T], [T]))], params=[A]),
    "the parameters of block 2 of a try": module(
        [attempt(handler=inner([register(7, ir.FLOAT64)]))], params=[A]
    ),
    "what is kept": module([attempt(splits=(0, 0, 0))], params=[A]),
    "what is saved": module([attempt(saving())], params=[A]),
    "is defined twice": module([ir.Number(1, A), ir.Number(2, A)]),
    "uses %1, which its block does not define": module([ir.Compute("neg", [A], [B], None)]),
    "the end of a block uses %1": module(results=[A], gives=[INT]),
    "the results of a block have types": module(params=[A], results=[A], gives=[ir.FLOAT64]),
    "a switch has not as many arguments": module(
        [switch([2], inner([C], [C]))], params=[T, A]
    ),
    "the arguments of branch 0": module(
        [switch([1], inner([register(3, ir.FLOAT64)], []))], params=[T, A]
    ),
    "the state of a loop": module(
        [loop([register(2, ir.FLOAT64)], good_test(), inner())], params=[A]
    ),
    "the parameters of a test": module([loop([B], inner(), inner())], params=[A]),
    "the parameters of a body": module([loop([B], good_test(), inner())], params=[A]),
    "the results of a block have types (i64), not (bool)": module(
        [loop([B], good_test(), inner([register(5)], [register(5)]))], params=[A]
    ),
    "the arguments of a call": module([ir.Call(callee(), [], [B], site())]),
    "the results of a call": module([ir.Call(callee(), [A], [], site())], params=[A]),
    "the arguments of a site": module([ir.Callback(site(), [A], [])], params=[A]),
    "the results of a site": module([ir.Callback(site(), [], [A])]),
    "array.set is not given an array and numbers": module(
        [ir.Compute("array.set", [A, A, A], [B], site())], params=[A]
    ),
    "the results of array.set have types (i64), not (object)": module(
        [ir.Compute("array.set", [ARRAY, A, A], [B], site())], params=[ARRAY, A]
    ),
    "array.own is not given an array and numbers": module(
        [ir.Compute("array.own", [A], [B], site())], params=[A]
    ),
    "the results of array.native have types (i64), not (object)": module(
        [ir.Compute("array.native", [ARRAY], [B], site())], params=[ARRAY]
    ),
    "array.item does not give a number": module(
        [ir.Compute("array.item", [ARRAY, A], [register(2, ir.OBJECT)], site())],
        params=[ARRAY, A],
    ),
    "a constant is no number": module([ir.Number(1, register(1, ir.OBJECT))]),
}


@pytest.mark.parametrize("rule", BROKEN)
def test_each_rule_can_be_broken(rule):
    with pytest.raises(InternalError) as caught:
        verify(BROKEN[rule])
    assert rule in str(caught.value)
    assert "func main(" in str(caught.value)


def test_a_module_that_keeps_the_rules():
    whole = module(
        [loop([B], inner([C], [T]), inner([register(5)], [register(5)]))], params=[A],
        results=[B], gives=[INT],
    )  # fmt: skip
    whole.entry.block.instructions[0].test.instructions.append(
        ir.Compute("truth", [C], [T], None)
    )
    assert verify(whole) is whole


@needs("jit")
def test_text_of_a_module(golden):
    @tf.jit
    def collatz(n):
        steps = 0
        while n != 1:
            n = n // 2 if n % 2 == 0 else 3 * n + 1
            steps += 1
        return steps

    with lowered_modules() as modules:
        assert collatz(27) == 111
    golden("engine/collatz_kernel_ir.txt", "\n\n".join(map(print_module, modules)))
