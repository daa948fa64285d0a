"""The class report: what every team's bot made of a tournament, for whoever has to grade it.

Everything in it can be seen by everybody in the tournament's tables and games.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation

from sqlalchemy.orm import Session

from arena.access.permissions import is_staff
from arena.core.errors import InvalidError
from arena.core.terms import Leaving
from arena.results import views
from arena.store import tournaments as store
from arena.store.models import Entry, Tournament
from arena.theory.standings.tally import WALKOVER
from workers.core.contract import FaultCode

FORFEITS = (*FaultCode, WALKOVER)
MS = 1_000_000


@dataclass(frozen=True)
class Reference:
    """A bot that others are measured by; `threshold` is the share of the points that passes, if any does."""

    bot: str
    threshold: Decimal | None


@dataclass(frozen=True)
class Against:
    """What a bot made against a reference bot."""

    reference: Reference
    games: int
    half_points: int

    @property
    def share(self) -> float | None:
        """The share of the points, of 1; None without a game."""
        return self.half_points / (2 * self.games) if self.games else None

    @property
    def passed(self) -> bool | None:
        """Whether the share is at least the threshold; None without a threshold or a game."""
        if self.reference.threshold is None or not self.games:
            return None
        return self.half_points >= self.reference.threshold * 2 * self.games


@dataclass(frozen=True)
class Use:
    """What an entry used in its games: `forfeits` by kind, and the times of its answers as charged."""

    forfeits: Mapping[str, int]
    answers: int
    wall_ns: int
    slowest_ns: int
    extensions: int

    @classmethod
    def of(cls, entry: Entry) -> Use:
        """That of an entry, by its running totals."""
        return cls(entry.forfeits_by, entry.answers, entry.wall_ns, entry.slowest_ns, entry.extensions)

    @property
    def mean_ms(self) -> float | None:
        """How long an answer took in the mean; None without one."""
        return self.wall_ns / self.answers / MS if self.answers else None

    @property
    def slowest_ms(self) -> float | None:
        """How long the slowest answer took."""
        return self.slowest_ns / MS if self.answers else None


@dataclass(frozen=True)
class ReportLine:
    """One bot; `place` is among all bots, `class_place` without the reference bots.

    `left_as` is how it left the tournament, None for a bot that did not.
    """

    place: int
    class_place: int
    team: str
    bot: str
    version: int
    games: int
    points: float
    wins: int
    draws: int
    losses: int
    left_as: Leaving | None
    use: Use
    against: tuple[Against, ...]

    @property
    def passed(self) -> bool | None:
        """Whether it passed every threshold; None while one is open, or where there is none."""
        verdicts = [each.passed for each in self.against if each.reference.threshold is not None]
        if False in verdicts:
            return False
        return None if None in verdicts or not verdicts else True


@dataclass(frozen=True)
class ClassReport:
    """All bots besides the reference bots, in the order of the leaderboard; `limit_ms` is for one answer."""

    limit_ms: int
    references: tuple[Reference, ...]
    lines: tuple[ReportLine, ...]


def thresholds_of(texts: Sequence[str]) -> dict[str, Decimal]:
    """Thresholds written as ``bot=share``, with shares from 0 to 1.

    Raises:
        InvalidError: one is written otherwise, or a bot has two.
    """
    thresholds: dict[str, Decimal] = {}
    for text in texts:
        bot, _, share = text.rpartition("=")
        try:
            value = Decimal(share)
        except InvalidOperation:
            value = Decimal(-1)
        if not bot or not (value.is_finite() and 0 <= value <= 1):
            raise InvalidError(
                f"{text[:80]!r} is no threshold: write BOT=SHARE with a share from 0 to 1, as in random=0.9"
            )
        if bot in thresholds:
            raise InvalidError(f"there are two thresholds for {bot!r}; leave one out")
        thresholds[bot] = value
    return thresholds


def class_report(
    session: Session,
    tournament: Tournament,
    *,
    thresholds: Mapping[str, Decimal] | None = None,
    references: Sequence[str] = (),
) -> ClassReport:
    """The report of a tournament as it stands.

    Reference bots are `references` and those with a threshold; where none is named, those of the staff too.

    Raises:
        InvalidError: a reference bot is not entered.
    """
    entries = store.entries(session, tournament)
    chosen = _references(entries, thresholds or {}, references)
    met = {(each.entry_id, each.other_id): each for each in store.encounters(session, tournament)}
    ids = {entry.version.bot.name: entry.id for entry in entries}
    by_id = {entry.id: entry for entry in entries}
    measured_by = {reference.bot for reference in chosen}
    lines: list[ReportLine] = []
    standings = [line for line in views.leaderboard(session, tournament) if line.bot not in measured_by]
    for at, standing in enumerate(standings, start=1):
        tied = bool(lines) and lines[-1].place == standing.rank
        against = []
        for reference in chosen:
            encounter = met.get((standing.entry, ids[reference.bot]))
            counts = (encounter.games, encounter.half_points) if encounter else (0, 0)
            against.append(Against(reference, *counts))
        lines.append(
            ReportLine(
                place=standing.rank,
                class_place=lines[-1].class_place if tied else at,
                team=standing.owner,
                bot=standing.bot,
                version=standing.version,
                games=standing.games,
                points=standing.points,
                wins=standing.wins,
                draws=standing.draws,
                losses=standing.losses,
                left_as=by_id[standing.entry].left_as,
                use=Use.of(by_id[standing.entry]),
                against=tuple(against),
            )
        )
    return ClassReport(int(tournament.time["move_ms"]), chosen, tuple(lines))


def _references(
    entries: Sequence[Entry], thresholds: Mapping[str, Decimal], named: Sequence[str]
) -> tuple[Reference, ...]:
    known = {entry.version.bot.name for entry in entries}
    wanted = {*named, *thresholds}
    if missing := sorted(wanted - known):
        raise InvalidError(
            f"{missing[0]!r} is not entered, so nobody can be measured by it; entered are "
            f"{', '.join(sorted(known))}"
        )
    if not named:
        wanted |= {entry.version.bot.name for entry in entries if is_staff(entry.version.bot.owner)}
    return tuple(Reference(name, thresholds.get(name)) for name in sorted(wanted))
