"""Migrations: what they make of the rows that there were before."""

from __future__ import annotations

import datetime as dt
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select, text

from arena.coordinator import solving
from arena.core.settings import Settings
from arena.core.terms import Role, Scope
from arena.events import news
from arena.people import users
from arena.people.erasing import erase
from arena.schemas.plans import TournamentPlan
from arena.store.database import Database
from arena.store.migrations.versions.rev_0016_sweeps import down_revision as before_sweeps
from arena.store.models import Encounter, Entry, Event, OpeningTotal, Result, Tournament
from arena.store.models.event_types import MatchDecided
from arena.submissions import versions
from arena.tournaments import amendments, audit, freezing, lifecycle
from tests.integration.arena.lab import Lab
from tests.integration.arena.solving import MOVES, VALUE, Solvers
from tests.integration.arena.store.undoing import (
    COUNTS,
    undo_erased_walkovers,
    undo_formats,
    undo_grading,
    undo_match_counts,
    undo_news,
    undo_pair_counts,
    undo_played,
    undo_signing_in,
    undo_solve_positions,
    undo_sweeps,
)
from tests.integration.arena.world import GAME, PARAMS, World, issue_matches, play


def test_pair_counts_are_made_of_the_games_recorded_before(database: Database) -> None:
    """Coming up to the counts counts the old games by who moved first, as recording does."""
    world = World(database, Settings(data_dir=Path("unused")))
    world.tournament(bots=3, openings=2, opening_plies=2)
    with database.transaction() as session:
        messages = issue_matches(session, world.settings.model_copy(update={"window": 1000}))
    for number, message in enumerate(messages):
        world.record(message, play(message.spec, forfeits=(0, 1) if number == 0 else ()))
    counts = _counts(database)
    assert sum(map(sum, counts.values())) == len(messages) - 1
    undo_pair_counts(database)
    database.migrate()
    assert _counts(database) == counts


def test_what_has_begun_before_the_formats_has_all_its_rounds(database: Database) -> None:
    """Coming up to the formats, a running tournament has every round, and an open one none."""
    world = World(database, Settings(data_dir=Path("unused")))
    world.tournament("begun", bots=4)
    world.tournament("open", bots=4, start=False)
    undo_formats(database)
    database.migrate()
    with database.reading() as session:
        begun, opened = world.get(session, "begun"), world.get(session, "open")
        assert (begun.rounds_paired, begun.all_paired, begun.options) == (3, True, {})
        assert (opened.rounds_paired, opened.all_paired, opened.standings_order) == (0, False, [])
        assert {(entry.joined_round, entry.left_as, entry.annulled) for entry in begun.entries} == {
            (1, None, False)
        }


def test_scores_of_games_that_nobody_played_leave_the_totals(database: Database) -> None:
    """Coming up to the games played, the totals are those that the results add up to now."""
    world = World(database, Settings(data_dir=Path("unused")))
    world.tournament(bots=4)
    with database.transaction() as session:
        messages = issue_matches(session, world.settings.model_copy(update={"window": 1000}))
    for message in messages[:3]:
        world.record(message, play(message.spec))
    with database.transaction() as session:
        bot = versions.get(session, "cup-bot1")
        amendments.withdraw(session, world.staff, world.get(session), bot, "gone")
    before = _played(database)
    assert {games - played for _, games, played, *_ in before} > {0}
    with database.transaction() as session:
        old = "UPDATE entries SET score_own = score_own + 16 * (games - played) WHERE number > 1"
        session.execute(text(old.replace("score_own", "score_other")))
        session.execute(text(old.replace("> 1", "= 1")))
    undo_played(database)
    database.migrate()
    with database.reading() as session:
        assert audit.verify(session, world.get(session)) == []
    assert _played(database) == before


def _played(database: Database) -> list[tuple[int, ...]]:
    with database.reading() as session:
        rows = session.scalars(select(Entry).order_by(Entry.id)).unique().all()
        return [(row.number, row.games, row.played, row.score_own, row.score_other) for row in rows]


