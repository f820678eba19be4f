"""Jumps out of a ``finally``: they drop what else was about to happen."""

from __future__ import annotations


def return_in_finally_wins(x):
    try:
        return x * 2
    finally:
        if x > 2:
            return -x


def exception_dropped_by_return(x):
    try:
        y = 10 // x
    finally:
        if x == 0:
            return -1
    return y


def break_and_return_in_a_loop(n):
    total = 0
    for i in range(n):
        try:
            if i == 2:
                continue
            if i == 5:
                return total
            total += i
        finally:
            total += 100
            if total > 320:
                break
            if total == 205:
                return -total
    return total


def return_of_inner_loops(n):
    try:
        for i in range(n):
            for j in range(i):
                if i * j > 5:
                    return i + 10 * j
            else:
                n += 1
                if n > 9:
                    break
    finally:
        if n > 7:
            return 0
    return n


def every_clause(x):
    try:
        if x > 3:
            raise ValueError("big")
        y = x
    except ValueError:
        y = -x
        if x > 5:
            raise KeyError("huge") from None
    else:
        y += 1
        if x == 1:
            return 100
    finally:
        if x > 7:
            return 70
    return y


def continue_drops_a_return(x):
    for i in range(3):
        try:
            if x > i:
                return x * 10 + i
        finally:
            if x > 5:
                continue
    return -1


def one_inside_the_other(x):
    try:
        try:
            return x
        finally:
            if x > 2:
                raise ValueError("inner")
    finally:
        if x > 3:
            return 99


def list_of_what_happened(x):
    seen = []
    for i in range(4):
        try:
            seen.append(i)
            if i == x:
                break
        finally:
            if x == 2:
                continue
            seen.append(10)
    total = 0
    for item in seen:
        total = total * 20 + item
    return total


def reraised_unless_it_jumps(x):
    try:
        try:
            if x > 1:
                raise ValueError("first")
            print("tried", x)
        finally:
            print("finally", x)
            if x > 3:
                return 3
            x += 1
    except ValueError as error:
        return -len(error.args)
    return x


def groups_of_exceptions(x):
    try:
        y = 10 // x
    except* ZeroDivisionError:
        y = -5
    finally:
        if x > 2:
            return 20
    return y


CASES = [
    (return_in_finally_wins, [(1,), (3,)]),
    (exception_dropped_by_return, [(0,), (3,)]),
    (break_and_return_in_a_loop, [(0,), (2,), (4,), (9,)]),
    (return_of_inner_loops, [(2,), (3,), (4,), (7,)]),
    (every_clause, [(0,), (1,), (4,), (6,), (8,)]),
    (continue_drops_a_return, [(0,), (2,), (6,)]),
    (one_inside_the_other, [(2,), (3,), (4,)]),
    (list_of_what_happened, [(1,), (2,), (5,)]),
    (reraised_unless_it_jumps, [(1,), (2,), (4,)]),
    (groups_of_exceptions, [(1,), (3,)]),
]
