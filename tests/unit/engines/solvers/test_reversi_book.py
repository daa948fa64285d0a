"""How a book of openings grows, by a judge made up: against plain minimax without transpositions."""

from __future__ import annotations

import hashlib
import struct

import pytest

from engines.game import Move
from engines.games.reversed_reversi import ReversedReversi, State
from engines.solvers.reversi_book import POINT, Book, BookPlan, Page, Position, packed

RULES = (False, True)


def judged(position: Position) -> float:
    """What the judge made up says: anything, but always the same of a position."""
    number = int.from_bytes(hashlib.sha256(repr(position).encode()).digest()[:2])
    return (number % 1024 - 512) / POINT


def grown(game: ReversedReversi, plan: BookPlan) -> Book:
    """A whole book."""
    book = Book(game, plan)
    while wanted := book.wanted():
        for position in wanted:
            book.add(position, judged(position))
    return book


def after(game: ReversedReversi, state: State, move: Move) -> State:
    """The position that a move leads to, with the pass behind it that the rules force."""
    state = game.play(state, move)
    forced = game.forced_pass(state)
    return state if forced is None else game.play(state, forced)


def minimax(game: ReversedReversi, state: State, plies: int) -> float:
    """The value to the side to move of a tree that is searched whole, in discs."""
    if game.outcome(state) is not None:
        margin = state.own.bit_count() - state.opp.bit_count()
        return -margin if game.reversed else margin
    if plies == 0:
        return judged(game.canonical(state)[:2])
    return max(valued(game, state, move, plies) for move in game.legal_moves(state))


def valued(game: ReversedReversi, state: State, move: Move, plies: int) -> float:
    """What a move is worth in such a tree to the side whose it is."""
    next_one = after(game, state, move)
    value = minimax(game, next_one, plies - 1)
    return value if next_one.seat == state.seat else -value


@pytest.mark.parametrize("fewest", RULES)
def test_with_no_bound_it_is_a_minimax_of_the_whole_tree(fewest: bool) -> None:
    """Where anything may be given up, the values and moves of all pages are those of plain minimax."""
    game, plies = ReversedReversi(4, reversed=fewest), 5
    book = grown(game, BookPlan(2, plies, 200))
    assert book.value() == minimax(game, game.initial(), plies)
    pages = book.pages()
    assert len(pages) > 10
    for page in pages:
        left = plies - ((page.position[0] | page.position[1]).bit_count() - 4)
        state = State(*page.position, 0)
        assert page.value / POINT == minimax(game, state, left) == valued(game, state, page.move, left)


@pytest.mark.parametrize(("loss", "replies"), [(0.5, 1), (1, 2), (2.5, 2), (3, 3)])
def test_the_side_without_the_book_may_give_up_so_much_in_all(loss: float, replies: int) -> None:
    """Of three replies, which cost 0, 1 and 3 points, the book goes on after those within the bound."""
    game, costs = ReversedReversi(8), {}
    second = after(game, game.initial(), game.legal_moves(game.initial())[0])
    for cost, move in zip((0, 1, 3), game.legal_moves(second), strict=True):
        third = after(game, second, move)
        costs[game.canonical(third)[:2]] = cost
        costs |= {game.canonical(after(game, third, each))[:2]: -cost for each in game.legal_moves(third)}
    book = Book(game, BookPlan(2, 3, loss))
    while wanted := book.wanted():
        for position in wanted:
            book.add(position, costs.get(position, 0))
    thirds = [page for page in book.pages() if (page.position[0] | page.position[1]).bit_count() == 6]
    assert sorted(page.value for page in thirds) == [cost * POINT for cost in (0, 1, 3)][:replies]


def test_positions_that_symmetries_make_of_each_other_are_one() -> None:
    """The four first moves lead to one position, so that it is searched once."""
    book = Book(ReversedReversi(8), BookPlan(3, 1, 9))
    assert len(book.wanted()) == 1


def test_all_searches_end_with_an_even_number_of_empty_squares() -> None:
    """A position with an odd distance to that is searched a ply deeper than asked."""
    game = ReversedReversi(8)
    book = Book(game, BookPlan(5, 2, 64))
    first = game.canonical(game.initial())[:2]
    (second,) = book.wanted()
    assert (book.depth(first), book.depth(second)) == (6, 5)


def test_a_file_has_what_its_description_says() -> None:
    """Head, page and check sum stand where they should, and squares are numbered as on 8 by 8."""
    game = ReversedReversi(4, reversed=False)
    page = Page((0b1000_0000_0000_0000, 0b10_0000), 7, -130)
    content = packed(game, [page])
    assert content[:16] == b"BABOOK01" + bytes([4, 0, 0, 0, 1, 0, 0, 0])
    assert struct.unpack("<2QhB", content[16:35]) == (1 << 27, 1 << 9, -130, 11)
    check = 2166136261
    for byte in content[:-4]:
        check = (check ^ byte) * 16777619 % 2**32
    assert content[35:] == struct.pack("<I", check)
