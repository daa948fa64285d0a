"""Totals are increments: what a result adds to them when it counts, it takes away when it counts no more.

Either costs the same however many there are. Whoever calls has locked the tournament, and adds to its
revision.
"""

from __future__ import annotations

from dataclasses import fields

from sqlalchemy.orm import Session

from arena.store import tournaments as store
from arena.store.models import Ending, Entry, Match
from arena.theory.standings.tally import Tally, rated, tally


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
        for field in fields(Tally):
            setattr(entry, field.name, getattr(entry, field.name) + sign * getattr(made, field.name))
        entry.revision = match.tournament.revision + 1
        encounter = store.encounter(session, entry, other)
        encounter.games += sign * made.games
        encounter.half_points += sign * made.half_points
        if seat == 0 and rated(ending):
            encounter.first_wins += sign * made.wins
            encounter.first_draws += sign * made.draws
            encounter.first_losses += sign * made.losses
    session.flush()
