"""A GRU learns a rhyme letter by letter, and writes: `python -m examples.training.characters`."""

import importlib.util
import time

import numpy as np

import runtime as tf
from examples.training.pictures import curves
from runtime import keras
from runtime.keras import layers

# Machine code from the first step on: then two runs are equal bit for bit.
COMPILED = importlib.util.find_spec("llvmlite") is not None

HOUSE = "the house that Jack built"
CHAIN = [
    ("the malt", "lay in"),
    ("the rat", "ate"),
    ("the cat", "killed"),
    ("the dog", "worried"),
    ("the cow with the crumpled horn", "tossed"),
    ("the maiden all forlorn", "milked"),
    ("the man all tattered and torn", "kissed"),
    ("the priest all shaven and shorn", "married"),
    ("the cock that crowed in the morn", "waked"),
    ("the farmer sowing his corn", "kept"),
]


def rhyme():
    """The verses, each a line: every one says the one before it again."""
    rest, verses = HOUSE, [f"This is {HOUSE}."]
    for who, what in CHAIN:
        rest = f"{who} that {what} {rest}"
        verses.append(f"This is {rest}.")
    return verses


LETTERS = sorted(set("\n".join(rhyme())))
END = LETTERS.index("\n")
SCALARS = [tf.TensorSpec([], dtype) for dtype in (tf.float32, tf.int32, tf.int32)]


def numbers(text):
    return np.array([LETTERS.index(letter) for letter in text], np.int32)


def data(length=64, step=3):
    """Pieces of the text [n, length], and the letters that follow each of theirs."""
    text = numbers("\n".join(rhyme()) + "\n")
    pieces = np.stack([text[i : i + length + 1] for i in range(0, len(text) - length, step)])
    return pieces[:, :-1], pieces[:, 1:]


@keras.saving.register_keras_serializable("examples")
class Writer(keras.Model):
    """Letters [batch, time] -> logits of the letters that follow [batch, time, letters]."""

    def __init__(self, units=128, **options):
        super().__init__(**options)
        self.units = units
        self.embedding = layers.Embedding(len(LETTERS), 16)
        self.gru = layers.GRU(units, return_sequences=True)
        self.logits = layers.Dense(len(LETTERS))

    def call(self, letters):
        return self.logits(self.gru(self.embedding(letters)))

    @tf.function(input_signature=[tf.TensorSpec([None], tf.int32), *SCALARS])
    def write(self, start, temperature, most, seed):
        """The letters of a line: drawn one by one, until it ends or has ``most``."""
        line, state = list(start), [tf.zeros([1, self.units])]
        for letter in start:
            output, state = self.gru.cell(self.embedding(letter[None]), state)
        while len(line) < most:
            logits = self.logits(output) / temperature
            draw = tf.random.stateless_categorical(logits, 1, [seed, len(line)], tf.int32)
            letter = draw[0, 0]
            if letter == END:
                break
            line.append(letter)
            output, state = self.gru.cell(self.embedding(letter[None]), state)
        return tf.stack(line)

    def get_config(self):
        return {**super().get_config(), "units": self.units}


def network(jit_compile=COMPILED):
    keras.utils.set_random_seed(0)
    model = Writer()
    model.build((None, None))
    loss = keras.losses.SparseCategoricalCrossentropy(from_logits=True)
    model.compile(keras.optimizers.Adam(5e-3), loss, jit_compile=jit_compile)
    return model


def lines(model, count=20, temperature=0.5):
    """What the model writes after "This is"."""
    start = numbers("This is")
    drawn = [model.write(start, temperature, 600, seed).numpy() for seed in range(count)]
    return ["".join(LETTERS[number] for number in line) for line in drawn]


def main(epochs=20, picture=None):
    x, y = data()
    model = network()
    start = time.perf_counter()
    history = model.fit(x, y, epochs=epochs, verbose=0).history
    print(f"{epochs} epochs in {time.perf_counter() - start:.1f} s")
    written = lines(model)
    right = sum(line in rhyme() for line in written)
    print(f"loss {history['loss'][-1]:.4f}, {right} of {len(written)} lines are of the rhyme")
    print(*written[:3], sep="\n")
    if picture:
        curves(picture, "Letters of a rhyme", {"training": history["loss"]}, "epoch", "nats")
    return right / len(written)


if __name__ == "__main__":
    main(picture="characters.svg")
