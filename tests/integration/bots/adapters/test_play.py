"""Bots of other protocols in matches and checks of the arena, each behind its adapter and in the sandbox."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from bots.reference import command
from tests.distributions import connect_four
from tests.integration.bots.adapters import foreign_bots as foreign
from tests.integration.workers.workshops import Bench, bench, require
from tests.unit.workers.conftest import AMPLE, make_spec, nothing_lost
from workers.checks.contract import CheckReport, CheckSpec
from workers.checks.runner import check_bot
from workers.core.contract import BotRef, FaultCode, GameSpec, MatchResult, Seat, TimeControl
from workers.core.errors import UnsupportedError
from workers.play.match import play_match
from workers.sandbox.cgroups import NO_CGROUPS
from workers.sandbox.confinement import Program
from workers.sandbox.levels import LEVELS, available_levels, usable_host

__all__ = ["bench", "nothing_lost"]

RHINO = Path("/usr/games/gtp-rhino")
START_RHINO = f"import os\nos.execv({str(RHINO)!r}, ['gtp-rhino'])\n"
NIM = GameSpec(name="heap_nim")
REVERSI = GameSpec(name="reversed_reversi")


@pytest.fixture(autouse=True)
def _counted() -> None:
    if not usable_host().has("memory") or "bubblewrap" not in available_levels():
        pytest.skip("adapters start processes: that takes bubblewrap and a control group that counts memory")


def upload(bench: Bench, manifest: str, files: Mapping[str, str]) -> str:
    """Store a bot of these files; its hash."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, text in {"bot.toml": manifest, **files}.items():
            archive.writestr(name, text)
    return bench.put("bot.zip", buffer.getvalue())


def against_random(
    bench: Bench, sha: str, game: GameSpec = REVERSI, seat: Seat = 0, time: TimeControl = AMPLE
) -> MatchResult:
    """A match of a stored bot in that seat against `random`."""
    programs = [bench.workshop.program(sha), Program(command("random"), trusted=True)]
    spec = make_spec(game=game, time=time)
    return play_match(spec, (programs[seat], programs[1 - seat]))


def checked(bench: Bench, sha: str, game: str) -> CheckReport:
    """The verdict of a stored bot in one game."""
    spec = CheckSpec(
        check="7", bot=BotRef(name="x", archive=sha), games=(game,), time=AMPLE, game_seconds=3600
    )
    return check_bot(spec, bench.workshop)


BOTS = {
    "botzone": ("", {"main.py": foreign.BOTZONE}),
    "botzone-keep-running": ('arguments = ["--keep"]', {"main.py": foreign.BOTZONE}),
    "nboard": ("depth = 3", {"main.py": foreign.NBOARD}),
    "edax": ("", {"main.py": foreign.EDAX}),
}


@pytest.mark.parametrize("protocol", BOTS)
@pytest.mark.parametrize("seat", [0, 1])
def test_a_bot_of_reversi_plays_whole_games_by_its_own_protocol(
    bench: Bench, protocol: str, seat: Seat
) -> None:
    """It sees the usual board, learns every move and pass, and each of its moves is legal here."""
    more, files = BOTS[protocol]
    sha = upload(bench, f'protocol = "{protocol}"\n{more}\n', files)
    result = against_random(bench, sha, seat=seat)
    assert result.forfeits == ()
    assert result.reason == "fewest_discs"


@pytest.mark.parametrize("seat", [0, 1])
def test_gtp_rhino_plays(bench: Bench, seat: Seat) -> None:
    """A program that others wrote and packaged beats `random` at ordinary Reversi, by GTP."""
    if not RHINO.exists():
        pytest.skip("Debian's package grhino is not installed")
    sha = upload(bench, 'protocol = "gtp"', {"main.py": START_RHINO})
    game = GameSpec(name="reversed_reversi", params={"reversed": False})
    result = against_random(bench, sha, game, seat)
    assert (result.forfeits, result.winner, result.seats[seat].bot_name) == ((), seat, "GTP GRhino")
    assert "> genmove" in result.seats[seat].stderr_head


def test_a_bot_in_another_language_passes_its_check_by_gtp(bench: Bench) -> None:
    """What the arena has compiled is started by the adapter, and GTP is good for any game."""
    require("c")
    report = checked(bench, upload(bench, 'protocol = "gtp"', {"main.c": foreign.GTP}), "heap_nim")
    assert report.passed, report
    assert (report.language, report.bot_name) == ("c", "Taker")


