"""The story of a tournament: every act there is, performed, and found once."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from typing import Any

import pytest

from arena.core.clock import utc_now
from arena.core.errors import ConflictError
from arena.core.terms import Act as Timed
from arena.core.terms import Acts, MatchState
from arena.events import announcements
from arena.results import grading, reveal, story
from arena.results.story import Act
from arena.schemas.events import NewAnnouncement
from arena.schemas.grading import SchemeIn
from arena.store import events
from arena.store.models import Event, Match
from arena.store.models.event_types import ByeGiven, EntryAnnulled, EventKind, MatchParked, TournamentStuck
from arena.submissions import versions
from arena.tournaments import amendments, audit, freezing, lifecycle, matches, timetables
from arena.web.answers.story import ENGLISH, Teller, csv_lines
from arena.web.answers.story_words import SENTENCES
from tests.integration.arena.asking import asked
from tests.integration.arena.world import World, issue_matches, play

OF_OTHERS = (
    *("user", "token", "member", "sessions", "password", "link", "passkey", "code", "class", "organiser"),
    *("bot", "check", "experiment", "host", "environment", "identity", "webhook", "season", "solve"),
    *("training", "arena"),
)
"""What is told of no tournament, by the first word of its kind."""


def _acts(world: World, which: Acts = Acts.ALL, name: str = "cup") -> list[Act]:
    with world.database.reading() as session:
        rows, total = story.acts(session, world.get(session, name), which, 0, 500)
        assert len(rows) == total
        return rows[::-1]


def _said(world: World, which: Acts = Acts.ALL, name: str = "cup") -> list[str]:
    return [f"{ENGLISH.who(act)} {ENGLISH.what(act)}" for act in _acts(world, which, name)]


def _do(world: World, done: Callable[[Any, Any], Any], name: str = "cup") -> None:
    with world.database.transaction() as session:
        done(session, world.get(session, name))


def _play(world: World, many: int) -> None:
    with world.database.transaction() as session:
        messages = issue_matches(session, world.settings.model_copy(update={"window": many}))
    for message in messages:
        world.record(message, play(message.spec, seed=int(message.spec.match)))


def test_every_kind_has_a_sentence_or_a_reason() -> None:
    """No kind of event is forgotten: it is told, it is the daily round of matches, or of no tournament."""
    left = {
        kind
        for kind in EventKind
        if kind not in SENTENCES and kind not in audit.ROUTINE and kind.partition(".")[0] not in OF_OTHERS
    }
    assert left == set()
    assert not SENTENCES.keys() & set(audit.ROUTINE)


def test_one_disqualification_is_one_line(world: World) -> None:
    """However many games are lost by it, it is told once, with how many; each of them is there on demand."""
    world.tournament(bots=14, format="double_round_robin")
    staff = world.staff
    _do(world, lambda s, cup: amendments.disqualify(s, staff, cup, versions.get(s, "cup-bot3"), "cheated"))
    act = _acts(world)[-1]
    assert f"{ENGLISH.who(act)} {ENGLISH.what(act)}" == (
        "staff disqualified cup-bot3 of staff: cheated; 26 games count as lost."
    )
    assert (act.size, len(act.parts)) == (27, story.MAX_PARTS)
    with world.database.reading() as session:
        parts = story.parts(session, story.act(session, world.get(session), act.number), 0, 100)
        assert len({part.event.id for part in parts}) == 27
        assert ENGLISH.part(parts[1], act.names).startswith("decided game ")


def test_every_act_is_told_once(world: World) -> None:
    """Whatever can be done to a tournament is one line with who did it, in the order in which it was done."""
    staff, later = world.staff, utc_now() + dt.timedelta(days=1)
    world.tournament(bots=4, format="swiss", options={"rounds": 3}, start=False)

    def bot(session: Any, number: int) -> Any:
        return versions.get(session, f"cup-bot{number}")

    _do(world, lambda s, cup: amendments.withdraw(s, staff, cup, bot(s, 4), "ill"))
    _do(world, lambda s, cup: timetables.change(s, staff, cup, {Timed.START: later}, own=False))
    _do(world, lambda s, cup: timetables.fail(s, cup.id, Timed.START, ConflictError("nobody there")))
    _do(world, lambda s, cup: lifecycle.start(s, staff, cup))
    _do(world, lambda s, cup: lifecycle.pause(s, staff, cup))
    _do(world, lambda s, cup: lifecycle.resume(s, staff, cup))
    _do(
        world,
        lambda s, _: announcements.make(s, staff, NewAnnouncement(text="hello", tournament="cup")),
    )
    with world.database.transaction() as session:
        match = session.get_one(Match, world.match(1).id)
        match.state = MatchState.PARKED
        events.log(session, MatchParked(3, 3, "no host"), match=match)
    _do(world, lambda s, _: matches.retry(s, staff, s.get_one(Match, world.match(1).id)))
    _play(world, 1)
    _do(world, lambda s, _: amendments.rerun(s, staff, s.get_one(Match, world.match(1).id), "power cut"))
    _play(world, 1)
    _do(
        world,
        lambda s, _: amendments.set_result(s, staff, s.get_one(Match, world.match(1).id), "draw", "agreed"),
    )
    _do(world, lambda s, cup: amendments.rerun_round(s, staff, cup, 1, "fire"))
    _do(world, lambda s, cup: grading.set_scheme(s, staff, cup, SchemeIn()))
    _do(world, lambda s, cup: freezing.freeze(s, staff, cup, own=False))
    _do(world, lambda s, cup: amendments.withdraw(s, staff, cup, bot(s, 3), "gone"))
    _do(world, lambda s, cup: events.log(s, TournamentStuck(cup.revision, "odd"), tournament=cup))
    _do(world, lambda s, cup: events.log(s, EntryAnnulled(2, 0, "old log"), tournament=cup))
    _do(world, lambda s, cup: events.log(s, ByeGiven(2, 1, 2), tournament=cup))
    _do(world, lambda s, cup: lifecycle._move_to(s, None, cup, "finished"))  # type: ignore[arg-type]
    _do(world, lambda s, cup: reveal.go_to(s, staff, cup, at=0, to=1))
    _do(world, lambda s, cup: freezing.reveal(s, staff, cup))
    _do(world, lambda s, cup: grading.release(s, staff, cup, None))
    with pytest.raises(ConflictError):
        _do(world, lambda s, cup: grading.release(s, staff, cup, "again"))
    said = _said(world)
    expected = [
        "staff made the tournament.",
        *(f"staff entered cup-bot{number} of staff, version 1." for number in range(1, 5)),
        "staff opened it for entries.",
        "staff withdrew cup-bot4 of staff: ill",
        "staff set the timetable: Start ",
        "The arena could not keep the timetable (Start): nobody there",
        "staff started it. 1 game is to be played. 1 round was paired. 1 bot has a bye.",
        "staff paused it.",
        "staff let it go on.",
        "staff announced: hello",
        "The arena parked game 1 for the staff: no host",
        "staff had the parked game 1 tried again.",
        "staff had game 1 played again: power cut; 1 result counts no more.",
        "staff decided game 1, drawn: agreed; 1 result counts no more.",
        "staff had round 1 played again: fire; 1 result counts no more. 1 game is played again.",
        "staff set how it is graded.",
        "staff froze it: later results are hidden.",
        "staff withdrew cup-bot3 of staff: gone",
        "The arena stands still, as the format does not know how it goes on: odd",
        "The arena let no game of cup-bot2 of staff count: old log",
        "The arena gave cup-bot1 of staff a bye in round 2.",
        "The arena declared it finished: all is played.",
        "staff took the reveal to step 1.",
        "staff revealed all results.",
        "staff told the teams their grades. ",
    ]
    assert len(said) == len(expected), said
    for told, wanted in zip(said, expected, strict=True):
        assert told.startswith(wanted), (told, wanted)


def test_no_event_is_missing_or_told_twice(world: World) -> None:
    """The events of all acts, together with the daily round, are those of the log, each in one act."""
    world.tournament(bots=5)
    _play(world, 3)
    _do(
        world,
        lambda s, cup: amendments.disqualify(
            s, world.staff, cup, versions.get(s, "cup-bot1"), "x", annul=True
        ),
    )
    with world.database.reading() as session:
        cup = world.get(session)
        acts, _ = story.acts(session, cup, Acts.ALL, 0, 500)
        told = [part.event.id for act in acts for part in story.parts(session, act, 0, 500)]
        logged = session.query(Event.id).where(
            Event.tournament_id == cup.id, Event.kind.not_in(audit.ROUTINE)
        )
        assert sorted(told) == sorted(number for (number,) in logged)


def test_filters(world: World) -> None:
    """Each act is of people or of the arena; a start is its people's, though the arena pairs the rounds."""
    world.tournament(bots=3)
    _do(world, lambda s, cup: amendments.disqualify(s, world.staff, cup, versions.get(s, "cup-bot1"), "x"))
    _do(world, lambda s, cup: events.log(s, TournamentStuck(1, "odd"), tournament=cup))
    people, arena = _said(world, Acts.PEOPLE), _said(world, Acts.ARENA)
    assert sorted(people + arena) == sorted(_said(world))
    assert any("started it." in each for each in people)
    assert arena == ["The arena stands still, as the format does not know how it goes on: odd"]
    (correction,) = _said(world, Acts.CORRECTIONS)
    assert correction.startswith("staff disqualified cup-bot1")


