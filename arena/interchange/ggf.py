r"""Games of Othello in the Generic Game Format of the GGS game server.

By the server's description (skatgame.net/mburo/ggsa/ggf): a game is ``(;GM[Othello] … ;)``, `PB` and `PW`
are Black and White, `TY` is the size and ``a`` for the anti variant (fewest discs win), `BO` the board and
who moves first (``*`` Black, ``O`` White), `B` and `W` are moves with ``//`` and the seconds they took, and
`RE` is the result as the first colour, Black, sees it, with ``:r`` for a resignation and ``:t`` for time.

In the anti variant a positive result is Black's too: White's discs less Black's. A game that both forfeited
has the result ``?``. ``]`` and ``\`` in texts follow a backslash, and control characters are ``\u{…}``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from arena.interchange.errors import FileFormatError
from arena.interchange.escaping import escape, unescape

PASS = "pass"  # noqa: S105  (a move, not a word of admission)
FLAGS = ("", "r", "t", "s")
CLOSING = "]"

_PROPERTY = re.compile(r"\s*([A-Z]+)\[((?:\\.|[^\]\\])*)\]", re.DOTALL)
_TYPE = re.compile(r"s?(\d+)([a-z0-9]*)")
_RESULT = re.compile(r"([+-]?\d+(?:\.\d+)?)(?::([rts]))?")
_SQUARE = re.compile(r"[a-z]\d{1,2}")
_PASSES = {"pa", "pass", "ps", "--"}


class GgfMove(NamedTuple):
    """One ply: `B` or `W`, a square as in ``f5`` or ``pass``, and the seconds it took, if known."""

    colour: str
    move: str
    seconds: float | None = None


@dataclass(frozen=True)
class GgfGame:
    """One game; `board` holds ``-``, ``*`` and ``O`` row by row, `result` is None where there is none."""

    black: str
    white: str
    size: int
    anti: bool
    board: str
    to_move: str
    moves: tuple[GgfMove, ...]
    result: float | None
    flag: str = ""
    place: str = ""
    date: str = ""


def write(game: GgfGame) -> str:
    """The game in one line."""
    rows = [game.board[at : at + game.size] for at in range(0, len(game.board), game.size)]
    told = {
        "GM": "Othello",
        "PC": game.place,
        "DT": game.date,
        "PB": game.black,
        "PW": game.white,
        "TY": f"{game.size}{'a' if game.anti else ''}",
        "RE": _result(game),
        "BO": " ".join((str(game.size), *rows, game.to_move)),
    }
    head = "".join(f"{name}[{escape(value, CLOSING)}]" for name, value in told.items())
    return f"(;{head}{''.join(map(_move, game.moves))};)\n"


def _result(game: GgfGame) -> str:
    if game.result is None:
        return "?"
    return f"{game.result:+.3f}" + (f":{game.flag}" if game.flag else "")


def _move(move: GgfMove) -> str:
    text = "PA" if move.move == PASS else move.move.upper()
    return f"{move.colour}[{text}]" if move.seconds is None else f"{move.colour}[{text}//{move.seconds:.3f}]"


def read(text: str) -> Iterator[GgfGame]:
    """The games of a GGF file; properties that are not about the game's course are passed over.

    Raises:
        FileFormatError: a game is not Othello, lacks its players, board or result, or has an unreadable move.
    """
    at, number = text.find("(;"), 1
    while at >= 0:
        told: dict[str, str] = {}
        moves: list[GgfMove] = []
        at += 2
        while matched := _PROPERTY.match(text, at):
            at = matched.end()
            name, value = matched[1], unescape(matched[2], CLOSING)
            if name in {"B", "W"}:
                moves.append(_read_move(name, value, number))
            else:
                told[name] = value
        if not text[at:].lstrip().startswith(";)"):
            raise FileFormatError(
                f"game {number}: {text[at : at + 20]!r} is neither a property nor the end, ';)'"
            )
        yield _game(told, tuple(moves), number)
        at, number = text.find("(;", at), number + 1


def _read_move(colour: str, value: str, number: int) -> GgfMove:
    text, _, rest = value.partition("/")
    move = text.strip().lower()
    if move not in _PASSES and not _SQUARE.fullmatch(move):
        raise FileFormatError(f"game {number}: {value[:20]!r} is no move; it is a square, as in F5, or PA")
    seconds = rest.partition("/")[2].strip()
    try:
        return GgfMove(colour, PASS if move in _PASSES else move, float(seconds) if seconds else None)
    except ValueError:
        raise FileFormatError(
            f"game {number}: the move {value[:20]!r} has no time in seconds at its end"
        ) from None


def _game(told: Mapping[str, str], moves: tuple[GgfMove, ...], number: int) -> GgfGame:
    missing = [name for name in ("GM", "PB", "PW", "TY", "RE", "BO") if name not in told]
    if missing:
        raise FileFormatError(f"game {number}: there is no {missing[0]}[…]")
    if told["GM"].lower() != "othello":
        raise FileFormatError(f"game {number}: it is {told['GM'][:20]!r}; only Othello is read")
    kind = _TYPE.fullmatch(told["TY"].strip())
    if kind is None:
        raise FileFormatError(f"game {number}: the type {told['TY'][:20]!r} is none, as in 8 or 8a")
    size = int(kind[1])
    board, to_move = _board(told["BO"], size, number)
    result, flag = _read_result(told["RE"], number)
    return GgfGame(
        black=told["PB"],
        white=told["PW"],
        size=size,
        anti="a" in kind[2],
        board=board,
        to_move=to_move,
        moves=moves,
        result=result,
        flag=flag,
        place=told.get("PC", ""),
        date=told.get("DT", ""),
    )


def _board(text: str, size: int, number: int) -> tuple[str, str]:
    first, *rest = text.split() or [""]
    cells = "".join(rest)
    if first != str(size) or len(cells) != size * size + 1 or not set(cells) <= set("-*O"):
        raise FileFormatError(
            f"game {number}: BO[…] must hold {size}, {size} rows of -, * and O, and who moves, * or O"
        )
    return cells[:-1], cells[-1]


def _read_result(text: str, number: int) -> tuple[float | None, str]:
    if text.strip() == "?":
        return None, ""
    matched = _RESULT.fullmatch(text.strip())
    if matched is None:
        raise FileFormatError(f"game {number}: the result {text[:20]!r} is none, as in +12.000 or -64.000:t")
    return float(matched[1]), matched[2] or ""
