"""Handing in on the web: files, folders and zips, what is refused and why, and the check as it goes on."""

from __future__ import annotations

import io
import zipfile
from typing import Any

import pytest

from arena.schemas.plans import TournamentPlan
from arena.submissions import checks, versions
from arena.tournaments import lifecycle, pending
from tests.integration.arena.roles import sign_in
from tests.integration.arena.site import EVIDENCE, Site
from tests.integration.arena.web.pages.browser import ORIGIN, read, send
from tests.integration.arena.world import GAME
from workers.checks.contract import CheckReport, Output, Step, StepReport
from workers.core.contract import FaultCode, Forfeit

PROGRAM = b"print('hello')"
COMET = "/my/bots/comet/versions"


def _hand_in(
    site: Site, cookie: str, *files: tuple[str, bytes], to: str = "/my/bots/new", **form: Any
) -> Any:
    """Send the form as a browser does."""
    site.client.cookies.clear()
    parts = [("file", (name, content)) for name, content in files]
    return site.client.post(
        to, data=form, files=parts, headers=ORIGIN | {"Cookie": cookie}, follow_redirects=False
    )


def _zip(**files: bytes) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return buffer.getvalue()


def _windows_zip() -> bytes:
    """As some programs on Windows write it: with backslashes between folders."""
    data = _zip(**{"bot/main.py": PROGRAM, "bot/lib/more.py": b"x = 1"})
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        infos = [(info, archive.read(info)) for info in archive.infolist()]
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for info, content in infos:
            info.create_system, info.filename = 0, info.filename.replace("/", "\\")
            archive.writestr(info, content)
    return buffer.getvalue()


def _stored(site: Site, bot: str) -> set[str]:
    content = site.get(f"/bots/{bot}/versions/1/archive", "red").content
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        return set(archive.namelist())


@pytest.mark.parametrize(
    ("files", "stored"),
    [
        ([("comet.py", PROGRAM)], {"main.py"}),
        ([("main.py", PROGRAM), ("more.py", b"x = 1")], {"main.py", "more.py"}),
        ([("comet.zip", _zip(**{"main.py": PROGRAM}))], {"main.py"}),
        ([("comet.zip", _windows_zip())], {"main.py", "lib/more.py"}),
        (
            [
                ("comet/main.py", PROGRAM),
                ("comet/lib/more.py", b"x = 1"),
                ("comet/.git/config", b"secret"),
                ("comet/desktop.ini", b"junk"),
                ("comet/.venv/lib/big.py", b"junk"),
            ],
            {"main.py", "lib/more.py"},
        ),
        ([("comet\\main.py", PROGRAM), ("comet\\lib\\more.py", b"x = 1")], {"main.py", "lib/more.py"}),
    ],
    ids=["file", "files", "zip", "windows-zip", "folder", "backslashes"],
)
def test_what_can_be_sent(used: Site, files: list[tuple[str, bytes]], stored: set[str]) -> None:
    """A file, files, a folder and a zip each become the bot that the command line would make of them."""
    answer = _hand_in(used, sign_in(used, "red")["Cookie"], *files, name="comet", game="heap_nim")
    assert (answer.status_code, answer.headers["location"]) == (303, "/my/bots/comet/versions/1")
    assert _stored(used, "comet") == stored
    assert used.get("/bots/comet/versions").json()["items"][0]["games"] == ["heap_nim"]


def test_who_enters_a_tournament_is_checked_in_its_game(used: Site) -> None:
    """Also if that was not ticked; and where it is asked for later, its version's page says what it lacks."""
    with used.world.database.transaction() as session:
        plan = TournamentPlan(name="open", game="heap_nim", format="round_robin")
        lifecycle.open_(session, used.world.staff, lifecycle.create(session, used.world.staff, plan))
    red = sign_in(used, "red")
    sent = {"name": "comet", "game": "l_game", "tournament": "open"}
    assert _hand_in(used, red["Cookie"], ("comet.py", PROGRAM), **sent).status_code == 303
    assert used.get("/bots/comet/versions").json()["items"][0]["games"] == ["l_game", "heap_nim"]
    assert "It enters by itself when it has passed" in used.client.get(f"{COMET}/1", headers=red).text
    sent = {"name": "moon", "game": "l_game"}
    assert _hand_in(used, red["Cookie"], ("moon.py", PROGRAM + b"(2)"), **sent).status_code == 303
    with used.world.database.transaction() as session:
        bot = versions.get(session, "moon")
        assert pending.enter(session, bot.owner, lifecycle.get(session, "open"), bot) is None
    page = used.client.get("/my/bots/moon/versions/1", headers=red).text
    assert "It is not checked in this tournament's game" in page