def test_a_freeze_that_is_due_is_an_act_of_its_own(world: World) -> None:
    """Whoever comes first after its moment freezes it, and that is the arena's act and no part of theirs."""
    world.tournament(bots=3)
    with world.database.transaction() as session:
        cup = world.get(session)
        cup.freezes_at = utc_now() - dt.timedelta(seconds=1)
    _do(world, lambda s, cup: amendments.disqualify(s, world.staff, cup, versions.get(s, "cup-bot1"), "x"))
    said = _said(world)[-2:]
    assert said[0] == "The arena froze it: later results are hidden. So the timetable said."
    assert said[1].startswith("staff disqualified cup-bot1")


def test_a_page_asks_the_same_whatever_it_tells(sqlite_world: Callable[[], World]) -> None:
    """A page of long acts takes as many queries as one of a single short one."""
    world = sqlite_world()
    world.tournament(bots=8)
    _do(world, lambda s, cup: amendments.disqualify(s, world.staff, cup, versions.get(s, "cup-bot1"), "x"))

    def number(limit: int) -> int:
        with world.database.reading() as session:
            cup = world.get(session)
            with asked("SELECT", "WITH", engine=world.database.engine) as made:
                story.acts(session, cup, Acts.ALL, 0, limit)
        return len(made)

    assert number(1) == number(50) > 0


def test_the_file_is_guarded_and_in_order(sqlite_world: Callable[[], World]) -> None:
    """The first act comes first, and a reason that a spreadsheet would calculate is text."""
    world = sqlite_world()
    world.tournament(bots=3)
    _do(world, lambda s, cup: amendments.disqualify(s, world.staff, cup, versions.get(s, "cup-bot1"), "=1+1"))

    class Silent(Teller):
        def what(self, act: Act) -> str:
            return str(act.main.event.data.get("reason", ""))

    with world.database.reading() as session:
        acts = list(story.all_acts(session, world.get(session), Acts.ALL))
        lines = list(csv_lines(acts, Silent()))
    assert lines[0].startswith("\ufeffnumber,")
    assert [act.number for act in acts] == sorted(act.number for act in acts)
    assert ",'=1+1," in lines[-1]
