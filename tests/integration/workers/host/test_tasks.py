"""The worker's task: what it tells the trusted side, and when."""

from __future__ import annotations

import os
import threading
import time
from typing import Any

import psutil
import pytest

from tests.integration.workers.host.conftest import SIMULATION, SLOW, Sent, chunk, reports, stored
from tests.unit.workers.conftest import make_spec
from workers.app import app
from workers.checks.contract import CheckReport, CheckSpec
from workers.core.contract import BotRef, GameSpec, Limits, MatchResult
from workers.core.errors import SpecError, in_words
from workers.host import reporting, stopping, tasks
from workers.host.calibration import speed
from workers.host.cores import match_cores
from workers.play.match import play_match
from workers.programs.archive_store import ArchiveStore
from workers.programs.archives import canonical_archive
from workers.sandbox import slots
from workers.sandbox.cgroups import find_host
from workers.sandbox.levels import level_in_use
from workers.sandbox.slots import SLOTS
from workers.simulation.contract import SimulatedPlayer

SLEEP_SECONDS = 600


def test_a_played_match_is_reported_once_with_its_token(store: ArchiveStore, sent: Sent) -> None:
    """A sign of life at the start, then the whole result, both under the attempt's token."""
    bot = stored(store)
    tasks.play(make_spec(bots=(bot, bot)).model_dump(mode="json"), 2, "token")
    assert sent[0][0] == "arena.heartbeat"
    assert [name for name, _ in sent].count("arena.record") == 1
    for _, kwargs in sent:
        assert (kwargs["match"], kwargs["attempt"], kwargs["token"]) == ("test", 2, "token")
        assert kwargs["host"]
    result = MatchResult.model_validate(dict(sent)["arena.record"]["result"])
    assert result.forfeits == ()
    assert result.moves
    assert result.host_speed == speed()


def test_a_repeated_match_is_reported_as_one(store: ArchiveStore, sent: Sent) -> None:
    """It is played as any match is, and every report names the repeat."""
    bot = stored(store)
    tasks.repeat(make_spec(bots=(bot, bot)).model_dump(mode="json"), 2, "token")
    assert (sent[0][0], [name for name, _ in reports(sent)]) == ("arena.repeat_heartbeat", ["arena.repeated"])
    assert {(kwargs["repeat"], kwargs["attempt"], kwargs["token"]) for _, kwargs in sent} == {
        ("test", 2, "token")
    }
    assert MatchResult.model_validate(reports(sent)[0][1]["result"]).moves


AGAIN = """
import json, os, sys
for line in sys.stdin:
    m = json.loads(line)
    if m["type"] == "hello":
        told = {"type": "ready", "protocol": "arena/1", "name": "b", "version": "1"}
        print(json.dumps(told | {"reusable": True}), flush=True)
        print("played here before:", os.path.exists("played"), file=sys.stderr, flush=True)
        open("played", "w").close()
    elif m["type"] == "move":
        print(json.dumps({"type": "move", "id": m["id"], "move": m["legal"][0]}), flush=True)
"""


@pytest.mark.parametrize("reuse", [False, True])
def test_a_reusable_bot_is_kept_where_its_tournament_allows_it(
    store: ArchiveStore, sent: Sent, *, reuse: bool
) -> None:
    """Then its files are those of the match before; otherwise nothing of it is left."""
    if not find_host().has("memory"):
        pytest.skip("bots cannot write files here")
    archive = store.put(canonical_archive("b.py", AGAIN.encode()))
    bots = BotRef(name="b", archive=archive), BotRef(name="c", archive=archive)
    for number in range(2):
        spec = make_spec(match=str(number), bots=bots, reuse=reuse)
        tasks.play(spec.model_dump(mode="json"), 1, "token")
    results = [MatchResult.model_validate(told["result"]) for name, told in sent if name == "arena.record"]
    said = [[use.stderr_head.strip().rpartition(" ")[2] for use in result.seats] for result in results]
    assert said == [["False", "False"], [str(reuse)] * 2]


