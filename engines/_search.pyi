from engines.game import Move

class Search:
    def __init__(self, rows: int, columns: int, reversed: bool, memory: int) -> None: ...  # noqa: A002
    @property
    def memory(self) -> int: ...
    def solve(
        self,
        own: int,
        opp: int,
        alpha: int,
        beta: int,
        most: int | None,
        stop: bytearray | memoryview | None,
        /,
    ) -> tuple[int, int, Move | None, int, bool]: ...
