"""The champion as a process: it is compiled as an arena compiles a bot, and asked as the referee asks."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from bots.protocol.messages import Answer, encode, parse_answer, parse_ready
from engines.games.reversed_reversi import ReversedReversi, State
from engines.solvers.reversi_search import Search
from engines.stream import Stream
from tests.unit.bots.reference.questions import hello, question

ROOT = Path(__file__).parents[4]
SOURCES = ROOT / "bots" / "reference" / "champion"
COMPILER = shutil.which("gcc")
pytestmark = pytest.mark.skipif(COMPILER is None, reason="no C compiler")

BOARDS = [(size, fewest) for size in (4, 6, 8) for fewest in (False, True)]
WHOLE = 200


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The program, in a folder without weights; a warning of the compiler's fails."""
    folder = tmp_path_factory.mktemp("champion")
    words = [str(COMPILER), "-std=gnu17", "-O2", "-Wall", "-Wextra", "-Werror", f"-I{ROOT / 'engines'}"]
    subprocess.run([*words, "-o", str(folder / "champion"), str(SOURCES / "main.c"), "-lm"], check=True)
    return folder / "champion"


@pytest.fixture(scope="module")
def armed(program: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The program beside the weights and the books that it comes with."""
    folder = tmp_path_factory.mktemp("armed")
    for path in (program, *SOURCES.glob("*.weights"), *SOURCES.glob("*.book")):
        shutil.copy(path, folder)
    return folder / program.name


@pytest.fixture(params=["without weights", "with weights"])
def either(request: pytest.FixtureRequest, program: Path, armed: Path) -> Path:
    """The program, as it counts and as it has learned to judge."""
    return armed if request.param == "with weights" else program


class Playing(NamedTuple):
    """A process that plays matches."""

    process: subprocess.Popen[bytes]

    def say(self, message: dict[str, Any]) -> bytes:
        """Its answer to a message."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(encode(message))
        self.process.stdin.flush()
        return self.process.stdout.readline()

    def begin(self, game: ReversedReversi) -> None:
        """Tell it of a match, and have it ready."""
        ready = parse_ready(self.say(hello(game)))
        assert (ready.name.partition(":")[0], ready.reusable) == ("champion", True)

    def ask(self, game: ReversedReversi, state: State, move_ms: int) -> Answer:
        """Its answer in a position."""
        return parse_answer(self.say(question(game, state, move_ms)), 1)


def run(program: Path, *words: str) -> Playing:
    """The program, started."""
    pipe = subprocess.PIPE
    return Playing(subprocess.Popen([program, *words], stdin=pipe, stdout=pipe, stderr=pipe))


def fed(program: Path, text: bytes, *words: str) -> subprocess.CompletedProcess[bytes]:
    """How the program ends that reads that text and nothing else."""
    return subprocess.run([program, *words], input=text, capture_output=True, check=False, timeout=60)


@pytest.fixture
def champion(either: Path) -> Iterator[Playing]:
    """It at its best."""
    with run(either).process as process:
        yield Playing(process)


def reversi(size: int, *, fewest: bool) -> ReversedReversi:
    """The game."""
    return ReversedReversi(size=size, reversed=fewest)


def ending(game: ReversedReversi, empty: int, seed: int) -> State:
    """A position with so many empty squares, or one fewer, in which the mover has a choice."""
    stream = Stream("ending", seed)
    while True:
        state = game.initial()
        while game.outcome(state) is None:
            moves = game.legal_moves(state)
            left = game.size**2 - (state.own | state.opp).bit_count()
            if left <= empty and len(moves) > 1:
                return state
            state = game.play(state, stream.choice(moves))


@pytest.mark.parametrize(("size", "fewest"), BOARDS)
def test_it_plays_whole_games_against_itself(champion: Playing, size: int, fewest: bool) -> None:
    """Both seats of two matches one after the other: every move is legal and says what was seen."""
    game = reversi(size, fewest=fewest)
    for _ in range(2):
        champion.begin(game)
        state = game.initial()
        while game.outcome(state) is None:
            forced = game.forced_pass(state)
            if forced is None:
                answer = champion.ask(game, state, 20)
                assert answer.debug
                forced = game.move_from_text(str(answer.move))
                assert forced in game.legal_moves(state)
            state = game.play(state, forced)


@pytest.mark.parametrize("level", [str(level) for level in range(1, 9)])
def test_every_level_plays_a_whole_game(either: Path, level: str) -> None:
    """Also a beginner's moves are legal; the same seed makes a level that errs err again in the same way."""
    game, played = reversi(6, fewest=True), []
    for _ in range(2):
        with run(either, level).process as process:
            champion, state, moves = Playing(process), game.initial(), []
            champion.begin(game)
            while game.outcome(state) is None:
                move = game.forced_pass(state)
                if move is None:
                    move = game.move_from_text(str(champion.ask(game, state, 20).move))
                    assert move in game.legal_moves(state)
                moves.append(move)
                state = game.play(state, move)
            assert champion.process.stdin is not None
            champion.process.stdin.close()
        played.append(moves)
    assert int(level) > 3 or played[0] == played[1]


@pytest.mark.parametrize(("size", "fewest"), BOARDS)
def test_its_endings_are_those_of_the_solver(champion: Playing, size: int, fewest: bool) -> None:
    """With 11 to 13 empty squares, or 9, it says the exact value, and plays a move that reaches it.

    So does its book, which has such positions on the smallest board.
    """
    game = reversi(size, fewest=fewest)
    search = Search(size, size, reversed=fewest, memory=1 << 22)
    champion.begin(game)
    for seed in range(4):
        state = ending(game, 11 + seed % 3 if size > 4 else 9, seed)
        found = search.solve(state.own, state.opp, -WHOLE, WHOLE)
        answer = champion.ask(game, state, 600_000)
        empty = size**2 - (state.own | state.opp).bit_count()
        by_book = {f"book, value {found.low:+.2f}"} if size == 4 else set[str]()
        assert answer.debug in by_book | {f"exactly {found.low:+}, {empty} empty"}
        after = game.play(state, game.move_from_text(str(answer.move)))
        reached = search.solve(after.own, after.opp, -WHOLE, WHOLE)
        assert -reached.low == found.low


def test_without_weights_it_says_so(program: Path) -> None:
    """It plays all the same, by what it counts."""
    game = reversi(8, fewest=True)
    told = fed(program, encode(hello(game)) + encode(question(game, game.initial(), 20)))
    assert told.returncode == 0
    assert "there is no" in told.stderr.decode()
    assert "8-fewest.weights; moves, corners and discs are counted" in told.stderr.decode()
    ready, answer = told.stdout.splitlines(keepends=True)
    assert parse_ready(ready).name == "champion"
    assert parse_ready(fed(program, encode(hello(game)), "3").stdout).name == "champion:3"
    assert parse_answer(answer, 1).move in {"e3", "f4", "c5", "d6"}


@pytest.mark.parametrize(("size", "fewest"), BOARDS)
def test_it_has_weights_for_each_of_its_boards(armed: Path, size: int, fewest: bool) -> None:
    """It finds what it comes with, and has nothing to say of it."""
    told = fed(armed, encode(hello(reversi(size, fewest=fewest))))
    assert (told.returncode, told.stderr) == (0, b"")
    assert parse_ready(told.stdout).name == "champion"


@pytest.mark.parametrize("damage", ["flipped", "cut", "empty", "of another board"])
def test_damaged_weights_end_it(armed: Path, tmp_path: Path, damage: str) -> None:
    """It says which file it is and ends with 2, rather than play unnoticed below its strength."""
    sound = (SOURCES / "6-most.weights").read_bytes()
    middle = len(sound) // 2
    content = {
        "flipped": sound[:middle] + bytes([sound[middle] ^ 1]) + sound[middle + 1 :],
        "cut": sound[:-1],
        "empty": b"",
        "of another board": (SOURCES / "4-most.weights").read_bytes(),
    }[damage]
    (tmp_path / "6-most.weights").write_bytes(content)
    told = fed(Path(shutil.copy(armed, tmp_path)), encode(hello(reversi(6, fewest=False))))
    assert (told.returncode, told.stdout) == (2, b"")
    assert f"{tmp_path}/6-most.weights cannot be read or is damaged" in told.stderr.decode()


@pytest.mark.parametrize(
    ("params", "why"),
    [
        ({"size": 10, "reversed": True}, "boards of 4, 6 and 8 squares a side only"),
        ({"size": 6, "rows": 4, "reversed": True}, "not on rectangles"),
    ],
)
def test_other_boards_are_refused(program: Path, params: dict[str, Any], why: str) -> None:
    """It says which ones it plays on, and ends with 2."""
    message = hello(reversi(8, fewest=True))
    message["game"]["params"] = params
    told = fed(program, encode(message))
    assert (told.returncode, told.stdout) == (2, b"")
    assert why in told.stderr.decode()


@pytest.mark.parametrize("level", ["0", "9", "best", ""])
def test_other_levels_are_refused(program: Path, level: str) -> None:
    """It says which there are, and ends with 2."""
    told = fed(program, b"", level)
    assert told.returncode == 2
    assert "a whole number from 1 to 8" in told.stderr.decode()


def test_lines_that_say_nothing_to_it_are_passed_over(program: Path) -> None:
    """Broken lines are named on stderr, messages of other types ignored; then it plays on."""
    game = reversi(8, fewest=False)
    broken = b'\n{\n[]\n{"type"\n"move"\n{"type":"' + b"x" * 10_000 + b'\n{"a":{"type":"move"}}\n'
    asked = json.loads(encode(question(game, game.initial(), 20)))
    reordered = dict(reversed(asked.items())) | {"more": {"id": 7, "type": "hello", "x": ["}", '"', None]}}
    lines = encode(hello(game)) + broken + b'{"type":"weather"}\n' + encode(reordered) + b'{"type":"end"}\n'
    told = fed(program, lines)
    assert told.returncode == 0
    assert told.stderr.count(b"no message of the protocol") == broken.count(b"\n")
    _, answer = told.stdout.splitlines(keepends=True)
    assert parse_answer(answer, 1).move in {"e3", "f4", "c5", "d6", "d3", "c4", "f5", "e6"}


@pytest.mark.parametrize(
    ("state", "why"),
    [
        ({"board": ["XO"], "to_move": "X"}, "no board that can be read"),
        ({"board": ["XXXX", "OOOO", "XXXX", "OOOO"], "to_move": "X"}, "where there is none"),
    ],
)
def test_a_board_that_is_none_is_an_error(program: Path, state: dict[str, Any], why: str) -> None:
    """It plays no move that it made up."""
    game = reversi(4, fewest=True)
    asked = question(game, game.initial()) | {"state": state}
    told = fed(program, encode(hello(game)) + encode(asked))
    assert told.returncode == 2
    assert why in told.stderr.decode()
