class Number:
    def __init__(self, value):
        self.value = value

    def __hash__(self):
        if self.value > 0:
            return 1
        return 2


def f(x):
    return {Number(x): 1}


ARGS = (1,)
