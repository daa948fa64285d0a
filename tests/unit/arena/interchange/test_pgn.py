"""PGN tells of every game what it was given, and reads files that others wrote."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.interchange.errors import FileFormatError
from arena.interchange.pgn import RESULTS, PgnGame, read, write
from tests.unit.arena.interchange.texts import NAMES

GAMES = st.builds(
    PgnGame,
    event=NAMES,
    white=NAMES,
    black=NAMES,
    result=st.sampled_from(RESULTS),
    site=NAMES,
    date=st.sampled_from(["????.??.??", "2026.02.28"]),
    round=st.sampled_from(["?", "1", "12"]),
    termination=st.sampled_from(["", "adjudication", "time forfeit"]),
)
FOREIGN = """\ufeff[Event "F/S Return Match"]
[White "Fischer, Robert J."]
[Black "Spassky, Boris V."]
[Result "1/2-1/2"]

1. e4 e5 {a comment
[White "not a tag"]
} 2. Nf3 ; the rest { is hidden
Nc6 1/2-1/2

[White "A \\"B\\" C\\\\D"]
[Black "x"]
[Result "0-1"]
[Round "3.1"]
0-1
"""


@given(st.lists(GAMES, max_size=5))
def test_what_is_written_is_read(games: list[PgnGame]) -> None:
    """Games with any names and results come back as they were, also one after the other."""
    assert list(read("".join(map(write, games)))) == games


def test_tags_stand_as_the_standard_has_them() -> None:
    """The seven tags come in their order, a quote is escaped, and the result stands for the moves."""
    game = PgnGame(event="cup", white='a"b', black="c", result="1-0", round="2", date="2026.03.01")
    assert write(game) == (
        '[Event "cup"]\n[Site "?"]\n[Date "2026.03.01"]\n[Round "2"]\n[White "a\\"b"]\n[Black "c"]\n'
        '[Result "1-0"]\n\n1-0\n\n'
    )


def test_files_with_moves_and_comments_are_read() -> None:
    """Moves and what looks like tags in comments are passed over, missing tags are unknown."""
    first, second = read(FOREIGN)
    assert (first.white, first.result, first.event) == ("Fischer, Robert J.", "1/2-1/2", "F/S Return Match")
    assert (second.white, second.round, second.event) == ('A "B" C\\D', "3.1", "?")


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ('[White "the "great" one"]', 'the "great" one'),
        ('[White ""quoted""]', '"quoted"'),
        ('[White "ends in \\"]', "ends in \\"),
        ('[White "a \\"b\\" c"]', 'a "b" c'),
        ('[White "x"] [Site "y"]', "x"),
        ('[White "x"] ; a comment', "x"),
        ('[White ""]', ""),
    ],
)
def test_names_that_others_wrote_without_escaping(line: str, name: str) -> None:
    """python-chess writes quotes as they are: what the standard cannot read is read from quote to quote."""
    (game,) = read(f'[Event "e"]\n{line}\n[Black "b"]\n[Result "1-0"]\n\n1. e4 1-0\n')
    assert (game.white, game.black, game.result) == (name, "b", "1-0")


def test_tags_that_share_a_line_are_all_read() -> None:
    """The standard's import format lets tags follow each other on a line."""
    (game,) = read('[White "a"][Black "b"] [Result "1-0"]\n\n1-0\n')
    assert (game.white, game.black, game.result) == ("a", "b", "1-0")


HEADS = """[White "A"]
[Black "B"]
[Result "1-0"]
{between}[White "C"]
[Black "A"]
[Result "0-1"]
{between}[White "B"]
[Black "C"]
[Result "1/2-1/2"]
"""


@pytest.mark.parametrize("between", ["", "\n", "\n% {an escape}\n"])
def test_tags_without_moves_are_a_game_each(between: str) -> None:
    """In a file of tags alone a game begins where a tag comes again, with or without an empty line before."""
    games = [(game.white, game.black, game.result) for game in read(HEADS.format(between=between))]
    assert games == [("A", "B", "1-0"), ("C", "A", "0-1"), ("B", "C", "1/2-1/2")]
    assert [game.white for game in read(HEADS.format(between="").replace("\n", ""))] == ["A", "C", "B"]


def test_an_escaped_line_is_passed_over_whole() -> None:
    """What stands after a percent sign at the beginning of a line opens no comment and is no tag."""
    text = '% [White "x"]\n[White "A"]\n[Black "B"]\n%[Result "0-1"]\n[Result "1-0"]\n\n% {\n1. e4 1-0\n'
    assert [(game.white, game.result) for game in read(text + "\n" + text)] == [("A", "1-0")] * 2


@pytest.mark.parametrize("comment", ["{no end 1-0", "{an\nend} e5 {no\nend"])
def test_a_comment_without_an_end_is_refused(comment: str) -> None:
    """A brace that is never closed would hide all later games; the line where it stands is told."""
    text = f'[White "A"]\n[Black "B"]\n[Result "1-0"]\n\n1. e4 {comment}\n\n[White "C"]\n[Black "A"]\n'
    line = 5 + comment.rpartition("{")[0].count("\n")
    with pytest.raises(FileFormatError, match=f"line {line}: the comment that begins here has no end"):
        list(read(text))


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('\n[White "a"]\n[Result "1-0"]\n', "line 2: .* no tag Black"),
        ('[White "a"]\n[Black "b"]\n[Result "2-0"]\n', "line 1: .*'2-0'"),
    ],
)
def test_what_is_no_game_is_refused(text: str, told: str) -> None:
    """A game without players or with an unknown result is refused with its line."""
    with pytest.raises(FileFormatError, match=told):
        list(read(text))


def test_no_other_result_is_written() -> None:
    """A result that PGN does not have is an error before anything is written."""
    with pytest.raises(ValueError, match="one of 1-0"):
        write(PgnGame(event="", white="", black="", result="½"))
