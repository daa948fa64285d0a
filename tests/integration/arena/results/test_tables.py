"""Tables of whole tournaments, from the database."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest

from arena.results import bot_statistics, tables, views
from arena.store import encounters
from arena.submissions import versions
from arena.theory.standings.counted import table_of_rounds
from arena.theory.standings.order import TIE_BREAKS
from arena.tournaments import amendments, history, lifecycle
from arena.web.answers.standings import crosstable_of, leaderboard_of
from arena.web.answers.statistics import balance_of, bot_numbers_of, head_to_head_of
from arena.web.http.responses import Window
from tests.integration.arena.ticking import coordinator_of
from tests.integration.arena.world import World, play

EVERYTHING = ("points", *(name for name in TIE_BREAKS if name != "points"))
BOTS = 5
ENDS: tuple[dict[str, Any], ...] = ({}, {}, {"forfeits": (0,)}, {"resigns": True}, {"forfeits": (0, 1)})


def _played(world: World, seed: int, **plan: Any) -> list[str]:
    """All tables of a tournament whose results arrive in an order drawn from `seed`."""
    name = world.tournament(bots=BOTS, standings_order=EVERYTHING, **plan)
    coordinator, stream = coordinator_of(world, window=100), random.Random(seed)
    for _ in range(100):
        coordinator.tick()
        messages = list(world.broker.queue)
        world.broker.queue.clear()
        if _state(world, name) == "finished":
            break
        stream.shuffle(messages)
        for message in messages:
            world.record(message, play(message.spec, **ENDS[int(message.spec.match) % len(ENDS)]))
    return _tables(world, name)


def _state(world: World, name: str) -> str:
    with world.database.reading() as session:
        return world.get(session, name).state


def _tables(world: World, name: str) -> list[str]:
    with world.database.reading() as session:
        cup = world.get(session, name)
        assert cup.state == "finished"
        bots = {each.number: each.version.bot.name for each in lifecycle.entries(session, cup)}
        board = leaderboard_of(cup, tables.table(session, cup)).decode()
        found = [
            crosstable_of(cup, *views.crosstable(session, cup), Window(offset=0, limit=100)),
            balance_of(cup, bot_statistics.seat_balance(session, cup), bots),
            *(bot_numbers_of(cup, bot_statistics.bot_numbers(session, cup, bot)) for bot in bots.values()),
            head_to_head_of(cup, bot_statistics.head_to_head(session, cup, bots[1], bots[2])),
        ]
    return [board, *(each.model_dump_json() for each in found)]


@pytest.mark.parametrize(
    "plan",
    [
        {"format": "double_round_robin"},
        {"format": "round_robin", "openings": 1, "opening_plies": 2},
        {"format": "swiss", "options": {"rounds": 3}, "openings": 1, "opening_plies": 2},
        {"format": "knockout", "options": {"third_place": True}},
    ],
    ids=lambda plan: plan["format"],
)
def test_the_order_of_arrival_changes_no_byte(
    sqlite_world: Callable[[], World], plan: dict[str, Any]
) -> None:
    """By a chain of every tie-break, all tables are the same in whatever order a round's results arrive."""
    first, second = (_played(sqlite_world(), seed, **plan) for seed in (1, 2))
    assert first == second


@pytest.mark.parametrize("plan", [{"format": "swiss", "options": {"rounds": 3}}, {"format": "round_robin"}])
def test_running_totals_tell_what_rounds_tell(
    sqlite_world: Callable[[], World], plan: dict[str, Any]
) -> None:
    """Points, wins, direct encounters, Sonneborn-Berger and Koya are those of the table of the meetings."""
    world, chain = sqlite_world(), ["points", "direct", "sonneborn_berger", "koya", "wins", "lot"]
    _played(world, 1, **plan)
    with world.database.reading() as session:
        cup = world.get(session)
        cup.standings_order = chain
        found = tables.table(session, cup)
        meetings, entrants = history.meetings(session, cup), history.entrants(session, cup)
        swiss = plan["format"] == "swiss"
        whole = table_of_rounds(entrants, meetings, chain, swiss=swiss, seed=cup.seed)
    assert [(each.rank, each.number, each.tie_breaks) for each in found.standings] == [
        (each.rank, each.number, each.tie_breaks) for each in whole.standings
    ]


def test_a_bracket_decides_before_the_points(sqlite_world: Callable[[], World]) -> None:
    """The first of a knockout is who won the final, and the table says that the bracket decided."""
    world = sqlite_world()
    _played(world, 1, format="knockout")
    with world.database.reading() as session:
        cup = world.get(session)
        found = tables.table(session, cup)
        last = max(history.meetings(session, cup), key=lambda meeting: meeting.round)
    assert found.bracket
    assert {"points", "buchholz", "discs", "time"} <= set(found.means)
    assert last.second is not None
    won = last.first if last.half_points[0] > last.half_points[1] else last.second
    assert {found.standings[0].number, found.standings[1].number} == {last.first, last.second}
    assert found.standings[0].number == won or last.half_points[0] == last.half_points[1]


