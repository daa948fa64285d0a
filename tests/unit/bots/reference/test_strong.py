"""The strong Reversi player: it takes what is forced, judges sensibly, and keeps to its time."""

from __future__ import annotations

import time
from collections.abc import Iterator

import pytest

from bots.reference.endgame import Endgame, OutOfTimeError
from bots.reference.judge import DISC, judge
from bots.reference.midgame import INFINITE, LOOK_AHEAD, WON, Child, Midgame
from bots.reference.strong import MAX_SECONDS, SOLVE_EMPTY, SOLVE_SECONDS, Bot, solvable, thinking_seconds
from bots.sdk.arena_bot import Match, Request, Time
from engines.games.reversed_reversi import SIZES, ReversedReversi, State
from tests.unit.bots.reference.questions import ask, endings, hello, question, started, walks
from tests.unit.bots.reference.test_judge import counted

NO_HURRY = float("inf")


@pytest.mark.parametrize("flag", [True, False])
def test_it_plays_endings_perfectly(flag: bool) -> None:
    """With seven squares left and time enough its move reaches the exact value of the position."""
    game = ReversedReversi(reversed=flag)
    bot = Bot(lambda: 0.0)
    bot.start(hello(game))
    for state in endings(game, 10, empty=7):
        after = game.play(state, game.move_from_text(ask(bot, game, state, 5000)))
        assert -exact(game, after) == exact(game, state)


def exact(game: ReversedReversi, state: State) -> int:
    """The mover's final advantage."""
    solver = Endgame(game.size, fewest=game.reversed)
    solver.deadline = NO_HURRY
    moves = 0
    for move in game.legal_moves(state):
        moves |= 1 << move if move < game.size**2 else 0
    return solver.value(state.own, state.opp, moves, -100, 100)


def midgame(game: ReversedReversi) -> Midgame:
    """A search by the usual clock."""
    return Midgame(game.size, fewest=game.reversed, clock=time.monotonic)


@pytest.mark.parametrize("flag", [True, False])
def test_a_search_to_the_end_agrees_with_the_solver(flag: bool) -> None:
    """Searched deep enough, the midgame's value is the solver's, with the premium for winning."""
    game = ReversedReversi(reversed=flag)
    for state in endings(game, 10, empty=6):
        search = midgame(game)
        search.margin = INFINITE
        _, value, whole = search.deepen(search.root(state.own, state.opp), 6, NO_HURRY)
        margin = exact(game, state)
        premium = WON if margin > 0 else -WON if margin < 0 else 0
        assert whole
        assert value == DISC * margin + premium


@pytest.mark.parametrize("flag", [True, False])
def test_pruning_changes_no_value(flag: bool) -> None:
    """The search with its table, order and windows finds what plain minimax of its own children finds."""
    game = ReversedReversi(reversed=flag)
    for state in list(walks(game, 2))[::9]:
        search = midgame(game)
        search.margin = INFINITE
        children = search.root(state.own, state.opp)
        for depth in (1, 2) if len(children) > 4 else (1, 2, 3):
            children, value, _ = search.deepen(children, depth, NO_HURRY)
            values = {child.square: -plain(search, child, depth) for child in children}
            assert value == max(values.values()) == values[children[0].square]


def plain(search: Midgame, child: Child, depth: int) -> int:
    """The new mover's value of a child, by minimax."""
    own, opp, moves = child.own, child.opp, child.moves
    if not moves:
        replies = search._find(opp, own)
        if not replies:
            return search._final(own, opp)
        return -plain(search, child._replace(own=opp, opp=own, moves=replies), depth)
    grandchildren = search._children(own, opp, moves)
    if depth == 1:
        return max(grandchild.judged for grandchild in grandchildren)
    return max(-plain(search, grandchild, depth - 1) for grandchild in grandchildren)


def test_a_shallower_search_cuts_only_what_is_clear() -> None:
    """With its margin the search visits fewer positions and finds values near those without."""
    game = ReversedReversi()
    asked = {True: 0, False: 0}
    for state in list(walks(game, 2))[20:44:6]:
        values = {}
        for cutting in (True, False):
            search = midgame(game)
            if not cutting:
                search.margin = INFINITE
            children = search.root(state.own, state.opp)
            for depth in (1, 2, 3):
                children, values[cutting], _ = search.deepen(children, depth, NO_HURRY)
            asked[cutting] += search.positions
        assert abs(values[True] - values[False]) <= 4 * DISC
    assert asked[True] < asked[False]


@pytest.mark.parametrize("size", SIZES)
def test_children_are_judged_by_what_is_on_the_board(size: int) -> None:
    """Counts found on many boards at once are those of the engine's rules on one, also after a pass."""
    game = ReversedReversi(size)
    passed = 0
    for state in walks(game, 4):
        search = midgame(game)
        discs = min((state.own | state.opp).bit_count() + LOOK_AHEAD, size * size)
        judgement = judge(size, discs, fewest=True)
        for child in search.root(state.own, state.opp):
            stuck = not child.moves
            if not stuck or search._find(child.opp, child.own):
                own, opp = (child.opp, child.own) if stuck else (child.own, child.opp)
                value = judgement.patterns(own | opp << size * size) + counted(
                    judgement, size, State(own, opp, 0)
                )
                assert child.judged == (value if stuck else -value)
                passed += stuck
    assert passed


