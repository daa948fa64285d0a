"""GGF tells of every game what it was given, and reads what the game server wrote."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.interchange.errors import FileFormatError
from arena.interchange.ggf import FLAGS, GgfGame, GgfMove, read, write
from tests.unit.arena.interchange.texts import NAMES

SECONDS = st.none() | st.integers(0, 10**6).map(lambda value: value / 1000)
MOVES = st.builds(GgfMove, st.sampled_from("BW"), st.sampled_from(["a1", "h8", "j10", "pass"]), SECONDS)


@st.composite
def games(draw: st.DrawFn) -> GgfGame:
    """A game of any size, with any names, result and moves."""
    size = draw(st.sampled_from([4, 6, 8, 10]))
    result = draw(st.none() | st.integers(-size * size, size * size).map(float))
    return GgfGame(
        black=draw(NAMES),
        white=draw(NAMES),
        size=size,
        anti=draw(st.booleans()),
        board="".join(draw(st.lists(st.sampled_from("-*O"), min_size=size * size, max_size=size * size))),
        to_move=draw(st.sampled_from("*O")),
        moves=tuple(draw(st.lists(MOVES, max_size=6))),
        result=result,
        flag="" if result is None else draw(st.sampled_from(FLAGS)),
        place=draw(NAMES),
        date=draw(st.sampled_from(["", "2026.02.28_23:59:59.UTC"])),
    )


SERVER = (
    "1 (;GM[Othello]PC[GGS/os]DT[2000-4-16 11:13 EST]PB[fangr]PW[patzer]RB[1457.12]RW[1631.74]"
    "TI[15:00//02:00]TY[8]RE[-40.00:r]BO[8 -------- -------- -------- ---O*--- ---*O--- -------- -------- "
    "-------- *]B[E6//4.09]W[H8/40.00/0.01]B[pass//1.67]W[G7];)\n"
)


@given(st.lists(games(), max_size=3))
def test_what_is_written_is_read(told: list[GgfGame]) -> None:
    """Games of every size with any names come back as they were, also one after the other."""
    assert list(read("".join(map(write, told)))) == told


def test_a_line_of_the_game_server_is_read() -> None:
    """Ratings and clocks are passed over; evaluations before the time, passes and a resignation are known."""
    (game,) = read(SERVER)
    assert (game.black, game.white, game.size, game.anti) == ("fangr", "patzer", 8, False)
    assert (game.result, game.flag, game.to_move) == (-40.0, "r", "*")
    assert game.moves == (
        GgfMove("B", "e6", 4.09),
        GgfMove("W", "h8", 0.01),
        GgfMove("B", "pass", 1.67),
        GgfMove("W", "g7", None),
    )


def test_one_game_is_one_line() -> None:
    """Size and variant stand in TY, passes are PA, and times follow two slashes."""
    game = GgfGame(
        black="a]b",
        white="c",
        size=4,
        anti=True,
        board="-----*O--O*-----",
        to_move="*",
        moves=(GgfMove("B", "d2", 1.25), GgfMove("W", "pass")),
        result=6.0,
        place="cup",
    )
    assert write(game) == (
        "(;GM[Othello]PC[cup]DT[]PB[a\\]b]PW[c]TY[4a]RE[+6.000]BO[4 ---- -*O- -O*- ---- *]"
        "B[D2//1.250]W[PA];)\n"
    )


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (("GM[Othello]", "GM[Amazons]"), "only Othello"),
        (("PB[fangr]", ""), "no PB"),
        (("TY[8]", "TY[x]"), "type 'x'"),
        (("TY[8]", "TY[10]"), "BO"),
        (("RE[-40.00:r]", "RE[won]"), "result 'won'"),
        (("B[E6//4.09]", "B[E]"), "no move"),
        (("B[E6//4.09]", "B[E6//soon]"), "no time"),
        ((";)", ""), "neither a property nor the end"),
    ],
)
def test_what_is_no_game_of_othello_is_refused(change: tuple[str, str], told: str) -> None:
    """Whatever is missing or unreadable is named with the number of the game."""
    with pytest.raises(FileFormatError, match=f"game 1: .*{told}"):
        list(read(SERVER.replace(*change)))
