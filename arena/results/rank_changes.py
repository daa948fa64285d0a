"""Rank changes: what the newest round has done to the table.

The newest round is that of the match with the highest number that was played. The table is compared with
what it would be without that round and all later ones: the same entries in the order of the same chain, by
what they made in the rounds before, games and byes.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import astuple, replace
from typing import NamedTuple

from sqlalchemy.orm import Session

from arena.results.snapshot import Snapshot, snapshot_of
from arena.results.tables import TieBreakInputs
from arena.store import matches as match_store
from arena.store import tournaments as store
from arena.store.models import Tournament
from arena.theory.standings.table import Table
from arena.theory.standings.tally import Tally, tally

OF_ALL_GAMES = frozenset({"average_rating", "brightwell"})
"""Steps that count more than totals and meetings: with one of them nothing is said."""
NO_GAMES = Tally()


class RankChanges(NamedTuple):
    """The newest round, and by the entries' numbers how many ranks each has come up, or, below 0, gone down.

    `places` has nobody who came in the newest round or later.
    """

    round: int
    places: dict[int, int]


def rank_changes(session: Session, tournament: Tournament, now: Table) -> RankChanges | None:
    """What the newest round has done to the table `now`; None in the first one and where it is not known.

    It is not known where the chain has a step of `OF_ALL_GAMES`.
    """
    if OF_ALL_GAMES.intersection(now.order):
        return None
    newest = match_store.newest_round(session, tournament)
    if newest < 2:
        return None
    before = _before(session, tournament, snapshot_of(session, tournament), newest)
    then = TieBreakInputs(session, tournament, before, before=newest).table()
    joined = {row.number: row.joined_round for row in store.entrants(session, tournament)}
    ranks = {line.row.number: line.rank for line in then.lines}
    return RankChanges(
        newest,
        {
            line.row.number: ranks[line.row.number] - line.rank
            for line in now.lines
            if joined[line.row.number] < newest
        },
    )


def _before(session: Session, tournament: Tournament, now: Snapshot, newest: int) -> Snapshot:
    """The snapshot without the games and byes from round `newest` on."""
    places = {entry.id: place for place, entry in enumerate(now.entries)}
    taken: dict[int, Tally] = defaultdict(Tally)
    half_points, games = now.half_points.copy(), now.games.copy()
    for row in match_store.endings(session, tournament, newest):
        for seat, (own, other) in enumerate(((row.first_id, row.second_id), (row.second_id, row.first_id))):
            made = tally(row, seat)
            taken[own] += made
            half_points[places[own], places[other]] -= made.half_points
            games[places[own], places[other]] -= made.games
    byes: dict[int, int] = defaultdict(int)
    for bye in store.byes(session, tournament):
        if bye.round >= newest:
            byes[bye.entry_id] += bye.half_points
    rows = []
    for entry, row in zip(now.entries, now.rows, strict=True):
        gone = taken[entry.id] + replace(NO_GAMES, half_points=byes[entry.id])
        left = Tally(*(all_ - its for all_, its in zip(astuple(row.total), astuple(gone), strict=True)))
        rows.append(replace(row, total=left, byes=row.byes - byes[entry.id]))
    return Snapshot(now.revision, now.read, now.entries, rows, half_points, games)
