"""Three classes: placeholders, variable scopes, a falling rate, a session, a Saver."""

import os
import tempfile

import numpy as np
import tensorflow.compat.v1 as tf

tf.disable_v2_behavior()

rng = np.random.default_rng(2)
data = rng.normal(size=(300, 20)).astype("float32")
target = rng.integers(0, 3, 300)

tf.reset_default_graph()
x = tf.placeholder(tf.float32, [None, 20], name="x")
y = tf.placeholder(tf.int64, [None], name="y")
rate = tf.placeholder_with_default(0.5, [], name="rate")


def dense(inputs, units, name):
    size = inputs.shape[-1]
    start = tf.constant_initializer(rng.normal(0, 0.2, (size, units)))
    with tf.variable_scope(name):
        w = tf.get_variable("w", [size, units], initializer=start)
        b = tf.get_variable("b", [units], initializer=tf.zeros_initializer())
    return tf.nn.xw_plus_b(inputs, w, b)


hidden = tf.nn.relu(dense(x, 16, "hidden"))
logits = dense(hidden, 3, "logits")
loss = tf.losses.sparse_softmax_cross_entropy(labels=y, logits=logits)
correct = tf.equal(tf.argmax(logits, 1), y)
accuracy = tf.reduce_mean(tf.cast(correct, tf.float32))
global_step = tf.train.get_or_create_global_step()
decayed = tf.train.exponential_decay(rate, global_step, 10, 0.9, staircase=True)
optimizer = tf.train.GradientDescentOptimizer(decayed)
train_op = optimizer.minimize(loss, global_step=global_step)
saver = tf.train.Saver()
init = tf.global_variables_initializer()
LOSSES, EXTRA = [], []
path = os.path.join(tempfile.mkdtemp(), "model.ckpt")
with tf.Session() as sess:
    sess.run(init)
    for step in range(50):
        rows = slice(step * 30 % 300, step * 30 % 300 + 30)
        _, value = sess.run([train_op, loss], feed_dict={x: data[rows], y: target[rows]})
        LOSSES.append(float(value))
        if step % 10 == 0:
            acc = sess.run(accuracy, feed_dict={x: data, y: target})
            print("step %d, loss %.4f, accuracy %.2f" % (step, value, acc))
    saved = saver.save(sess, path, global_step=global_step)
    before = sess.run(loss, {x: data, y: target})
with tf.Session() as sess:
    saver.restore(sess, saved)
    after = loss.eval({x: data, y: target})
    EXTRA = [before, after, sess.run(global_step), accuracy.eval({x: data, y: target})]
