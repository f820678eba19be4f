class Number:
    def __init__(self, value):
        self.value = value

    @property
    def sign(self):
        if self.value > 0:
            return 1
        return -1


def f(x):
    return Number(x).sign


ARGS = (1,)