def test_what_waits_for_a_worker_s_next_match_ends_with_the_worker(store: ArchiveStore, sent: Sent) -> None:
    """After a match a sandbox waits for each of its bots, and none when the worker has ended."""
    if level_in_use() != "bubblewrap":
        pytest.skip("only bubblewrap takes long enough to be prepared")
    bot, before = stored(store), set(psutil.Process().children(recursive=True))
    tasks.play(make_spec(bots=(bot, bot)).model_dump(mode="json"), 1, "token")
    assert "arena.record" in dict(sent)
    waiting = set(psutil.Process().children()) - before
    assert len(waiting) == 2
    tasks._tidy()
    assert set(psutil.Process().children()) - before == waiting
    tasks._end()
    assert set(psutil.Process().children(recursive=True)) == before


@pytest.mark.parametrize("work", ["match", "check", "chunk"])
def test_what_waited_for_too_long_is_ended_before_any_work(
    store: ArchiveStore, sent: Sent, monkeypatch: pytest.MonkeyPatch, work: str
) -> None:
    """While a task lasts no timer goes off, so a worker that always has work would else never tidy up."""
    bot, tidied = stored(store), list[int]()
    monkeypatch.setattr(tasks, "_tidy", lambda: tidied.append(len(sent)))
    if work == "match":
        tasks.play(make_spec(bots=(bot, bot)).model_dump(mode="json"), 1, "token")
    elif work == "check":
        spec = CheckSpec(check="7", bot=bot, games=("heap_nim",), time=SLOW)
        tasks.check(spec.model_dump(mode="json"), 1, "token")
    else:
        tasks.simulate(**chunk())
    assert tidied == [0]


