"""Operators that mean the same in the runtime and in ONNX, read in both directions.

Exported, an op becomes the operator; imported, the operator becomes the op.
"""

from __future__ import annotations

from autograph.named_tuples import NamedTuple


class Operator(NamedTuple):
    """Operator of ONNX that is an op, element by element.

    kinds   letters of NumPy's kinds for which that is so
    both    whether import reads the row as well
    """

    op: str
    onnx: str
    kinds: str = "iuf"
    both: bool = True


OPERATORS = (
    Operator("add", "Add"), Operator("subtract", "Sub"), Operator("multiply", "Mul"),
    Operator("truediv", "Div", "f"), Operator("realdiv", "Div", "f", False),
    Operator("pow", "Pow", "f", False), Operator("negative", "Neg", "if"),
    Operator("abs", "Abs"), Operator("sign", "Sign"),
    Operator("sqrt", "Sqrt", "f"), Operator("reciprocal", "Reciprocal", "f"),
    Operator("floor", "Floor", "f"), Operator("ceil", "Ceil", "f"),
    Operator("rint", "Round", "f", False), Operator("round", "Round", "f"),
    Operator("maximum", "Max", "iuf", False), Operator("minimum", "Min", "iuf", False),
    Operator("is_nan", "IsNaN", "f"), Operator("is_inf", "IsInf", "f", False),
    Operator("less", "Less"), Operator("less_equal", "LessOrEqual"),
    Operator("greater", "Greater"), Operator("greater_equal", "GreaterOrEqual"),
    Operator("equal", "Equal", "biufO"),
    Operator("logical_and", "And", "b"), Operator("logical_or", "Or", "b"),
    Operator("logical_xor", "Xor", "b"), Operator("logical_not", "Not", "b"),
    Operator("bitwise_and", "BitwiseAnd", "iu"), Operator("bitwise_or", "BitwiseOr", "iu"),
    Operator("bitwise_xor", "BitwiseXor", "iu"), Operator("invert", "BitwiseNot", "iu"),
    Operator("left_shift", "BitShift", "", False),
    Operator("exp", "Exp", "f"), Operator("log", "Log", "f"),
    Operator("sin", "Sin", "f"), Operator("cos", "Cos", "f"), Operator("tan", "Tan", "f"),
    Operator("asin", "Asin", "f"), Operator("acos", "Acos", "f"), Operator("atan", "Atan", "f"),
    Operator("sinh", "Sinh", "f"), Operator("cosh", "Cosh", "f"), Operator("tanh", "Tanh", "f"),
    Operator("asinh", "Asinh", "f"), Operator("acosh", "Acosh", "f"),
    Operator("atanh", "Atanh", "f"),
    Operator("sigmoid", "Sigmoid", "f"), Operator("softplus", "Softplus", "f"),
    Operator("erf", "Erf", "f"), Operator("relu", "Relu", "if"),
    Operator("softsign", "Softsign", "f"), Operator("where", "Where", "biufO"),
    Operator("selu", "Selu", "f", False), Operator("elu", "Elu", "f", False),
    Operator("det", "Det", "f"),
)  # fmt: skip
