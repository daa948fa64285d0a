"""The worker's task: what it tells the trusted side, and when."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.unit.workers.conftest import make_spec
from workers.app import app
from workers.checks.contract import CheckReport, CheckSpec
from workers.core import settings
from workers.core.contract import BotRef, GameSpec, MatchResult, TimeControl
from workers.core.errors import SpecError, in_words
from workers.host import stopping, tasks
from workers.host.calibration import speed
from workers.play.match import play_match
from workers.programs.archives import ArchiveStore, canonical_archive
from workers.simulation.chunks import play_chunk
from workers.simulation.contract import Block, SimulatedPlayer, SimulationSpec

SCRIPT = """
import json, sys, time
for line in sys.stdin:
    m = json.loads(line)
    if m["type"] == "hello":
        print(json.dumps({"type": "ready", "protocol": "arena/1", "name": "b", "version": "1"}), flush=True)
    elif m["type"] == "move":
        time.sleep(PAUSE)
        print(json.dumps({"type": "move", "id": m["id"], "move": m["legal"][0]}), flush=True)
"""

SLOW = TimeControl(move_ms=1_800_000, startup_ms=1_800_000)
SLEEP_SECONDS = 600

Sent = list[tuple[str, dict[str, Any]]]

SIMULATION = SimulationSpec(
    game=GameSpec(name="heap_nim", params={"heaps": [1, 2, 3]}),
    players=(
        SimulatedPlayer(name="random", strategy="random"),
        SimulatedPlayer(name="xor", strategy="xor"),
    ),
    games=10,
    seed=3,
    swap=True,
)


def _with(**changes: Any) -> dict[str, Any]:
    return SIMULATION.model_dump(mode="json") | changes


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[ArchiveStore]:
    """An archive store that the worker's settings point at."""
    monkeypatch.setenv("ARENA_ARCHIVE_URL", f"file://{tmp_path}/store")
    monkeypatch.setenv("ARENA_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setenv("ARENA_HEARTBEAT_SECONDS", "0.05")
    monkeypatch.setenv("ARENA_CORES_DIR", str(tmp_path / "cores"))
    settings.get_settings.cache_clear()
    tasks._workshop.cache_clear()
    tasks._cores.cache_clear()
    yield ArchiveStore(f"file://{tmp_path}/store")
    settings.get_settings.cache_clear()
    tasks._workshop.cache_clear()
    tasks._cores.cache_clear()


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch) -> Sent:
    """What the worker sends, instead of a broker."""
    messages: Sent = []

    def send_task(name: str, kwargs: dict[str, Any], **options: object) -> None:
        del options
        messages.append((name, kwargs))

    monkeypatch.setattr(app, "send_task", send_task)
    return messages


def reports(sent: Sent) -> Sent:
    """What was sent besides signs of life, of which there are as many as there is time for."""
    return [(name, told) for name, told in sent if not name.endswith("heartbeat")]


def stored(store: ArchiveStore, pause: float = 0) -> BotRef:
    """A bot in the store that takes `pause` seconds a move."""
    return BotRef(
        name="b", archive=store.put(canonical_archive("b.py", SCRIPT.replace("PAUSE", str(pause)).encode()))
    )


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
    monkeypatch.setattr(tasks, "_refusals", lambda: refusals)
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


def chunk(**changes: Any) -> dict[str, Any]:
    """What the task that plays a chunk is given."""
    told = {"spec": SIMULATION.model_dump(mode="json"), "start": 4, "count": 6, "cut": 0}
    return {**told, "experiment": 7, "attempt": 2, "token": "token", **changes}


def test_a_played_chunk_is_reported_once_with_its_token(sent: Sent) -> None:
    """A sign of life at the start, then what the games of the chunk come to, and how long they took."""
    tasks.simulate(**chunk())
    assert sent[0][0] == "arena.chunk_heartbeat"
    ((name, told),) = reports(sent)
    assert name == "arena.chunk"
    for _, kwargs in sent:
        about = (kwargs["experiment"], kwargs["start"], kwargs["attempt"], kwargs["token"])
        assert about == (7, 4, 2, "token")
        assert kwargs["host"]
    assert [Block.model_validate(block) for block in told["blocks"]] == play_chunk(SIMULATION, 4, 6, cut=0)
    assert told["elapsed_ns"] > 0


@pytest.mark.parametrize("cut", [0, 1000])
def test_a_chunk_of_recorded_games_is_reported_with_them(sent: Sent, cut: int) -> None:
    """The blocks are cut where a stopping rule looks, and hold every game."""
    spec = SIMULATION.model_copy(update={"record_games": True, "games": 2002})
    tasks.simulate(**chunk(spec=spec.model_dump(mode="json"), start=990, count=1012, cut=cut))
    ((_, told),) = reports(sent)
    blocks = [Block.model_validate(block) for block in told["blocks"]]
    assert blocks == play_chunk(spec, 990, 1012, cut=cut)
    assert [block.end for block in blocks] == ([1000, 2000, 2002] if cut else [2002])
    assert all(len(block.games) == block.count for block in blocks)


def test_a_chunk_of_stored_bots_is_played_by_their_archives(store: ArchiveStore, sent: Sent) -> None:
    """A submitted bot is fetched by its hash and meets a strategy."""
    bot = SimulatedPlayer(name="b", archive=stored(store).archive)
    spec = SIMULATION.model_copy(update={"players": (bot, SIMULATION.players[1]), "time": SLOW})
    tasks.simulate(**chunk(spec=spec.model_dump(mode="json")))
    (block,) = [Block.model_validate(each) for each in dict(sent)["arena.chunk"]["blocks"]]
    assert (block.start, block.count, block.tally.forfeits) == (4, 6, (0, 0))


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"start": 9}, "ValueError"),
        ({"spec": {}}, "ValidationError"),
        ({"spec": _with(game={"name": "chess"})}, "no game 'chess'"),
        ({"spec": _with(players=[{"name": "x", "strategy": "x"}] * 2)}, "no player 'x'"),
        ({"spec": _with(players=[{"name": "x", "command": ["x"]}] * 2)}, "another machine"),
        ({"spec": _with(players=[{"name": "x", "archive": "0" * 64}] * 2)}, "there is no archive"),
    ],
)
def test_a_chunk_that_cannot_be_played_is_reported_as_lost(
    store: ArchiveStore, sent: Sent, change: dict[str, Any], says: str
) -> None:
    """Our own trouble goes back with its reason."""
    del store
    tasks.simulate(**chunk(**change))
    assert sent[0][0] == "arena.chunk_heartbeat"
    ((name, told),) = reports(sent)
    assert name == "arena.chunk_lost"
    assert says in told["trouble"]


def test_messages_are_json_and_acknowledged_when_taken() -> None:
    """The broker never decides about redelivery, and pickles are refused."""
    assert app.conf.accept_content == ["json"]
    assert app.conf.task_acks_late is False
    assert app.conf.worker_prefetch_multiplier == 1
    assert app.conf.task_routes["arena.record"] == {"queue": "results"}
    assert app.conf.task_routes["arena.chunk"] == {"queue": "tallies"}