def test_matches_that_there_were_before_are_counted(database: Database) -> None:
    """Coming up to the counts of matches, they are those of the matches that every tournament has."""
    world = World(database, Settings(data_dir=Path("unused")))
    for name, bots in (("other", 3), ("cup", 4)):
        world.tournament(name, bots=bots)
    with database.transaction() as session:
        messages = issue_matches(session, world.settings.model_copy(update={"window": 1000}))
    for message in messages:
        world.record(message)
    with database.transaction() as session:
        bot = versions.get(session, "cup-bot1")
        amendments.disqualify(session, world.staff, world.get(session), bot, "cheated", annul=True)
    before = _match_counts(database)
    assert before == {"other": (3, 3, 0), "cup": (6, 3, 3)}
    undo_match_counts(database)
    database.migrate()
    assert _match_counts(database) == before


def test_what_was_used_before_is_counted(database: Database) -> None:
    """Coming up to the totals of use and openings, also in a freeze, they are those of the games."""
    world = World(database, Settings(data_dir=Path("unused")))
    world.tournament(bots=4, openings=2, opening_plies=2)
    with database.transaction() as session:
        messages = issue_matches(session, world.settings.model_copy(update={"window": 1000}))
    for at, message in enumerate(messages[:6]):
        world.record(message, play(message.spec, seed=at, forfeits=[0] if at == 1 else []))
    with database.transaction() as session:
        freezing.freeze(session, world.staff, world.get(session), own=False)
        bot = versions.get(session, "cup-bot1")
        amendments.withdraw(session, world.staff, world.get(session), bot, "gone")
    before = _used(database)
    assert before[0] != before[1]
    database._frozen.dispose()  # its connections have views of the tables
    undo_grading(database)
    database.migrate()
    assert _used(database) == before
    with database.reading() as session:
        assert audit.verify(session, world.get(session)) == []


def _used(database: Database) -> list[Any]:
    """The totals as they are, and as the public is shown them."""
    told = []
    for reading in (database.reading, database.frozen):
        with reading() as session:
            entries = session.scalars(select(Entry).order_by(Entry.id)).unique().all()
            rows: list[Any] = [
                (row.number, row.answers, row.extensions, row.slowest_ns, row.forfeits_by) for row in entries
            ]
            openings = session.scalars(select(OpeningTotal).order_by(OpeningTotal.number))
            rows += [(each.first_wins, each.first_draws, each.first_losses) for each in openings]
            told.append(rows)
    return told


def test_tokens_of_before_are_good_after(database: Database) -> None:
    """Coming up to signing in, whoever was there is what they were, and their tokens are good."""
    world = World(database, Settings(data_dir=Path("unused")))
    with database.transaction() as session:
        _, token = users.create_user(session, "team", Role.TEAM)
    undo_signing_in(database)
    database.migrate()
    with database.reading() as session:
        staff, team = (users.authenticate(session, text) for text in (world.staff_token, token))
        assert (staff.role, team.role) == (Role.ADMIN, Role.TEAM)
        assert users.tokens(session, staff)[0].scope == Scope.ALL
        assert (team.is_leader, team.team_id, team.password_hash, team.left_at) == (False, None, None, None)


def _match_counts(database: Database) -> dict[str, tuple[int, ...]]:
    with database.reading() as session:
        cups = session.scalars(select(Tournament)).all()
        return {cup.name: (cup.matches_total, cup.matches_finished, cup.matches_cancelled) for cup in cups}


def test_nothing_of_before_is_news(database: Database) -> None:
    """Coming up to the news, who is there has seen all of before, and who comes later too."""
    world = World(database, Settings(data_dir=Path("unused")))
    team = world.team("red")
    undo_news(database)
    with database.transaction() as session:
        session.execute(text("UPDATE users SET created_at = '2020-01-01 00:00:00+00'"))
    database.migrate()
    with database.transaction() as session:
        old, new = users.get(session, team.name), users.create_user(session, "late", Role.TEAM)[0]
        assert news.mark_of(old) > new.created_at - dt.timedelta(hours=1)
        assert news.mark_of(new) == new.created_at


