class Meter:
    pass


def f(x):
    meter = Meter()
    if x > 0:
        meter.extra = x
    return len(meter.__dict__)


ARGS = (1,)
