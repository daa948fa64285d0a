"""`arena demo`"""


def demo() -> None: ...
