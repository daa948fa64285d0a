"""What results cost in a round robin of 1,000 bots, the first and the 499,500th.

    python -m benchmarks.standings

The tournament is started as usual, which makes a few rounds ahead. The first results are recorded as workers
report them; then all others but the last are written in bulk, with their totals, and the last are recorded
like the first. Compared are medians of processor time, of one result and of one look at what to do next; the
table and the ratings of it all are made once.
"""

from __future__ import annotations

import hashlib
import resource
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import combinations, islice
from operator import itemgetter
from pathlib import Path
from typing import Any, TypeVar

from sqlalchemy import func, insert, select, update
from sqlalchemy.orm import Session

from arena.coordinator import leases, matches
from arena.coordinator.leases import Attempt, Verdict
from arena.core.clock import utc_now
from arena.core.settings import Settings
from arena.core.terms import MatchState, Role, VersionState
from arena.people import users
from arena.results import ratings, views
from arena.schemas.plans import TournamentPlan
from arena.store.database import Database
from arena.store.models import Base, Bot, BotVersion, Encounter, Entry, Match, Tournament
from arena.tournaments import lifecycle, rounds
from arena.tournaments.specs import match_spec
from engines.games import find_game
from workers.core.contract import MatchResult, MatchSpec, MoveRecord, SeatUse

T = TypeVar("T")

BOTS = 1_000
GAMES = BOTS * (BOTS - 1) // 2
MEASURED = 200
LIMIT = 1.5
"""The last result may cost so many times the first: every table is a tree, and trees get deeper."""

FENCE = "bench"
TABLES = Base.metadata.tables


def main() -> int:
    """Print the costs; 1 if the last result costs too much more than the first."""
    with tempfile.TemporaryDirectory() as folder:
        settings = Settings(data_dir=Path(folder))
        database = Database(f"sqlite:///{folder}/arena.sqlite3")
        database.migrate()
        began, before = time.perf_counter(), _peak_mb()
        cup = started(database)
        print(f"{BOTS:,} bots entered and started in {time.perf_counter() - began:.1f} s")
        print(f"peak memory of that        {_peak_mb() - before:.0f} MB more than before")
        first = _recorded(database, settings, cup)
        began = time.perf_counter()
        _fill(database, cup)
        print(f"all but {MEASURED} of {GAMES:,} results filled in within {time.perf_counter() - began:.0f} s")
        last = _recorded(database, settings, cup)
        for what, one, other in zip(("result", "look"), first, last, strict=True):
            print(
                f"one {what:7} {1e3 * one:6.2f} ms first, {1e3 * other:6.2f} ms last: {other / one:.2f} times"
            )
        _read(database, cup)
        database.close()
    return last[0] > LIMIT * first[0]


def _peak_mb() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def started(database: Database) -> int:
    """The tournament of all bots, running; its number."""
    with database.transaction() as session:
        staff, _ = users.create_user(session, "staff", Role.ADMIN)
        plan = TournamentPlan(name="cup", game="heap_nim", params={"heaps": [1, 1, 1]}, format="round_robin")
        cup = lifecycle.create(session, staff, plan)
        lifecycle.open_(session, staff, cup)
        now, numbers = utc_now(), range(1, BOTS + 1)
        session.execute(
            insert(Bot),
            [{"id": at, "owner_id": staff.id, "name": f"bot-{at}", "created_at": now} for at in numbers],
        )
        session.execute(insert(BotVersion), [version(at) | {"created_at": now} for at in numbers])
        entries = [{"id": at, "tournament_id": cup.id, "number": at} for at in numbers]
        session.execute(
            insert(Entry), [{**row, "bot_id": row["id"], "version_id": row["id"]} for row in entries]
        )
    with database.transaction() as session:
        lifecycle.start(session, session.merge(staff), session.get_one(Tournament, cup.id))
        return cup.id


def version(number: int) -> dict[str, Any]:
    """The row of a bot's version, but for its moment."""
    return {
        "id": number,
        "bot_id": number,
        "number": 1,
        "archive": hashlib.sha256(str(number).encode()).hexdigest(),
        "size": 1,
        "filename": "bot.py",
        "language": "python",
        "games": ["heap_nim"],
        "state": VersionState.PASSED,
    }


def _recorded(database: Database, settings: Settings, cup: int) -> tuple[float, float]:
    """The median processor time of recording a result, and of a look at whether more rounds are due."""
    with database.reading() as session:
        query = select(Match.id).where(Match.tournament_id == cup, Match.state == MatchState.PENDING)
        waiting = session.scalars(query.order_by(Match.number).limit(MEASURED)).all()
        reports = [(number, played(match_spec(session.get_one(Match, number)))) for number in waiting]
    with database.transaction() as session:
        issued = {"state": MatchState.PUBLISHED, "attempt": 1, "token": FENCE}
        session.execute(update(Match).where(Match.id.in_(waiting)).values(**issued))

    def record(report: tuple[int, dict[str, Any]]) -> None:
        with database.transaction() as session:
            number, result = report
            attempt = Attempt((number,), 1, FENCE)
            reports = [(attempt, {"report": result})]
            assert leases.take_in(leases.record, matches.WORK, session, reports, settings) == [Verdict.TAKEN]

    def look(_: object) -> None:
        with database.reading() as session:
            rounds.due(session, session.get_one(Tournament, cup))

    return _median(record, reports), _median(look, range(MEASURED))


def _median(work: Callable[[Any], None], on: Sequence[Any]) -> float:
    """The median of the processor time of `work` on each."""
    times = []
    for each in on:
        began = time.process_time()
        work(each)
        times.append(time.process_time() - began)
    return statistics.median(times)