def test_the_same_file_again_is_checked_in_another_game(used: Site) -> None:
    """It is the version that it was; its check is begun anew, and only where it was not asked for before."""
    red = sign_in(used, "red")["Cookie"]
    sent = {"name": "comet", "game": "l_game"}
    assert _hand_in(used, red, ("comet.py", PROGRAM), **sent).status_code == 303
    with used.world.database.transaction() as session:
        version = versions.get_version(session, versions.get(session, "comet"), 1)
        checks.cancel(session, version.bot.owner, version)
    again = _hand_in(used, red, ("comet.py", PROGRAM), **sent)
    (told,) = used.get("/bots/comet/versions").json()["items"]
    assert (again.headers["location"], told["state"]) == (f"{COMET}/1", "unchecked")
    again = _hand_in(used, red, ("comet.py", PROGRAM), **sent | {"game": "heap_nim"})
    (told,) = used.get("/bots/comet/versions").json()["items"]
    assert (again.headers["location"], told["state"]) == (f"{COMET}/1", "checking")
    assert told["games"] == ["heap_nim"]
    assert _hand_in(used, red, ("comet.py", PROGRAM), **sent).status_code == 303
    (told,) = used.get("/bots/comet/versions").json()["items"]
    assert (told["state"], told["games"]) == ("checking", ["heap_nim", "l_game"])


def test_a_chooser_that_is_left_empty(used: Site) -> None:
    """Browsers send a part without a name for it, which is no file."""
    begin = '--x\r\nContent-Disposition: form-data; name="file"; filename='
    empty = begin + '""\r\nContent-Type: application/octet-stream\r\n\r\n\r\n'
    content = f'{begin}"comet.py"\r\n\r\n{PROGRAM.decode()}\r\n{empty}--x--\r\n'
    headers = {"Cookie": sign_in(used, "red")["Cookie"], "Content-Type": "multipart/form-data; boundary=x"}
    answer = used.client.post(
        "/my/bots/new", content=content, headers=ORIGIN | headers, follow_redirects=False
    )
    assert answer.headers["location"] == "/my/bots/comet/versions/1"


def test_a_bot_without_a_name_is_called_like_its_file(used: Site) -> None:
    """Nobody has to think of a name: the file has one, or the folder, or `bot.toml` says it."""
    red = sign_in(used, "red")["Cookie"]
    named = b'name = "meteor"\n'
    for files, name, number in (
        ([("My_Comet.py", PROGRAM)], "my-comet", 1),
        ([("main.py", PROGRAM + b"()")], "red", 2),
        ([("moon/main.py", PROGRAM), ("moon/b.py", b"")], "moon", 1),
        ([("main.py", PROGRAM), ("bot.toml", named)], "meteor", 1),
    ):
        assert _hand_in(used, red, *files).headers["location"] == f"/my/bots/{name}/versions/{number}"


@pytest.mark.parametrize(
    ("files", "sentence"),
    [
        ([], "Nothing was sent."),
        ([("notes.txt", b"hello")], "neither a zip nor a source file"),
        ([("comet.zip", b"not a zip")], "The zip cannot be read"),
        ([("comet.zip", _zip(**{"lib/a.py": b"", "b.txt": b""}))], "No file at the top"),
        ([("main.py", b""), ("main.js", b"")], "Several files could each be the beginning"),
        ([("main.py", PROGRAM), ("bot.toml", b"speed = 9")], "bot.toml says something that does not fit"),
        ([("main.py", PROGRAM), ("bot.toml", b'games = ["go"]')], "There is no such game here."),
        ([("main.py", b"\xff\xfe\x00")], "is not Python source"),
        ([("bot", b"\x7fELF")], "a 64-bit Linux program"),
        ([("main.py", PROGRAM), ("main.py", PROGRAM)], "send each once"),
        (
            [("comet.zip", _zip(**{"main.py": b"", "../../escape.py": b""}))],
            "has a name that cannot be taken",
        ),
        ([("big.zip", _zip(**{f"{n}.py": b"" for n in range(501)}))], "That is too much: at most 4 MB"),
    ],
)
def test_what_is_refused_says_what_to_do(used: Site, files: list[tuple[str, bytes]], sentence: str) -> None:
    """The form comes back with a sentence for each fault, with what was typed, and no bot is made."""
    answer = _hand_in(used, sign_in(used, "red")["Cookie"], *files, name="comet", game="heap_nim")
    assert answer.status_code == 422
    assert sentence in answer.text
    assert 'value="comet"' in answer.text
    assert '<input type="checkbox" name="game" value="heap_nim" checked>' in answer.text
    assert used.get("/bots/comet").status_code == 404