@pytest.mark.parametrize("misere", [False, True])
def test_a_ugi_engine_is_told_the_game_by_its_options(bench: Bench, misere: bool) -> None:
    """It plays perfectly, which it can only if it knows heaps, misère or not, and every move."""
    sha = upload(bench, 'protocol = "ugi"', {"main.py": foreign.UGI})
    game = GameSpec(name="heap_nim", params={"heaps": [2, 4, 5, 9], "misere": misere})
    time = TimeControl(move_ms=600_000, startup_ms=600_000, bank_ms=60_000, increment_ms=100)
    result = against_random(bench, sha, game, time=time)
    assert (result.winner, result.forfeits) == (0, ())
    assert result.seats[0].bot_name == "Heaper 1.0"
    assert (result.moves[0].debug or "").startswith("info depth 1")


def test_a_bot_of_codingames_kind_reads_lines_after_its_template(bench: Bench) -> None:
    """Its beginning, the board, and the actions are in the lines that the template says."""
    require("cpp")
    sha = upload(bench, foreign.CODINGAME_TEMPLATE, {"main.cpp": foreign.CODINGAME})
    for seat in (0, 1):
        result = against_random(bench, sha, seat=seat)
        assert result.forfeits == ()
        assert any("MSG with" in (move.debug or "") for move in result.moves if move.seat == seat)


