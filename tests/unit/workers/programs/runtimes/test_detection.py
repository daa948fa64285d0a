"""What a bot's files are taken for, and what is said of files that are none."""

from __future__ import annotations

import pytest

from workers.core.errors import ArchiveError
from workers.programs.runtimes.detection import find_source
from workers.programs.runtimes.languages import LANGUAGES


def files(*names: str, manifest: str | None = None) -> dict[str, bytes]:
    """Empty files of these names, and a manifest if one is given."""
    found = dict.fromkeys(names, b"")
    return found if manifest is None else {**found, "bot.toml": manifest.encode()}


@pytest.mark.parametrize(
    ("names", "language", "entry"),
    [
        (["main.py", "lib/x.py"], "python", "main.py"),
        (["main.c", "board.c", "board.h"], "c", "main.c"),
        (["search.c", "board.c"], "c", "board.c"),
        (["main.cc"], "cpp", "main.cc"),
        (["bot.cpp", "bot.hpp"], "cpp", "bot.cpp"),
        (["Main.java", "Board.java"], "java", "Main.java"),
        (["Comet.java"], "java", "Comet.java"),
        (["main.mjs", "package.json"], "javascript", "main.mjs"),
        (["main.ts", "board.ts", "tsconfig.json"], "typescript", "main.ts"),
        (["tsconfig.json", "src/main.ts"], "typescript", "src/main.ts"),
        (["comet.ts"], "typescript", "comet.ts"),
        (["comet.ts", "node.d.ts"], "typescript", "comet.ts"),
        (["main.js", "main.ts"], "javascript", "main.js"),
        (["main.mjs", "src/main.ts", "tsconfig.json"], "javascript", "main.mjs"),
        (["Main.cs", "Board.cs"], "csharp", "Main.cs"),
        (["Comet.cs", "Board.cs"], "csharp", "Board.cs"),
        (["Cargo.toml", "Cargo.lock", "src/main.rs"], "rust", "Cargo.toml"),
        (["main.rs"], "rust", "main.rs"),
        (["go.mod", "main.go"], "go", "main.go"),
        (["go.mod", "bot.go"], "go", "go.mod"),
        (["main.c", "bot"], "c", "main.c"),
        (["main.py", "speedup.c"], "python", "main.py"),
    ],
)
def test_the_usual_names_need_no_manifest(names: list[str], language: str, entry: str) -> None:
    """Each language is known by the name of the file that starts a bot, or by being the only one there."""
    source = find_source(files(*names))
    assert (source.language.name, source.entry) == (language, entry)


@pytest.mark.parametrize(
    ("names", "manifest", "language", "entry"),
    [
        (["main.py", "main.c"], 'language = "c"', "c", "main.c"),
        (["src/start.py"], 'entry = "src/start.py"', "python", "src/start.py"),
        (["run.txt"], 'language = "javascript"\nentry = "run.txt"', "javascript", "run.txt"),
        (["A.java", "B.java"], 'entry = "B.java"', "java", "B.java"),
    ],
)
def test_a_manifest_decides(names: list[str], manifest: str, language: str, entry: str) -> None:
    """What the names leave open, or say wrongly, `bot.toml` says."""
    source = find_source(files(*names, manifest=manifest))
    assert (source.language.name, source.entry) == (language, entry)


def test_a_manifest_names_the_bot_and_its_games() -> None:
    """Name and games are read besides."""
    source = find_source(files("main.py", manifest='name = "comet"\ngames = ["heap_nim", "l_game"]'))
    assert (source.manifest.name, source.manifest.games) == ("comet", ["heap_nim", "l_game"])
    assert source.word == "python"


def test_a_manifest_names_the_environment_of_a_python_bot() -> None:
    """Which is then part of what its host needs."""
    assert find_source(files("main.py", manifest='environment = "numpy"')).word == "python:numpy"


