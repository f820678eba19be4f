class Log:
    def __init__(self):
        self.lines = []

    def write(self, line):
        self.lines.append(line)


def f(x):
    log = Log()
    if x > 0:
        log.write(x)
    return x


ARGS = (1,)