def test_experiments_that_there_were_before_sweeps_say_how_many_games_they_have(database: Database) -> None:
    """Coming up to the sweeps, an experiment has the games of its spec, no sweep, and is the staff's."""
    lab = Lab(World(database, Settings(data_dir=Path("unused"))))
    lab.create(games=1234)
    undo_sweeps(database)
    with database.transaction() as session:
        session.execute(text("UPDATE alembic_version SET version_num = :one"), {"one": before_sweeps})
    database.migrate()
    found = lab.get()
    assert (found.games, found.spent_ns, found.sweep_id, found.owner_id) == (1234, 0, None, None)


@pytest.fixture
def solvers(database: Database) -> Iterator[Solvers]:
    """A host that solves; its trees end with the test."""
    yield Solvers(World(database, Settings(data_dir=Path("unused"))))
    solving.WORK.rest()


def test_a_solve_that_there_was_before_positions_goes_on_from_the_start(
    database: Database, solvers: Solvers
) -> None:
    """Coming up to positions of solves, one that runs has none, keeps what is known, and ends as ever."""
    solvers.create()
    for _, message in zip(range(3), solvers.rounds(), strict=False):
        solvers.record(message)
    before = [(each.number, each.position, each.low, each.high) for each in solvers.known()]
    solving.WORK.rest()
    undo_solve_positions(database)
    database.migrate()
    assert solvers.get().position is None
    assert [(each.number, each.position, each.low, each.high) for each in solvers.known()] == before
    assert len(before) == 3
    solve = solvers.solve()
    assert (solve.value, solve.moves) == (VALUE[True], MOVES)


def test_what_the_leaving_of_an_erased_person_decided_names_nobody(database: Database) -> None:
    """Coming up to revision 0045, walkovers and the log have no name of whoever was erased before, only."""
    world = World(database, Settings(data_dir=Path("unused")))
    team = world.team("ming")
    with database.transaction() as session:
        plan = TournamentPlan(name="cup", game=GAME, params=PARAMS, format="double_round_robin", seed=1)
        cup = lifecycle.create(session, world.staff, plan)
        for bot, owner in (("mingbot", team), ("leaver", world.staff), ("other", world.staff)):
            lifecycle.enter(session, world.staff, cup, world.bot(session, bot, owner))
        lifecycle.open_(session, world.staff, cup)
        lifecycle.start(session, world.staff, cup)
        for bot in ("mingbot", "leaver"):
            amendments.withdraw(session, world.staff, cup, versions.get(session, bot), "ill")
    with database.reading() as session:
        before = session.execute(select(Result.match_id, Result.manual_reason)).all()
        log = session.execute(select(Event.id, Event.data).where(Event.kind == MatchDecided.KIND)).all()
    with database.transaction() as session:
        erase(session, "ming", sources=False)
    with database.transaction() as session:
        for number, why in before:
            session.get_one(Result, number).manual_reason = why
        for number, data in log:
            session.get_one(Event, number).data = data
    undo_erased_walkovers(database)
    database.migrate()
    with database.reading() as session:
        reasons = [*session.scalars(select(Result.manual_reason))]
        told = [
            each["why"] for each in session.scalars(select(Event.data).where(Event.kind == MatchDecided.KIND))
        ]
    for each in (reasons, told):
        assert Counter(each) == {"left the tournament": 4, "leaver left the tournament": 2}


def _counts(database: Database) -> dict[tuple[int, int], tuple[int, ...]]:
    with database.reading() as session:
        rows = session.scalars(select(Encounter)).all()
        return {(row.entry_id, row.other_id): tuple(getattr(row, name) for name in COUNTS) for row in rows}
