"""Nests of loops over known numbers, each loop of which is met in every turn of those around it."""

from __future__ import annotations

import numpy as np


def weights(a):
    out, last = np.zeros(len(a)), None
    for i in range(len(a)):
        total = 0  # becomes a float in the first turn
        for j in range(len(a)):
            low = 0
            for k in range(len(a)):
                low += a[k] * (k + j) - a[i] * k + a[j] * 2 - a[k] * 0.25
            total += low * a[j]
            last = low
        out[i] = total
    return out, last, total


def inner(row, factor):
    best, where = -1e9, 0
    for k in range(len(row)):
        value = row[k] * factor + row[0] * k - row[k] * row[k] + factor * factor
        if value > best:
            best, where = value, k
    return best, where


def calls(a):
    out = []
    for i in range(len(a)):
        for j in range(len(a)):
            best, where = inner(a, a[j] - a[i])
            out.append(best + where)
    return out


def broken(a):
    count, seen = 0, {}
    for i in range(len(a)):
        for j in range(len(a)):
            for k in range(len(a)):
                if a[i] * a[j] + a[k] * a[i] - a[j] * a[k] > 90.0:
                    break
                count += 1
            else:
                count += 100
        if i % 4 == 0:
            seen[i] = count
    return count, seen, i, j, k


def typed(a):
    value = 1
    for i in range(len(a)):
        for j in range(len(a)):
            if i == 5 and j == 7:
                value = value * 0.5 + a[j] * a[i] - a[j] * 0.5 + a[i] * 3 - a[j] * 4
            else:
                value = value + 1
    return value


def deep(a):
    total = np.zeros(4)
    for i in range(len(a)):
        for j in range(len(a)):
            for k in range(len(a)):
                for m in range(len(a)):
                    for n in range(len(a)):
                        value = a[i] * a[j] + a[k] * a[m] - a[n]
                        total[m] += np.log1p(value * value) + a[i] - a[j] * a[k] + a[m] - a[n]
                        total[n] -= a[i] * 2.0 - a[j] * 3.0 + a[k] * 4.0 - a[m] * 5.0 + a[n]
    return total


ALL = [weights, calls, broken, typed]
