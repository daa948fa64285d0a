"""Recording: every result once, from the current attempt only, and totals that equal a recount."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import HealthCheck, given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st
from sqlalchemy import func, select

from arena.coordinator.leases import Verdict
from arena.coordinator.messages import Message
from arena.core.settings import Settings
from arena.core.terms import MatchState
from arena.results import views
from arena.store import events
from arena.store.models import Encounter, Match, Move, Result
from arena.theory.standings.table import Standing
from arena.theory.standings.tally import Tally
from arena.tournaments import lifecycle
from tests.integration.arena.world import World, issue_matches, play
from workers.core.contract import MatchRecord, MatchResult, Seat


def _issue(world: World, window: int = 1000) -> list[Message]:
    with world.database.transaction() as session:
        return issue_matches(session, world.settings.model_copy(update={"window": window}))


def _kinds(world: World) -> list[str]:
    with world.database.reading() as session:
        return [each.kind for each in events.of_tournament(session, world.get(session))]


def _records(world: World) -> list[MatchRecord]:
    with world.database.reading() as session:
        matches = session.scalars(select(Match).where(Match.state == MatchState.FINISHED)).all()
        return [views.match_record(session, match) for match in matches]


def _recount(world: World) -> dict[str, Tally]:
    """Every bot's totals, counted again from the recorded results."""
    totals: dict[str, Tally] = {}
    seats: tuple[Seat, Seat] = (0, 1)
    for record in _records(world):
        for seat in seats:
            bot = record.spec.bots[seat].name
            totals[bot] = totals.get(bot, Tally()) + _tally(record.result, seat)
    return totals


def _tally(result: MatchResult, seat: Seat) -> Tally:
    half_points = result.half_points[seat]
    return Tally(
        games=1,
        half_points=half_points,
        wins=int(half_points == 2),
        draws=int(half_points == 1),
        losses=int(half_points == 0),
        forfeits=sum(forfeit.seat == seat for forfeit in result.forfeits),
        score_own=result.score[seat],
        score_other=result.score[1 - seat],
        wall_ns=result.seats[seat].wall_ns,
    )


def _shown(standing: Standing) -> tuple[Any, ...]:
    return (
        standing.games,
        standing.points * 2,
        standing.wins,
        standing.draws,
        standing.losses,
        standing.forfeits,
        standing.score_own,
        standing.score_other,
        standing.wall_ms,
    )


