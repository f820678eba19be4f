"""Edit distance: how many letters must be changed, added or dropped to turn a into b?

Two nested loops over tensors; the table's current row is the state of both.
"""

import runtime as tf


def edit_distance(a, b):
    columns = tf.range(tf.size(b) + 1)
    row = columns
    for letter in a:
        above = row
        left = above[0] + 1
        row = tf.where(columns == 0, left, above)
        for j in tf.range(tf.size(b)):
            if letter == b[j]:
                left = above[j]
            else:
                left = 1 + tf.minimum(tf.minimum(left, above[j]), above[j + 1])
            row = tf.where(columns == j + 1, left, row)
    return row[-1]


def letters(word):
    return tf.constant([ord(letter) for letter in word])


def inputs():
    return letters("kitten"), letters("sitting")


if __name__ == "__main__":
    print(tf.function(edit_distance)(*inputs()))
