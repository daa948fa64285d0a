"""The champion's opening books: made again from recipes, read by the program, refused when damaged."""

from __future__ import annotations

import hashlib
import json
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from bots.protocol.messages import encode
from bots.reference.books import begin_book, find_judge
from bots.reference.estimates import estimated_by
from bots.reference.sources import sources
from engines.games import find_game
from engines.games.reversed_reversi import ReversedReversi, State
from engines.solvers.reversi_book import HEAD, PAGE, POINT, BookPlan, Page, packed
from engines.solvers.reversi_search import Search
from engines.symmetry import moved, of_board
from tests.integration.bots.reference.test_champion import (
    BOARDS,
    SOURCES,
    WHOLE,
    Playing,
    armed,
    fed,
    program,
    pytestmark,
    run,
)
from tests.unit.bots.reference.questions import hello, question

__all__ = ["armed", "program", "pytestmark"]
BOOKS = sorted(SOURCES.glob("*.book"))


def recipe_of(book: Path) -> dict[str, Any]:
    """What `arena book` wrote when it made that file."""
    recipe: dict[str, Any] = json.loads((SOURCES / "recipes" / f"{book.name}.json").read_text())
    return recipe


def pages_of(book: Path, size: int) -> list[Page]:
    """The pages of a file, on a board of that size."""

    def narrowed(discs: int) -> int:
        return sum((discs >> 8 * row & (1 << size) - 1) << size * row for row in range(size))

    return [
        Page((narrowed(own), narrowed(opp)), square // 8 * size + square % 8, value)
        for own, opp, value, square in PAGE.iter_unpack(book.read_bytes()[HEAD.size : -4])
    ]


def small_book(game: ReversedReversi) -> list[Page]:
    """The pages of a book of a few plies, made in this process."""
    judge, book = find_judge(game), begin_book(game, BookPlan(2, 4, 2.0))
    while wanted := book.wanted():
        for position in wanted:
            book.add(position, judge(position, book.depth(position)))
    return book.pages()


def with_book(armed: Path, folder: Path, game: ReversedReversi, content: bytes | None) -> Path:
    """The program beside its weights and that book, or none, in `folder`."""
    name = f"{game.size}-{'fewest' if game.reversed else 'most'}"
    shutil.copy(armed.parent / f"{name}.weights", folder)
    if content is not None:
        (folder / f"{name}.book").write_bytes(content)
    return Path(shutil.copy(armed, folder))


def test_every_board_and_rule_has_a_book() -> None:
    """The boards are 4, 6 and 8 squares a side, by either rule, and each book has a recipe."""
    names = {f"{size}-{rule}.book" for size in (4, 6, 8) for rule in ("fewest", "most")}
    assert {path.name for path in BOOKS} == names
    assert {path.stem for path in (SOURCES / "recipes").glob("*.book.json")} == names


@pytest.mark.parametrize("book", BOOKS, ids=lambda path: path.name)
def test_a_recipe_is_of_its_book(book: Path) -> None:
    """It has its check sum, its board and rule, and the search and weights that estimate positions here."""
    recipe, content = recipe_of(book), book.read_bytes()
    told = {"positions": (len(content) - 20) // 19, "bytes": len(content)}
    assert recipe["book"] == told | {"sha256": hashlib.sha256(content).hexdigest()}
    game = find_game(recipe["game"], recipe["params"])
    assert f"{game.params['size']}-{'fewest' if game.params['reversed'] else 'most'}" == book.stem
    assert (recipe["rules"], recipe["by"]) == (game.version, estimated_by(game))


@pytest.mark.parametrize("rule", ["fewest", pytest.param("most", marks=pytest.mark.long)])
def test_a_recipe_makes_its_book_again(tmp_path: Path, rule: str) -> None:
    """On the smallest board the command that it names writes the same bytes, and tells the same of them."""
    book = SOURCES / f"4-{rule}.book"
    recipe = recipe_of(book)
    command, *words = shlex.split(recipe["command"])
    assert (command, words[-2:]) == ("arena", ["--out", "FILE"])
    again = tmp_path / "again"
    words = [str(Path(sys.executable).with_name(command)), *words[:-1], str(again), "--jobs", "3"]
    subprocess.run(words, check=True, capture_output=True)
    assert again.read_bytes() == book.read_bytes()
    made = json.loads((tmp_path / "again.json").read_text())
    assert made == recipe | {"arena": made["arena"]}


@pytest.mark.parametrize(("size", "fewest"), [board for board in BOARDS if board[0] > 4])
def test_the_last_pages_are_what_searches_of_their_replies_say(size: int, fewest: bool) -> None:
    """Of a larger book, which takes minutes to be made, values and moves at its end are found again."""
    game = ReversedReversi(size, reversed=fewest)
    file = SOURCES / f"{size}-{'fewest' if fewest else 'most'}.book"
    recipe = recipe_of(file)
    judge = find_judge(game)
    book = begin_book(game, BookPlan(recipe["depth"], recipe["plies"], recipe["loss"]))
    discs = 4 + recipe["plies"] - 1
    last = [page for page in pages_of(file, size) if sum(map(int.bit_count, page.position)) == discs]
    for page in last[:: max(len(last) // 3, 1)]:
        values = []
        for move in game.legal_moves(State(*page.position, 0)):
            after = game.play(State(*page.position, 0), move)
            assert game.forced_pass(after) is None
            position = game.canonical(after)[:2]
            values.append((-judge(position, book.depth(position)), -move))
        assert (page.value / POINT, -page.move) == max(values)
    assert last


@pytest.mark.parametrize("fewest", [False, True])
def test_where_searches_reach_the_end_a_book_is_exact(fewest: bool) -> None:
    """Every page of the smallest board has the exact value, and its move reaches it."""
    game = ReversedReversi(4, reversed=fewest)
    search = Search(4, 4, reversed=fewest, memory=1 << 22)
    pages = pages_of(SOURCES / f"4-{'fewest' if fewest else 'most'}.book", 4)
    assert pages
    for position, move, value in pages:
        after = game.play(State(*position, 0), move)
        found = search.solve(*position, -WHOLE, WHOLE).low
        reached = search.solve(after.own, after.opp, -WHOLE, WHOLE).low
        assert value / POINT == found == -reached


@pytest.mark.parametrize(("size", "fewest"), BOARDS)
def test_it_plays_the_book_s_moves_in_all_symmetric_positions(
    armed: Path, tmp_path: Path, size: int, fewest: bool
) -> None:
    """In each image of each page it says "book" and the value, and plays to what the page's move leads to."""
    game = ReversedReversi(size, reversed=fewest)
    pages = small_book(game)
    assert len(pages) > 3
    with run(with_book(armed, tmp_path, game, packed(game, pages))).process as process:
        champion = Playing(process)
        champion.begin(game)
        for page in pages:
            after = game.canonical(game.play(State(*page.position, 0), page.move))
            for symmetry in of_board(size):
                state = State(moved(page.position[0], symmetry), moved(page.position[1], symmetry), 0)
                answer = champion.ask(game, state, 20)
                assert answer.debug == f"book, value {page.value / POINT:+.2f}"
                assert game.canonical(game.play(state, game.move_from_text(str(answer.move)))) == after


@pytest.mark.parametrize(("size", "fewest"), BOARDS)
def test_its_own_book_has_the_first_moves_of_both_sides(armed: Path, size: int, fewest: bool) -> None:
    """Against itself it begins with the book as either side; where a position is not in it, it searches."""
    game = ReversedReversi(size, reversed=fewest)
    with run(armed).process as process:
        champion, state, said = Playing(process), game.initial(), []
        champion.begin(game)
        while game.outcome(state) is None:
            forced = game.forced_pass(state)
            if forced is None:
                answer = champion.ask(game, state, 20)
                said.append(str(answer.debug).startswith("book, value"))
                forced = game.move_from_text(str(answer.move))
            state = game.play(state, forced)
    assert said[:4] == [True] * 4
    assert not said[-1]


def test_lower_levels_have_no_book(armed: Path, tmp_path: Path) -> None:
    """Only the strongest one reads it: level 7 neither plays from it nor says that it is damaged."""
    game = ReversedReversi(6)
    with run(with_book(armed, tmp_path, game, b"no book"), "7").process as process:
        champion = Playing(process)
        champion.begin(game)
        assert "depth" in str(champion.ask(game, game.initial(), 20).debug)


@pytest.mark.parametrize(
    "damage", ["flipped", "cut", "longer", "empty", "of another board", "of another rule"]
)
def test_a_damaged_book_ends_it(armed: Path, tmp_path: Path, damage: str) -> None:
    """It says which file it is and ends with 2, wherever a byte is wrong, rather than play what is none."""
    game = ReversedReversi(4)
    sound = packed(game, small_book(game)[:2])
    contents = {
        "flipped": [sound[:at] + bytes([sound[at] ^ 4]) + sound[at + 1 :] for at in range(len(sound))],
        "cut": [sound[:at] for at in range(1, len(sound), 7)],
        "longer": [sound + b"\0"],
        "empty": [b""],
        "of another board": [packed(ReversedReversi(6), [])],
        "of another rule": [packed(ReversedReversi(4, reversed=False), [])],
    }[damage]
    for content in contents:
        path = with_book(armed, tmp_path, game, content)
        told = fed(path, encode(hello(game)))
        assert (told.returncode, told.stdout) == (2, b"")
        assert f"{tmp_path}/4-fewest.book cannot be read or is damaged" in told.stderr.decode()


@pytest.mark.parametrize("move", [0, 14, 191], ids=["where nothing is turned over", "occupied", "nowhere"])
def test_a_move_that_cannot_be_played_is_none(armed: Path, tmp_path: Path, move: int) -> None:
    """Whatever a whole book says, the move of a position is searched where the book's is none."""
    game = ReversedReversi(6)
    first = Page(game.canonical(game.initial())[:2], move, 0)
    with run(with_book(armed, tmp_path, game, packed(game, [first]))).process as process:
        champion = Playing(process)
        champion.begin(game)
        answer = champion.ask(game, game.initial(), 20)
    assert "depth" in str(answer.debug)
    assert game.move_from_text(str(answer.move)) in game.legal_moves(game.initial())


def test_without_a_book_it_says_so(armed: Path, tmp_path: Path) -> None:
    """It plays all the same, and searches from the first move."""
    game = ReversedReversi(6)
    told = fed(
        with_book(armed, tmp_path, game, None),
        encode(hello(game)) + encode(question(game, game.initial(), 20)),
    )
    assert told.returncode == 0
    assert f"there is no {tmp_path}/6-fewest.book; openings are searched" in told.stderr.decode()
    assert b"depth" in told.stdout


def test_a_book_goes_where_the_weights_go() -> None:
    """What is compiled at home, or handed in, has all books beside all weights."""
    files = sources("bots.reference.champion")
    assert {path.name for path in BOOKS} == {name for name in files if name.endswith(".book")}
