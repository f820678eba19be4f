"""Programs whose objects get an attribute on one path, or in a loop; classes with defaults."""

import copy
import dataclasses


class Meter:
    total = 0
    best = None

    def add(self, x):
        if x > 1:
            self.total += x
        return self.total

    def see(self, x):
        if self.best is None or x > self.best:
            self.best = x
        return self.best


class Slotted:
    __slots__ = ("v",)


class Answering:
    def __getattr__(self, name):
        if name == "z":
            return 42
        raise AttributeError(f"no {name}")


class Guarded:
    @property
    def value(self):
        return self._value

    @value.setter
    def value(self, value):
        self._value = value


@dataclasses.dataclass
class Point:
    x: int
    y: int = 3


def class_default_in_a_branch(x):
    meter = Meter()
    meter.add(x)
    return meter.add(x + 1), meter.total


def class_default_in_a_loop(n):
    meter = Meter()
    for i in range(n):
        meter.total += i
        meter.see(i)
    return meter.total


def class_default_none(x):
    meter = Meter()
    meter.see(x)
    return meter.see(x * 2)


def class_default_changed_later(x):
    class Base:
        v = 1

    class Derived(Base):
        pass

    made = Derived()
    if x > 2:
        made.v = x
    Base.v = 10
    return made.v


def missing_or_not(x):
    meter = Meter()
    if x > 1:
        meter.extra = x * 2
    return meter.extra


def missing_is_handled(x):
    meter = Meter()
    if x > 1:
        meter.extra = x * 2
    try:
        return meter.extra
    except AttributeError:
        return -1


def asked_for(x):
    meter = Meter()
    if x > 1:
        meter.extra = x * 2
    found = hasattr(meter, "extra")
    return found, getattr(meter, "extra", -5), hasattr(meter, "total")


def first_set_in_a_loop(n):
    meter = Meter()
    for i in range(n):
        if hasattr(meter, "sum"):
            meter.sum = meter.sum + i
        else:
            meter.sum = 10
    return meter.sum


def found_before_a_break(n):
    meter = Meter()
    for i in range(n):
        if i == 1:
            meter.found = i
            break
    return meter.found if hasattr(meter, "found") else -1


def list_made_on_demand(n):
    meter = Meter()
    for i in range(n):
        if not hasattr(meter, "items"):
            meter.items = []
        meter.items.append(i)
    return len(meter.items) if n > 0 else 0


def deleted_on_one_path(x):
    meter = Meter()
    meter.q = 1
    if x > 1:
        del meter.q
    return hasattr(meter, "q")


def by_name(x):
    meter = Meter()
    if x > 1:
        setattr(meter, "k", x)
    return getattr(meter, "k")


def in_a_slot(x):
    made = Slotted()
    if x > 1:
        made.v = x
    return made.v


def with_getattr(x):
    made = Answering()
    if x > 1:
        made.z = x
    return made.z


def with_getattr_that_refuses(x):
    made = Answering()
    if x > 1:
        made.w = x
    return made.w


def behind_a_property(x):
    made = Guarded()
    if x > 1:
        made.value = x
    return made.value


def of_a_dataclass(x):
    p = Point(x)
    if x > 1:
        del p.y
    return p.y


def copied(x):
    meter = Meter()
    if x > 1:
        meter.extra = x
    return getattr(copy.copy(meter), "extra", 0)


def inside_another(x):
    meter = Meter()
    meter.inner = Meter()
    if x > 0:
        if x > 1:
            meter.inner.v = x
        else:
            meter.inner.w = -x
    return getattr(meter.inner, "v", 0) + getattr(meter.inner, "w", 0)


def objects_of_different_attributes(x):
    p = Point(1)
    if x > 1:
        p = Point(x)
        p.extra = 9
    return hasattr(p, "extra"), p.x


def set_later_anyway(x):
    meter = Meter()
    if x > 1:
        meter.k = x
    meter.k = 5
    return meter.k, len(vars(meter))


CASES = [
    (function, [(0,), (1,), (2,), (5,)])
    for function in (
        class_default_in_a_branch, class_default_in_a_loop, class_default_none,
        class_default_changed_later, missing_or_not, missing_is_handled, asked_for,
        first_set_in_a_loop, found_before_a_break, list_made_on_demand, deleted_on_one_path,
        by_name, in_a_slot, with_getattr,
        with_getattr_that_refuses, behind_a_property, of_a_dataclass, copied, inside_another,
        objects_of_different_attributes, set_later_anyway,
    )
]
