"""The API's client against a mock transport: what it sends, and what it makes of every kind of answer."""

from __future__ import annotations

from pathlib import Path

import httpx2
import pytest

from arena.client import connection
from arena.client.errors import (
    BusyError,
    CertificateError,
    ForeignError,
    RefusedError,
    SilentError,
    UnreachableError,
    UntrustedError,
    UrlError,
)
from arena.client.http import ArenaClient
from arena.schemas.bots import BotOut, CheckOut, Submitted
from arena.schemas.ratings import RatingTable
from arena.schemas.tournaments import TournamentOut
from arena.schemas.users import UserOut
from tests.unit.arena.cli.fake_api import FakeApi, page, problem, sample, tournament

SUBMITTED = sample(Submitted, version=1, archive="ab" * 32, created=True)


def client_of(api: FakeApi) -> ArenaClient:
    """A client whose requests the fake answers."""
    return ArenaClient("http://arena.test/", "secret", transport=httpx2.MockTransport(api.handle))


def test_the_token_goes_with_every_request() -> None:
    """The bearer token and the API's prefix are on the request."""
    api = FakeApi()
    api.answers["GET", "/me"] = sample(UserOut, name="ann", role="team")
    with client_of(api) as client:
        assert client.me().name == "ann"
    assert api.asked[0].headers["Authorization"] == "Bearer secret"
    assert str(api.asked[0].url) == "http://arena.test/api/v1/me"


def test_a_question_on_a_connection_that_is_just_closed_is_asked_once_more() -> None:
    """What changes something is not sent twice, nor is a question that fails again."""
    closed = httpx2.RemoteProtocolError("Server disconnected without sending a response.")
    api = FakeApi()
    api.answers["GET", "/me"] = [closed, sample(UserOut, name="ann", role="team"), closed, closed]
    api.answers["POST", "/bots/a/versions"] = [closed, SUBMITTED]
    with client_of(api) as client:
        assert client.me().name == "ann"
        with pytest.raises(UnreachableError):
            client.me()
        with pytest.raises(UnreachableError):
            client.submit("a", "bot.py", b"run()")
    assert [request.method for request in api.asked] == ["GET"] * 4 + ["POST"]


def test_what_is_being_worked_out_is_asked_for_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """As late as the arena says, and nothing older than the question; a 202 to a POST is an answer."""
    slept: list[float] = []
    now = [100.0]

    def sleep(seconds: float) -> None:
        slept.append(seconds)
        now[0] += seconds

    monkeypatch.setattr("arena.client.connection.time.sleep", sleep)
    monkeypatch.setattr("arena.client.connection.time.monotonic", lambda: now[0])
    later = httpx2.Response(
        202, headers={"Retry-After": "7"}, json={"title": "Being worked out", "detail": "wait"}
    )
    barred = httpx2.Response(429, headers={"Retry-After": "20"}, json={"title": "Too much", "detail": "wait"})
    api, noted = FakeApi(), list[str]()
    ratings = "/tournaments/cup/ratings"
    api.answers["GET", ratings] = [later, barred, sample(RatingTable, tournament="cup")]
    api.answers["GET", "/tournaments/cup/export"] = [later, httpx2.Response(200, text="a,b\n")]
    api.answers["POST", "/bots/a/versions/1/check"] = httpx2.Response(202, json=sample(CheckOut, version=1))
    transport = httpx2.MockTransport(api.handle)
    with ArenaClient("http://arena.test", None, transport, lambda: noted.append("waits")) as client:
        assert client.ratings("cup").tournament == "cup"
        assert (slept, noted) == ([7, 20], ["waits"])
        assert [each.headers["Cache-Control"] for each in api.asked] == [
            "max-age=0",
            "max-age=7",
            "max-age=27",
        ]
        assert b"".join(client.export("cup", "csv")) == b"a,b\n"
        assert client.check_again("a", 1, []).state
        assert slept == [7, 20, 7]


