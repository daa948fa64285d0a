"""Records of whole games of circle Nim."""

from __future__ import annotations

from itertools import count

import pytest

from engines.games.circle_nim import CircleNim
from engines.strategies import find_strategy
from engines.strategies.record_sets import RecordSet
from engines.strategies.records import END, Records, make
from engines.stream import Stream, game_stream
from tests.integration.engines.kernels.playing import play_one
from workers.core.contract import Policy


def games_of(records: Records) -> list[tuple[int, ...]]:
    """The moves of each record."""
    size = records.width
    packed = [records.packed[at : at + size] for at in range(0, len(records.packed), size)]
    return [tuple(game.rstrip(bytes([END]))) for game in packed]


@pytest.mark.parametrize("rows", range(2, 8))
@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize("won", [True, False])
def test_records_are_the_first_games_with_the_right_winner(rows: int, seat: int, won: bool) -> None:
    """Random games played by the rules and the random player, in the order of their indices, then sorted."""
    game = CircleNim(rows)
    player = find_strategy("random", game)
    run = Stream("records", rows, seat, "won" if won else "lost", 5).word()
    found: list[tuple[int, ...]] = []
    for index in count():
        played = play_one(game, (player, player), game_stream(run, index), Policy())
        if (played.winner == seat) is won:
            found.append(played.moves)
            if len(found) == 50:
                break
    assert games_of(make(RecordSet(rows, 0 if seat == 0 else 1, won, 50, 5))) == sorted(found)


def test_records_belong_to_their_seed_and_kind() -> None:
    """Other seeds, seats and kinds have other games; more records of a kind contain the fewer ones."""
    sets = [RecordSet(3, seat, won, 40, seed) for seat in (0, 1) for won in (True, False) for seed in (0, 1)]
    assert len({make(which).packed for which in sets}) == len(sets)
    few, more = (games_of(make(sets[0]._replace(size=number))) for number in (40, 90))
    assert all(few.count(game) <= more.count(game) for game in few)


def test_consistent_records_begin_with_the_same_moves_in_the_same_order() -> None:
    """Range and next moves are what looking at every record finds, for every beginning that occurs."""
    records = make(RecordSet(3, 0, True, 300, 0))
    games = games_of(records)
    assert games == sorted(games)
    beginnings = {game[:plies] for game in games for plies in range(len(game))}
    for moves in [*beginnings, *(moves[::-1] for moves in beginnings), (2, 2), (18,) * 5]:
        expected = [number for number, game in enumerate(games) if game[: len(moves)] == moves]
        found = records.consistent(bytes(moves))
        assert list(found) == expected
        nexts = {games[number][len(moves)] for number in expected}
        assert records.next_moves(found, len(moves)) == sum(1 << move for move in nexts)
        assert [records.move(number, len(moves)) for number in found] == [
            games[number][len(moves)] for number in expected
        ]


def test_the_first_records_never_change() -> None:
    """What algorithms look their moves up in is part of the interface, as the stream is."""
    won, lost = (games_of(make(RecordSet(3, 0, won, 3, 0))) for won in (True, False))
    assert won == [(1, 4, 2, 5, 0, 3), (1, 7, 14, 3), (1, 17, 2, 0)]
    assert lost == [(14, 15, 2), (15, 5, 11), (17, 0, 8)]
