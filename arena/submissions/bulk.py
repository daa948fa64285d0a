"""A class's bots handed in at once: whose each is, what would become of it, and then all in one act.

Each is handed in as its team would have done it: the bot is the team's, and the same content again makes no
new version. What cannot be taken holds nothing else up.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from sqlalchemy.orm import Session

from arena.access import permissions
from arena.core.errors import ConflictError, ForbiddenError, InvalidError
from arena.core.games import UploadError, games_of
from arena.core.names import check_name, name_of_file
from arena.core.terms import Handed, Role
from arena.store import bots as store
from arena.store import classes as class_store
from arena.store import teams as team_store
from arena.store.database import release
from arena.store.models import SchoolClass, User
from arena.submissions import versions
from arena.submissions.batches import MAX_BATCH_UNPACKED, Part, take_apart
from arena.submissions.senders import Senders
from arena.submissions.versions import Prepared
from workers.core.errors import Flaw
from workers.programs.archive_store import ArchiveStore

REFUSED = (ConflictError, ForbiddenError, InvalidError)
HANDED_IN = frozenset({Handed.NEW_BOT, Handed.NEW_VERSION})
GOOD = HANDED_IN | {Handed.SAME}


@dataclass(frozen=True)
class PartOutcome:
    """What becomes of one part of an upload. `version` is the number that it has, or would have."""

    label: str
    files: int
    state: Handed
    team: str | None = None
    bot: str | None = None
    version: int | None = None
    language: str | None = None
    games: tuple[str, ...] = ()
    size: int | None = None
    problem: str | None = None
    flaw: Flaw | None = None


@dataclass(frozen=True)
class Choice:
    """What whoever hands in has chosen: games, and teams by the labels of parts; none for an empty name."""

    teams: Mapping[str, str] = field(default_factory=dict)
    games: Sequence[str] = ()


@dataclass
class _Class:
    """The teams of a class and their bots, as they were read before the work began."""

    teams: dict[str, User]
    senders: Senders
    owners: dict[str, str]
    """The owner of every bot of the class by the bot's name; other bots have none."""
    newest: dict[str, int]
    archives: dict[tuple[str, str], int]
    latest: dict[str, str]
    """The bot that a team has handed in last."""
    all_names: frozenset[str]


def teams_of(session: Session, school_class: SchoolClass) -> list[User]:
    """The teams of a class that bots can be handed in for, in the order of their names."""
    users = class_store.teams(session, school_class)
    return [user for user in users if user.role == Role.TEAM and user.team_id is None]


def look(
    session: Session, actor: User, school_class: SchoolClass, upload: bytes, choice: Choice
) -> list[PartOutcome]:
    """What would become of each part of an upload; nothing is handed in.

    Raises:
        ForbiddenError: the class is not the actor's to run.
        UploadError: the upload is no zip, or too much; or there is no such game.
        InvalidError: a team is named that the class does not have.
    """
    return [line for line, _ in _looked_at(session, actor, school_class, upload, choice)]


def hand_in(
    session: Session,
    actor: User,
    school_class: SchoolClass,
    upload: bytes,
    choice: Choice,
    *,
    archives: ArchiveStore,
) -> list[PartOutcome]:
    """Hand in every part that can be, in one transaction; the lines say what became of each.

    While the archives are made and stored the session is released: nothing may have been written before.

    Raises:
        ForbiddenError, UploadError, InvalidError: as of `look`.
        UnavailableError: the archives' store takes nothing; nothing was handed in.
    """
    looked = _looked_at(session, actor, school_class, upload, choice)
    for _, prepared in looked:
        if prepared is not None:
            versions.keep(archives, prepared)
    teams = {team.name: team for team in teams_of(session, school_class)}
    in_order = sorted(range(len(looked)), key=lambda at: looked[at][0].bot or "")  # as others lock bots
    done: dict[int, PartOutcome] = {}
    for at in in_order:
        line, prepared = looked[at]
        done[at] = line if prepared is None else _record(session, actor, teams, line, prepared)
    return [done[at] for at in range(len(looked))]


def _record(
    session: Session, actor: User, teams: Mapping[str, User], line: PartOutcome, prepared: Prepared
) -> PartOutcome:
    owner = teams.get(line.team or "")
    if owner is None or line.bot is None:
        return replace(line, state=Handed.REFUSED, problem=f"{line.team!r} has left the class")
    try:
        with session.begin_nested():
            if store.by_name(session, line.bot) is None:
                versions.check_new(session, line.bot)
            version, created = versions.record(session, actor, owner, line.bot, prepared)
    except REFUSED as error:
        return replace(line, state=Handed.REFUSED, problem=str(error))
    new = Handed.NEW_BOT if version.number == 1 else Handed.NEW_VERSION
    return replace(line, state=new if created else Handed.SAME, version=version.number)


