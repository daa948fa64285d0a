"""Which tournaments a team can enter now, with which version of each bot, and what stands in the way."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy.orm import Session

from arena.access import permissions
from arena.core.terms import Obstacle, VersionState
from arena.store import freezes
from arena.store import teams as store
from arena.store.models import Bot, BotVersion, Entry, Tournament, User
from arena.submissions import checks

STATES = {
    VersionState.CHECKING: Obstacle.CHECKING,
    VersionState.FAILED: Obstacle.FAILED,
    VersionState.UNCHECKED: Obstacle.UNCHECKED,
    VersionState.PASSED: Obstacle.OTHER_GAME,
}


@dataclass(frozen=True)
class Offer:
    """A bot and a tournament that is open to it: `version` would play, unless there is an `obstacle`.

    With an `entry` it takes part already, and could with another version.
    """

    bot: Bot
    version: BotVersion | None
    entry: Entry | None
    obstacle: Obstacle | None


@dataclass(frozen=True)
class Opening:
    """A tournament that takes a team's entries now, with an offer for each of its bots."""

    tournament: Tournament
    offers: Sequence[Offer]


@dataclass(frozen=True)
class Standing:
    """A team's bots with their versions, what they take part in, and what they could enter."""

    bots: Sequence[Bot]
    versions: dict[int, list[BotVersion]]
    entries: Sequence[Entry]
    openings: Sequence[Opening]


def of_team(session: Session, asker: User, team: User) -> Standing:
    """How things stand with a team, by its own account, as far as `asker` may know."""
    bots = store.bots(session, team.id)
    versions, entries = store.versions(session, [bot.id for bot in bots]), entries_of(session, asker, bots)
    entered: dict[int, dict[int, Entry]] = defaultdict(dict)
    for entry in entries:
        entered[entry.tournament_id][entry.bot_id] = entry
    openings = [
        Opening(
            tournament,
            [_offer(bot, versions[bot.id], tournament, entered[tournament.id].get(bot.id)) for bot in bots],
        )
        for tournament in store.open_tournaments(session, team.class_id)
    ]
    return Standing(bots, versions, entries, openings)


def entries_of(session: Session, asker: User, bots: Sequence[Bot]) -> Sequence[Entry]:
    """What some bots take part in, the newest tournament first; one that is frozen to `asker` as it was."""
    ids = [bot.id for bot in bots]
    found = store.entries(session, ids)
    frozen = [each.tournament for each in found if each.tournament.frozen_at is not None]
    hidden = {each.id for each in frozen if not permissions.runs(asker, each)}
    if not hidden:
        return found
    shown = [each for each in found if each.tournament_id not in hidden]
    with freezes.beside(session) as there:
        shown += [each for each in store.entries(there, ids) if each.tournament_id in hidden]
    return sorted(shown, key=lambda each: (-each.tournament_id, each.number))


def all_fit(versions: Sequence[BotVersion], game: str) -> list[BotVersion]:
    """Those of the versions, the newest first, that may play a game; of old ones those that passed."""
    return [
        version
        for version in versions
        if (version is versions[0] or version.state == VersionState.PASSED)
        and game in checks.passed_in(version)
    ]


def _offer(bot: Bot, versions: Sequence[BotVersion], tournament: Tournament, entry: Entry | None) -> Offer:
    version, obstacle = next(iter(all_fit(versions, tournament.game)), None), None
    if entry is not None and entry.left_as is not None:
        obstacle = Obstacle.LEFT
    elif not versions:
        obstacle = Obstacle.NO_VERSION
    elif version is None:
        obstacle = STATES[versions[0].state]
    elif entry is not None and entry.version_id == version.id:
        obstacle = Obstacle.ENTERED
    return Offer(bot, version, entry, obstacle)
