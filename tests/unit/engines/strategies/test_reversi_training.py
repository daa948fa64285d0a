"""Learning about Reversi: what is played and fitted, whatever it is cut into."""

from __future__ import annotations

import hashlib
import pickle
import sys

import pytest

from engines.games.reversed_reversi import ReversedReversi
from engines.strategies import StrategyError
from engines.strategies.reversi_training import SIZES, Round, Training

BY = Round(games=96, depth=2, solved=4, steps=5)
DEEP = BY._replace(depth=6, solved=8)
SEED = 7
ENDED = 62
"""Where a game's value stands in its record."""
PINNED = Round(games=64, depth=4, solved=8, steps=5)
LEARNED = {
    (4, True): "087d43f6997dd1d61102db20383f8002b36bda32cc402e563205d9fbe4005fbf",
    (4, False): "62edac0c5ea5df29bd9fc32bfe628f957d37b1e2f6ca94effff6556ed0517690",
    (6, True): "747a980e424862582449c7b44991bdae897c3a8566808b44d32588685c93b2f9",
    (6, False): "0a13fa7d88046a69512d951380a3a6ad4a3ee535dfcf486b7ffd395eb229b11c",
    (8, True): "e2460598dfea7030d29e8790f69014cb7deca4043f7da4cd016bbf48370e039b",
    (8, False): "c953b23268206a71eb7ab5c13f2f40e44933db9749cb06a47609177dd8552983",
}
"""The digest of what version 1 learns of twice 64 games, by the size of the board, and whether fewest win."""
DEEPER = {
    4: "c136c501d46cc79a83ee346974be4f6c42ab3b22a82b65431b6d352076fd1553",
    6: "e03d0e66c545c16294ca6edb95baab897c9371b935efa38fdc5d7636398c44fa",
}
"""The same of twice 96 games that are searched deeper, by the size of the board."""


def learned(training: Training, by: Round = BY) -> bytes:
    """The weights of two rounds of games."""
    weights = None
    for number in range(2):
        games = training.play(weights, seed=SEED, first=number * by.games, games=by.games, by=by)
        weights = training.file([training.fit(games, stage, by).kept for stage in range(training.stages)])
    assert weights is not None
    return weights


@pytest.mark.parametrize("size", SIZES)
def test_the_usual_rounds_have_all_games(size: int) -> None:
    """Whatever their number, none is left out, and later rounds have more."""
    for games in (1000, 12_345):
        rounds = Training(ReversedReversi(size)).usual(games)
        assert sum(each.games for each in rounds) == games
        assert [each.games for each in rounds] == sorted(each.games for each in rounds)


@pytest.mark.parametrize("game", [ReversedReversi(10), ReversedReversi(6, rows=4)])
def test_other_boards_are_refused(game: ReversedReversi) -> None:
    """Another board is refused with the sizes that can be learned."""
    with pytest.raises(StrategyError, match="square boards of the sizes 4, 6, 8"):
        Training(game)


