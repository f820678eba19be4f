class Node:
    def __init__(self, value):
        self.value = value


def f(x):
    nodes = []
    for i in range(x):
        nodes.append(Node(i))
    nodes[0].value = 5
    return len(nodes)


ARGS = (3,)
