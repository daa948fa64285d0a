"""Chunks of games, whichever way they are played."""

from __future__ import annotations

from typing import Any

import pytest

from engines.game import GameError
from engines.games import find_game
from engines.openings import balanced_openings
from tests.unit.workers.simulation.specs import spec_of, total
from workers.core.contract import Policy
from workers.core.errors import SpecError
from workers.simulation import compiled
from workers.simulation.chunks import kernel_of, play_chunk, suggested_chunk
from workers.simulation.contract import CHECK_EVERY, Block, SimulationSpec
from workers.simulation.plain import PlainPath, game_of
from workers.simulation.refereed import RefereedPath, refuse_archives

COMPILED: dict[str, dict[str, Any]] = {
    "circle nim": {"game": "circle_nim", "params": {"rows": 4}},
    "circle nim with records": {
        "game": "circle_nim",
        "params": {"rows": 4},
        "first": "algo3:100",
        "second": "algo2:50:3",
    },
    "heap nim": {"game": "heap_nim"},
    "heap nim, misère": {"game": "heap_nim", "params": {"heaps": [2, 3, 4, 5], "misere": True}},
    "l-game": {"game": "l_game", "policy": Policy(max_plies=80)},
    "rhombic chess": {"game": "rhombic_chess"},
    "rhombic chess, twofold": {"game": "rhombic_chess", "policy": Policy(repetition=2, max_plies=60)},
    "reversed reversi": {"game": "reversed_reversi"},
    "heap nim, by position": {"game": "heap_nim", "first": "perfect", "second": "xor"},
    "circle nim, by position": {"game": "circle_nim", "first": "perfect"},
    "l-game, by position": {"game": "l_game", "first": "best_response", "policy": Policy(max_plies=80)},
    "reversi 6": {"game": "reversed_reversi", "params": {"size": 6, "reversed": False}},
}


@pytest.mark.parametrize("cut", [0, 10])
@pytest.mark.parametrize("record", [False, True])
def test_how_many_games_a_kernel_plays_at_once_does_not_matter(
    monkeypatch: pytest.MonkeyPatch, cut: int, record: bool
) -> None:
    """Blocks are the same wherever their borders fall in what is played at once."""
    spec = spec_of(games=200, swap=True, record_games=record)
    expected = play_chunk(spec, 4, 101, cut=cut)
    for at_once in (2, 6, 10, 64):
        monkeypatch.setattr(compiled, "AT_ONCE", at_once)
        assert play_chunk(spec, 4, 101, cut=cut) == expected


@pytest.mark.parametrize("told", COMPILED.values(), ids=COMPILED.keys())
def test_kernels_and_rules_play_the_same_games(told: dict[str, Any]) -> None:
    """1,000 games of each game are the same both ways: moves, ends, scores, seats, and so every count."""
    spec = spec_of(games=1000, swap=True, record_games=True, **told)
    assert kernel_of(spec, game_of(spec)) is not None
    compiled, plain = play_chunk(spec, 0, 1000), play_chunk(spec, 0, 1000, plain=True)
    assert compiled == plain
    lines, by_the_rules = (play_chunk(spec, 0, 1000, plain=plain, as_lines=True) for plain in (False, True))
    assert lines == by_the_rules
    assert [block.written for block in lines] == [_in_json(block) for block in plain]
    assert not any(block.games for block in lines)
    bare = spec.model_copy(update={"record_games": False})
    assert [block.tally for block in play_chunk(bare, 0, 1000)] == [block.tally for block in plain]


def _in_json(block: Block) -> bytes:
    return b"".join(line.model_dump_json().encode() + b"\n" for line in block.games)


def _refereed(spec: SimulationSpec, start: int, count: int) -> Any:
    game = game_of(spec)
    with RefereedPath(spec, game, refuse_archives) as path:
        return path.block(start, count)


@pytest.mark.parametrize(
    "told",
    [
        {"game": "heap_nim", "first": "xor"},
        {"game": "circle_nim"},
        {"game": "rhombic_chess", "policy": Policy(repetition=2)},
        {"game": "l_game", "policy": Policy(max_plies=12)},
        {"game": "reversed_reversi", "params": {"size": 4}},
    ],
)
def test_the_referee_plays_the_same_games(told: dict[str, Any]) -> None:
    """Between in-process players the tournaments' referee comes to the same games, from openings too."""
    game = find_game(told["game"], told.get("params", {}))
    openings = balanced_openings(game, 3, 2, 1)
    spec = spec_of(games=40, swap=True, openings=openings, record_games=True, **told)
    assert _refereed(spec, 0, 40) == PlainPath(spec, game).block(0, 40)


