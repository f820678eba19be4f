"""Programs whose handlers catch what is raised when a staged value says so."""


def caught(x):
    y = 0
    try:
        y = 5
        if x > 0:
            raise ValueError("positive")
        y = 1
    except ValueError:
        y = y + 2
    return y


def clauses(x):
    try:
        if x < 0:
            raise KeyError("negative")
        y = x
    except KeyError as error:
        print("caught", error)
        y = -1
    else:
        print("nothing raised")
        y = y + 100
    finally:
        print("finally", x)
    return y


def state_of_the_loop(n):
    total = 0
    last = -1
    try:
        for i in range(n):
            last = i
            total = total + i
            if total > 2:
                raise OverflowError(total)
        total = total + 1000
    except OverflowError as error:
        total = total * 100 + last + error.args[0]
    return total


def in_a_loop(n):
    total = 0
    for i in range(n):
        try:
            if i == 2:
                raise KeyError(i)
            total = total + i
        except KeyError as error:
            total = total + 100 * error.args[0]
            continue
        total = total + 1000
    return total


def leaves_the_loop(n):
    i = 0
    while True:
        try:
            i = i + 1
            if i > n:
                raise LookupError
        except LookupError:
            break
        finally:
            i = i + 1
    return i


def returns_from_everywhere(x):
    try:
        if x > 3:
            raise ValueError("large", x)
        if x < 0:
            raise KeyError("small")
        return x
    except (ValueError, TypeError) as error:
        if x > 5:
            raise
        return error.args[1] * 2
    finally:
        print("done")


def inner_passes_on(x):
    y = 0
    try:
        try:
            y = 1
            if x > 2:
                raise ValueError("two")
            y = 2
            if x == 1:
                raise KeyError("one")
        except KeyError:
            y = y + 10
        y = y + 100
    except ValueError:
        y = y + 1000
    return y


def handler_raises(x):
    try:
        try:
            if x > 0:
                raise ValueError("first")
            y = 1
        except ValueError as error:
            raise LookupError("second") from error
    except LookupError as error:
        y = 2 + len(error.args)
    return y


def text_of_exception(x):
    message = ""
    try:
        if x > 1:
            raise ValueError(f"x is {x}")
        if x < 0:
            raise ValueError("negative")
    except ValueError as error:
        message = "seen"
        print(f"caught {error}!", str(error))
    print(message)
    return x


class Limit(Exception):
    """An exception with an attribute."""

    def __init__(self, value):
        super().__init__("limit")
        self.value = value


def attribute_of_exception(x):
    y = 0
    try:
        if x > 1:
            raise Limit(x + 1)
    except Limit as error:
        y = error.value * 10
    return y


def in_a_callee(x):
    def check(value):
        if value > 3:
            raise ArithmeticError("too large")
        return value + 1

    try:
        y = check(x) * 2
    except ArithmeticError:
        y = -1
    return y


class Account:
    """Something whose state changes before an exception."""

    def __init__(self, balance):
        self.balance = balance

    def take(self, amount):
        self.balance = self.balance - amount
        if self.balance < 0:
            raise ValueError("overdrawn")


def objects(x):
    account = Account(2)
    tries = 0
    try:
        account.take(x)
        tries = 1
        account.take(1)
        tries = 2
    except ValueError:
        return account.balance * 10 + tries
    return account.balance


def assertion(x):
    try:
        assert x > 0, "not positive"
        y = x
    except AssertionError:
        y = 100
    return y


def division(n):
    total = 0
    for i in range(n):
        try:
            total = total + 12 // (i - 2)
        except ZeroDivisionError:
            total = total + 1000
    return total


def unneeded_division(n):
    y = 0
    for i in range(n):
        try:
            q = 12 // (i - 2)
            y = y + 1
        except ZeroDivisionError:
            y = y + 100
    return y


def else_is_not_covered(x):
    y = 0
    try:
        try:
            y = 1
            if x > 3:
                raise KeyError("body")
        except LookupError:
            y = y + 10
        else:
            if x > 0:
                raise IndexError("else")
    except IndexError:
        y = y + 100
    return y


def order_of_prints(x):
    try:
        try:
            print("start")
            if x > 0:
                raise ValueError("stop")
            print("not stopped")
        finally:
            print("cleanup", x)
    except ValueError:
        print("handled")
    return x


def undefined_in_handler(x):
    try:
        if x > 0:
            raise ValueError
        y = 1
    except ValueError:
        pass
    return y


def changed_by_finally(x):
    steps = 1
    try:
        try:
            if x > 0:
                raise ValueError
        finally:
            steps = steps * 10
    except ValueError:
        steps = steps + 5
    return steps


def enclosing_variable(x):
    count = 0

    def bump():
        nonlocal count
        count = count + 1
        if x > 2:
            raise ValueError
        count = count + 10

    try:
        bump()
    except ValueError:
        count = count + 100
    return count


def first_handler_wins(x):
    try:
        if x > 3:
            raise KeyError
        if x > 0:
            raise IndexError
        y = 0
    except KeyError:
        y = 1
    except LookupError:
        y = 2
    except Exception:
        y = 3
    return y


def none_until_caught(x):
    reason = None
    try:
        if x > 0:
            raise ValueError(x)
    except ValueError as error:
        reason = error.args[0]
    if reason is None:
        return -1
    return reason


def abandoned_return(x):
    y = 0
    try:
        try:
            return 1
        finally:
            if x > 0:
                raise ValueError("instead")
    except ValueError:
        y = 2
    return y


def raised_on_every_way(x):
    try:
        if x > 0:
            raise ValueError
        raise KeyError
    except ValueError:
        y = 1
    except KeyError:
        y = 2
    return y


def python_value_raised_after(x):
    table = {"a": 1}
    try:
        if x > 3:
            raise ValueError
        y = table["b"]
    except KeyError:
        y = 7
    except ValueError:
        y = 8
    return y


def search(n):
    for i in range(n):
        try:
            if i * i > n:
                return i
            if i == 4:
                raise LookupError
        except LookupError:
            return -4
    return -1


_NUMBERS = [(-1,), (0,), (1,), (3,), (4,), (6,)]

def loop_whose_variable_widens(n):
    s = 0
    try:
        for _ in range(n):
            s = s + 0.5
    except Exception:
        s = 99.0
    return s + 0.5


CASES = [
    (program, _NUMBERS)
    for program in (
        caught, clauses, state_of_the_loop, in_a_loop, leaves_the_loop, returns_from_everywhere,
        inner_passes_on, handler_raises, text_of_exception, attribute_of_exception, in_a_callee,
        objects, assertion, division, unneeded_division, else_is_not_covered, order_of_prints,
        undefined_in_handler, changed_by_finally, enclosing_variable, first_handler_wins,
        none_until_caught, abandoned_return, raised_on_every_way, python_value_raised_after, search,
    )
]
CASES.append((loop_whose_variable_widens, [(0,), (3,)]))