def _looked_at(
    session: Session, actor: User, school_class: SchoolClass, upload: bytes, choice: Choice
) -> list[tuple[PartOutcome, Prepared | None]]:
    """Every part's line, with what is to be recorded where that is possible."""
    permissions.require_class(actor, school_class)
    known = _read(session, school_class)
    games_of(choice.games)
    if strange := sorted({name for name in choice.teams.values() if name} - known.teams.keys()):
        raise InvalidError(
            "the class %(name)r has no team %(team)r", name=school_class.name, team=strange[0][:80]
        )
    release(session)
    room, rows = MAX_BATCH_UNPACKED, list[tuple[PartOutcome, Prepared | None]]()
    for part in take_apart(upload, known.senders.knows):
        line, prepared = _look_at(part, known, choice, room)
        room -= len(prepared.content) if prepared else 0
        rows.append((line, prepared))
    wanted = Counter((line.team, line.bot) for line, _ in rows if line.state in GOOD)
    return [_unless_twice(line, prepared, wanted) for line, prepared in rows]


def _look_at(part: Part, known: _Class, choice: Choice, room: int) -> tuple[PartOutcome, Prepared | None]:
    said = choice.teams.get(part.label)
    if said == "":
        return PartOutcome(part.label, part.count, Handed.LEFT_OUT), None
    team = said or known.senders.of(part)
    line = PartOutcome(part.label, part.count, Handed.UNMATCHED, team)
    try:
        prepared = _prepared(part, choice.games, room)
    except UploadError as error:
        return replace(line, state=Handed.FAULTY, problem=str(error), flaw=error.flaw), None
    line = replace(
        line,
        language=prepared.source.word,
        games=tuple(prepared.games),
        size=len(prepared.content),
    )
    named = prepared.source.manifest.name
    team = team or known.owners.get(named or "")
    if team is None:
        return line, None
    bot = _bot_of(known, team, named, name_of_file(part.file_names[0]))
    number = known.archives.get((bot, prepared.archive))
    if number is not None:
        return replace(line, team=team, bot=bot, version=number, state=Handed.SAME), prepared
    newest = known.newest.get(bot, 0)
    state = Handed.NEW_VERSION if newest else Handed.NEW_BOT
    return replace(line, team=team, bot=bot, version=newest + 1, state=state), prepared


def _prepared(part: Part, games: Sequence[str], room: int) -> Prepared:
    file = part.file()
    prepared = versions.prepare(file.name, file.data, games)
    if len(prepared.content) > room:
        raise UploadError(
            f"all bots together unpack to more than {MAX_BATCH_UNPACKED} bytes; send this one apart",
            Flaw.TOO_LARGE,
        )
    return prepared


def _bot_of(known: _Class, team: str, named: str | None, stem: str) -> str:
    """Which bot of a team it is: the one that it or its file names, else the team's latest; else a new one.

    A new one is called as its `bot.toml` says, if nobody has that name, else like its team.
    """
    if named is not None and (known.owners.get(named) == team or _is_free(known, named)):
        return named
    if known.owners.get(stem) == team:
        return stem
    return known.latest.get(team, team)


def _is_free(known: _Class, name: str) -> bool:
    try:
        return check_name("bot", name) == name and name not in known.all_names | versions.RESERVED
    except InvalidError:
        return False


def _unless_twice(
    line: PartOutcome, prepared: Prepared | None, wanted: Counter[tuple[str | None, str | None]]
) -> tuple[PartOutcome, Prepared | None]:
    if line.state in GOOD and wanted[line.team, line.bot] > 1:
        return replace(line, state=Handed.TWICE, version=None), None
    return line, prepared


def _read(session: Session, school_class: SchoolClass) -> _Class:
    users = class_store.teams(session, school_class)
    teams = {team.id: team for team in users if team.role == Role.TEAM and team.team_id is None}
    bots = [bot for bot in store.of_class(session, school_class) if bot.owner_id in teams]
    owners = {bot.name: teams[bot.owner_id].name for bot in bots}
    sent = [
        version
        for of_bot in team_store.versions(session, [bot.id for bot in bots]).values()
        for version in of_bot
    ]
    sent.sort(key=lambda version: version.id)
    names = [(user.name, teams[user.account_id].name) for user in users if user.account_id in teams]
    kept = {owners[bot.name]: bot.name for bot in reversed(bots)}
    return _Class(
        teams={team.name: team for team in teams.values()},
        senders=Senders(names),
        owners=owners,
        newest={version.bot.name: version.number for version in sent},
        archives={(version.bot.name, version.archive): version.number for version in sent},
        latest=kept | {owners[version.bot.name]: version.bot.name for version in sent},
        all_names=frozenset(store.names(session)),
    )