@pytest.mark.parametrize("plan", [{"format": "knockout"}, {"format": "swiss"}, {}], ids=str)
def test_who_is_disqualified_comes_last_and_the_others_move_up(
    sqlite_world: Callable[[], World], plan: dict[str, Any]
) -> None:
    """Even the winner, when all is over; the points of the others stay as they are."""
    world = sqlite_world()
    _played(world, 1, **plan)
    winner, *others = world.leaderboard()
    with world.database.transaction() as session:
        cup = world.get(session)
        bot = versions.get(session, winner.bot)
        amendments.disqualify(session, world.staff, cup, bot, "its code was another team's")
    *after, last = world.leaderboard()
    assert (last.number, last.left_as, last.points) == (winner.number, "disqualified", winner.points)
    assert [(each.number, each.points) for each in after] == [(each.number, each.points) for each in others]
    assert [each.rank for each in after] == [each.rank - 1 for each in others]


def test_scores_against_some_are_parts_of_the_totals(sqlite_world: Callable[[], World]) -> None:
    """Everybody's scores against everybody are the totals; against nobody there are none."""
    world = sqlite_world()
    _played(world, 1, format="round_robin")
    with world.database.reading() as session:
        cup = world.get(session)
        entries = lifecycle.entries(session, cup)
        ids = [entry.id for entry in entries]
        whole = {entry: (own, other) for entry, own, other in encounters.scores_against(session, cup, ids)}
        assert whole == {entry.id: (entry.score_own, entry.score_other) for entry in entries}
        assert not list(encounters.scores_against(session, cup, []))


def test_while_bots_have_different_numbers_of_games_means_decide(sqlite_world: Callable[[], World]) -> None:
    """After one game of a round robin two have one game and the others none; who won is first."""
    world = sqlite_world()
    world.tournament(bots=3)
    coordinator_of(world, window=1).tick()
    message = world.broker.queue.pop(0)
    world.record(message, play(message.spec, forfeits=(0,)))
    with world.database.reading() as session:
        found = tables.table(session, world.get(session))
    assert found.means == ("points", "discs", "time")
    assert [(each.games, each.points, each.tie_breaks[0]) for each in found.standings] == [
        (1, 1.0, 1.0),
        (1, 0.0, 0.0),
        (0, 0.0, None),
    ]


def test_a_bye_of_a_swiss_is_no_game_without_discs_or_time(sqlite_world: Callable[[], World]) -> None:
    """One of three has the bye of the only round: as many points as the winner, and no discs to compare."""
    world = sqlite_world()
    world.tournament(
        bots=3, format="swiss", options={"rounds": 1}, standings_order=("points", "discs", "time")
    )
    coordinator = coordinator_of(world)
    coordinator.tick()
    (message,) = world.broker.queue
    world.record(message, play(message.spec, seed=3))
    coordinator.tick()
    with world.database.reading() as session:
        found = tables.table(session, world.get(session))
        entries = {entry.number: entry for entry in lifecycle.entries(session, world.get(session))}
    assert found.means == ("discs", "time")
    free = next(number for number, entry in entries.items() if not entry.games)
    assert [line.tie_breaks[1:] for line in found.standings if line.number == free] == [(None, None)]
    tied = [line.number for line in found.standings if line.points == 1]
    assert tied[-1] == free


def test_a_bye_is_as_many_games_won_as_a_pairing_has_from_the_first_result_on(
    sqlite_world: Callable[[], World],
) -> None:
    """While one game of twelve is recorded the bye of the first round already stands for four."""
    world = sqlite_world()
    plan: dict[str, Any] = {"format": "swiss", "options": {"rounds": 2}, "openings": 2, "opening_plies": 1}
    world.tournament(bots=5, standings_order=("wins", "points"), **plan)
    coordinator_of(world).tick()
    world.record(world.broker.queue[0], play(world.broker.queue[0].spec))
    with world.database.reading() as session:
        found = tables.table(session, world.get(session)).standings
        (bye,) = [each for each in found if each.byes]
        met = [each for each in history.meetings(session, world.get(session), begun=True) if each.second]
    assert (bye.rank, bye.tie_breaks[0]) == (1, 4)
    assert [(each.games, each.unplayed) for each in met] == [(1, 0)]


def test_games_of_who_left_in_the_midst_of_a_pairing_are_told_as_not_played(
    sqlite_world: Callable[[], World],
) -> None:
    """One of four was played before: three of the pairing's games are walkovers, as are all of the next."""
    world = sqlite_world()
    world.tournament(bots=3, openings=2, opening_plies=1)
    coordinator_of(world).tick()
    first = world.broker.queue[0]
    world.record(first, play(first.spec))
    with world.database.transaction() as session:
        cup = world.get(session)
        gone = next(each for each in world.matches() if each.state == "finished").first_id
        bot = next(each.version.bot for each in lifecycle.entries(session, cup) if each.id == gone)
        amendments.withdraw(session, world.staff, cup, bot, "ill")
        met = list(history.meetings(session, cup, begun=True))
    assert sorted((each.games, each.unplayed) for each in met) == [(4, 3), (4, 4)]
