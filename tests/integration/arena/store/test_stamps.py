"""Stamps, as the event loop asks for them: the same as in a transaction, on both databases."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest
from sqlalchemy import select

from arena.coordinator.messages import Message
from arena.core.terms import MatchState
from arena.store import matches
from arena.store import stamps as store
from arena.store.matches import Sought
from arena.store.models import Match
from arena.store.stamps import Question, Stamp, stamps
from tests.integration.arena.world import World, issue_matches, play


def test_a_stamp_is_what_the_database_says_until_something_happens(world: World) -> None:
    """Asked again it says the same, for as long as nothing changed; after a result it says something else."""
    world.tournament(bots=3)
    with world.database.transaction() as session:
        messages = issue_matches(session, world.settings)
    with world.database.reading() as session:
        stamp = store.of_tournament(session, world.get(session))

    async def asked() -> None:
        asking = stamps(world.database.engine.url.render_as_string(hide_password=False))
        try:
            assert await asking.now(stamp.question) == stamp.rows
            together = await asyncio.gather(*(asking.now(stamp.question) for _ in range(20)))
            assert set(together) == {stamp.rows}
            world.record(messages[0], play(messages[0].spec))
            after = await asking.now(stamp.question)
            assert after is not None
            assert after != stamp.rows
            assert await asking.now(Question("SELECT nothing_such FROM nowhere", ())) is None
            assert await asking.now(stamp.question) == after
        finally:
            await asking.close()

    asyncio.run(asked())


def test_a_parked_match_is_seen(world: World) -> None:
    """A match that is parked, which is no new revision, gives another stamp."""
    world.settings = world.settings.model_copy(update={"max_lost": 0})
    world.tournament(bots=3)
    with world.database.transaction() as session:
        messages = issue_matches(session, world.settings)
    with world.database.reading() as session:
        before = store.of_tournament(session, world.get(session))
    world.lose(messages[0])
    with world.database.reading() as session:
        after = store.of_tournament(session, world.get(session))
    assert [row[-1] for row in (*before.rows, *after.rows)] == [0, 1]

    async def asked() -> None:
        asking = stamps(world.database.engine.url.render_as_string(hide_password=False))
        assert await asking.now(before.question) == after.rows
        await asking.close()

    asyncio.run(asked())


@pytest.mark.parametrize("what", ["one", "all", "match", "listed", "of one bot", "in one state"])
def test_whatever_happens_to_a_match_changes_the_stamp(world: World, what: str) -> None:
    """What lists go by says something else when a match is given out, begins, is lost or has a result."""
    world.tournament(bots=2)

    def taken() -> Stamp:
        with world.database.reading() as session:
            cup, match = world.get(session), session.scalars(select(Match)).one()
            listed = partial(matches.listed, cup, offset=0, limit=10)
            return {
                "one": lambda: store.of_states(session, cup),
                "all": lambda: store.of_tournaments(session, 0, 10),
                "match": lambda: store.of_match(session, match),
                "listed": lambda: store.of_matches(session, cup, listed(Sought())),
                "of one bot": lambda: store.of_matches(session, cup, listed(Sought(entry=match.first))),
                "in one state": lambda: store.of_matches(session, cup, listed(Sought(MatchState.RUNNING))),
            }[what]()

    def given_out() -> Message:
        with world.database.transaction() as session:
            (message,) = issue_matches(session, world.settings)
        return message

    def changes() -> Iterator[object]:
        yield (message := given_out())
        yield world.heartbeat(message)
        yield world.lose(message)
        yield (message := given_out())
        yield world.record(message, play(message.spec))

    async def asked() -> None:
        asking = stamps(world.database.engine.url.render_as_string(hide_password=False))
        seen = [taken()]
        for _ in changes():
            seen.append(taken())
            for each in seen:
                assert await asking.now(each.question) == seen[-1].rows
            assert seen[-1].rows != seen[-2].rows
        await asking.close()

    asyncio.run(asked())


def test_a_database_that_is_not_there_says_nothing(tmp_path: Path) -> None:
    """Neither a file that is not there, which is not made, nor a server that does not answer is an error."""

    async def asked(url: str) -> None:
        asking = stamps(url)
        assert await asking.now(Question("SELECT revision FROM tournaments", ())) is None
        await asking.close()

    asyncio.run(asked(f"sqlite:///{tmp_path}/none.sqlite3"))
    assert list(tmp_path.iterdir()) == []
    asyncio.run(asked(f"postgresql+psycopg://nobody@/nothing?host={tmp_path}"))
