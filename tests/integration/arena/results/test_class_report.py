"""The class report's figures on both databases, counted again by hand."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from decimal import Decimal

import pytest
from sqlalchemy import update

from arena.core.errors import InvalidError
from arena.core.terms import Leaving, MatchState
from arena.results.bot_statistics import seat_balance
from arena.results.class_report import Use, class_report, thresholds_of
from arena.store import exports
from arena.store.models import Match, OpeningTotal
from arena.theory.standings.tally import WALKOVER
from arena.tournaments import amendments, audit, decisions
from tests.integration.arena.asking import asked
from tests.integration.arena.world import World, issue_matches, play
from workers.core.contract import MatchResult, Seat

LONG_NS = 3 * 10**9


def _played(world: World) -> list[MatchResult]:
    """A round robin of four with two forfeits at the board, long times, and a walkover in the last match."""
    world.tournament(bots=4)
    with world.database.transaction() as session:
        messages = issue_matches(session, world.settings)
    results = []
    for at, message in enumerate(messages[:-1]):
        loser: Seat = 0 if at == 0 else 1
        result = play(message.spec, seed=at, forfeits=[loser] if at < 2 else [])
        seats = []
        for seat, use in enumerate(result.seats):
            walls = [move.wall_ns for move in result.moves if move.asked and move.seat == seat]
            extensions = at % (message.spec.time.extensions + 1)
            told = {"answers": len(walls), "slowest_ns": LONG_NS + at, "extensions_used": extensions}
            seats.append(use.model_copy(update=told))
        results.append(result.model_copy(update={"seats": tuple(seats)}))
        world.record(message, results[-1])
    with world.database.transaction() as session:
        match = session.get_one(Match, int(messages[-1].spec.match))
        decisions.decide(session, match, "second", reason="withdrawn", why="left")
    return results


def test_uses_are_summed_by_the_database(world: World) -> None:
    """Answers, times beyond 32 bits, slowest answers, extensions and forfeits are those of the games."""
    results = _played(world)
    by_hand: dict[int, Counter[str]] = {}
    forfeits: dict[int, Counter[str]] = {}
    matches = world.matches()
    for match, result in zip(matches, results, strict=False):
        for seat, entry in enumerate((match.first_id, match.second_id)):
            sums, told = by_hand.setdefault(entry, Counter()), result.seats[seat]
            sums.update(answers=told.answers, wall_ns=told.wall_ns, extensions=told.extensions_used)
            sums["slowest_ns"] = max(sums["slowest_ns"], told.slowest_ns)
            lost = [str(each.code) for each in result.forfeits if each.seat == seat]
            forfeits.setdefault(entry, Counter()).update(lost)
    forfeits[matches[-1].first_id][WALKOVER] += 1
    with world.database.reading() as session:
        tournament = world.get(session)
        ids = {entry.version.bot.name: entry.id for entry in tournament.entries}
        report = class_report(session, tournament, references=["cup-bot1"])
    assert len(report.lines) == 3
    for line in report.lines:
        entry = ids[line.bot]
        assert line.use == Use(forfeits=dict(forfeits[entry]), **by_hand[entry])
        assert line.use.slowest_ns > 2**31
    assert sum(forfeits.values(), Counter()) == {"crash": 2, WALKOVER: 1}


def test_a_report_takes_as_many_queries_whatever_was_played(world: World) -> None:
    """Report and balance read totals: with every game recorded they ask no more than before the first."""

    def through() -> list[str]:
        with world.database.reading() as session:
            tournament = world.get(session)
            with asked("SELECT", "WITH", engine=world.database.engine) as made:
                class_report(session, tournament, references=["cup-bot1"])
                seat_balance(session, tournament)
        assert made
        return [told for told, _ in made if "results" in told or "FROM matches" in told]

    world.tournament(bots=4, openings=2, opening_plies=2)
    assert through() == []
    with world.database.transaction() as session:
        messages = issue_matches(session, world.settings.model_copy(update={"window": 1000}))
    for at, message in enumerate(messages):
        world.record(message, play(message.spec, seed=at))
    assert through() == []
    with world.database.reading() as session:
        balance = seat_balance(session, world.get(session))
        games = sum(share.games for share in balance.openings.values())
        assert games == balance.total.games == len(messages)


def test_what_counts_no_more_leaves_the_totals(world: World) -> None:
    """The slowest answer that is played again is the slowest no more, and nothing of it is in the sums."""
    _played(world)
    with world.database.transaction() as session:
        slowest = max(world.get(session).entries, key=lambda entry: entry.slowest_ns)
        games = [each for each in world.matches() if slowest.id in {each.first_id, each.second_id}]
        before = slowest.slowest_ns
        for match in games[-2:]:
            found = session.get_one(Match, match.id)
            if found.result and found.result.kind == "played":
                amendments.rerun(session, world.staff, found, "power cut")
    with world.database.reading() as session:
        tournament = world.get(session)
        assert audit.verify(session, tournament) == []
        assert max(each.slowest_ns for each in tournament.entries if each.id == slowest.id) < before


def test_the_totals_are_compared_with_the_results(sqlite_world: Callable[[], World]) -> None:
    """An answer, a forfeit or an opening that was counted wrongly is found by the verification."""
    world = sqlite_world()
    world.tournament(bots=3, openings=1, opening_plies=2)
    with world.database.transaction() as session:
        messages = issue_matches(session, world.settings)
    for message in messages:
        world.record(message)
    with world.database.transaction() as session:
        entry = world.get(session).entries[0]
        entry.answers += 1
        entry.forfeits_by = {"crash": 1}
        session.execute(update(OpeningTotal).values(first_draws=OpeningTotal.first_draws + 1))
    with world.database.reading() as session:
        wrong = audit.verify(session, world.get(session))
    assert [each.partition(" is ")[0] for each in wrong] == [
        "entry 1: answers",
        "entry 1: crash",
        "opening 1: first_draws",
    ]


def test_lines_of_a_table_of_matches(world: World) -> None:
    """Every match is there in order, with its result where it has one."""
    _played(world)
    world.tournament("next", bots=3)
    with world.database.reading() as session:
        rows = list(exports.lines(session, world.get(session)))
        waiting = list(exports.lines(session, world.get(session, "next")))
    assert [row.number for row in rows] == list(range(1, 7))
    assert [(row.kind, row.reason) for row in rows[-1:]] == [("forfeit", "withdrawn")]
    assert {row.kind for row in rows[:-1]} == {"played"}
    assert {(row.state, row.reason, row.recorded_at) for row in waiting} == {(MatchState.PENDING, None, None)}


def test_who_left_is_marked(sqlite_world: Callable[[], World]) -> None:
    """A line says how its bot left the tournament, and nothing of one that is still there."""
    world = sqlite_world()
    world.tournament(bots=3)
    with world.database.transaction() as session:
        world.get(session).entries[1].left_as = Leaving.WITHDRAWN
    with world.database.reading() as session:
        lines = class_report(session, world.get(session), references=["cup-bot1"]).lines
    assert {line.bot: line.left_as for line in lines} == {"cup-bot2": "withdrawn", "cup-bot3": None}


def test_who_is_level_shares_a_place_of_the_class(sqlite_world: Callable[[], World]) -> None:
    """The reference bot in front takes a place among all, and none of the class; equals have the same one."""
    world = sqlite_world()
    world.tournament(bots=4)
    with world.database.transaction() as session:
        won = next(match for match in world.matches() if match.first.number == 1)
        decisions.decide(session, session.merge(won), "first", reason="manual", why="agreed")
        lines = class_report(session, world.get(session), references=["cup-bot1"]).lines
    assert [(line.place, line.class_place) for line in lines] == [(2, 1), (3, 2), (3, 2)]


@pytest.mark.parametrize("text", ["", "a", "=0.5", "a=", "a=x", "a=-0.1", "a=1.01", "a=inf"])
def test_what_is_no_threshold(text: str) -> None:
    """A threshold without a bot, or with a share that is none, is refused."""
    with pytest.raises(InvalidError, match="BOT=SHARE"):
        thresholds_of([text])


def test_thresholds_are_exact() -> None:
    """A share is kept as it was written, and the bot's name may hold an equals sign."""
    assert thresholds_of(["a=0.9", "b=c=.3"]) == {"a": Decimal("0.9"), "b=c": Decimal("0.3")}