class Ticking:
    """A clock that goes on a little each time it is looked at."""

    def __init__(self, tick: float) -> None:
        self.now, self._tick = 100.0, tick

    def __call__(self) -> float:
        self.now += self._tick
        return self.now


@pytest.mark.parametrize("flag", [True, False])
@pytest.mark.parametrize(("move_ms", "tick"), [(200, 0.0005), (1000, 0.004), (50, 0.001), (10, 0.001)])
def test_it_stops_when_its_clock_says_so(flag: bool, move_ms: int, tick: float) -> None:
    """From the opening to the last moves it looks at its clock at most a few times after its time is over."""
    game = ReversedReversi(reversed=flag)
    clock = Ticking(tick)
    bot = Bot(clock)
    bot.start(hello(game))
    for state in list(walks(game, 1))[::9]:
        request = Request(question(game, state, move_ms), Match(hello(game, state.seat)))
        request.received = clock.now
        assert bot.choose(request)[0] in request.legal
        assert clock.now <= request.received + thinking_seconds(request.time) + 6 * tick


def test_a_lost_ending_is_left_to_the_search(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where every move is found to lose and by how much is not found in time, the search chooses."""
    game = ReversedReversi()
    (state,) = endings(game, 1, empty=9)
    moves = [game.move_to_text(move) for move in game.legal_moves(state)]
    assert len(moves) > 1
    chosen = {}
    for value in (1, -1):
        for solved in moves:
            answers = iter([(game.move_from_text(solved), value)])

            def best(*_: object, answers: Iterator[tuple[int, int]] = answers) -> tuple[int, int]:
                found = next(answers, None)
                if found is None:
                    raise OutOfTimeError
                return found

            bot = started("strong", game)
            monkeypatch.setattr(bot._endgame, "best", best)
            chosen[value, solved] = ask(bot, game, state, 5000)
    assert all(chosen[1, solved] == solved for solved in moves)
    assert len({chosen[-1, solved] for solved in moves}) == 1


def test_time_that_is_left_goes_into_the_search() -> None:
    """In the middle of the game it uses most of what it gives itself, and reaches more plies in more time."""
    game = ReversedReversi()
    state = next(state for state in walks(game, 1) if (state.own | state.opp).bit_count() == 24)
    depths = []
    for move_ms in (100, 400):
        clock = Ticking(0.001)
        bot = Bot(clock)
        bot.start(hello(game))
        request = Request(question(game, state, move_ms), Match(hello(game, state.seat)))
        request.received = start = clock.now
        depths.append(int(bot.choose(request)[1].split()[1].rstrip(",")))
        assert clock.now - start >= 0.65 * thinking_seconds(request.time)
    assert depths[0] < depths[1]


@pytest.mark.parametrize("move_ms", [1, 50, 400])
def test_it_obeys_the_clock(move_ms: int) -> None:
    """The processor time of an answer stays below the limit, or is next to nothing where that is tiny.

    What is stolen from a virtual machine may count as the bot's, so one answer of several is enough.
    """
    game = ReversedReversi()
    for state in list(walks(game, 1))[::6]:
        assert any(used(game, state, move_ms) < max(move_ms / 1000, 0.1) for _ in range(5))


def used(game: ReversedReversi, state: State, move_ms: int) -> float:
    """The processor time of an answer, in seconds."""
    bot = started("strong", game)
    before = time.process_time()
    ask(bot, game, state, move_ms)
    return time.process_time() - before


def test_a_deadline_stops_the_search() -> None:
    """A search that is out of time says so instead of guessing."""
    own, opp, _ = ReversedReversi().initial()
    search = midgame(ReversedReversi())
    with pytest.raises(OutOfTimeError):
        search.deepen(search.root(own, opp), 9, time.monotonic() + 0.01)


@pytest.mark.parametrize(
    ("move_ms", "bank_ms", "most"),
    [(1000, None, 0.8), (1000, 0, 0.8), (10, 60_000, 2.1), (1, None, 0.0), (60_000, None, MAX_SECONDS)],
)
def test_the_share_of_the_time(move_ms: int, bank_ms: int | None, most: float) -> None:
    """Most of the move's own time, little of the bank, nothing of the extensions, and never too long."""
    control = {"extension_ms": 120_000, "increment_ms": 0}
    ledger = {"move_ms": move_ms, "extensions_left": 3, "bank_ms": bank_ms, "last_ms": 0}
    assert most * 0.85 <= thinking_seconds(Time(control, ledger)) <= most


@pytest.mark.parametrize("flag", [True, False])
def test_more_time_solves_earlier_endings(flag: bool) -> None:
    """Three times the time is one empty square more, and no time is none."""
    assert solvable(SOLVE_SECONDS, fewest=flag) == SOLVE_EMPTY[flag]
    assert solvable(3.1 * SOLVE_SECONDS, fewest=flag) == SOLVE_EMPTY[flag] + 1
    assert solvable(SOLVE_SECONDS / 3.1, fewest=flag) == SOLVE_EMPTY[flag] - 2
    assert solvable(0, fewest=flag) == 0


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("flag", [True, False])
def test_every_board_is_played(size: int, flag: bool) -> None:
    """On every size and under both rules its move is legal."""
    game = ReversedReversi(size=size, reversed=flag)
    bot = started("strong", game)
    for state in list(walks(game, 1))[::7]:
        assert game.move_from_text(ask(bot, game, state, 40)) in game.legal_moves(state)
