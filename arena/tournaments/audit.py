"""Whether a tournament's running totals are those its log of events, results and matches add up to."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import astuple, dataclass, field
from typing import Any

from sqlalchemy.orm import Session

from arena.core.terms import MatchState
from arena.store import events
from arena.store import matches as match_store
from arena.store import tournaments as store
from arena.store.models import Entry, Event, Tournament
from arena.store.models.event_types import (
    ByeGiven,
    EntryAnnulled,
    MatchDecided,
    MatchLost,
    MatchPublished,
    MatchPutBack,
    MatchRecorded,
    MatchStarted,
    MatchSuperseded,
    MatchVoid,
)
from arena.store.paging import page
from arena.theory.standings.tally import Tally, Use, rated, tally, use
from arena.tournaments.decisions import HALF_POINTS
from arena.tournaments.totals import ENTRY, USE

COUNTED = (MatchRecorded, MatchDecided, MatchSuperseded, ByeGiven, EntryAnnulled)
"""The events from which totals follow."""


ROUTINE = tuple(
    each.KIND for each in (MatchPublished, MatchStarted, MatchRecorded, MatchLost, MatchVoid, MatchPutBack)
)
"""Events of every match, that nobody has decided."""

Pair = tuple[int, int]

RECORDED: dict[int | None, tuple[Pair, ...]] = {0: ((2, 0),), 1: ((0, 2),), None: ((1, 1), (0, 0))}
DECIDED: dict[str, tuple[Pair, ...]] = {winner: (made,) for winner, made in HALF_POINTS.items()}
"""The half points that a match can have come to by what the log says of its winner."""


@dataclass
class Totals:
    """The totals of a tournament: of entries and openings by their numbers, and of ordered pairs that met."""

    entries: dict[int, Tally] = field(default_factory=lambda: defaultdict(Tally))
    used: dict[int, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    openings: dict[int, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    byes: Counter[int] = field(default_factory=Counter)
    pairs: dict[Pair, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))

    def count(self, pair: Pair, ending: Any) -> None:
        """Add what a match gave to its two entries."""
        for seat in (0, 1):
            mine, other = pair[seat], pair[1 - seat]
            made = tally(ending, seat)
            self.entries[mine] += made
            self._count_use(mine, use(ending, seat))
            between = self.pairs[mine, other]
            between.update(games=made.games, half_points=made.half_points)
            if seat == 0 and rated(ending):
                ended = {"first_wins": made.wins, "first_draws": made.draws, "first_losses": made.losses}
                between.update(ended)
                self.openings[ending.opening_number].update(ended)

    def _count_use(self, entry: int, used: Use) -> None:
        sums = self.used[entry]
        sums.update(answers=used.answers, extensions=used.extensions, **used.forfeits)
        sums["slowest_ns"] = max(sums["slowest_ns"], used.slowest_ns)


def stored(session: Session, tournament: Tournament) -> Totals:
    """The totals as they are kept; pairs whose games were all taken back are left out."""
    totals = Totals()
    entries = store.entries(session, tournament)
    numbers = {entry.id: entry.number for entry in entries}
    for entry in entries:
        totals.entries[entry.number] = _tally(entry)
        totals.byes[entry.number] = entry.bye_half_points
        used = {name: getattr(entry, name) for name in USE if name != "forfeits_by"}
        totals.used[entry.number] = Counter({**used, **entry.forfeits_by})
    for opening in store.opening_totals(session, tournament):
        totals.openings[opening.number] = Counter({name: getattr(opening, name) for name in store.FIRST_SEAT})
    for row in store.encounters(session, tournament):
        counts = Counter({name: getattr(row, name) for name in store.ENCOUNTER})
        if any(counts.values()):
            totals.pairs[numbers[row.entry_id], numbers[row.other_id]] = counts
    return totals


def recomputed(session: Session, tournament: Tournament) -> tuple[Totals, list[str]]:
    """The totals by the log of events alone, and what the log and the results do not agree about.

    The log tells which attempts at which matches count and who had a bye; the results tell what they gave.
    """
    counting, byes, told, wrong = _replay(session, tournament)
    numbers = {row.id: row.number for row in store.seats(session, tournament)}
    totals = Totals()
    for number in numbers.values():
        totals.entries[number] = Tally(half_points=byes[number])
        totals.byes[number] = byes[number]
    for row in match_store.endings(session, tournament):
        times = counting.pop((row.match_id, row.attempt), 0)
        if times != 1:
            wrong.append(f"match {row.number} has a result of attempt {row.attempt}, counted {times} times")
        made = row.first_half_points, row.second_half_points
        if made not in told.get((row.match_id, row.attempt), (made,)):
            wrong.append(
                f"match {row.number}: its result gives {made[0]}:{made[1]} half points, unlike the log"
            )
        for _ in range(times):
            totals.count((numbers[row.first_id], numbers[row.second_id]), row)
    wrong += [
        f"the log counts attempt {attempt} at the match of id {match} {times} times, and it has no result"
        for (match, attempt), times in counting.items()
        if times
    ]
    return totals, wrong


def log(
    session: Session, tournament: Tournament, *, offset: int = 0, limit: int = 100
) -> tuple[Sequence[Event], int]:
    """One page of what was done to a tournament, newest first, without the daily round of its matches."""
    return page(session, events.logged(tournament, ROUTINE), offset, limit)


def verify(session: Session, tournament: Tournament) -> list[str]:
    """Every difference between the stored totals and those recomputed; none when all is well."""
    kept = stored(session, tournament)
    made, wrong = recomputed(session, tournament)
    wrong += _miscounted(session, tournament)
    wrong += _unfit(session, tournament, made)
    for number, total in sorted(kept.entries.items()):
        wrong += _differences(f"entry {number}", ENTRY, astuple(total), astuple(made.entries[number]))
        wrong += _differences(
            f"entry {number}", ("bye_half_points",), (kept.byes[number],), (made.byes[number],)
        )
        wrong += _unlike(f"entry {number}", kept.used[number], made.used[number])
    if tournament.opening_moves:
        for number in sorted(kept.openings.keys() | made.openings.keys()):
            wrong += _unlike(f"opening {number}", kept.openings[number], made.openings[number])
    for pair in sorted(kept.pairs.keys() | made.pairs.keys()):
        named = f"entry {pair[0]} against entry {pair[1]}"
        wrong += _differences(named, store.ENCOUNTER, *(_counts(each, pair) for each in (kept, made)))
    return wrong


def _miscounted(session: Session, tournament: Tournament) -> Iterator[str]:
    """Where a tournament's counts of its matches differ from its matches."""
    states = match_store.states(session, tournament)
    for name, there in (
        ("matches_total", sum(states.values())),
        ("matches_finished", states.get(MatchState.FINISHED, 0)),
        ("matches_cancelled", states.get(MatchState.CANCELLED, 0)),
    ):
        if (kept := getattr(tournament, name)) != there:
            yield f"{name} is {kept}, and there are {there}"