def _expected(total: Tally) -> tuple[Any, ...]:
    counts = (total.games, total.half_points, total.wins, total.draws, total.losses, total.forfeits)
    return (*counts, total.score_own, total.score_other, total.wall_ns // 10**6)


def test_a_result_is_written_with_everything(world: World) -> None:
    """The recorded match comes back as it was reported: result, moves, times and spec."""
    world.tournament(openings=1, opening_plies=2)
    message = _issue(world)[0]
    told = play(message.spec)
    assert world.record(message, told) == Verdict.TAKEN
    assert _records(world) == [MatchRecord(spec=message.spec, result=told)]
    match = world.match()
    assert (match.state, match.lease_until, match.host) == (MatchState.FINISHED, None, "test-host")
    assert _kinds(world)[-1] == "match.recorded"


@pytest.mark.parametrize(
    "how", [{"forfeits": [0]}, {"forfeits": [1]}, {"forfeits": [0, 1]}, {"resigns": True}], ids=str
)
def test_every_way_to_end_is_recorded(world: World, how: dict[str, Any]) -> None:
    """Forfeits of either or both sides and resignations are results like any other."""
    world.tournament(bots=2)
    message = _issue(world)[0]
    told = play(message.spec, **how)
    assert world.record(message, told) == Verdict.TAKEN
    assert _records(world)[0].result == told
    assert {each.bot: _shown(each) for each in world.leaderboard()} == {
        bot: _expected(total) for bot, total in _recount(world).items()
    }


def test_the_same_report_twice_counts_once(world: World) -> None:
    """A duplicate is absorbed, and is no refusal."""
    world.tournament(bots=2)
    message = _issue(world)[0]
    assert [world.record(message) for _ in range(3)] == [Verdict.TAKEN, Verdict.DUPLICATE, Verdict.DUPLICATE]
    assert world.match().refused == 0
    assert [each.games for each in world.leaderboard()] == [1, 1]


def test_a_late_heartbeat_does_not_reopen_a_match(world: World) -> None:
    """A heartbeat overtaken by its result changes nothing."""
    world.tournament(bots=2)
    message = _issue(world)[0]
    world.record(message)
    assert world.heartbeat(message) == Verdict.DUPLICATE
    assert world.match().state == MatchState.FINISHED


def test_only_the_current_token_is_listened_to(world: World) -> None:
    """Reports of an attempt that was given up are refused and counted; the new attempt's is taken."""
    world.tournament(bots=2)
    old = _issue(world)[0]
    assert world.lose(old) == Verdict.TAKEN
    assert world.record(old) == Verdict.REFUSED
    new = _issue(world)[0]
    assert new.token != old.token
    assert new.attempt == old.attempt + 1
    assert [world.heartbeat(old), world.record(old), world.lose(old)] == [Verdict.REFUSED] * 3
    assert world.match().refused == 4
    assert world.record(replace(new, attempt=old.attempt)) == Verdict.REFUSED
    assert world.record(new) == Verdict.TAKEN


def test_a_match_that_does_not_exist_is_nobodys(world: World) -> None:
    """Reports on unknown matches change nothing."""
    world.tournament(bots=2)
    message = _issue(world)[0]
    stranger = replace(message, spec=message.spec.model_copy(update={"match": "999999"}))
    assert [world.heartbeat(stranger), world.record(stranger), world.lose(stranger)] == [Verdict.UNKNOWN] * 3


def test_a_cancelled_tournament_refuses_late_results(world: World) -> None:
    """What is recorded stays, what comes after the cancellation is refused."""
    world.tournament(bots=3)
    first, second, _ = _issue(world)
    world.record(first)
    world.heartbeat(second)
    with world.database.transaction() as session:
        lifecycle.cancel(session, world.staff, world.get(session))
    assert world.record(second) == Verdict.REFUSED
    assert [match.state for match in world.matches()] == ["finished", "cancelled", "cancelled"]
    assert [match.host for match in world.matches()][1:] == [None, None]
    assert sum(each.games for each in world.leaderboard()) == 2


def test_a_paused_tournament_takes_what_was_issued(world: World) -> None:
    """Pausing stops new matches only."""
    world.tournament(bots=3)
    message = _issue(world, window=1)[0]
    with world.database.transaction() as session:
        lifecycle.pause(session, world.staff, world.get(session))
    assert _issue(world) == []
    assert world.record(message) == Verdict.TAKEN


def test_a_match_lost_too_often_is_parked(world: World) -> None:
    """After more losses than allowed the match waits for the staff, with the last trouble shown."""
    world.tournament(bots=2)
    for _ in range(world.settings.max_lost + 1):
        world.lose(_issue(world)[0], "no room\0 left")
    match = world.match()
    assert match.state == MatchState.PARKED
    assert match.trouble == "test-host: no room\N{REPLACEMENT CHARACTER} left"
    assert _issue(world) == []
    assert _kinds(world)[-1] == "match.parked"


def _unfit(change: Callable[[dict[str, Any]], object]) -> Callable[[Message], dict[str, Any]]:
    def build(message: Message) -> dict[str, Any]:
        payload = play(message.spec).model_dump(mode="json")
        change(payload)
        return payload

    return build


UNFIT = {
    "not a result": lambda _: {"nonsense": 1},
    "another match": _unfit(lambda told: told.update(match="77")),
    "moves of another game": _unfit(lambda told: told["moves"][0].update(move="1:1")),
    "an illegal move": _unfit(lambda told: told["moves"][3].update(move="a1")),
    "a ply left out": _unfit(lambda told: told["moves"].pop(4)),
    "an unfinished game": _unfit(lambda told: told["moves"].pop()),
    "the wrong seat": _unfit(lambda told: told["moves"][0].update(seat=1)),
    "the wrong winner": _unfit(lambda told: told.update(winner=None if told["winner"] is not None else 1)),
    "a wrong score": _unfit(lambda told: told.update(score=[2**70, 0])),
    "another reason": _unfit(lambda told: told.update(reason="because")),
    "another opening": _unfit(lambda told: told["moves"][0].update(move="pass")),
    "an endless time": _unfit(lambda told: told["seats"][0].update(wall_ns=2**70)),
    "a forfeit that is none": _unfit(lambda told: told.update(reason="crash")),
    "a host that is no name": _unfit(lambda told: told.update(host="x\0")),
}


@pytest.mark.parametrize("case", UNFIT)
def test_a_result_that_does_not_fit_is_a_lost_attempt(world: World, case: str) -> None:
    """What cannot be a result of this match counts as a loss of ours, with the reason shown; no crash."""
    world.tournament(bots=2, openings=1, opening_plies=2)
    message = _issue(world)[0]
    assert world.record(message, UNFIT[case](message)) == Verdict.UNFIT
    match = world.match()
    assert (match.state, match.lost, match.token) == (MatchState.PENDING, 1, None)
    assert str(match.trouble).startswith("the reported result does not fit: ")
    with world.database.reading() as session:
        assert session.scalar(select(func.count()).select_from(Result)) == 0
        assert session.scalar(select(func.count()).select_from(Move)) == 0


def test_reports_that_race_count_once(world: World) -> None:
    """Every result reported by four at once is taken once, and totals and encounters equal a recount."""
    world.tournament(bots=4)
    reports = [message for message in _issue(world) for _ in range(4)]
    with ThreadPoolExecutor(8) as pool:
        verdicts = list(pool.map(world.record, reports))
    assert verdicts.count(Verdict.TAKEN) == 6
    assert verdicts.count(Verdict.DUPLICATE) == 18
    recount = _recount(world)
    assert {each.bot: _shown(each) for each in world.leaderboard()} == {
        bot: _expected(total) for bot, total in recount.items()
    }


@given(data=st.data())
@hypothesis_settings(
    max_examples=15,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
def test_the_order_of_arrival_never_matters(
    sqlite_world: Callable[[], World], settings: Settings, data: st.DataObject
) -> None:
    """Shuffled, doubled and repeated reports give the leaderboard that the schedule's own order gives."""
    del settings
    plain, shuffled = sqlite_world(), sqlite_world()
    for world in (plain, shuffled):
        world.tournament(bots=4)
    ends = data.draw(st.lists(st.sampled_from(ENDS), min_size=6, max_size=6))
    for message, end in zip(_issue(plain), ends, strict=True):
        plain.record(message, play(message.spec, **end))
    reports = [(message, end) for message, end in zip(_issue(shuffled), ends, strict=True) for _ in range(2)]
    for message, end in data.draw(st.permutations(reports)):
        shuffled.record(message, play(message.spec, **end))
    assert shuffled.leaderboard() == plain.leaderboard()
    for world in (plain, shuffled):
        assert {each.bot: _shown(each) for each in world.leaderboard()} == {
            bot: _expected(total) for bot, total in _recount(world).items()
        }
        _check_encounters(world)


ENDS: list[dict[str, Any]] = [
    {"seed": 1},
    {"seed": 2},
    {"forfeits": [0]},
    {"forfeits": [0, 1]},
    {"resigns": True},
]


def _check_encounters(world: World) -> None:
    """Encounters add up to the entries' totals."""
    with world.database.reading() as session:
        made = session.execute(
            select(Encounter.entry_id, func.sum(Encounter.half_points), func.sum(Encounter.games)).group_by(
                Encounter.entry_id
            )
        )
        assert {entry: (points, games) for entry, points, games in made} == {
            each.entry: (each.points * 2, each.games) for each in world.leaderboard()
        }