def test_sandboxes_are_built_off_the_cores_of_other_matches(
    store: ArchiveStore, sent: Sent, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After a match its core is another one's, and so are all others that matches may have."""
    cores, spares = list[set[int]](), tasks._spares()
    monkeypatch.setattr(spares, "replenish", lambda: cores.append(os.sched_getaffinity(0)))
    bot, before = stored(store), os.sched_getaffinity(0)
    tasks.play(make_spec(bots=(bot, bot)).model_dump(mode="json"), 1, "token")
    assert "arena.record" in dict(sent)
    assert cores == [before - set(match_cores()) or before]
    assert os.sched_getaffinity(0) == before


def test_with_a_worker_for_each_core_half_of_the_slots_are_left_to_matches(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """However many cores a host has; on one of more than 64 nothing waits."""
    for cores in range(1, SLOTS + 1):
        monkeypatch.setattr(tasks, "cpu_count", lambda cores=cores: cores)
        most = tasks._most_idle()
        assert 2 * most * cores <= SLOTS // 2
        assert (most > 0) == (cores <= SLOTS // 4)


@pytest.mark.parametrize("reuse", [False, True])
def test_no_match_is_lost_for_the_room_of_what_waits(
    store: ArchiveStore, sent: Sent, environment: Any, monkeypatch: pytest.MonkeyPatch, *, reuse: bool
) -> None:
    """Where all slots are taken, what waits for other bots is ended for those that are to play."""
    if level_in_use() != "bubblewrap":
        pytest.skip("only bubblewrap takes long enough to be prepared")
    environment(slot_uid=str(97_000 + os.getpid() % 1000))
    monkeypatch.setattr(slots, "SLOTS", 2)
    archive = store.put(canonical_archive("b.py", AGAIN.encode()))
    for names in ("ab", "cd"):
        bots = [BotRef(name=name, archive=archive) for name in names]
        limits = Limits(processes=len(sent) + 10)
        spec = make_spec(match=names, bots=bots, limits=limits, reuse=reuse and names == "ab")
        tasks.play(spec.model_dump(mode="json"), 1, "token")
    assert [name for name, _ in reports(sent)] == ["arena.record"] * 2


def signs_of_life(sent: Sent) -> int:
    """How many were sent."""
    return sum(name.endswith("heartbeat") for name, _ in sent)


@pytest.fixture
def long_match(sent: Sent, monkeypatch: pytest.MonkeyPatch) -> None:
    """A match takes as long as four signs of life."""

    def play(*arguments: Any, **options: Any) -> MatchResult:
        until = time.monotonic() + 300
        while signs_of_life(sent) < 4:
            assert time.monotonic() < until
            time.sleep(0.01)
        return play_match(*arguments, **options)

    monkeypatch.setattr(tasks, "play_match", play)


@pytest.mark.usefixtures("long_match")
def test_a_long_match_gives_signs_of_life_until_it_ends(store: ArchiveStore, sent: Sent) -> None:
    """Heartbeats come while the match runs and stop with it."""
    bot = stored(store)
    tasks.play(make_spec(bots=(bot, bot)).model_dump(mode="json"), 1, "token")
    ((name, _),) = reports(sent)
    assert name == "arena.record"
    assert not [t for t in threading.enumerate() if t.daemon and "_beat" in t.name]


@pytest.mark.usefixtures("long_match")
def test_a_broker_that_is_away_for_a_while_does_not_silence_a_match(
    store: ArchiveStore, sent: Sent, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Heartbeats that cannot be sent are left out, and those after them come again."""
    send_task, failures = app.send_task, iter([ConnectionError("away"), RuntimeError("odd")])

    def failing(name: str, kwargs: dict[str, Any], **options: object) -> None:
        error = next(failures, None) if sent else None
        if error:
            raise error
        send_task(name, kwargs=kwargs, **options)

    monkeypatch.setattr(app, "send_task", failing)
    bot = stored(store)
    tasks.play(make_spec(bots=(bot, bot)).model_dump(mode="json"), 1, "token")
    assert next(failures, None) is None, "both failures were met"
    ((name, _),) = reports(sent)
    assert name == "arena.record"


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"bots": [{"name": "a", "archive": "0" * 64}] * 2}, "there is no archive 000000000000 in the store"),
        ({"bots": [{"name": "a"}] * 2}, "no archive"),
        ({"game": {"name": "chess"}}, "no game 'chess'"),
        ({"format": 7}, "ValidationError"),
        ({"surprise": 1}, "ValidationError"),
    ],
)
def test_what_cannot_be_played_is_reported_as_lost(
    store: ArchiveStore, sent: Sent, change: dict[str, Any], says: str
) -> None:
    """Our own trouble goes back with its reason and never counts against a bot."""
    bot = stored(store)
    tasks.play(make_spec(bots=(bot, bot)).model_dump(mode="json") | change, 1, "token")
    assert sent[0][0] == "arena.heartbeat"
    (lost,) = [kwargs for name, kwargs in sent if name == "arena.lost"]
    assert "arena.record" not in dict(sent)
    assert says in lost["trouble"]
    assert "\n" not in lost["trouble"]


def test_a_game_is_judged(sent: Sent) -> None:
    """A worker reports what each position was worth; of a game without a solver, why it does not know."""
    game = GameSpec(name="heap_nim", params={"heaps": [1, 1, 2]}, version=1)
    spec = make_spec(game=game, opening=("3:2", "1:1", "2:1"))
    tasks.review(spec.model_dump(mode="json"), 3, "token")
    ((task, told),) = reports(sent)
    assert (task, told["analysis"], told["attempt"]) == ("arena.reviewed", spec.match, 3)
    assert [each["result"] for each in told["result"]["values"]] == [1, -1, 1, -1]
    sent.clear()
    large = make_spec(game=GameSpec(name="reversed_reversi", params={"size": 10}, version=1))
    tasks.review(large.model_dump(mode="json"), 1, "token")
    ((_, told),) = reports(sent)
    assert told["result"]["values"] == []
    assert "8 by 8" in told["result"]["unsolved"]


class Refusing:
    """Refusals of a broker that refuses everybody once it is told to."""

    def __init__(self) -> None:
        self.now = threading.Event()

    def refused(self, token: str) -> bool:
        """Whether it was told to."""
        assert token == "token"
        return self.now.is_set()


@pytest.mark.parametrize("work", ["match", "check", "chunk"])
def test_what_nobody_listens_to_is_broken_off_without_a_word(
    store: ArchiveStore, sent: Sent, monkeypatch: pytest.MonkeyPatch, work: str
) -> None:
    """Once its signs of life are refused a sleeping bot is not waited for, and nothing is reported."""
    refusals, bot = Refusing(), stored(store, pause=SLEEP_SECONDS)
    monkeypatch.setattr(reporting, "_refusals", lambda: refusals)
    threading.Timer(1, refusals.now.set).start()
    began = time.monotonic()
    if work == "match":
        tasks.play(make_spec(bots=(bot, bot), time=SLOW).model_dump(mode="json"), 1, "token")
    elif work == "check":
        spec = CheckSpec(check="7", bot=bot, games=("heap_nim",), time=SLOW)
        tasks.check(spec.model_dump(mode="json"), 1, "token")
    else:
        players = (SimulatedPlayer(name="b", archive=bot.archive), SIMULATION.players[1])
        simulated = SIMULATION.model_copy(update={"players": players, "time": SLOW})
        tasks.simulate(**chunk(spec=simulated.model_dump(mode="json")))
    assert time.monotonic() - began < SLEEP_SECONDS
    assert refusals.now.is_set()
    assert reports(sent) == []


def test_a_cold_stop_gives_a_match_back(
    store: ArchiveStore, sent: Sent, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The report says so in plain words, and that it is no loss."""
    monkeypatch.setattr(stopping, "_stop", stopping._Stop())
    stopping._stop.tell()
    bot = stored(store, pause=SLEEP_SECONDS)
    tasks.play(make_spec(bots=(bot, bot), time=SLOW).model_dump(mode="json"), 1, "token")
    ((name, told),) = reports(sent)
    assert (name, told["trouble"], told["stopped"]) == ("arena.lost", "the worker was stopped", True)


def test_an_error_of_ours_is_told_in_a_line() -> None:
    """Its own words where it has any for users, else its kind and where to look."""
    assert in_words(SpecError("no game 'chess'\nand more")) == "no game 'chess'"
    told = in_words(ValueError("odd\nDebug source: {"))
    assert told == "the worker failed; its log tells more (ValueError: odd)"
    assert in_words(KeyError()) == "the worker failed (KeyError)"


def test_a_check_is_reported_once_with_its_token(store: ArchiveStore, sent: Sent) -> None:
    """The verdict goes back under the attempt's token; trouble of ours goes back as such."""
    bot = stored(store)
    spec = CheckSpec(check="7", bot=bot, games=("heap_nim",), time=SLOW).model_dump(mode="json")
    tasks.check(spec, 3, "token")
    assert sent[0][0] == "arena.check_heartbeat"
    assert all((told["check"], told["attempt"], told["token"]) == ("7", 3, "token") for _, told in sent)
    ((name, told),) = reports(sent)
    assert name == "arena.checked"
    assert CheckReport.model_validate(told["report"]).passed
    sent.clear()
    tasks.check(spec | {"bot": {"name": "b", "archive": "0" * 64}}, 4, "token")
    ((name, told),) = reports(sent)
    assert name == "arena.check_lost"
    assert told["trouble"].startswith("there is no archive")


def test_messages_are_json_and_acknowledged_when_taken() -> None:
    """The broker never decides about redelivery, and pickles are refused."""
    assert app.conf.accept_content == ["json"]
    assert app.conf.task_acks_late is False
    assert app.conf.worker_prefetch_multiplier == 1
    assert app.conf.task_routes["arena.record"] == {"queue": "results"}
    assert app.conf.task_routes["arena.chunk"] == {"queue": "tallies"}
