class Log:
    def __init__(self):
        self.lines = []

    def write(self, line):
        self.lines.append(line)


log = Log()


def f(x):
    if x > 0:
        log.write(x)
    return x


ARGS = (1,)