@pytest.mark.parametrize(("name", "status"), [("blue", 403), ("r\u0435d", 409), ("a b", 422), ("new", 422)])
def test_names_that_are_not_taken(used: Site, name: str, status: int) -> None:
    """Another team's bot, a name that looks like one, and what is no name each have their sentence."""
    answer = _hand_in(used, sign_in(used, "red")["Cookie"], ("comet.py", PROGRAM), name=name)
    assert answer.status_code == status
    assert "data-fault" in answer.text


def test_more_than_is_taken(used: Site) -> None:
    """What is larger than the arena takes at all is refused with a sentence, too."""
    large = bytes(used.world.settings.max_upload_bytes + 70_000)
    answer = _hand_in(used, sign_in(used, "red")["Cookie"], ("comet.py", large))
    assert answer.status_code == 413
    assert "More was sent than is taken here." in answer.text


def test_versions_of_a_bot(used: Site) -> None:
    """Another version is sent on the bot's page, the same content again leads to the one that has it."""
    ruby = sign_in(used, "ruby")["Cookie"]
    to = "/my/bots/red/versions"
    first = _hand_in(used, ruby, ("comet.py", PROGRAM), to=to, game=GAME)
    assert first.headers["location"] == "/my/bots/red/versions/2"
    assert _hand_in(used, ruby, ("x.py", PROGRAM), to=to).headers["location"] == "/my/bots/red/versions/2"
    files = read(used, "/my/bots/red/versions/2/files", ruby)
    assert files.content == used.get("/bots/red/versions/2/archive", "red").content
    refused = _hand_in(used, ruby, ("notes.txt", b""), to=to)
    assert refused.status_code == 422
    assert 'href="/my/bots/red/versions/2"' in refused.text


def test_a_check_is_seen_as_it_goes_on(used: Site) -> None:
    """While it is done, its parts are told one by one; what no worker would write ends that."""
    red = sign_in(used, "red")["Cookie"]
    _hand_in(used, red, ("comet.py", PROGRAM), name="comet", game=GAME)
    page = "/my/bots/comet/versions/1"
    assert 'hx-trigger="every 2s"' in read(used, page, red).text
    with used.world.database.transaction() as session:
        check = versions.get_version(session, versions.get(session, "comet")).check
        assert check is not None
        check.token = "t" * 32
    build = StepReport(step=Step.BUILD, passed=True, took_ms=5).model_dump_json().encode()
    hello = StepReport(step=Step.HANDSHAKE, game=GAME, passed=True, took_ms=7).model_dump_json().encode()
    for told, done in (
        (build, ["build"]),
        (b"\n".join((build, hello)), ["build", "handshake"]),
        (b"\n".join((build, b'{"step": "<script>"}', hello)), ["build"]),
        (b"\n".join((build, build)), ["build"]),
        (hello, []),
        (b"\xff\xfe", []),
    ):
        used.world.broker.steps["t" * 32] = told
        steps = used.get("/bots/comet/versions/1/check").json()["steps"]
        assert [each["step"] for each in steps] == done
        assert f"{len(done)} of 5 parts are done." in read(used, page, red).text
    used.world.broker.away = True
    assert used.get("/bots/comet/versions/1/check").json()["steps"] == []


