RECORD: int

def play(
    size: int,
    reversed: bool,  # noqa: A002
    weights: bytes | None,
    seed: int,
    first: int,
    games: int,
    depth: int,
    solved: int,
    /,
) -> bytes: ...
def match(
    size: int,
    reversed: bool,  # noqa: A002
    weights_a: bytes | None,
    weights_b: bytes | None,
    seed: int,
    first: int,
    games: int,
    depth: int,
    solved: int,
    /,
) -> int: ...
def fit(
    size: int,
    reversed: bool,  # noqa: A002
    games: bytes,
    stage: int,
    steps: int,
    /,
) -> tuple[bytes, float, int, float, int]: ...
def are_games(size: int, reversed: bool, games: bytes, /) -> bool: ...  # noqa: A002
def file(size: int, reversed: bool, kept: bytes, /) -> bytes: ...  # noqa: A002
def stages(size: int, /) -> int: ...