@pytest.fixture
def _connect_four(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    with connect_four(tmp_path_factory.mktemp("installed")):
        yield


@pytest.mark.usefixtures("_connect_four")
def test_kaggles_agent_plays_connect_four_as_it_is(bench: Bench) -> None:
    """It wins from either seat against one that takes the first column, and its prints go to stderr."""
    sha = upload(bench, 'protocol = "kaggle"', {"main.py": foreign.KAGGLE})
    simple = upload(bench, 'protocol = "kaggle"', {"main.py": "def first(obs):\n    return obs.legal[0]\n"})
    programs = bench.workshop.program(sha), bench.workshop.program(simple)
    spec = make_spec(game=GameSpec(name="connect_four"))
    for seat, players in ((0, programs), (1, programs[::-1])):
        result = play_match(spec, players)
        assert (result.winner, result.reason, result.forfeits) == (seat, "four_in_line", ())
        assert result.seats[seat].bot_name == "my_agent"
        assert "nothing forced" in result.seats[seat].stderr_head


@pytest.mark.parametrize("game", ["l_game", "rhombic_chess", "circle_nim"])
def test_kaggles_agent_may_answer_with_the_number_of_a_move(bench: Bench, game: str) -> None:
    """In games that Kaggle does not have, a number counts through the legal moves."""
    sha = upload(bench, 'protocol = "kaggle"', {"main.py": foreign.KAGGLE_OF_ALL_GAMES})
    assert against_random(bench, sha, GameSpec(name=game)).forfeits == ()


def test_botzones_bot_plays_any_game_in_the_arenas_notation(bench: Bench) -> None:
    """Moves, and with the last request the position, are told; it may read until the end of its input."""
    require("javascript")
    sha = upload(bench, 'protocol = "botzone"', {"main.js": foreign.BOTZONE_OF_ALL_GAMES})
    assert against_random(bench, sha, NIM, 1).forfeits == ()


LINES = 'protocol = "lines"\nmoves = "index"\n[lines]\nturn = ["{legal.count}", "{legal}"]\n'
PRELUDE = "import os, sys, time\n\ndef turn():\n    for _ in range(int(input())):\n        input()\n\n"
FAULTS = [
    ("turn(); print('thinking...', flush=True); time.sleep(60)", FaultCode.ILLEGAL_MOVE, "'thinking...'"),
    ("turn(); print('0', flush=True); turn(); print(99, flush=True); turn()", FaultCode.ILLEGAL_MOVE, "'99'"),
    ("turn(); print(flush=True); turn()", FaultCode.MALFORMED, "malformed"),
    ("turn(); sys.stdout.buffer.write(b'\\xff\\n'); sys.stdout.flush(); turn()", FaultCode.MALFORMED, ""),
    ("turn(); print('0\\n0', flush=True); turn(); turn()", FaultCode.MALFORMED, "malformed"),
    ("turn(); print('x' * 70_000, flush=True); turn()", FaultCode.OVERSIZE, "65536 bytes"),
    ("turn(); sys.exit(7)", FaultCode.CRASH, "exit status 7"),
    ("turn(); raise ValueError('my own words')", FaultCode.CRASH, "exit status 1"),
    ("turn(); os.kill(os.getpid(), 11)", FaultCode.CRASH, "SIGSEGV"),
    ("turn(); os.kill(os.getpid(), 24)", FaultCode.RESOURCE, "SIGXCPU"),
    ("turn(); os.close(1); time.sleep(60)", FaultCode.CRASH, "exit status 1"),
    ("turn(); time.sleep(600)", FaultCode.TIMEOUT, ""),
]


@pytest.mark.usefixtures("nothing_lost")
@pytest.mark.parametrize(("code", "fault", "says"), FAULTS)
def test_a_fault_of_the_program_behind_is_the_same_forfeit(
    bench: Bench, code: str, fault: FaultCode, says: str
) -> None:
    """With the evidence of any bot, and what went to and fro in its own protocol on stderr."""
    late = fault is FaultCode.TIMEOUT
    time = TimeControl(move_ms=500, extensions=0, startup_ms=600_000) if late else AMPLE
    result = against_random(bench, upload(bench, LINES, {"main.py": PRELUDE + code}), NIM, 0, time)
    forfeit = result.forfeits[0]
    assert (forfeit.seat, forfeit.code) == (0, fault)
    assert says in forfeit.detail
    assert "[adapter] > 12" in forfeit.stderr_tail


@pytest.mark.parametrize(
    ("manifest", "code", "says"),
    [
        ('protocol = "ugi"', "input(); print('hello', flush=True)", "the bot ended by itself"),
        ('protocol = "gtp"', "input(); print('? I am no engine', flush=True); input()", "I am no engine"),
        ('protocol = "kaggle"', "import no_such_module", "No module named"),
        ('protocol = "kaggle"', "x = 1", "defines no function"),
    ],
)
def test_who_does_not_get_ready_forfeits_at_once(bench: Bench, manifest: str, code: str, says: str) -> None:
    """What is wrong before the first move is a startup forfeit, as of any bot."""
    result = against_random(bench, upload(bench, manifest, {"main.py": code}), NIM)
    assert result.forfeits[0].code is FaultCode.STARTUP
    assert says in result.forfeits[0].stderr_tail + result.forfeits[0].received


def test_a_template_that_names_what_there_is_not_says_so(bench: Bench) -> None:
    """The bot loses, and reads why on stderr."""
    manifest = 'protocol = "lines"\n[lines]\nturn = ["{params.size}"]\n'
    result = against_random(bench, upload(bench, manifest, {"main.py": "input()"}), NIM)
    assert (result.forfeits[0].code, result.forfeits[0].seat) == (FaultCode.CRASH, 0)
    assert "the template names {params.size}, and there is none here" in result.forfeits[0].stderr_tail


def test_what_the_program_computes_is_the_bots_processor_time(bench: Bench) -> None:
    """Adapter and bot are counted together, as they are confined together."""
    busy = "turn(); until = time.process_time() + 0.3\nwhile time.process_time() < until: pass\n"
    code = f"{PRELUDE}{busy}print(0, flush=True)\nwhile True:\n    turn(); print(0, flush=True)\n"
    result = against_random(bench, upload(bench, LINES, {"main.py": code}), NIM)
    assert result.forfeits == ()
    assert (result.moves[0].cpu_ns or 0) > 250_000_000


@pytest.mark.parametrize(
    ("files", "protocol"),
    [
        ({"main.py": foreign.KAGGLE}, "kaggle"),
        ({"main.py": foreign.BOTZONE.replace(">>>BOTZONE", "")}, "botzone"),
        ({"main.py": foreign.UGI}, "ugi"),
        ({"main.py": foreign.NBOARD}, "nboard"),
    ],
)
def test_the_check_says_which_protocol_a_bot_seems_to_speak(
    bench: Bench, files: Mapping[str, str], protocol: str
) -> None:
    """Who hands in a bot as it is elsewhere reads in the verdict what to write into `bot.toml`."""
    report = checked(bench, upload(bench, "", files), "reversed_reversi")
    assert (report.passed, report.code) == (False, "startup")
    assert f'protocol = "{protocol}"' in report.detail


def test_a_host_without_processes_for_bots_says_what_it_lacks(bench: Bench) -> None:
    """Bots that start nothing may play there all the same."""
    level = LEVELS["bubblewrap"](NO_CGROUPS)
    workshop = bench.another(lambda: level)
    with pytest.raises(UnsupportedError, match="control group that counts memory"):
        workshop.program(upload(bench, 'protocol = "gtp"', {"main.py": START_RHINO}))
    assert workshop.program(upload(bench, 'protocol = "kaggle"', {"main.py": foreign.KAGGLE}))
