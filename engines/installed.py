"""Games that others installed: entry points of the group `bot_arena.games`, each naming a row by its game.

They are looked up once, and only when a game is asked for that is not here. What cannot be used is left out,
with a sentence that says why, and nothing else suffers from it.
"""

from __future__ import annotations

import dataclasses
import re
from collections import defaultdict
from collections.abc import Mapping
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

from engines.game import Game
from engines.plugin import BOTS, INTERFACE, PLAYERS, GamePlugin, load
from engines.presentation import Presentation

if TYPE_CHECKING:  # a bot's process that plays what is here would read it for nothing
    from importlib.metadata import EntryPoint

GROUP = "bot_arena.games"
NAME = re.compile(r"[a-z][a-z0-9_]{0,39}")


class UnusableError(Exception):
    """What is installed as a game is none that can be used here; the message says why."""


class Installed(NamedTuple):
    """The rows of the games that can be used, by name, and why the others cannot."""

    games: Mapping[str, GamePlugin]
    faults: Mapping[str, str]


@cache
def installed(taken: frozenset[str], players: frozenset[str]) -> Installed:
    """What is installed besides the games called as `taken`, whose own players are called as `players`."""
    games: dict[str, GamePlugin] = {}
    faults: dict[str, str] = {}
    for name, points in sorted(_found().items()):
        whose = " and ".join(sorted({point.dist.name if point.dist else "?" for point in points}))
        try:
            row = _row(_only(points, taken), players)
        except UnusableError as error:
            faults[name] = f"the game {name[:40]!r} of {whose} cannot be used: {error}"
        else:
            games[name] = row
            players |= _own_players(row)
    return Installed(games, faults)


def _found() -> Mapping[str, list[EntryPoint]]:
    from importlib.metadata import entry_points  # noqa: PLC0415 - see above

    by_name = defaultdict(list)
    for point in entry_points(group=GROUP):
        by_name[point.name].append(point)
    return by_name


def entry_point(name: str) -> EntryPoint:
    """What the installed game of that name was found by.

    Raises:
        KeyError: none of that name is installed.
    """
    return dict(_found())[name][0]


def _only(points: list[EntryPoint], taken: frozenset[str]) -> EntryPoint:
    """The only one of the entry points of a name, if nothing else is called so."""
    if points[0].name in taken:
        raise UnusableError("a game of that name is part of the arena; call yours otherwise")
    if len(points) > 1:
        raise UnusableError("one name has several games; uninstall all but one")
    return points[0]


def _row(point: EntryPoint, players: frozenset[str]) -> GamePlugin:
    """What an entry point names, if it is a row that can be used beside games with these `players`."""
    try:
        row = point.load()
    except Exception as error:  # noqa: BLE001 - it is others' code, and may fail in any way
        raise UnusableError(f"{point.value} cannot be read: {type(error).__name__}: {error}") from None
    if not isinstance(row, GamePlugin):
        raise UnusableError(f"{point.value} is no engines.plugin.GamePlugin")
    if row.interface != INTERFACE:
        raise UnusableError(
            f"it was written for version {row.interface} of the interface, and here is {INTERFACE};"
            f" install a release of it for version {INTERFACE}"
        )
    _check_rules(point.name, row.rules)
    _check_presentation(row.presentation)
    _check_libraries(row.libraries)
    if twice := sorted(_own_players(row) & players | set(row.bots) & {*PLAYERS, *BOTS}):
        raise UnusableError(f"another game has a player {twice[0]!r} already; call yours otherwise")
    if row.kernel and not all(n > 0 and n % 2 == 0 for n in (row.kernel.random, row.kernel.thinking)):
        raise UnusableError("its kernel's numbers of games must be even and above 0")
    if row.plain <= 0 or row.plain % 2:
        raise UnusableError(f"plain must be an even number above 0, not {row.plain}")
    return row


def _check_rules(name: str, rules: Any) -> None:
    is_dataclass = dataclasses.is_dataclass(rules)
    if not (is_dataclass and isinstance(rules, type) and issubclass(rules, Game)):
        raise UnusableError("its rules are no dataclass that derives from engines.game.Game")
    if getattr(rules, "name", None) != name or not NAME.fullmatch(name):
        raise UnusableError(
            f"its rules are called {getattr(rules, 'name', None)!r}; name and entry point must be the same,"
            " of small letters, digits and _"
        )
    if (rules.seats, rules.has_chance, rules.has_hidden_information) != (2, False, False):
        raise UnusableError(
            "only games of two seats are played, without chance and without hidden information"
        )
    try:
        game = rules()
        game.initial()
        hash(game)
        missing = [each for each in ("version", "rules", "notation") if not getattr(game, each, None)]
    except Exception as error:  # noqa: BLE001 - as above
        raise UnusableError(f"it cannot be begun: {type(error).__name__}: {error}") from None
    if missing:
        raise UnusableError(f"its rules lack {' and '.join(missing)}")


def _check_presentation(reference: str | None) -> None:
    try:
        maker = load(reference) if reference else Presentation
    except Exception as error:  # noqa: BLE001 - as above
        raise UnusableError(f"its presentation cannot be read: {type(error).__name__}: {error}") from None
    if not (isinstance(maker, type) and issubclass(maker, Presentation)):
        raise UnusableError("its presentation is no class derived from engines.presentation.Presentation")


def _check_libraries(reference: str | None) -> None:
    if reference is None:
        return
    from importlib.resources import files  # noqa: PLC0415 - see above

    package, _, folder = reference.partition(":")
    try:
        is_there = files(package).joinpath(folder).is_dir()
    except Exception as error:  # noqa: BLE001 - as above
        raise UnusableError(f"its libraries cannot be read: {type(error).__name__}: {error}") from None
    if not is_there:
        raise UnusableError(f"its libraries cannot be read: {package} has no folder {folder!r}")


def _own_players(row: GamePlugin) -> frozenset[str]:
    """The names of the players that no other game may have: a bot is started by its name."""
    return frozenset({*row.players, *row.bots} - {*PLAYERS})
