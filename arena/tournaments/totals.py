"""Totals are increments: what a result adds to them when it counts, it takes away when it counts no more.

Either costs the same however many there are. Whoever calls has locked the tournament, and adds to its
revision. The session writes them when it is flushed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import fields

from sqlalchemy.orm import Session
from sqlalchemy.orm.attributes import flag_modified

from arena.store import matches as match_store
from arena.store import tournaments as store
from arena.store.models import Encounter, Ending, Entry, Match, OpeningTotal
from arena.theory.standings.tally import Tally, rated, tally, use

ENTRY = tuple(field.name for field in fields(Tally))
"""The columns of an entry in which results are added up, and from which tables are made."""
USE = ("answers", "extensions", "slowest_ns", "forfeits_by")
"""Those in which is kept what an entry used, and by what it forfeited."""


def gather(session: Session, matches: Sequence[Match]) -> object:
    """Have the session read at once what the results of these matches are added to; hold it until then.

    All columns of these are written then, changed or not: rows with the same columns are one statement.
    """
    sides = [(match.first_id, match.second_id) for match in matches]
    pairs = {pair for one, other in sides for pair in ((one, other), (other, one))}
    entries = store.entries_of(session, {one for one, _ in pairs})
    encounters = store.encounters_of(session, pairs)
    begun = {
        (match.tournament_id, match.opening_number) for match in matches if match.tournament.opening_moves
    }
    openings = store.opening_totals_of(session, begun)
    for rows, columns in (
        (entries, (*ENTRY, *USE)),
        (encounters, store.ENCOUNTER),
        (openings, store.FIRST_SEAT),
    ):
        for row in rows:
            for column in columns:
                flag_modified(row, column)
    return entries, encounters, openings


def add(session: Session, match: Match, ending: Ending) -> None:
    """Count an ended match for both of its entries and their encounters."""
    _change(session, match, ending, 1)


def take_away(session: Session, match: Match, ending: Ending) -> None:
    """Undo exactly what `add` did."""
    _change(session, match, ending, -1)


def add_bye(entry: Entry, half_points: int) -> None:
    """Give an entry the points of a bye; a negative number takes them back."""
    entry.half_points += half_points
    entry.bye_half_points += half_points


def _change(session: Session, match: Match, ending: Ending, sign: int) -> None:
    for seat, (entry, other) in enumerate(((match.first, match.second), (match.second, match.first))):
        made = tally(ending, seat)
        for name in ENTRY:
            setattr(entry, name, getattr(entry, name) + sign * getattr(made, name))
        _change_use(session, match, ending, seat, sign)
        entry.revision = match.tournament.revision + 1
        encounter = store.encounter(session, entry, other)
        encounter.games += sign * made.games
        encounter.half_points += sign * made.half_points
        if seat == 0 and rated(ending):
            ended: list[Encounter | OpeningTotal] = [encounter]
            if match.tournament.opening_moves:
                ended.append(store.opening_total(session, match.tournament_id, match.opening_number))
            for row in ended:
                row.first_wins += sign * made.wins
                row.first_draws += sign * made.draws
                row.first_losses += sign * made.losses


def _change_use(session: Session, match: Match, ending: Ending, seat: int, sign: int) -> None:
    """The slowest answer that counts no more has the next one looked for, among the entry's other games."""
    entry, used = (match.first, match.second)[seat], use(ending, seat)
    entry.answers += sign * used.answers
    entry.extensions += sign * used.extensions
    if used.forfeits:
        kinds = Counter(entry.forfeits_by)
        kinds.update({kind: sign * count for kind, count in used.forfeits.items()})
        entry.forfeits_by = {kind: count for kind, count in sorted(kinds.items()) if count}
    if sign > 0:
        entry.slowest_ns = max(entry.slowest_ns, used.slowest_ns)
    elif used.slowest_ns and used.slowest_ns == entry.slowest_ns:
        entry.slowest_ns = match_store.slowest(session, entry, without=match)
