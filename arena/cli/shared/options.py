"""Options that several commands share, and reading what is typed after them."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import typer

from arena.cli.shared.completing import games
from arena.cli.shared.failures import UsageError
from arena.core.terms import Scope
from arena.core.words import say
from arena.theory.rating.models import ModelName

AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON document (keys: docs/cli.md).")]
Data = Annotated[
    Path | None,
    typer.Option("--data", metavar="DIR", help="The data folder; else ARENA_DATA_DIR, else ./arena-data."),
]
Url = Annotated[str | None, typer.Option(help="The arena's address [default: the one in use].")]
Ca = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE", help="The certificate of the arena's CA, to be trusted [default: ARENA_CA]."
    ),
]
Params = Annotated[
    list[str] | None,
    typer.Option(
        "--param", metavar="NAME=VALUE", help="A parameter of the game, its value in JSON; repeatable."
    ),
]

RatingModel = Annotated[
    ModelName, typer.Option("--model", help="Ours, or another program's for comparing figures.")
]

TokenScope = Annotated[
    Scope,
    typer.Option(
        help="What it is good for: `read`; `submit`, also handing in and entering bots; `feed`, the address"
        " of the user's news alone; or `all` that the user may do."
    ),
]
TokenDays = Annotated[
    int | None, typer.Option(min=1, max=366, help="How many days it is good [default: until it is revoked].")
]

Unsafe = Annotated[
    bool, typer.Option("--unsafe", help="Run the bots without a sandbox; for bots of your own only.")
]


def allow_unsafe(unsafe: bool) -> None:
    """Where `--unsafe` was given, start every bot of this command, and of its processes, unconfined."""
    if unsafe:
        from workers.core.settings import get_settings

        os.environ["ARENA_CONFINEMENT"] = "none"
        get_settings.cache_clear()


Force = Annotated[bool, typer.Option("--force", help="Replace what is there, whatever it is.")]
Seed = Annotated[
    int, typer.Option(metavar="N", min=0, max=2**53 - 1, help="Decides all that is left to chance.")
]
GameName = Annotated[str, typer.Option("--game", metavar="NAME", help="The game.", autocompletion=games)]
TournamentName = Annotated[str, typer.Argument(metavar="TOURNAMENT", help="The tournament's name.")]


@dataclass(frozen=True)
class OpeningOptions:
    """Openings of games that are played here or counted: how many, and how long."""

    openings: Annotated[
        int, typer.Option(metavar="N", min=0, max=1000, help="Different random balanced openings.")
    ] = 0
    opening_plies: Annotated[
        int | None, typer.Option(metavar="P", min=1, max=1000, help="Plies of an opening [default: 6].")
    ] = None

    def both(self) -> tuple[int, int]:
        """How many, and of how many plies.

        Raises:
            UsageError: there are plies, and no openings that have them.
        """
        if self.opening_plies is not None and not self.openings:
            raise UsageError(
                say("--opening-plies is the length of openings that are drawn: add --openings N")
            )
        return self.openings, 6 if self.opening_plies is None else self.opening_plies


@dataclass(frozen=True)
class DrawOptions:
    """When a game is a draw by policy."""

    repetition: Annotated[
        int | None,
        typer.Option(metavar="N", min=2, max=1000, help="Times a position draws [default: 3, if any can]."),
    ] = None
    max_plies: Annotated[
        int | None,
        typer.Option(
            metavar="N", min=1, max=100_000, help="Plies that draw [default: the game's own limit]."
        ),
    ] = None

    @property
    def both(self) -> tuple[int | None, int | None]:
        """Repetitions and plies."""
        return self.repetition, self.max_plies


@dataclass(frozen=True)
class TimeOptions:
    """The time control of a match."""

    time: Annotated[
        str | None, typer.Option(metavar="DURATION", help="Time for an answer [default: 60s].")
    ] = None
    extensions: Annotated[
        int | None, typer.Option(metavar="N", min=0, help="Extensions a game [default: 3].")
    ] = None
    extension_time: Annotated[
        str | None,
        typer.Option(metavar="DURATION", help="Whole time of an extended answer [default: twice --time]."),
    ] = None

    def control(self, **others: str | None) -> dict[str, Any]:
        """The fields of a time control that were asked for; what is not there keeps its default.

        A move time without an extension time makes an extension run to twice the move time. `others` are
        further durations by the name of their field without `_ms`.

        Raises:
            UsageError: a duration cannot be read, an extension would shorten the time for an answer, or there
                is an increment without the bank that it would go to.
        """
        if others.get("increment") is not None and others.get("bank") is None:
            raise UsageError(say("--increment adds to the bank: give --bank too, which may be 0s"))
        control: dict[str, Any] = {}
        if self.time is not None:
            control["move_ms"] = milliseconds(self.time)
            control["extension_ms"] = 2 * control["move_ms"]
        if self.extension_time is not None:
            control["extension_ms"] = milliseconds(self.extension_time)
        if self.extensions is not None:
            control["extensions"] = self.extensions
        control |= {f"{name}_ms": milliseconds(text) for name, text in others.items() if text is not None}
        if control.get("extension_ms", 120_000) < control.get("move_ms", 60_000):
            raise UsageError(
                say("--extension-time is the whole time of an extended answer: it must not be below --time")
            )
        return control


_UNITS = {"ms": 1, "s": 1000, "m": 60_000, "h": 3_600_000, "": 1000}
_DURATION = re.compile(r"(\d+(?:\.\d+)?)\s*(ms|s|m|h|)")


def milliseconds(text: str) -> int:
    """A duration such as `500ms`, `1s`, `1.5m`, `60` (seconds), in milliseconds.

    Raises:
        UsageError: it is not a duration.
    """
    matched = _DURATION.fullmatch(text.strip())
    if not matched:
        raise UsageError(
            say("{it!r} is not a duration; write 500ms, 1s, 2m, or a number of seconds", it=text)
        )
    value = float(matched[1]) * _UNITS[matched[2]]
    if value != int(value):
        raise UsageError(say("{it!r} is finer than a millisecond", it=text))
    return int(value)


def game_params(texts: list[str] | None) -> dict[str, Any]:
    """The parameters typed as NAME=VALUE; a value that is not JSON is taken as a string.

    Raises:
        UsageError: one has no name, or stands there twice.
    """
    params: dict[str, Any] = {}
    for text in texts or []:
        name, equals, value = text.partition("=")
        if not equals or not name:
            raise UsageError(say("{it!r} is not a parameter; write NAME=VALUE, such as size=6", it=text))
        if name in params:
            raise UsageError(say("the parameter {name!r} is given twice", name=name))
        try:
            params[name] = json.loads(value)
        except (ValueError, RecursionError):
            params[name] = value
    return params


def params_text(params: Mapping[str, Any]) -> str:
    """The parameters as `--param` takes each of them."""
    return ", ".join(f"{name}={json.dumps(value, separators=(',', ':'))}" for name, value in params.items())


def sized_params(game: str, size: str | int | None, texts: list[str] | None) -> dict[str, Any]:
    """The same with that of the game which `--size` stands for.

    Raises:
        UsageError: the game has none.
        UnknownGameError: there is no such game.
    """
    typed = list(texts or [])
    if size is not None:
        from engines.games import all_games, find_row

        row = find_row(game)
        if row.size is None:
            sized = ", ".join(sorted(row.name for row in all_games().values() if row.size))
            raise UsageError(say("{game} has no size; --size is for {sized}", game=game, sized=sized))
        is_list = isinstance(row.rules().params[row.size], list | tuple)
        typed.append(f"{row.size}=[{str(size).strip('[]')}]" if is_list else f"{row.size}={size}")
    return game_params(typed)