def test_a_verdict_with_all_its_evidence(used: Site) -> None:
    """Why it failed stands in a sentence, with build, transcript and stderr, all as text."""
    red = sign_in(used, "red")["Cookie"]
    _hand_in(used, red, ("comet.py", PROGRAM), name="comet", game=GAME)
    hostile = f"<script>{EVIDENCE}</script>"
    fault = Forfeit(
        seat=0,
        code=FaultCode.MALFORMED,
        ply=3,
        detail=hostile,
        expected=hostile,
        received=hostile,
        request=hostile,
    )
    report = CheckReport(
        check="1",
        passed=False,
        code="malformed",
        detail=hostile,
        language="python",
        steps=(StepReport(step=Step.BUILD, passed=True, took_ms=5),),
        build=Output(head=hostile, size=9),
        forfeit=fault,
        stderr=Output(head=hostile, tail=hostile, size=9),
        reproduce="arena bot check PATH",
    )
    with used.world.database.transaction() as session:
        version = versions.get_version(session, versions.get(session, "comet"))
        assert version.check is not None
        version.state, version.check.report = "failed", report.model_dump(mode="json")  # type: ignore[assignment]  # as the store reads it
    page = read(used, "/my/bots/comet/versions/1", red).text
    assert "Its answer could not be read." in page
    assert "hx-trigger" not in page
    assert "<script>only" not in page
    assert page.count(EVIDENCE) == 7


@pytest.mark.parametrize(
    ("language", "referee", "refused"),
    [
        ("en", '<dd lang="en">ended by itself with exit status 3</dd>', "Extra inputs are not permitted"),
        ("zh-TW", "<dd>自行結束\uff0c結束代碼為 3</dd>", "沒有這個名稱的鍵"),
    ],
)
def test_what_workers_say_is_in_the_readers_language(
    used: Site, language: str, referee: str, refused: str
) -> None:
    """How a bot failed its check, and what is wrong in `bot.toml`; the API tells it in English."""
    red = sign_in(used, "red")["Cookie"]
    used.client.headers["Accept-Language"] = language
    _hand_in(used, red, ("comet.py", PROGRAM), name="comet", game=GAME)
    said = "ended by itself with exit status 3"
    fault = Forfeit(seat=0, code=FaultCode.CRASH, ply=3, detail=said, expected="")
    report = CheckReport(
        check="1",
        passed=False,
        code="crash",
        detail=said,
        language="python",
        steps=(),
        forfeit=fault,
        reproduce="arena bot check PATH",
    )
    with used.world.database.transaction() as session:
        version = versions.get_version(session, versions.get(session, "comet"))
        assert version.check is not None
        version.state, version.check.report = "failed", report.model_dump(mode="json")  # type: ignore[assignment]  # as the store reads it
    assert referee in read(used, "/my/bots/comet/versions/1", red).text
    assert used.get("/bots/comet/versions/1/check", "red").json()["report"]["detail"] == said
    page = _hand_in(used, red, ("main.py", PROGRAM), ("bot.toml", b"speed = 9"), name="nova", game=GAME)
    assert refused in page.text


def test_a_bot_of_an_adapter_says_what_it_waits_for(used: Site) -> None:
    """It is written in its language, and waits for a host that may start it; in the reader's language."""
    red = sign_in(used, "red")["Cookie"]
    told = ("bot.toml", b'protocol = "gtp"')
    _hand_in(used, red, ("main.py", PROGRAM), told, name="comet", game=GAME)
    assert used.get("/bots/comet").json()["newest"]["language"] == "python"
    page = read(used, "/my/bots/comet/versions/1", red).text
    assert "runs Python, starts bots by adapters and checks bots; none is there now" in page
    used.client.headers["Accept-Language"] = "zh-TW"
    assert "以轉接程式啟動機器人" in read(used, "/my/bots/comet/versions/1", red).text


def test_checking_again_and_calling_it_off(used: Site) -> None:
    """A version is checked in another game too, and the check of one can be called off."""
    red = sign_in(used, "red")["Cookie"]
    _hand_in(used, red, ("comet.py", PROGRAM), name="comet", game=GAME)
    page = "/my/bots/comet/versions/1"
    assert send(used, f"{page}/check/cancel", red).headers["location"] == page
    assert used.get("/bots/comet").json()["newest"]["state"] == "unchecked"
    assert send(used, f"{page}/check", red, game="heap_nim").headers["location"] == page
    assert used.get("/bots/comet").json()["newest"]["games"] == ["heap_nim"]
