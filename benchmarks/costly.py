"""Costly answers beside quick ones: `python -m benchmarks.costly --bots 60`.

Fills a database with a tournament, and asks an API for its leaderboard again and again: alone, and while
forty ratings with a thousand resamples are wanted. Then the same of an API that works such answers out in its
own process. Each also tells the history of the ratings, of one revision after another.
"""

from __future__ import annotations

import argparse
import asyncio
import dataclasses
import os
import statistics
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psutil
from fastapi import FastAPI
from sqlalchemy import insert, update
from sqlalchemy.orm import Session

from arena.client.http import ArenaClient
from arena.core.clock import utc_now
from arena.core.terms import MatchState, Role, TournamentState
from arena.people import users
from arena.schemas.plans import TournamentPlan
from arena.store.database import Database
from arena.store.models import Base, Tournament
from arena.tournaments import lifecycle
from arena.web.app import create_app
from benchmarks.readers import Answer, ask
from benchmarks.serving import served
from benchmarks.standings import version
from engines.games import find_game
from engines.stream import Stream
from workers.core.contract import SeatUse

NAME = "cup"
GAME, PARAMS = "reversed_reversi", {"size": 6}
TABLES = Base.metadata.tables
GAMES = 40
"""So many games are drawn; every match is one of them."""
ORDERS, ASKED, REVISIONS = 40, 200, 20
LONGEST_SECONDS = 60.0
API = f"/api/v1/tournaments/{NAME}"
Row = tuple[int, int, int, int, int]
"""A match: its number, its round, both entries, and the number of its opening."""


def fill(database: Database, bots: int, openings: int, *, moves: bool = False) -> None:
    """A double round robin that is over but for its end, as if played; with its moves if wanted."""
    with database.transaction() as session:
        cup = _plan(session, bots, openings)
        rows = list(_schedule(bots, openings))
        made: dict[tuple[int, int], Counter[str]] = {}
        while batch := rows[:5000]:
            del rows[:5000]
            _write(session, cup, batch, made, _games() if moves else [])
        _total(session, cup, made)


def _plan(session: Session, bots: int, openings: int) -> int:
    staff, _ = users.create_user(session, "bench-staff", Role.ADMIN)
    plan = TournamentPlan(
        name=NAME, game=GAME, params=PARAMS, format="double_round_robin", openings=openings, opening_plies=2
    )
    cup = lifecycle.create(session, staff, plan)
    now, numbers = utc_now(), range(1, bots + 1)
    rows = [{"id": each, "owner_id": staff.id, "name": f"bot-{each}", "created_at": now} for each in numbers]
    session.execute(insert(TABLES["bots"]), rows)
    session.execute(insert(TABLES["bot_versions"]), [version(each) | {"created_at": now} for each in numbers])
    entries = [{"id": at, "tournament_id": cup.id, "number": at} for at in numbers]
    entries = [row | {"bot_id": row["id"], "version_id": row["id"]} for row in entries]
    session.execute(insert(TABLES["entries"]), entries)
    return cup.id


