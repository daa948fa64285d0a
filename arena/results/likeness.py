"""How alike the bots of a class or a tournament are, for whoever may open their files."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files as resources
from importlib.resources.abc import Traversable

from sqlalchemy.orm import Session

from arena.access import permissions
from arena.core.errors import NotFoundError
from arena.store import bots as bot_store
from arena.store import summaries
from arena.store import tournaments as store
from arena.store.models import BotVersion, SchoolClass, Tournament, User
from arena.theory.likeness.comparison import Pair, compare, compare_two, given_code
from arena.theory.likeness.tokens import Code, is_source, read_code
from bots.sdk.libraries import LANGUAGES, library
from engines.games import GAMES, all_games
from workers.core.errors import ArchiveMissingError
from workers.programs.archive_store import ArchiveStore
from workers.programs.archives import files_of

USUAL_THRESHOLD = 0.6
"""Copies of which names, order and comments were changed are above it, and what was written apart is below;
decision 59 says of which."""
MAX_BOTS = 200
GIVEN = ("bots.sdk", "bots.starters", "bots.examples")
"""The packages with the code that everybody is given; the rules of installed games are given, too."""


@dataclass(frozen=True)
class Compared:
    """A version whose files were compared, or why they were not."""

    version: BotVersion
    code: Code | None
    why: str = ""

    @property
    def bot(self) -> str:
        """The bot's name."""
        return self.version.bot.name

    @property
    def team(self) -> str:
        """Its owner's name."""
        return self.version.bot.owner.name


@dataclass(frozen=True)
class Likeness:
    """What was compared, what was not, and the pairs above a threshold, the likest first."""

    compared: list[Compared]
    left_out: list[Compared]
    hidden: int
    pairs: list[Pair]


def versions_of_class(session: Session, school_class: SchoolClass) -> list[BotVersion]:
    """The newest version of each bot of a class."""
    bots = bot_store.of_class(session, school_class)
    newest = summaries.newest_versions(session, bots)
    return [newest[bot.id] for bot in bots if bot.id in newest]


def versions_of_tournament(session: Session, tournament: Tournament) -> list[BotVersion]:
    """The versions that play in a tournament, in the order of their bots' names."""
    entries = store.entries(session, tournament)
    return sorted((entry.version for entry in entries), key=lambda version: version.bot.name)


def likeness(
    archives: ArchiveStore, actor: User, versions: Sequence[BotVersion], threshold: float
) -> Likeness:
    """The pairs of different teams' bots that are alike; only of what the actor may open is read."""
    read, hidden = _read(archives, actor, versions)
    compared = [each for each in read if each.code is not None]
    works = [(each.team, each.code) for each in compared if each.code is not None]
    return Likeness(
        compared=compared,
        left_out=[each for each in read if each.code is None],
        hidden=hidden,
        pairs=compare(works, _given(), threshold),
    )


def two(
    archives: ArchiveStore, actor: User, versions: Sequence[BotVersion], first: str, second: str
) -> tuple[Compared, Compared, Pair]:
    """Two of the bots by their names, and what they have in common.

    Raises:
        NotFoundError: one is not among them, or cannot be compared; or they are one team's.
    """
    read, _ = _read(archives, actor, versions)
    compared = [each for each in read if each.code is not None]
    places = {each.bot: at for at, each in enumerate(compared)}
    if first not in places or second not in places:
        missing = second if first in places else first
        raise NotFoundError("there is no bot %(name)r here that is compared with others", name=missing[:80])
    one, other = compared[places[first]], compared[places[second]]
    if one.team == other.team:
        raise NotFoundError(
            "%(first)r and %(second)r are of one team, and are not compared", first=first, second=second
        )
    works = [(each.team, each.code) for each in compared if each.code is not None]
    return one, other, compare_two(works, _given(), places[first], places[second])


def _read(archives: ArchiveStore, actor: User, versions: Sequence[BotVersion]) -> tuple[list[Compared], int]:
    """The code of those that the actor may open, and how many others there are."""
    mine = [version for version in versions if permissions.opens(actor, version.bot)]
    read = [_code_of(archives, version) for version in mine[:MAX_BOTS]]
    read += [Compared(version, None, f"at most {MAX_BOTS} are compared") for version in mine[MAX_BOTS:]]
    return read, len(versions) - len(mine)


def _code_of(archives: ArchiveStore, version: BotVersion) -> Compared:
    try:
        found = files_of(archives.get(version.archive))
    except ArchiveMissingError as error:
        return Compared(version, None, str(error))
    code = read_code(found)
    if not code.kinds:
        return Compared(version, None, "it has no source code")
    return Compared(version, code)


@cache
def _given() -> frozenset[int]:
    others = all_games().keys() - GAMES.keys()
    rules = [library(game, language) for game in others for language in LANGUAGES]
    kit = [{str(source): source.read_bytes()} for source in _sources()]
    return given_code([read_code(files) for files in (*rules, *kit)])


def _sources() -> list[Traversable]:
    """The files of the packages that everybody is given, and of the folders in them."""
    found, waiting = list[Traversable](), [resources(package) for package in GIVEN]
    while waiting:
        for each in waiting.pop().iterdir():
            if each.is_dir():
                waiting.append(each)
            elif is_source(each.name):
                found.append(each)
    return found
