"""A class tournament of eight deterministic bots, and an independent count of what it must come to."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping
from itertools import groupby
from typing import Any

from arena.client.http import ArenaClient
from bots import reference
from bots.reference.pack import archive
from workers.core.contract import MatchRecord
from workers.play import referee
from workers.play.inprocess import InProcessPlayer

NAME = "class"
PLAN: dict[str, Any] = {
    "name": NAME,
    "game": "reversed_reversi",
    "params": {"size": 6},
    "format": "double_round_robin",
    "time": {"move_ms": 20_000, "extensions": 3, "extension_ms": 40_000},
    "opening_plies": 4,
    "seed": 11,
}
BOTS = {f"random-{number}": "random" for number in range(1, 7)} | {"greedy-1": "greedy", "greedy-2": "greedy"}
FEW = {name: BOTS[name] for name in ("random-1", "random-2", "random-3", "greedy-1", "greedy-2")}
"""Enough where a tournament need not last."""
CYCLES = 2
MATCHES = CYCLES * len(BOTS) * (len(BOTS) - 1)
"""So many are played on each of the openings of a cycle."""


def enter_and_start(client: ArenaClient, openings: int) -> None:
    """Submit the eight bots, enter them and start the tournament with so many openings a cycle."""
    submit(client)
    start(client, openings)


def submit(client: ArenaClient, bots: Mapping[str, str] = BOTS) -> None:
    """Submit the bots, and wait until they have passed."""
    for name, code in bots.items():
        client.submit(name, f"{code}.zip", archive(code))
    for name in bots:
        client.await_check(name, 1)


def start(client: ArenaClient, openings: int, name: str = NAME, bots: Collection[str] = BOTS) -> None:
    """Start a tournament of the bots with so many openings a cycle."""
    client.create_tournament(PLAN | {"name": name, "openings": openings})
    client.change(name, "open")
    for bot in bots:
        client.enter(name, bot)
    client.change(name, "start")


def finished(client: ArenaClient, name: str = NAME) -> int:
    """How many matches are recorded."""
    return client.leaderboard(name).played


def leaderboard(client: ArenaClient, name: str = NAME) -> list[dict[str, Any]]:
    """The final leaderboard without the times, which no two runs share."""
    board = client.leaderboard(name)
    assert board.state == "finished"
    assert board.played == board.matches
    assert board.order[-1].name == "time"
    return [row.model_dump(exclude={"wall_ms"}) | {"tie_breaks": row.tie_breaks[:-1]} for row in board.items]


def records(client: ArenaClient, name: str = NAME) -> list[MatchRecord]:
    """Every record of the tournament."""
    lines = b"".join(client.export(name, "jsonl")).splitlines()
    return [MatchRecord.model_validate_json(line) for line in lines]


def check_coverage(played: list[MatchRecord], each: int, bots: Collection[str] = BOTS) -> None:
    """Everybody met everybody else in either seat once on `each` openings of both cycles, no more."""
    games = Counter((r.spec.bots[0].name, r.spec.bots[1].name, r.spec.opening) for r in played)
    openings = {r.spec.opening for r in played}
    assert len(openings) == CYCLES * each
    assert games == {(a, b, opening): 1 for a in bots for b in bots if a != b for opening in openings}


def check_results(played: list[MatchRecord]) -> None:
    """Every result is the one that the same match has when it is refereed here, without any process."""
    for record in played:
        bots = [InProcessPlayer(reference.make(BOTS[bot.name])) for bot in record.spec.bots]
        again = referee.play(record.spec, (bots[0], bots[1]))
        assert [move.move for move in record.result.moves] == [move.move for move in again.moves]
        assert (record.result.winner, record.result.score) == (again.winner, again.score)
        assert record.result.forfeits == ()


def recount(played: list[MatchRecord]) -> list[dict[str, Any]]:
    """The leaderboard that follows from the records, counted in the plainest way."""
    total: dict[str, Counter[str]] = defaultdict(Counter)
    against: Counter[tuple[str, str]] = Counter()
    for record in played:
        for seat, bot in enumerate(record.spec.bots):
            half = record.result.half_points[seat]
            own, other = record.result.score[seat], record.result.score[1 - seat]
            word = {2: "wins", 1: "draws", 0: "losses"}[half]
            total[bot.name].update({"games": 1, "half": half, word: 1, "own": own, "other": other})
            against[bot.name, record.spec.bots[1 - seat].name] += half

    def direct(name: str) -> int:
        return sum(against[name, other] for other in total if total[other]["half"] == total[name]["half"])

    def key(name: str) -> tuple[int, int, int]:
        return -total[name]["half"], -direct(name), total[name]["own"]

    return list(_rows(sorted(total, key=key), total, key))


def _rows(names: list[str], total: dict[str, Counter[str]], key: Any) -> Iterator[dict[str, Any]]:
    for rank, (_, group) in enumerate(groupby(names, key), start=1):
        (name,) = group  # nobody is equal on all that a leaderboard without times looks at
        count = total[name]
        yield {
            "rank": rank,
            "bot": name,
            "games": count["games"],
            "points": count["half"] / 2,
            "wins": count["wins"],
            "draws": count["draws"],
            "losses": count["losses"],
            "forfeits": 0,
            "score_own": count["own"],
            "score_other": count["other"],
        }


def check_leaderboard(board: list[dict[str, Any]], played: list[MatchRecord]) -> None:
    """The leaderboard shown is the one counted here."""
    counted = recount(played)
    assert [{key: row[key] for key in counted[0]} for row in board] == counted
