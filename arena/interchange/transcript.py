"""Games as text for reading: who played, the moves in the game's own notation, and how it ended."""

from __future__ import annotations

import textwrap
from typing import Any

from engines.game import Game
from workers.core.contract import MatchRecord

WIDTH = 100


def transcript(record: MatchRecord, game: Game[Any], *, title: str) -> str:
    """One game, ended by an empty line.

    A ply is its number from 1, the side's mark (``1`` or ``2``) and the move; plies that nobody was asked
    for, of an opening or a pass, are in brackets.
    """
    result = record.result
    first, second = (_bot(ref.name, ref.version) for ref in record.spec.bots)
    plies = " ".join(_ply(move.ply, move.seat, move.move, asked=move.asked) for move in result.moves)
    params = ", ".join(f"{name} {_value(value)}" for name, value in game.params.items())
    head = [title, f"{game.name}{f' ({params})' if params else ''}", f"1: {first}", f"2: {second}"]
    body = textwrap.wrap(plies, WIDTH, break_long_words=False, break_on_hyphens=False)
    forfeits = [f"{each.seat + 1}: {each.code} at ply {each.ply + 1}" for each in result.forfeits]
    return "\n".join([*head, *body, *forfeits, _end(record)]) + "\n\n"


def _bot(name: str, version: int | None) -> str:
    return name if version is None else f"{name} v{version}"


def _value(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _ply(ply: int, seat: int, move: str, *, asked: bool) -> str:
    text = f"{ply + 1}.{seat + 1}:{move}"
    return text if asked else f"[{text}]"


def _end(record: MatchRecord) -> str:
    result = record.result
    made = {0: "1 wins", 1: "2 wins"}.get(result.winner if result.winner is not None else -1)
    told = made or ("both lose" if result.forfeits else "draw")
    return f"{told} ({result.reason}), {result.score[0]}-{result.score[1]}"