def _unfit(session: Session, tournament: Tournament, made: Totals) -> Iterator[str]:
    """Where matches and results, or byes and what is told of them, do not go together."""
    for number in match_store.of_two_minds(session, tournament):
        yield f"match {number} is finished without a result, or has one and is not finished"
    numbers = {row.id: row.number for row in store.seats(session, tournament)}
    given: Counter[int] = Counter()
    for bye in store.byes(session, tournament):
        given[numbers[bye.entry_id]] += bye.half_points
    for number in numbers.values():
        if given[number] != made.byes[number]:
            told = made.byes[number]
            yield f"entry {number}: its byes give {given[number]} half points, and the log says {told}"


def _replay(
    session: Session, tournament: Tournament
) -> tuple[Counter[Pair], Counter[int], dict[Pair, tuple[Pair, ...]], list[str]]:
    """How often each (match's id, attempt) counts, the half points of each entry's byes, and of the attempts.

    A game that nobody has won was drawn, or forfeited by both. A winner that there cannot be gives nothing.
    Last what of the log cannot be read, and is passed over.
    """
    counting: Counter[Pair] = Counter()
    byes: Counter[int] = Counter()
    told: dict[Pair, tuple[Pair, ...]] = {}
    wrong: list[str] = []
    for number, kind, match_id, event in events.of_types(session, tournament, COUNTED):
        match event:
            case None:
                wrong.append(f"event {number} of the log, {kind}, does not tell what one of its kind does")
            case ByeGiven():
                byes[event.entry] += event.half_points
            case EntryAnnulled():
                byes[event.entry] = 0
            case MatchRecorded() if match_id is not None:
                counting[match_id, event.attempt] += 1
                told[match_id, event.attempt] = RECORDED.get(event.winner, ())
            case MatchDecided() if match_id is not None:
                counting[match_id, event.attempt] += 1
                told[match_id, event.attempt] = DECIDED.get(event.winner, ())
            case MatchSuperseded() if match_id is not None:
                counting[match_id, event.attempt] -= 1
    return counting, byes, told, wrong


def _tally(entry: Entry) -> Tally:
    return Tally(*(getattr(entry, name) for name in ENTRY))


def _counts(totals: Totals, pair: Pair) -> tuple[int, ...]:
    counts = totals.pairs.get(pair, Counter())
    return tuple(counts[name] for name in store.ENCOUNTER)


def _unlike(what: str, kept: Counter[str], made: Counter[str]) -> Iterator[str]:
    names = tuple(sorted(kept.keys() | made.keys()))
    yield from _differences(what, names, tuple(kept[n] for n in names), tuple(made[n] for n in names))


def _differences(
    what: str, names: tuple[str, ...], kept: tuple[int, ...], made: tuple[int, ...]
) -> Iterator[str]:
    for name, is_, should in zip(names, kept, made, strict=True):
        if is_ != should:
            yield f"{what}: {name} is {is_}, and its results add up to {should}"
