from engines.game import Move

class Estimator:
    def __init__(self, size: int, reversed: bool, weights: bytes) -> None: ...  # noqa: A002
    def value(self, own: int, opp: int, depth: int, played: Move | None, /) -> tuple[float, Move, float]: ...
