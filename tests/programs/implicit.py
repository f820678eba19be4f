"""Programs whose objects' methods are called by Python: operators, properties, descriptors."""

import dataclasses
import functools


class Money:
    def __init__(self, amount):
        self.amount = amount

    @property
    def size(self):
        if self.amount > 0:
            return self.amount
        return -self.amount

    @size.setter
    def size(self, value):
        if value > 10:
            value = value - 10
        self.amount = value

    @functools.cached_property
    def once(self):
        if self.amount > 0:
            return self.amount * 2
        return self.amount

    def __add__(self, other):
        if other.amount > 2:
            return Money(self.amount + other.amount)
        return Money(self.amount - other.amount)

    def __radd__(self, number):
        if number > self.amount:
            return Money(number)
        return Money(number + self.amount)

    def __iadd__(self, number):
        if number > 1:
            self.amount = self.amount + number
        return self

    def __neg__(self):
        if self.amount > 3:
            return Money(-self.amount)
        return Money(self.amount)

    def __eq__(self, other):
        if self.amount > 100:
            return False
        return self.amount * 2 == other.amount

    def __lt__(self, other):
        if other.amount > 4:
            return True
        return self.amount < other.amount

    def __getitem__(self, key):
        if key > 2:
            key = key - 1
        return self.amount * key

    def __setitem__(self, key, value):
        if key > 0:
            self.amount = value

    def __contains__(self, value):
        if value > 3:
            return value == self.amount
        return False

    def __getattr__(self, name):
        if name == "doubled":
            if self.amount > 3:
                return self.amount * 2
            return 0
        raise AttributeError(name)

    def __bool__(self):
        if self.amount > 1:
            return True
        return False

    def __len__(self):
        if self.amount > 2:
            return 3
        return 1

    def __int__(self):
        if self.amount > 2:
            return 30
        return 10

    def __abs__(self):
        if self.amount > 2:
            return self.amount
        return 7

    def __str__(self):
        return f"{self.amount} in all"

    def __format__(self, spec):
        return f"<{self.amount}>{spec}"


class Change(Money):
    def __add__(self, other):
        total = super().__add__(other)
        if total.amount > 5:
            return total
        return Money(total.amount + 100)


class Clamped:
    def __set_name__(self, owner, name):
        self.name = "_" + name

    def __get__(self, instance, owner=None):
        if instance is None:
            return self
        value = getattr(instance, self.name)
        if value > 3:
            return 3
        return value

    def __set__(self, instance, value):
        if value < 1:
            value = 1
        setattr(instance, self.name, value)


class Knob:
    level = Clamped()

    def __init__(self, level):
        self.level = level


@dataclasses.dataclass(order=True)
class Pair:
    a: object
    b: object


@functools.total_ordering
class Rank:
    def __init__(self, value):
        self.value = value

    def __eq__(self, other):
        return self.value == other.value

    def __lt__(self, other):
        return self.value < other.value


class Stack:
    def __init__(self):
        self.items = []

    def push(self, value):
        self.items.append(value)

    def pop(self):
        return self.items.pop()

    def __len__(self):
        return len(self.items)

    def __contains__(self, value):
        return value in self.items

    def __iter__(self):
        for item in self.items:
            yield item


PURSE = Money(3)


def sum_of_two(n):
    return (Money(n) + Money(n * 2)).amount


def sum_in_a_loop(n):
    total = Money(1)
    for i in range(n):
        total = total + Money(i)
    return total.amount


def reflected(n):
    return (2 + Money(n)).amount


def in_place(n):
    money = Money(n)
    money += n
    return money.amount


def inherited(n):
    return (Change(n) + Money(n)).amount


def prefixed(n):
    return (-Money(n)).amount


def property_read(n):
    return Money(n - 3).size


def property_written(n):
    money = Money(n)
    money.size = n * 5
    return money.amount


def property_kept(n):
    money = Money(n)
    return money.once + money.once


def equal(n):
    if Money(n) == Money(n + 2):
        return 1
    return 2


def unequal(n):
    if Money(n) != Money(n + 2):
        return 1
    return 2


def less(n):
    if Money(n) < Money(n - 1):
        return 1
    return 2


def item_read(n):
    return Money(n)[n + 1]


def item_written(n):
    money = Money(n)
    money[n] = 7
    return money.amount


def contained(n):
    if n in Money(n):
        return 1
    return 2


def made_up(n):
    return Money(n).doubled


def tested(n):
    return 1 if Money(n) else 2


def denied(n):
    return not Money(n)


def repeated(n):
    money, turns = Money(n), 0
    while money:
        money.amount = money.amount - 1
        turns += 1
    return turns


def asserted(n):
    assert Money(n), "no money"
    return n


def counted(n):
    return len(Money(n)) + int(Money(n)) + abs(Money(n))


def described(n):
    money = Money(n)
    print(money, f"{money!s:>12}|{money:abc}")
    print("%s and {}" % money, "{} or {!s}".format(money, money))
    return n


def listed(n):
    pairs = [Pair(n, [n + 1])]
    print(pairs, {"a": pairs[0]})
    pairs.append(1)
    return n


def generated(n):
    if Pair(n, 1) < Pair(2, n) or Pair(n, 1) == Pair(1, 1):
        return 1
    return 2


def by_descriptor(n):
    knob = Knob(n)
    return knob.level * 10


def of_a_global(n):
    return (PURSE + Money(n)).amount


def raised_with_an_object(n):
    try:
        if n > 2:
            raise ValueError(f"got {Money(n)}")
    except ValueError as error:
        print(error)
    return n


def totally_ordered(n):
    a, b, found = Rank(n), Rank(2), 0
    if a >= b:
        found += 1
    if a > b:
        found += 10
    if a <= b:
        found += 100
    return found


def in_order(n):
    ranks = sorted([Rank(n), Rank(2), Rank(4)], reverse=True)
    smallest = min(ranks)
    return [rank.value for rank in ranks], smallest.value


def emptied(n):
    stack, total = Stack(), 0
    for i in range(n):
        stack.push(i)
    while stack:
        total = total * 2 + stack.pop()
    return total


def gone_through(n):
    stack, total = Stack(), 0
    for i in range(n):
        stack.push(i * 2)
    for item in stack:
        total += item
    return total, len(stack), 4 in stack


CASES = [
    (function, [(0,), (1,), (2,), (5,)])
    for function in (
        sum_of_two, sum_in_a_loop, reflected, in_place, inherited, prefixed, property_read,
        property_written, property_kept, equal, unequal, less, item_read, item_written, contained,
        made_up, tested, denied, repeated, asserted, counted, described, listed, generated,
        by_descriptor, of_a_global, raised_with_an_object,
        totally_ordered, in_order, emptied, gone_through,
    )
]