def _schedule(bots: int, openings: int) -> Iterator[Row]:
    """By the circle method; `bots` is even. Each pairing has its two games one after the other."""
    number, wheel = 0, bots - 1
    for opening in range(openings):
        for turn in range(wheel):
            for place in range(bots // 2):
                one = (turn + place) % wheel + 1
                other = bots if place == 0 else (turn - place) % wheel + 1
                for first, second in ((one, other), (other, one)):
                    number += 1
                    yield number, 1 + opening * wheel + turn, first, second, opening


def _games() -> list[list[tuple[int, str]]]:
    """Random games: who moved, and what."""
    game, games = find_game(GAME, PARAMS), []
    for number in range(GAMES):
        stream, state, moves = Stream("bench", number), game.initial(), list[tuple[int, str]]()
        while game.outcome(state) is None:
            move = stream.choice(game.legal_moves(state))
            moves.append((game.to_move(state), game.move_to_text(move)))
            state = game.play(state, move)
        games.append(moves)
    return games


def _half_points(row: Row) -> tuple[int, int]:
    """Of the two seats: bots with low numbers win more often, and some games are drawn."""
    number, _, first, second, _ = row
    lot = number * 2_654_435_761 % 1000
    if lot >= 950:
        return 1, 1
    return (2, 0) if lot < 475 + 3 * max(-100, min(100, second - first)) else (0, 2)


def _write(
    session: Session,
    cup: int,
    batch: list[Row],
    made: dict[tuple[int, int], Counter[str]],
    games: list[list[tuple[int, str]]],
) -> None:
    """Matches with their results and moves; what the entries made of each other is added to `made`."""
    now, use = utc_now(), SeatUse(bot_name="b", wall_ns=10**8).model_dump(mode="json")
    matches, results, moves = list[dict[str, Any]](), list[dict[str, Any]](), list[dict[str, Any]]()
    for row in batch:
        number, round_number, first, second, opening = row
        points = _half_points(row)
        matches.append(
            {"id": number, "tournament_id": cup, "number": number, "round": round_number, "opening": []}
            | {"first_id": first, "second_id": second, "opening_number": opening, "needs": "python"}
            | {"state": MatchState.FINISHED}
        )
        results.append(
            {"match_id": number, "attempt": 1, "reason": "most_discs", "first_score": 20, "second_score": 16}
            | {"winner": None if points == (1, 1) else points.index(2), "forfeits": [], "seats": [use, use]}
            | {"first_half_points": points[0], "second_half_points": points[1]}
            | {"host": "bench", "kind": "played", "recorded_at": now}
        )
        moves += [
            {"match_id": number, "ply": ply, "seat": seat, "move": move, "asked": True, "wall_ns": 10**6}
            | {"extension": False, "lag_ns": 0, "off_turn_ns": 0, "lost_ns": 0}
            for ply, (seat, move) in enumerate(games[number % GAMES] if games else ())
        ]
        for one, other, half_points in ((first, second, points[0]), (second, first, points[1])):
            ending = {2: "wins", 1: "draws", 0: "losses"}[half_points]
            counts = made.setdefault((one, other), Counter())
            counts.update({"games": 1, "half_points": half_points, ending: 1})
            counts.update({f"first_{ending}": 1} if one == first else {})
    session.execute(insert(TABLES["matches"]), matches)
    session.execute(insert(TABLES["results"]), results)
    if moves:
        session.execute(insert(TABLES["moves"]), moves)


def _total(session: Session, cup: int, made: dict[tuple[int, int], Counter[str]]) -> None:
    columns = ("games", "half_points", "first_wins", "first_draws", "first_losses")
    rows = [
        {"entry_id": entry, "other_id": other} | {name: counts[name] for name in columns}
        for (entry, other), counts in made.items()
    ]
    session.execute(insert(TABLES["encounters"]), rows)
    totals: dict[int, Counter[str]] = {}
    for (entry, _), counts in made.items():
        totals.setdefault(entry, Counter()).update(counts)
    entries = TABLES["entries"]
    for entry, counts in totals.items():
        told = {name: counts[name] for name in ("games", "half_points", "wins", "draws", "losses")}
        told |= {"played": counts["games"]}
        session.execute(update(entries).where(entries.c.id == entry).values(told))
    matches = sum(counts["games"] for counts in made.values()) // 2
    session.execute(
        update(Tournament)
        .where(Tournament.id == cup)
        .values(state=TournamentState.RUNNING, started_at=utc_now(), all_paired=True, revision=matches)
        .values(matches_total=matches, matches_finished=matches)
    )


def undivided() -> FastAPI:
    """The application that works everything out in its own process."""
    app = create_app()
    app.state.services = dataclasses.replace(app.state.services, costly=None)
    return app


async def _quick(url: str) -> list[Answer]:
    answers, until = [await ask(url, f"{API}/leaderboard")], time.monotonic() + LONGEST_SECONDS
    while len(answers) < ASKED and time.monotonic() < until:
        answers.append(await ask(url, f"{API}/leaderboard"))
    return answers


async def _beside(url: str) -> tuple[list[Answer], Counter[str]]:
    """The quick ones while the costly ones are wanted, and what becomes of these."""
    costly = [
        asyncio.ensure_future(ask(url, f"{API}/ratings?resamples=1000&seed={number}"))
        for number in range(ORDERS)
    ]
    await asyncio.sleep(0.5)
    quick = await _quick(url)
    for each in costly:
        each.cancel()
    found = await asyncio.gather(*costly, return_exceptions=True)
    return quick, Counter(each.status if isinstance(each, Answer) else "waits" for each in found)


def _told(what: str, answers: list[Answer]) -> None:
    seconds = sorted(each.seconds for each in answers if each.status == "200")
    if not seconds:
        print(f"{what}: nothing is answered")
        return
    late = seconds[int(len(seconds) * 0.99)]
    print(f"{what}: {len(seconds)} answered, median {1e3 * statistics.median(seconds):.1f} ms, ", end="")
    print(f"99 % within {1e3 * late:.0f} ms")


def main() -> None:
    """Print how quick the quick ones are, and what the history of ratings costs."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--bots", type=int, default=60)
    bots = parser.parse_args().bots
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        database = Database(f"sqlite:///{folder}/arena.sqlite3")
        database.migrate()
        fill(database, bots, 2)
        for factory in ("arena.web.app:create_app", "benchmarks.costly:undivided"):
            print(f"{bots} bots, {factory}")
            with served(factory, os.environ | {"ARENA_DATA_DIR": name}, folder) as server:
                url, process = server.url, psutil.Process(server.process)
                used = 1e3 * _history(url, process, database)
                print(f"  history of ratings, first reader: {used:.0f} ms of processor")
                _told("  leaderboard alone", asyncio.run(_quick(url)))
                before = process.cpu_times()
                quick, costly = asyncio.run(_beside(url))
                after = process.cpu_times()
                _told(f"  beside {ORDERS} costly ones ({dict(costly)})", quick)
                print(f"  processor time of the API meanwhile {after.user - before.user:.2f} s")
        database.close()


def _history(url: str, process: psutil.Process, database: Database) -> float:
    """The processor's seconds of the API and its calculators for the history of one more revision."""
    with ArenaClient(url) as client:
        client.rating_history(NAME, "likelihood", 20)  # from here on all is imported
        before = _used(process)
        for _ in range(REVISIONS):
            with database.transaction() as session:
                session.execute(update(Tournament).values(revision=Tournament.revision + 1))
            client.rating_history(NAME, "likelihood", 20)
        return (_used(process) - before) / REVISIONS


def _used(process: psutil.Process) -> float:
    """The processor's seconds of a process and its children."""
    used = [each.cpu_times() for each in (process, *process.children())]
    return sum(each.user + each.system for each in used)


if __name__ == "__main__":
    main()
