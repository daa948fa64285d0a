"""Answers that are kept: told while what they were made of is the same, and no longer."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from starlette.types import Message, Receive, Scope, Send

from arena.store.stamps import Question, Rows, Stamp
from arena.web.http import answer_cache
from arena.web.http.answer_cache import Answer, AnswerCache, Validity
from arena.web.http.sharing import Shared

REVISION = Question("SELECT revision", ())


class Said:
    """A database that says what a test lets it say; None where it does not answer."""

    def __init__(self) -> None:
        self.rows: Rows | None = ((1,),)

    async def now(self, _question: Question) -> Rows | None:
        """What it says."""
        return self.rows

    async def close(self) -> None:
        """Nothing is open."""


class Board:
    """An application that answers with a leaderboard of the revision that its database is at."""

    def __init__(self, database: Said, seconds: float = float("inf")) -> None:
        self.database, self.seconds, self.asked, self.status = database, seconds, 0, 200

    async def __call__(self, scope: Scope, _receive: Receive, send: Send) -> None:
        """Answer, and say that this holds while the revision is the same."""
        self.asked += 1
        rows = self.database.rows or ((0,),)
        scope["arena.validity"] = Validity(Stamp(REVISION, rows), self.seconds)
        body = f"board of {rows} for {dict(scope['headers']).get(b'if-none-match')}".encode()
        headers = [(b"etag", f'"{rows[0][0]}"'.encode()), (b"content-length", str(len(body)).encode())]
        await send({"type": "http.response.start", "status": self.status, "headers": headers})
        await send({"type": "http.response.body", "body": body})


class Reader:
    """Asks for the board; the clock goes as the test lets it go."""

    def __init__(self, seconds: float = float("inf")) -> None:
        self.database, self.now = Said(), 0.0
        self.board = Board(self.database, seconds)
        cache = AnswerCache(self.database, lambda: self.now)
        self.shared = Shared(self.board, lambda scope: scope["path"], cache)

    async def ask(self, path: str = "/", known: str | None = None) -> tuple[int, bytes, dict[bytes, bytes]]:
        """The status, the body and the headers."""
        said: list[Message] = []
        headers = [] if known is None else [(b"if-none-match", known.encode())]
        scope: dict[str, Any] = {"type": "http", "path": path, "headers": headers}
        await self.shared(scope, _nothing, _into(said))
        start, body = said
        return start["status"], body["body"], dict(start["headers"])


async def _nothing() -> Message:
    return {"type": "http.request"}


def _into(said: list[Message]) -> Send:
    async def send(message: Message) -> None:
        said.append(message)

    return send


def test_an_answer_is_worked_out_once_a_revision() -> None:
    """However often it is asked for, it is worked out once, and anew as soon as the revision is another."""

    async def asked() -> None:
        reader = Reader()
        first = [(await reader.ask())[1] for _ in range(5)]
        assert (set(first), reader.board.asked) == ({b"board of ((1,),) for None"}, 1)
        reader.database.rows = ((2,),)
        assert (await reader.ask())[1] == b"board of ((2,),) for None"
        assert reader.board.asked == 2

    asyncio.run(asked())


def test_nothing_is_told_that_nobody_knows_to_be_true() -> None:
    """While the database does not say what it is at, every answer is worked out."""

    async def asked() -> None:
        reader = Reader()
        await reader.ask()
        reader.database.rows = None
        await reader.ask()
        await reader.ask()
        assert reader.board.asked == 3

    asyncio.run(asked())


@pytest.mark.parametrize("status", [404, 409, 503])
def test_what_is_no_success_is_not_kept(status: int) -> None:
    """An answer that begins and then fails, as when the database is busy, is told to nobody else."""

    async def asked() -> None:
        reader = Reader()
        reader.board.status = status
        assert (await reader.ask())[0] == status
        reader.board.status = 200
        assert (await reader.ask())[0] == 200

    asyncio.run(asked())


def test_what_holds_for_seconds_is_told_no_longer() -> None:
    """An answer that also depends on the time is worked out anew when its seconds are over."""

    async def asked() -> None:
        reader = Reader(seconds=10)
        await reader.ask()
        reader.now = 9.9
        await reader.ask()
        assert reader.board.asked == 1
        reader.now = 10.0
        await reader.ask()
        assert reader.board.asked == 2

    asyncio.run(asked())


@pytest.mark.parametrize("known", ['"1"', 'W/"1"', '"other", "1"', "*"])
def test_who_has_just_this_is_told_so(known: str) -> None:
    """304 with the ETag and no body, kept or not; whoever has another one gets the whole answer."""

    async def asked() -> None:
        reader = Reader()
        for _ in range(2):
            status, body, headers = await reader.ask(known=known)
            assert (status, body, headers) == (304, b"", {b"etag": b'"1"', b"vary": b"Accept-Encoding"})
        status, body, _ = await reader.ask(known='"other"')
        assert (status, body) == (200, b"board of ((1,),) for None")
        assert reader.board.asked == 1

    asyncio.run(asked())


def test_what_was_asked_for_last_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    """All that is kept has a bound; what nobody asked for longest makes room."""
    answer = Answer(200, (), b"x" * 40)
    monkeypatch.setattr(answer_cache, "MAX_BYTES", 100)

    async def asked() -> None:
        database = Said()
        cache = AnswerCache(database)
        validity = Validity(Stamp(REVISION, ((1,),)), float("inf"))
        cache.put("a", answer, validity)
        cache.put("b", answer, validity)
        assert await cache.get("a") == answer
        cache.put("c", answer, validity)
        assert [await cache.get(each) for each in "abc"] == [answer, None, answer]
        cache.put("a", answer, validity)
        assert [await cache.get(each) for each in "ac"] == [answer, answer]

    asyncio.run(asked())


class Diary:
    """An application that tells each reader their own, which nobody may keep."""

    async def __call__(self, scope: Scope, _receive: Receive, send: Send) -> None:
        """Answer with what the reader has sent, after the others have asked."""
        await asyncio.sleep(0)
        body = dict(scope["headers"])[b"cookie"]
        headers = [(b"cache-control", b"private, no-store")]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        await send({"type": "http.response.body", "body": body})


def test_what_nobody_may_keep_is_told_to_nobody_else() -> None:
    """Readers of an address that is shared by mistake get each their own answer all the same."""
    shared = Shared(Diary(), lambda scope: scope["path"], AnswerCache(Said()))

    async def ask(name: bytes) -> bytes:
        said: list[Message] = []
        scope = {"type": "http", "path": "/", "headers": [(b"cookie", name)]}
        await shared(scope, _nothing, _into(said))
        told: bytes = said[-1]["body"]
        return told

    async def all_at_once() -> list[bytes]:
        return await asyncio.gather(*(ask(name) for name in names))

    names = [f"reader {number}".encode() for number in range(5)]
    assert asyncio.run(all_at_once()) == names
