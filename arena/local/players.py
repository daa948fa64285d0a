"""From what is typed for a bot to the command that starts it."""

from __future__ import annotations

import os
import shlex
import shutil
from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from arena.core.sayings import said
from arena.core.words import say
from arena.local.errors import InputError

if TYPE_CHECKING:
    from engines.game import Game
    from workers.programs.runtimes.manifest import Manifest
    from workers.sandbox.confinement import Command, Startable

NAME_CHARS = 80
ENTRY = "main.py"


Following = Callable[[str], AbstractContextManager[Callable[[int, int], None]]]
"""Shows a piece of work of that name; what its block gets is called with (done, total)."""


class Player(NamedTuple):
    """A bot of a local match: `argument` as it was typed, `name` for people, `command` what starts it."""

    argument: str
    name: str
    command: Startable


def find_player(argument: str) -> Player:
    """The bot that `argument` means: `@name`, a `.py` file, a folder with `main.py`, a program, a command.

    Any other file or folder is built as a submission would be. A bot is started in a scratch folder, so files
    named in a command are given to it by absolute path.

    Raises:
        InputError: nothing usable; the message says why.
        WorkerError: it cannot be built on this host.
    """
    if argument.startswith("@"):
        return Player(argument, argument, _reference(argument[1:]))
    if not argument.strip():
        raise InputError(say("a bot is a path, a folder, a command, or @name; nothing was given"))
    try:
        path = Path(argument).expanduser()
        if path.is_dir():
            return Player(argument, _name(path.resolve().name), _folder(path))
        if path.is_file():
            return Player(argument, _name(path.stem), _file(path))
    except (OSError, RuntimeError):  # no path: it is too long, or the home of nobody
        pass
    return Player(argument, _name(argument), _typed(argument))


def distinct(players: Sequence[Player]) -> tuple[Player, ...]:
    """The same players under names of their own.

    Files and folders of one name are called by as much of their paths as tells them apart, and long commands
    by their ends, whatever order they stand in; what is the same bot several times is numbered.
    """
    names, places = [player.name for player in players], [_place(player) for player in players]
    for name in {name for name in names if names.count(name) > 1}:
        same = [at for at, other in enumerate(names) if other == name]
        for at, told in _told_apart([places[at] for at in same], same).items():
            names[at] = told
    taken, twice = set(names), {name for name in names if names.count(name) > 1}
    for at, name in enumerate(names):
        if name in twice:
            numbered = (f"{name} ({number})" for number in count(1))
            names[at] = next(each for each in numbered if each not in taken)
            taken.add(names[at])
    return tuple(player._replace(name=name) for player, name in zip(players, names, strict=True))


def _told_apart(places: Sequence[tuple[str, ...]], keys: Sequence[int]) -> dict[int, str]:
    """A name for each place by the shortest ends that differ wherever the places do; none for one place."""
    different = len(set(places))
    for parts in range(1, max(map(len, places)) + 1):
        ends = ["/".join(place[-parts:]) for place in places]
        if 1 < different == len(set(ends)):
            short = (end if len(end) <= NAME_CHARS else f"…{end[1 - NAME_CHARS :]}" for end in ends)
            return dict(zip(keys, short, strict=True))
    return {}


def _place(player: Player) -> tuple[str, ...]:
    """Where the player's file or folder lies, a part of its path each; else what was typed."""
    try:
        path = Path(player.argument).expanduser()
        return path.resolve().parts if path.exists() else (player.argument,)
    except (OSError, RuntimeError):  # no path: it is too long, or the home of nobody
        return (player.argument,)


def _name(text: str) -> str:
    return text if len(text) <= NAME_CHARS else f"{text[: NAME_CHARS - 1]}…"


def make_ready(players: Iterable[Player], game: Game[Any], following: Following) -> None:
    """See that the reference bots among `players` can play `game`, and build the tables they need for it.

    How far that is, `following` is told.

    Raises:
        InputError: one of them does not play it.
        GameError: one has wrong parameters, or is to play perfectly what cannot be solved.
    """
    from bots.reference import UnknownBotError
    from bots.reference.ready import make_ready as see_to

    for argument in dict.fromkeys(player.argument for player in players if player.argument.startswith("@")):
        with following(say("making {argument} ready", argument=argument)) as progress:
            try:
                see_to(argument[1:], game, progress)
            except UnknownBotError as error:
                raise InputError(str(error)) from None


def _reference(text: str) -> Command:
    from bots.reference import UnknownBotError, command, known_bots
    from engines.solvers.tables import tables_dir

    if text.partition(":")[0] not in known_bots(text):
        raise InputError(
            say(
                "there is no reference bot @{it}; there are @{names}",
                it=text,
                names=", @".join(sorted(known_bots(text))),
            )
        )
    try:
        return command(text, tables_dir())
    except UnknownBotError as error:
        raise InputError(str(error)) from None


def _interpreter() -> Command:
    from workers.core.settings import get_settings

    return tuple(shlex.split(get_settings().bot_python))


def _folder(path: Path) -> Startable:
    main = path / ENTRY
    return _python(main) if main.is_file() and _manifest(path).protocol is None else _built(path)


def _file(path: Path) -> Startable:
    if path.suffix == ".py":
        return _python(path)
    return (str(path.absolute()),) if os.access(path, os.X_OK) else _built(path)


def _python(path: Path) -> Startable:
    """A bot that is started by its file as it lies there, with the packages that its folder says it needs."""
    from workers.programs.environments import RESERVE_MB, find
    from workers.sandbox.confinement import Program

    command = (*_interpreter(), str(path.absolute()))
    name = _manifest(path.parent).environment if path.name == ENTRY else None
    if name is None:
        return command
    return Program(command, (path.parent.absolute(),), reserve_mb=RESERVE_MB, packages=find(name).site)


def _manifest(folder: Path) -> Manifest:
    """What the bot of a folder says of itself.

    Raises:
        InputError: its `bot.toml` cannot be used.
    """
    from workers.core.errors import ArchiveError
    from workers.programs.runtimes.manifest import FILE, Manifest, read_manifest

    try:
        return read_manifest((folder / FILE).read_bytes())
    except FileNotFoundError:
        return Manifest()
    except ArchiveError as error:
        raise InputError(f"{folder}: {said(str(error))}") from None


def _built(path: Path) -> Startable:
    from workers.sandbox.confinement import CONFINES

    if not CONFINES:
        raise InputError(
            say("{path}: bots are built on Linux only; here .py files and programs are started", path=path)
        )
    from arena.local.build import build_here

    return build_here(path)


def _typed(argument: str) -> Command:
    try:
        words = shlex.split(argument)
    except ValueError as error:
        raise InputError(
            say("the command {argument!r} cannot be read: {error}", argument=_name(argument), error=error)
        ) from None
    program = _program(words[0]) if words else None
    if program is None:
        what = (
            say("there is no program {name!r}", name=_name(words[0]))
            if len(words) > 1
            else say("there is no such file or program")
        )
        raise InputError(
            say(
                "{argument!r} is no bot: {what}; a bot is a .py file, a folder with main.py, a program, "
                "a command in quotes, or @name",
                argument=_name(argument),
                what=what,
            )
        )
    return (os.path.abspath(program), *map(_absolute_if_file, words[1:]))  # noqa: PTH100  (keeps symlinks)


def _program(word: str) -> str | None:
    try:
        return shutil.which(word)
    except OSError:  # too long for a path
        return None


def _absolute_if_file(word: str) -> str:
    try:
        return str(Path(word).absolute()) if not word.startswith("-") and Path(word).exists() else word
    except OSError:  # too long for a path
        return word