@pytest.mark.parametrize(
    ("names", "manifest", "says"),
    [
        ([], None, "no file that starts a bot"),
        (["notes.txt", "lib/main.py"], None, "no file that starts a bot"),
        (["main.py", "main.c"], None, "each of main.py, main.c could start"),
        (["a.c", "b.cpp"], None, "could start the bot"),
        (["a.ts", "b.ts"], None, "no file that starts a bot"),
        (["bot.js", "bot.d.ts"], None, "no file that starts a bot"),
        (["A.java", "B.java"], None, "no file that starts a bot"),
        (["main.py"], 'language = "cobol"', "there are python, c,"),
        (["main.py"], 'language = "java"', "no Main.java"),
        (["main.py"], 'entry = "other.py"', "no such file"),
        (["x.y"], 'entry = "x.y"', "cannot be told"),
        (["main.py"], 'games = ["chess"]', "no game 'chess'"),
        (["main.py"], "games = []", "wrong at 'games'"),
        (["main.py"], "author = 1", "wrong at 'author'"),
        (["main.py"], "name = 7", "wrong at 'name'"),
        (["main.py"], "name = ", "not TOML"),
        (["main.py"], "#" * 20_000, "at most"),
        (["bot"], None, "no 64-bit Linux program"),
        (["main.c"], 'environment = "numpy"', "only Python bots have one"),
        (["main.py"], 'environment = "../numpy"', "a name has at most 12 characters"),
        (["main.py"], 'environment = "a-name-of-13-c"', "a name has at most 12 characters"),
        (["main.py"], "environment = 7", "wrong at 'environment'"),
    ],
)
def test_what_cannot_be_told_is_refused_with_what_to_do(
    names: list[str], manifest: str | None, says: str
) -> None:
    """No guess is made where two would do, and a manifest is never ignored."""
    with pytest.raises(ArchiveError, match=says):
        find_source(files(*names, manifest=manifest))


def test_a_manifest_that_is_no_text_is_refused() -> None:
    """Bytes that are not UTF-8 are not TOML, nor are numbers that no program would read."""
    for content in (b"\xff", b"name = " + b"9" * 5000):
        with pytest.raises(ArchiveError, match="not TOML"):
            find_source({"main.py": b"", "bot.toml": content})


def test_a_manifest_that_takes_long_to_read_is_refused_unread() -> None:
    """What a key costs grows with the square of its parts; the dots of a line are bounded before."""
    lines = '[lines]\nturn = ["' + "." * 190 + '{move}"]\nanswer = "{move}"\n'
    assert find_source(files("main.py", manifest=f'protocol = "lines"\n{lines}')).manifest.lines is not None
    with pytest.raises(ArchiveError, match="has more than 200 dots"):
        find_source(files("main.py", manifest=".".join("a" * 8000) + " = 1"))


def test_every_language_says_all_that_is_needed() -> None:
    """Names are their keys, entries belong to one language, and a compiled one has a build."""
    entries = [entry for language in LANGUAGES.values() for entry in language.entries]
    assert len(entries) == len(set(entries))
    for name, language in LANGUAGES.items():
        assert (language.name, bool(language.probes)) == (name, True)
        interpreted = name in {"python", "javascript", "static"}
        assert bool(language.build) == (not interpreted)


LINES = 'protocol = "lines"\n[lines]\nturn = ["{legal}"]\n'


@pytest.mark.parametrize(
    "manifest",
    [
        'protocol = "gtp"\narguments = ["--level", "3"]',
        'protocol = "kaggle"\nmoves = "index"\ngames = ["l_game"]',
        'protocol = "nboard"\ndepth = 6\ngames = ["reversed_reversi"]',
        LINES + 'cells = { X = "0" }\nanswer = "PLAY {move}"\n',
    ],
)
def test_a_protocol_is_named_with_what_it_heeds(manifest: str) -> None:
    """The files stay what they are, and the manifest tells the adapter."""
    source = find_source(files("main.py", manifest=manifest))
    assert source.language.name == "python"
    assert source.manifest.protocol


@pytest.mark.parametrize(
    ("manifest", "says"),
    [
        ('protocol = "chess"', "there are kaggle, botzone"),
        ('protocol = "nboard"\ngames = ["l_game"]', "NBoard is for reversed_reversi"),
        ('protocol = "gtp"\ndepth = 3', "depth, which goes with the protocol nboard"),
        ('arguments = ["-v"]', "arguments, which goes with the protocol botzone"),
        ('protocol = "lines"', "no template in"),
        ('protocol = "lines"\n[lines]\nturn = []', "lines.turn"),
        (LINES + 'answer = "PLAY"', "lines.answer"),
        ('protocol = "ugi"\nmoves = "roman"', "moves"),
    ],
)
def test_a_protocol_that_does_not_fit_is_refused(manifest: str, says: str) -> None:
    """The message says what is wrong, or what there is."""
    with pytest.raises(ArchiveError, match=says):
        find_source(files("main.py", manifest=manifest))


def test_kaggles_agents_are_in_python() -> None:
    """The adapter imports them, so no other language will do."""
    with pytest.raises(ArchiveError, match="is for Python"):
        find_source(files("main.c", manifest='protocol = "kaggle"'))