def played(spec: MatchSpec, choose: Callable[[Sequence[Any]], Any] = itemgetter(0)) -> dict[str, Any]:
    """The result of the match in which everybody takes the first move there is, or the one chosen."""
    game = find_game(spec.game.name, spec.game.params)
    state, moves = game.initial(), list[MoveRecord]()
    while (outcome := game.outcome(state)) is None:
        move = choose(game.legal_moves(state))
        told = game.move_to_text(move)
        moves.append(
            MoveRecord(ply=len(moves), seat=game.to_move(state), move=told, asked=True, wall_ns=1000)
        )
        state = game.play(state, move)
    walls = [sum(move.wall_ns for move in moves if move.seat == seat) for seat in (0, 1)]
    return MatchResult(
        match=spec.match,
        winner=outcome.winner,
        reason=outcome.reason,
        score=outcome.score,
        moves=tuple(moves),
        seats=(SeatUse(bot_name="a", wall_ns=walls[0]), SeatUse(bot_name="b", wall_ns=walls[1])),
        host="bench",
    ).model_dump(mode="json")


def _fill(database: Database, cup: int) -> None:
    """Write all matches that are not there, and end all but the last with a result and its totals."""
    with database.transaction() as session:
        of_cup = select(Match.id, Match.first_id, Match.second_id).where(Match.tournament_id == cup)
        rows = session.execute(of_cup).all()
        there = {(min(pair), max(pair)) for _, *pair in rows}
        missing = (pair for pair in combinations(range(1, BOTS + 1), 2) if pair not in there)
        waiting = of_cup.where(Match.state == MatchState.PENDING)
        over = [(number, first, second) for number, first, second in session.execute(waiting)]
        ended = update(Match).where(Match.tournament_id == cup).values(state=MatchState.FINISHED)
        session.execute(ended)
        _write(session, over)
        for batch in _batches(_matches(cup, missing, max(number for number, *_ in rows))):
            session.execute(insert(TABLES["matches"]), batch)
            over = [(row["id"], row["first_id"], row["second_id"]) for row in batch]
            _write(session, [row for row in over if row[0] <= GAMES - MEASURED])
        _total(session, cup)


def _write(session: Session, over: Sequence[tuple[int, int, int]]) -> None:
    """Results and encounters of these matches and their entries."""
    now = utc_now()
    session.execute(
        insert(TABLES["results"]),
        [_result(number, won(a, b)) | {"recorded_at": now} for number, a, b in over],
    )
    session.execute(insert(TABLES["encounters"]), list(_encounters(over)))


def _batches(rows: Iterable[T]) -> Iterator[list[T]]:
    rows = iter(rows)
    while batch := list(islice(rows, 10_000)):
        yield batch


def _matches(cup: int, pairs: Iterable[tuple[int, int]], before: int) -> Iterator[dict[str, Any]]:
    for number, (one, other) in enumerate(pairs, start=before + 1):
        first, second = (one, other) if (one + other) % 2 else (other, one)
        yield {
            "id": number,
            "tournament_id": cup,
            "number": number,
            "round": 1 + number * 2 // BOTS,
            "first_id": first,
            "second_id": second,
            "opening_number": 0,
            "opening": [],
            "needs": "python",
            "state": MatchState.FINISHED if number <= GAMES - MEASURED else MatchState.PENDING,
        }


def won(first: int, second: int) -> bool:
    """Whether the first mover won: the more often the lower its number is, and never in any pattern."""
    return (first * 7919 + second * 104_729) % 1009 < 504 + (second - first) // 4


def _result(match: int, first_won: bool) -> dict[str, Any]:
    points = (2, 0) if first_won else (0, 2)
    return {
        "match_id": match,
        "attempt": 1,
        "winner": 0 if first_won else 1,
        "reason": "last_object",
        "first_score": int(first_won),
        "second_score": int(not first_won),
        "first_half_points": points[0],
        "second_half_points": points[1],
        "forfeits": [],
        "seats": [],
        "host": "bench",
        "kind": "played",
    }


def _encounters(rows: Sequence[tuple[int, int, int]]) -> Iterator[dict[str, Any]]:
    for _, first, second in rows:
        first_won = won(first, second)
        for entry, other, points in ((first, second, 2 * first_won), (second, first, 2 * (not first_won))):
            moved = entry == first
            yield {
                "entry_id": entry,
                "other_id": other,
                "games": 1,
                "half_points": points,
                "first_wins": int(moved and first_won),
                "first_draws": 0,
                "first_losses": int(moved and not first_won),
            }


def _total(session: Session, cup: int) -> None:
    """Set the entries' totals to what their encounters add up to; the tournament has all its rounds."""
    sums = select(Encounter.entry_id, func.sum(Encounter.games), func.sum(Encounter.half_points))
    for entry, games, points in session.execute(sums.group_by(Encounter.entry_id)).all():
        wins = {"wins": points // 2, "losses": games - points // 2}
        session.execute(
            update(Entry).where(Entry.id == entry).values(games=games, half_points=points, **wins)
        )
    done = {"all_paired": True, "rounds_paired": BOTS - 1}
    done |= {"matches_total": GAMES, "matches_finished": GAMES - MEASURED}
    session.execute(update(Tournament).where(Tournament.id == cup).values(**done))


def _read(database: Database, cup: int) -> None:
    for what, read in (("leaderboard", views.leaderboard), ("ratings", ratings.ratings)):
        before, began = _peak_mb(), time.process_time()
        with database.reading() as session:
            read(session, session.get_one(Tournament, cup))
        took = time.process_time() - began
        print(f"{what:12} of all     {took:.2f} s, {_peak_mb() - before:.0f} MB more than before")


if __name__ == "__main__":
    sys.exit(main())
