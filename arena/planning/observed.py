"""What the arena knows that a forecast rests on: its hosts, and what matches and checks took so far."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations_with_replacement
from typing import Any, NamedTuple

from sqlalchemy.orm import Session

from arena.core.settings import Settings
from arena.core.terms import Source
from arena.planning.assumed import Checked, budget, from_checks, of_matches, prior, rescaled, typical_answers
from arena.planning.durations import DurationSample
from arena.store import durations as store
from arena.store.models import BotVersion, Tournament
from arena.submissions import checks, environments, hosts
from engines.game import Game
from engines.games import find_game
from workers.core.contract import TimeControl
from workers.programs.serving import needs, served_needs, words_in

MAX_MATCHES = 1000
"""The latest recorded matches that are looked at, in all."""

ENOUGH = 5
"""With fewer recorded matches the submission checks tell more."""

MAX_TOURNAMENTS = 20
MAX_CHECKS = 200


class Capacity(NamedTuple):
    """How many hosts there are, how many matches they can play at once, and what none of them can play."""

    hosts: int
    workers: int
    lacking: tuple[str, ...] = ()


def capacity(session: Session, settings: Settings, languages: Collection[str] = ()) -> Capacity:
    """The hosts that can play any match between bots of these languages; all hosts where none is named."""
    wanted = {needs(pair) for pair in combinations_with_replacement(sorted(set(languages)), 2)}
    slots = hosts.slots(session, settings)
    means = environments.meanings(session)
    serving = {host: set(served_needs(environments.words_of(host.languages, means))) for host in slots}
    useful = [host for host, served in serving.items() if not wanted or served & wanted]
    lacking = sorted("+".join(words_in(each)) for each in wanted - set().union(*serving.values()))
    return Capacity(len(useful), sum(slots[host] for host in useful), tuple(lacking))


@dataclass(frozen=True)
class Known:
    """What is known of matches in a game under a time control, and how it is carried over to another one."""

    game: Game[Any]
    time: TimeControl
    recorded: DurationSample | None
    checked: dict[int, Checked]

    def under(self, time: TimeControl) -> DurationSample:
        """The best that there is, for matches under `time`."""
        answers = typical_answers(self.game)
        if self.recorded is not None:
            if time == self.time:
                return self.recorded
            ratio = budget(time, answers / 2) / budget(self.time, answers / 2)
            return rescaled(self.recorded, ratio)
        if self.checked:
            return from_checks(self.checked, time, answers, typical_answers(find_game(self.game.name)))
        return prior(time, answers)


def known(
    session: Session,
    game: Game[Any],
    time: TimeControl,
    versions: Sequence[BotVersion],
    tournament: Tournament | None = None,
) -> Known:
    """What is known of matches in that game, best of those between these versions in `tournament`."""
    recorded = _recorded(session, game, time, tournament)
    if recorded is not None and recorded.games < ENOUGH:
        recorded = None
    return Known(game, time, recorded, {} if recorded else _checked(session, game, versions))


def _recorded(
    session: Session, game: Game[Any], time: TimeControl, tournament: Tournament | None
) -> DurationSample | None:
    """Of the tournament itself if that is enough, else of all that were played alike."""
    own = store.latest(session, tournament, MAX_MATCHES) if tournament is not None else []
    if len(own) >= ENOUGH:
        return of_matches(Source.TOURNAMENT, map(_seconds, own))
    return of_matches(Source.HISTORY, map(_seconds, [*own, *_others(session, game, time, tournament)]))


def _others(
    session: Session, game: Game[Any], time: TimeControl, tournament: Tournament | None
) -> Iterator[store.Took]:
    left = MAX_MATCHES
    for other in store.like(session, game.name, MAX_TOURNAMENTS):
        alike = (other.game_version, other.params) == (game.version, game.params)
        if alike and other != tournament and TimeControl.model_validate(other.time) == time and left > 0:
            latest = store.latest(session, other, left)
            left -= len(latest)
            yield from latest


def _seconds(took: store.Took) -> tuple[int, int, float, float, float]:
    used = [(seat["startup_ns"] + seat["wall_ns"]) / 1e9 for seat in took.seats]
    return took.first, took.second, used[0], used[1], (took.ended - took.began).total_seconds()


def _checked(session: Session, game: Game[Any], versions: Sequence[BotVersion]) -> dict[int, Checked]:
    """What the checks of these versions took in the game; of the latest of any bots where there are none."""
    for looked_at in (versions, store.checked(session, MAX_CHECKS)):
        by_bot = {}
        for version in looked_at:
            report = checks.report_of(version)
            took = Checked.of(report, game.name) if report is not None else None
            if took is not None:
                by_bot[version.bot_id] = took
        if by_bot:
            return by_bot
    return {}
