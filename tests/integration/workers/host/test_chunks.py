"""The worker's task that plays a chunk of an experiment: what it tells the trusted side."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from tests.integration.workers.host.conftest import SIMULATION, SLOW, Sent, chunk, reports, stored
from workers.host import tasks
from workers.programs.archive_store import ArchiveStore
from workers.simulation.chunks import play_chunk
from workers.simulation.contract import Block, SimulatedPlayer

COMMAND = {"name": "x", "command": ["/bin/cat"]}


@pytest.fixture
def recording(tmp_path: Path, environment: Callable[..., None]) -> Path:
    """Where this host records games in columns."""
    environment(records_url=f"file://{tmp_path}/records")
    return tmp_path / "records"


def _with(**changes: Any) -> dict[str, Any]:
    return SIMULATION.model_dump(mode="json") | changes


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
        ({"spec": _with(players=[COMMAND] * 2), "columns": "game"}, "players by name"),
        ({"spec": _with(players=[COMMAND, {"name": "x", "strategy": "xor"}]), "columns": "ply"}, "by name"),
        ({"spec": _with(players=[{"name": "x", "archive": "0" * 64}] * 2), "columns": "game"}, "by name"),
    ],
)
def test_a_chunk_that_cannot_be_played_is_reported_as_lost(
    store: ArchiveStore, sent: Sent, recording: Path, change: dict[str, Any], says: str
) -> None:
    """Our own trouble goes back with its reason, and nothing is started or recorded."""
    del store
    tasks.simulate(**chunk(**change))
    assert sent[0][0] == "arena.chunk_heartbeat"
    ((name, told),) = reports(sent)
    assert name == "arena.chunk_lost"
    assert says in told["trouble"]
    assert not recording.exists()


def test_a_chunk_in_columns_is_recorded_before_it_is_reported(
    store: ArchiveStore, sent: Sent, recording: Path
) -> None:
    """The part is in the store of recordings, and the counts are those of games that nobody records."""
    del store
    tasks.simulate(**chunk(columns="ply"))
    ((_, told),) = reports(sent)
    assert [Block.model_validate(block) for block in told["blocks"]] == play_chunk(SIMULATION, 4, 6, cut=0)
    part = recording / "experiment-7" / "part-000000000004.parquet"
    assert set(pq.read_table(part)["game"].to_pylist()) == set(range(4, 10))
