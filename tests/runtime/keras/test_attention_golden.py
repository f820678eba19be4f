"""Attention with heads gives Keras' numbers, gradients and weights, every way."""

from __future__ import annotations

import json

import pytest

import runtime as tf
from runtime import keras
from tests.runtime.keras import test_golden
from tests.runtime.keras.attention_golden import CASES, PAGE, computed

GOLDEN = json.loads(PAGE.read_text(encoding="utf-8"))


@pytest.mark.parametrize("name", CASES)
def test_numbers_are_those_of_keras(name):
    for way in test_golden.WAYS.values():
        names, numbers = computed(tf, keras, name, way)
        assert names == GOLDEN[name]["weights"]
        test_golden.agree(numbers, GOLDEN[name]["numbers"], name)
