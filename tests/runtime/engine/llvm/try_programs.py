"""Programs with ``try`` in loops, for test_native_tries.py."""


def divisions(n):
    total = 0
    for i in range(n):
        try:
            total += 100 // (i % 7)
            total += i % (i % 5)
        except ZeroDivisionError:
            total -= 1
        else:
            total += 3
    return total


def quotients(n):
    total = 0.5
    for i in range(n):
        try:
            total += 1.0 / (i % 4) + (i * 0.5) // (i % 3)
        except ZeroDivisionError:
            total -= 0.5
    return total


def indexes(n):
    xs = [3]
    total = 0
    for i in range(n):
        try:
            total += xs[i % 9 - 4]
            xs[i % 11] = xs[i % 5] + 1
            xs.append(i)
        except IndexError:
            total += 1000
            xs.append(-i)
    return total, xs


def appends(n):
    out = []
    for i in range(n):
        try:
            out.append(10 // (i % 3))
            out.append(i)
            out.append(100 // (i % 4))
        except ZeroDivisionError:
            out.append(-1)
    return out


def pops(n):
    xs = []
    missed = 0
    for i in range(n):
        if i % 3 == 0:
            xs.append(i)
        try:
            missed += xs.pop()
        except IndexError:
            missed -= 1
    return missed, xs


def keys(n):
    counts = {0: 1}
    total = 0
    for i in range(n):
        try:
            counts[i * i % 11] += 1
        except KeyError as error:
            counts[i * i % 11] = i
            total += error.args[0]
    return total, len(counts)


def raised(n):
    total = 0
    seen = []
    for i in range(n):
        try:
            seen.append(i)
            if i % 3 == 0:
                raise ValueError("three", i)
            if i % 5 == 0:
                raise KeyError(i)
            total += 1
        except ValueError as error:
            total += error.args[1]
        except KeyError:
            total -= 3
        finally:
            seen.append(-1)
    return total, seen


def nested(n):
    total = 0
    for i in range(n):
        try:
            total += 1
            try:
                total += 10 // (i % 4)
                if i % 5 == 1:
                    raise ValueError("five")
            except ZeroDivisionError:
                total += 100
                total += 100 // (i % 8)
            total += 5
        except ZeroDivisionError:
            total += 10_000
        except ValueError:
            total += 1_000_000
    return total


def loops_inside(n):
    total = 0
    xs = []
    for i in range(n):
        try:
            for j in range(i):
                xs.append(j)
                total += 10 // (3 - j)
            total += 1
        except ZeroDivisionError:
            total += 100 + len(xs)
    return total, xs


def jumps(n):
    total = 0
    i = 0
    while i < n:
        i += 1
        try:
            if i % 3 == 0:
                continue
            if i == 17:
                break
            total += i // (i % 4)
        except ZeroDivisionError:
            total -= 2
        finally:
            total += 1
    return total


def recursive(n):
    try:
        if n == 0:
            return 1 // n
        return recursive(n - 1) + n
    except ZeroDivisionError:
        return 50


def in_finally(n):
    total = 0
    for i in range(n):
        try:
            try:
                total += 5 // (i % 3)
            finally:
                total += 7 // (i % 4)
        except ZeroDivisionError:
            total += 1000
    return total


def other_lists(n):
    total = 0
    xs = []
    ys = [0]
    for i in range(n):
        xs.append(i)
        try:
            ys = [i, 10 // (i % 3)]
            xs.append(ys[1])
        except (ZeroDivisionError, ValueError):
            total += len(ys) + ys[-1]
    return total, xs, ys


def lists_of_lists(n):
    rows = []
    for i in range(n):
        row = []
        try:
            for j in range(i % 5):
                row.append(i // (3 - j))
            rows.append(row)
        except ZeroDivisionError:
            rows.append([i])
    return len(rows), rows[-1][0] if rows and rows[-1] else -1


def overflow(n):
    total = n
    try:
        for i in range(n):
            total *= 1000
            total += 1 // (i + 1)
    except (OverflowError, ZeroDivisionError, ArithmeticError):
        total = -1
    return total


def counted(n):
    total = 0
    for i in range(n):
        try:
            total += 10 // (i % 3)
        except ZeroDivisionError as error:
            total += len(error.args)
    return total


def uncaught(n):
    total = 0
    xs = []
    for i in range(n):
        try:
            xs.append(i)
            total += xs[10 // (5 - i)]
        except IndexError:
            total += 1
    return total


def with_cause(n):
    total = 0
    for i in range(n):
        try:
            total += 10 // (5 - i)
        except ZeroDivisionError as error:
            raise ValueError("bad", i, total) from error
    return total


def in_a_handler(n):
    total = 0
    for i in range(n):
        try:
            total += 10 // (5 - i)
        except ZeroDivisionError:
            try:
                total += [1][i]
            except IndexError:
                raise KeyError(i)  # noqa: B904
    return total


def again(n):
    total = 0
    for i in range(n):
        try:
            total += 10 // (5 - i)
        except ZeroDivisionError:
            total += 1
            raise
    return total


def one_class_with_numbers_and_texts(n):
    total = 0
    for i in range(n):
        try:
            if i == 50:
                raise ZeroDivisionError(i)
            total += 10 // (5 - i)
        finally:
            total += 1
    return total