@pytest.mark.parametrize("swap", [False, True])
@pytest.mark.parametrize("plain", [False, True])
def test_chunks_do_not_matter(plain: bool, swap: bool) -> None:
    """However the games are split, the same ones are played; blocks end where a stopping rule may look."""
    spec = spec_of(games=2501, swap=swap)
    whole = play_chunk(spec, 0, 2501, cut=0, plain=plain)
    assert [(block.start, block.count) for block in whole] == [(0, 2501)]
    pieces = [
        block for start in range(0, 2501, 700) for block in play_chunk(spec, start, min(700, 2501 - start))
    ]
    assert total(pieces) == whole[0].tally
    assert {CHECK_EVERY, 2 * CHECK_EVERY} < {block.end for block in pieces}
    assert all(block.start // CHECK_EVERY == (block.end - 1) // CHECK_EVERY for block in pieces)
    assert sum(whole[0].tally.pairs) == (1250 if swap else 0)


@pytest.mark.parametrize("plain", [False, True])
def test_swapping_exchanges_the_seats_only(plain: bool) -> None:
    """Between equal players the same seats win the same games, but they are counted for the other player."""
    straight, swapped = (
        total(play_chunk(spec_of(games=1001, swap=swap), 0, 1001, plain=plain)) for swap in (False, True)
    )
    (won, drawn, lost), turned = swapped.results
    assert straight.results[0] == (won + turned[0], drawn + turned[1], lost + turned[2])
    assert swapped.wins_draws_losses == (won + turned[2], 0, lost + turned[0])
    assert swapped.scores == (won + turned[2], lost + turned[0])
    assert swapped.pairs[2] + 2 * swapped.pairs[4] <= swapped.wins_draws_losses[0]


def test_pairs_are_counted_by_half_points() -> None:
    """The pairs of games are those that the single games make, draws included."""
    spec = spec_of("rhombic_chess", games=401, swap=True, record_games=True)
    block = play_chunk(spec, 0, 401)[0]
    points = [1 if line.winner is None else 2 * (line.seats[line.winner] == 0) for line in block.games]
    sums = [points[index] + points[index + 1] for index in range(0, 400, 2)]
    assert list(block.tally.pairs) == [sums.count(half_points) for half_points in range(5)]
    assert all(block.tally.pairs)


def test_seed_and_match_make_other_games() -> None:
    """Another seed or match plays other games, the same ones the same."""
    keys: list[dict[str, Any]] = [{}, {"seed": 6}, {"match": 1}, {}]
    tallies = [total(play_chunk(spec_of(games=500, **each), 0, 500)) for each in keys]
    assert tallies[0] == tallies[3]
    assert len({tally.plies for tally in tallies}) == 3


def test_games_begin_with_their_openings() -> None:
    """The opening's moves stand at the beginning of each game and count as plies."""
    openings = (("1:3", "2:4"), ("3:5", "1:1"))
    spec = spec_of(games=8, swap=True, openings=openings, record_games=True)
    lines = play_chunk(spec, 0, 8)[0].games
    assert [line.moves[:2] for line in lines] == [openings[0], openings[0], openings[1], openings[1]] * 2
    assert all(line.plies == len(line.moves) > 2 for line in lines)


@pytest.mark.parametrize(("start", "count"), [(-2, 2), (0, 0), (0, 101), (100, 1), (3, 2)])
def test_chunks_that_are_none_are_refused(start: int, count: int) -> None:
    """A chunk lies within the simulation, and tears no pair of games apart."""
    with pytest.raises(ValueError, match=r"games|even"):
        play_chunk(spec_of(swap=True), start, count)


@pytest.mark.parametrize(
    "told",
    [
        {"first": "nobody"},
        {"first": "algo1:5"},
        {"first": "random:1"},
        {"openings": (("9:9",),)},
        {"openings": (("1:1", "1:4"),)},
    ],
)
def test_impossible_players_and_openings_are_refused(told: dict[str, Any]) -> None:
    """The error is one that says so, not a result."""
    with pytest.raises((GameError, SpecError)):
        play_chunk(spec_of(**told), 0, 2)


def test_another_version_of_the_rules_is_refused() -> None:
    """Games of another version of the rules would be other games."""
    spec = spec_of()
    other = spec.model_copy(update={"game": spec.game.model_copy(update={"version": 99})})
    with pytest.raises(SpecError, match="version"):
        play_chunk(other, 0, 2)


@pytest.mark.parametrize("game", ["circle_nim", "heap_nim", "l_game", "reversed_reversi", "rhombic_chess"])
@pytest.mark.parametrize("options", [{}, {"record_games": True}, {"second": ("bot",)}, {"first": "perfect"}])
def test_suggested_chunks_keep_pairs_together(game: str, options: dict[str, Any]) -> None:
    """Any simulation gets an even number of games for a chunk."""
    chunk = suggested_chunk(spec_of(game, **options))
    assert chunk >= 2
    assert chunk % 2 == 0