def test_without_a_compiler_it_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is to be installed is told, not what could not be imported."""
    monkeypatch.setitem(sys.modules, "engines._training", None)
    monkeypatch.delattr("engines._training", raising=False)
    with pytest.raises(StrategyError, match="install a C compiler"):
        Training(ReversedReversi(4))


def test_a_game_depends_on_its_number_alone() -> None:
    """Cut into other pieces, by a copy of what plays, all are the same; other numbers are others."""
    training = Training(ReversedReversi(4))
    other = pickle.loads(pickle.dumps(training))  # noqa: S301  (it was made just here)
    whole = training.play(None, seed=SEED, first=0, games=20, by=BY)
    parts = [other.play(None, seed=SEED, first=at, games=size, by=BY) for at, size in ((0, 7), (7, 13))]
    assert b"".join(parts) == whole
    assert len(whole) == 20 * training.record
    assert training.play(None, seed=SEED, first=20, games=20, by=BY) != whole
    assert training.play(None, seed=SEED + 1, first=0, games=20, by=BY) != whole


@pytest.mark.parametrize("fewest", [True, pytest.param(False, marks=pytest.mark.long)])
def test_what_is_learned_wins_and_foretells(*, fewest: bool) -> None:
    """Weights win most points, and foretell games that they were not shown, though not as well."""
    training = Training(ReversedReversi(6, reversed=fewest))
    by = Round(games=16_000, depth=2, solved=6, steps=20)
    games = training.play(None, seed=SEED, first=0, games=by.games, by=by)
    fits = [training.fit(games, stage, by) for stage in range(training.stages)]
    weights = training.file([each.kept for each in fits])
    assert training.match(weights, None, seed=SEED, first=by.games, openings=200, by=by) > 400
    ends = [
        int.from_bytes(games[at : at + 1], signed=True) for at in range(ENDED, len(games), training.record)
    ]
    guessed = sum(end * end for end in ends) / len(ends)
    taught = sum(each.taught for each in fits) / sum(each.taught_count for each in fits)
    held_out = sum(each.held_out for each in fits) / sum(each.held_out_count for each in fits)
    assert taught < held_out < guessed / 2


def test_a_match_is_between_both() -> None:
    """Of so many pairs of games four half points each are shared; who plays himself has half of them."""
    training = Training(ReversedReversi(4))
    weights = learned(training)
    one = training.match(weights, None, seed=SEED, first=0, openings=30, by=BY)
    other = training.match(None, weights, seed=SEED, first=0, openings=30, by=BY)
    assert one + other == 120
    assert training.match(weights, weights, seed=SEED, first=0, openings=30, by=BY) == 60


@pytest.mark.parametrize("size", SIZES)
def test_games_are_told_from_what_is_none(size: int) -> None:
    """Those that were played are some; not by the other rule, with another end, move or length, nor zeros."""
    training = Training(ReversedReversi(size))
    games = training.play(None, seed=SEED, first=0, games=8, by=BY)
    assert training.are_games(games)
    assert training.are_games(b"")
    assert not Training(ReversedReversi(size, reversed=False)).are_games(games)
    for at, byte in ((0, 0), (0, 255), (ENDED, games[ENDED] ^ 1), (ENDED - 2, 61), (ENDED - 2, 1)):
        assert not training.are_games(games[:at] + bytes([byte]) + games[at + 1 :])
    assert not training.are_games(games[:-1])
    assert not training.are_games(bytes(len(games)))


def test_what_does_not_fit_the_board_is_refused() -> None:
    """Weights and games of another board or rule, and a part of the stages, are none of this one."""
    small, large = Training(ReversedReversi(4)), Training(ReversedReversi(6))
    weights, games = learned(small), large.play(None, seed=SEED, first=0, games=20, by=BY)
    with pytest.raises(ValueError, match="no weights for this board"):
        large.play(weights, seed=SEED, first=0, games=1, by=BY)
    with pytest.raises(ValueError, match="no weights for this board"):
        Training(ReversedReversi(4, reversed=False)).match(
            weights, None, seed=SEED, first=0, openings=1, by=BY
        )
    with pytest.raises(ValueError, match="no games of this board"):
        small.fit(games, 0, BY)
    with pytest.raises(ValueError, match="all stages"):
        small.file([small.fit(b"", 0, BY).kept])


@pytest.mark.parametrize(("size", "fewest"), LEARNED)
def test_this_version_learns_these_bytes(size: int, *, fewest: bool) -> None:
    """Whoever changes what is learned raises `Training.version`, and says here what that one learns."""
    assert Training.version == 1
    weights = learned(Training(ReversedReversi(size, reversed=fewest)), PINNED)
    assert hashlib.sha256(weights).hexdigest() == LEARNED[size, fewest]


@pytest.mark.parametrize("size", DEEPER)
def test_this_version_learns_these_bytes_of_deeper_games(size: int) -> None:
    """A change that only deeper searches have is noticed, too."""
    assert hashlib.sha256(learned(Training(ReversedReversi(size)), DEEP)).hexdigest() == DEEPER[size]