def test_what_is_never_ready_is_not_asked_for_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    """The arena's words say that it is busy."""
    monkeypatch.setattr(connection, "PATIENCE_SECONDS", 1.0)
    api = FakeApi()
    later = httpx2.Response(
        202, headers={"Retry-After": "7"}, json={"title": "Being worked out", "detail": "wait"}
    )
    api.answers["GET", "/tournaments/cup/ratings"] = later
    with client_of(api) as client, pytest.raises(BusyError, match="wait"):
        client.ratings("cup")


def test_a_submission_is_a_multipart_upload() -> None:
    """The file goes under its name; the bot's name is quoted into the path."""
    api = FakeApi()
    api.answers["POST", "/bots/a/b/versions"] = SUBMITTED
    with client_of(api) as client:
        assert client.submit("a/b", "bot.py", b"run()", owner="team-1").created
    assert b'filename="bot.py"' in api.asked[0].content
    assert b'name="owner"' in api.asked[0].content
    assert b"/bots/a%2Fb/versions" in api.asked[0].url.raw_path


def test_all_pages_of_a_list_are_read() -> None:
    """Lists are followed to their end."""
    api = FakeApi()
    api.answers["GET", "/bots"] = [
        page(sample(BotOut, name="a"), sample(BotOut, name="b"), total=3),
        page(sample(BotOut, name="c"), total=3),
    ]
    with client_of(api) as client:
        assert [bot.name for bot in client.bots()] == ["a", "b", "c"]
    assert api.asked[1].url.params["offset"] == "2"


def test_a_refusal_carries_the_problem_s_words() -> None:
    """Status and detail of a problem document become the error's."""
    api = FakeApi()
    api.answers["POST", "/tournaments/spring/start"] = problem(409, "spring is a draft")
    with client_of(api) as client, pytest.raises(RefusedError, match="spring is a draft") as refused:
        client.change("spring", "start")
    assert refused.value.status == 409


def test_somebody_else_s_page_is_not_taken_for_an_arena() -> None:
    """An answer that is no JSON object says that the URL may be wrong."""
    api = FakeApi()
    api.answers["GET", "/me"] = httpx2.Response(502, text="<html>Bad gateway</html>")
    with client_of(api) as client, pytest.raises(ForeignError, match="502"):
        client.me()


def test_an_answer_without_what_it_should_have_is_named() -> None:
    """What is missing or of another kind is told by its place in the answer."""
    api = FakeApi()
    api.answers["GET", "/me"] = sample(UserOut, name="ann") | {"role": "guest"}
    api.answers["GET", "/bots"] = page({"name": "a"})
    with client_of(api) as client:
        with pytest.raises(ForeignError, match="not as an arena would: role: "):
            client.me()
        with pytest.raises(ForeignError, match=r"items\.0\.owner: Field required"):
            list(client.bots())


def test_what_a_newer_arena_tells_besides_is_passed_over() -> None:
    """Fields that this client does not know do no harm, wherever they stand."""
    api = FakeApi()
    newer = tournament("open")
    newer["game"]["edition"] = newer["colour"] = "new"
    api.answers["GET", "/tournaments/spring"] = newer
    with client_of(api) as client:
        assert client.tournament("spring") == TournamentOut.model_validate(tournament("open"))


def test_nobody_there_is_an_error_that_says_how_to_start_one() -> None:
    """A broken connection becomes an error with the URL."""
    api = FakeApi()
    api.answers["GET", "/me"] = httpx2.ConnectError("refused")
    with client_of(api) as client, pytest.raises(UnreachableError, match="arena up"):
        client.me()


@pytest.mark.parametrize("url", ["nonsense", "ftp://somewhere", "http://", "http://[::bad"])
def test_what_is_no_url_is_refused(url: str) -> None:
    """A URL needs a scheme that the client speaks and a host."""
    with pytest.raises(UrlError):
        ArenaClient(url)


