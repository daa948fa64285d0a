"""Simulations in which processes play."""

from __future__ import annotations

import psutil
import pytest

from tests.unit.workers.conftest import BotMaker
from tests.unit.workers.simulation.specs import player, spec_of, total
from workers.core.errors import SpecError
from workers.sandbox.confinement import Command
from workers.simulation.chunks import play_chunk
from workers.simulation.contract import SimulatedPlayer
from workers.simulation.runner import simulate

REUSABLE = """
print("started", file=sys.stderr, flush=True)
while True:
    hello = get()
    send(type="ready", protocol="arena/1", name="test", version="1", reusable=True)
    while (m := get())["type"] == "move":
        send(type="move", id=m["id"], move=m["legal"][hello["seed"] % len(m["legal"])])
"""


def _running(command: Command) -> list[psutil.Process]:
    return [p for p in psutil.process_iter(["cmdline"]) if command[-1] in (p.info["cmdline"] or [])]


def test_a_strategy_meets_a_process(bot: BotMaker) -> None:
    """In both seats, with openings, in any chunks: the same games, and no process left."""
    command = bot(REUSABLE)
    spec = spec_of(
        "heap_nim", "xor", command, 12, swap=True, openings=(("1:1",), ("2:2",)), record_games=True
    )
    whole = play_chunk(spec, 0, 12)
    pieces = [block for start in (0, 4, 6) for block in play_chunk(spec, start, {0: 4, 4: 2, 6: 6}[start])]
    assert [line for block in pieces for line in block.games] == list(whole[0].games)
    assert total(pieces) == whole[0].tally
    assert whole[0].tally.forfeits == (0, 0)
    assert {line.seats for line in whole[0].games} == {(0, 1), (1, 0)}
    assert not _running(command)


def test_two_processes_meet(bot: BotMaker) -> None:
    """What a game is depends on its index, not on the chunk that it is played in."""
    one, other = bot(REUSABLE), bot(REUSABLE)
    spec = spec_of("heap_nim", one, other, 6, swap=True, record_games=True)
    whole = play_chunk(spec, 0, 6)[0]
    pieces = [block for start in (0, 2, 4) for block in play_chunk(spec, start, 2)]
    assert [line for block in pieces for line in block.games] == list(whole.games)
    assert len({line.moves for line in whole.games}) > 1
    assert not _running(one)


def test_forfeits_are_counted_for_the_player_in_either_seat(bot: BotMaker, honest: Command) -> None:
    """A bot that answers rubbish loses each game by forfeit, whichever seat it has, and whoever it meets."""
    broken = bot("ready(); get(); print('oops', flush=True)")
    for other in (honest, "random"):
        tally = play_chunk(spec_of("heap_nim", other, broken, 4, swap=True), 0, 4)[0].tally
        assert tally.forfeits == (0, 4)
        assert tally.wins_draws_losses == (4, 0, 0)
        assert tally.results == ((2, 0, 0), (0, 0, 2))
        assert tally.scores == (4, 0)
        assert tally.ends == {"malformed": 4}
        assert tally.pairs == (0, 0, 0, 0, 2)


def test_a_game_that_both_forfeit_is_lost_by_both(bot: BotMaker) -> None:
    """It is no draw: it stands in no row of the results, and is worth nothing."""
    dead = bot("sys.exit(3)")
    spec = spec_of("heap_nim", dead, dead, 2, swap=True)
    tally = play_chunk(spec, 0, 2)[0].tally
    assert tally.results == ((0, 0, 0), (0, 0, 0))
    assert (tally.double_forfeits, tally.forfeits) == (2, (2, 2))
    assert tally.pairs == (1, 0, 0, 0, 0)


def test_processes_play_on_several_cores(bot: BotMaker) -> None:
    """In a pool the same games are played as in one chunk, and afterwards nothing is left running."""
    command = bot(REUSABLE)
    spec = spec_of("heap_nim", "random", command, 10)
    assert simulate(spec, jobs=2, chunk=2).tally == play_chunk(spec, 0, 10)[0].tally
    assert not _running(command)


def test_archives_need_a_store() -> None:
    """A submitted bot cannot be played where there are no archives."""
    archived = SimulatedPlayer(name="theirs", archive="a" * 64)
    spec = spec_of("heap_nim", games=2).model_copy(update={"players": (archived, player("random"))})
    with pytest.raises(SpecError, match="theirs is an archive"):
        play_chunk(spec, 0, 2)


def test_an_archive_is_played_by_its_command(honest: Command) -> None:
    """Whoever has the archives says what starts one."""
    archived = SimulatedPlayer(name="theirs", archive="a" * 64)
    spec = spec_of("heap_nim", games=2).model_copy(update={"players": (archived, player("random"))})
    asked: list[SimulatedPlayer] = []

    def command_of(told: SimulatedPlayer) -> Command:
        asked.append(told)
        return honest

    tally = play_chunk(spec, 0, 2, commands=command_of)[0].tally
    assert (tally.games, tally.forfeits) == (2, (0, 0))
    assert asked == [archived]
