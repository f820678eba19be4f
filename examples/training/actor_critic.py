"""An actor and a critic learn to balance a pole: `python -m examples.training.actor_critic`.

The cart, the pole and an episode are plain Python: `while`, `if`, `break`, lists.  ``tf.function``
makes one loop of an episode, and the tape takes the gradient through it.
"""

import importlib.util
import time

import numpy as np

import runtime as tf
from examples.training.pictures import curves
from runtime import keras
from runtime.keras import layers

# Machine code from the first step on: then two runs are equal bit for bit.
COMPILED = importlib.util.find_spec("llvmlite") is not None

LONGEST = 500  # steps of an episode
GOAL = 475.0  # mean steps of the last 100 episodes
DISCOUNT = 0.99


def moved(state, force):
    """The state 20 ms later: the cart-pole of Barto, Sutton and Anderson (1983)."""
    _, speed, angle, turning = state
    sine, cosine = tf.sin(angle), tf.cos(angle)
    push = (force + 0.05 * turning**2 * sine) / 1.1
    torque = (9.8 * sine - cosine * push) / (0.5 * (4.0 / 3.0 - 0.1 * cosine**2 / 1.1))
    pull = push - 0.05 * torque * cosine / 1.1
    return state + 0.02 * tf.stack([speed, pull, turning, torque])


def is_over(state):
    """Whether the cart has left the track, or the pole leans by more than 12 degrees."""
    return abs(state[0]) > 2.4 or abs(state[2]) > 0.2095


def network():
    return keras.Sequential([keras.Input((4,)), layers.Dense(64, "tanh"), layers.Dense(1)])


class Agent(tf.Module):
    """The actor gives the logit of a push to the right, the critic the return to come."""

    def __init__(self, seed=0, jit_compile=COMPILED):
        super().__init__()
        keras.utils.set_random_seed(seed)
        self.actor, self.critic = network(), network()
        self.optimizer = keras.optimizers.Adam(5e-3)
        self.optimizer.build(self.trainable_variables)
        self.noise = tf.random.Generator.from_seed(seed)
        self.train = tf.function(self.learn, jit_compile=jit_compile)

    def episode(self):
        """Log probabilities of the pushes, and the critic's values, until the episode is over."""
        state = self.noise.uniform([4], -0.05, 0.05)
        pushes, values = [], []
        while len(values) < LONGEST:
            logit = self.actor(state[None])[0, 0]
            values.append(self.critic(state[None])[0, 0])
            if self.noise.uniform([]) < tf.sigmoid(logit):
                pushes.append(tf.math.log_sigmoid(logit))
                state = moved(state, 10.0)
            else:
                pushes.append(tf.math.log_sigmoid(-logit))
                state = moved(state, -10.0)
            if is_over(state):
                break
        return tf.stack(pushes), tf.stack(values)

    def learn(self):
        """Change the networks after an episode; the number of its steps."""
        with tf.GradientTape() as tape:
            pushes, values = self.episode()
            returns, rest = [], 0.0
            for _ in range(len(values)):
                rest = 1.0 + DISCOUNT * rest
                returns.append(rest)
            surprise = tf.stack(returns)[::-1] - values
            actor_loss = -tf.reduce_sum(pushes * tf.stop_gradient(surprise))
            loss = actor_loss + 0.01 * tf.reduce_sum(tf.square(surprise))
        variables = self.trainable_variables
        self.optimizer.apply_gradients(zip(tape.gradient(loss, variables), variables))
        return len(values)

    @tf.function(input_signature=[tf.TensorSpec([4])])
    def balance(self, state):
        """The number of steps when each push is the one that the actor prefers."""
        steps = 0
        while steps < LONGEST and not is_over(state):
            force = 10.0 if self.actor(state[None])[0, 0] > 0.0 else -10.0
            state = moved(state, force)
            steps += 1
        return steps


def main(most=2000, picture=None):
    agent = Agent()
    start = time.perf_counter()
    steps = []
    while len(steps) < most:
        steps.append(int(agent.train()))
        if np.mean(steps[-100:]) >= GOAL:
            break
    print(f"{len(steps)} episodes in {time.perf_counter() - start:.1f} s")
    print(f"mean of the last 100: {np.mean(steps[-100:]):.1f} of {LONGEST} steps")
    starts = np.random.default_rng(0).uniform(-0.05, 0.05, [100, 4]).astype(np.float32)
    balanced = [int(agent.balance(state)) for state in starts]
    print(f"without noise: {np.mean(balanced):.1f} steps")
    if picture:
        means = [float(np.mean(steps[max(k - 20, 0) : k])) for k in range(1, len(steps) + 1)]
        lines = {"episodes": [float(n) for n in steps], "mean of 20": means}
        title = "Actor and critic on a cart-pole"
        curves(picture, title, lines, "episode", "steps", legend=90)
    return len(steps)


if __name__ == "__main__":
    main(picture="actor_critic.svg")