def test_watching_outlasts_an_api_that_is_started_again() -> None:
    """A silent moment in the middle is bridged, and the end of the tournament ends the watch."""
    api = FakeApi()
    api.answers["GET", "/tournaments/spring"] = [
        tournament("running", 1, 1),
        httpx2.ConnectError("refused"),
        tournament("finished", 2),
    ]
    with client_of(api) as client:
        assert [seen.state for seen in client.watch("spring", pause=0, patience=600)] == [
            "running",
            "finished",
        ]


def test_watching_a_dead_arena_ends() -> None:
    """After the patience is over the silence is an error."""
    api = FakeApi()
    api.answers["GET", "/tournaments/spring"] = httpx2.ConnectError("refused")
    with client_of(api) as client, pytest.raises(UnreachableError):
        list(client.watch("spring", pause=0, patience=0))


def test_an_export_arrives_in_pieces_and_a_refused_one_is_an_error() -> None:
    """The body comes through unchanged; a problem instead of it is raised."""
    api = FakeApi()
    api.answers["GET", "/tournaments/spring/export"] = [
        httpx2.Response(200, text="number,round\n1,1\n"),
        problem(404, "there is no tournament 'spring'"),
    ]
    with client_of(api) as client:
        assert b"".join(client.export("spring", "csv")) == b"number,round\n1,1\n"
        with pytest.raises(RefusedError, match="no tournament"):
            list(client.export("spring", "csv"))


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (httpx2.ReadTimeout("30 s"), "is busy"),
        (httpx2.ReadError("reset"), "broke before the answer"),
        (httpx2.RemoteProtocolError("closed"), "broke before the answer"),
    ],
)
def test_who_does_not_answer_is_there(error: httpx2.TransportError, words: str) -> None:
    """An arena that was reached is not to be started; what was asked for may have been done."""
    api = FakeApi()
    api.answers["POST", "/worker-keys"] = error
    with client_of(api) as client, pytest.raises(SilentError, match=words) as silent:
        client.enrol_worker("code", "pc-7", "key")
    assert "arena up" not in str(silent.value)


def test_watching_outlasts_an_arena_that_is_busy_for_a_while() -> None:
    """A refusal for the moment (503) is an error of its own, and does not end the watching."""
    api = FakeApi()
    busy = problem(503, "the database is busy")
    api.answers["GET", "/me"] = busy
    api.answers["GET", "/tournaments/cup"] = [busy, tournament("finished")]
    with client_of(api) as client:
        with pytest.raises(BusyError, match="the database is busy"):
            client.me()
        assert [told.state for told in client.watch("cup", pause=0, patience=600)] == ["finished"]


def test_an_arena_that_is_not_trusted_says_how_to_trust_it() -> None:
    """A certificate that cannot be verified is told with where its authority is to be had."""
    api = FakeApi()
    api.answers["GET", "/me"] = httpx2.ConnectError(
        "[SSL: CERTIFICATE_VERIFY_FAILED] certificate verify failed"
    )
    with client_of(api) as client, pytest.raises(UntrustedError, match=r"/ca\.crt.*ARENA_CA"):
        client.me()


def test_a_ca_that_is_none_is_named(tmp_path: Path) -> None:
    """A file that is not there, and one of something else; by http none is read."""
    (tmp_path / "text.crt").write_text("no certificate")
    for name in ("text.crt", "nowhere.crt"):
        with pytest.raises(CertificateError, match=name):
            ArenaClient("https://arena.test", ca=tmp_path / name)
    ArenaClient("http://arena.test", ca=tmp_path / "nowhere.crt").close()


def test_a_password_in_an_address_is_not_told() -> None:
    """Whether the address cannot be used or nobody answers there, what stands before its `@` is left out."""

    def refuse(request: httpx2.Request) -> httpx2.Response:
        raise httpx2.ConnectError("refused", request=request)

    with pytest.raises(UrlError, match=r"'ftp://\*\*\*@arena.test' is not an arena's URL"):
        ArenaClient("ftp://u:hush@arena.test")
    client = ArenaClient("http://u:hush@arena.test", transport=httpx2.MockTransport(refuse))
    with client, pytest.raises(UnreachableError, match=r"answers at http://\*\*\*@arena.test \(refused\)"):
        client.me()
