"""One answer for all who ask the same: a whole class looks at one page.

An answer is only given to those who asked before it was begun to be worked out, so that nobody is told what
was true before the question; or when what it was made of is still the same (see `answer_cache`). Whoever asks
meanwhile gets the next one, together with all others who do.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Hashable
from http import HTTPStatus

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from arena.web.http import packing
from arena.web.http.answer_cache import Answer, AnswerCache, validity_of
from arena.web.http.responses import is_known

PAUSES = 3
LONGEST_PAUSE_SECONDS = 1.0
"""While many ask the same, the next answer is begun so many times later as the last one took, at most 1 s."""
IF_NONE_MATCH = b"if-none-match"


def _is_own(start: Message) -> bool:
    """Whether an answer says that nobody may keep it: such a one is told to nobody else."""
    return "no-store" in Headers(raw=start["headers"]).get("cache-control", "")


class _Round:
    """A question that is answered once. `answer` is None until then, and where each needs one of its own."""

    def __init__(self) -> None:
        self.answer: Answer | None = None
        self.over = asyncio.Event()
        self.others = 0
        self.took_seconds = 0.0


class Shared:
    """Answers those together who ask the same `question`; those for whom it is None, each alone.

    Whoever has just the answer (If-None-Match) is told that instead.
    """

    def __init__(
        self, app: ASGIApp, question: Callable[[Scope], Hashable | None], cache: AnswerCache
    ) -> None:
        self.app = app
        self._question = question
        self._cache = cache
        self._gathering: dict[Hashable, _Round] = {}
        self._answering: dict[Hashable, _Round] = {}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or wait for the answer to another one that asks the same."""
        question = self._question(scope) if scope["type"] == "http" else None
        if question is None:
            await self.app(scope, receive, send)
            return
        headers = scope["headers"]
        known = ",".join(value.decode("latin-1") for name, value in headers if name == IF_NONE_MATCH)
        unconditional = {**scope, "headers": [each for each in headers if each[0] != IF_NONE_MATCH]}
        answer = await self._cache.get(question) or await self._joined(question)
        if answer is None:
            answer = await self._begin(question, unconditional, receive, send)
        if answer is not None:
            answer = answer.packed if packing.is_taken(headers) else answer
            await (answer.without_body() if is_known(known, answer.etag) else answer).send(send)

    async def _joined(self, question: Hashable) -> Answer | None:
        """The answer to those who wait for the next one, if any do; None where each needs one of its own."""
        joined = self._gathering.get(question)
        if joined is None:
            return None
        joined.others += 1
        await joined.over.wait()
        return joined.answer

    async def _begin(self, question: Hashable, scope: Scope, receive: Receive, send: Send) -> Answer | None:
        """Work out an answer, also for those who come until it is begun; None where it was sent."""
        mine = _Round()
        alone = self._gathering.setdefault(question, mine) is not mine
        try:
            if not alone:
                await self._await_turn(question, mine)
                del self._gathering[question]
                self._answering[question] = mine
                mine.answer = await self._cache.get(question)  # what the others got may be true for us too
            if mine.answer is None:
                mine.answer = await self._work_out(question, mine, scope, receive, send)
        finally:
            mine.over.set()
            for rounds in (self._gathering, self._answering):
                if rounds.get(question) is mine:
                    del rounds[question]
        return mine.answer

    async def _await_turn(self, question: Hashable, mine: _Round) -> None:
        """Wait for the answer that is being worked out; and, where many wait with us, leave others a part."""
        before = self._answering.get(question)
        if before is not None:
            await before.over.wait()
            if mine.others:
                await asyncio.sleep(min(PAUSES * before.took_seconds, LONGEST_PAUSE_SECONDS))

    async def _work_out(
        self, question: Hashable, mine: _Round, scope: Scope, receive: Receive, send: Send
    ) -> Answer | None:
        """Have the application answer, and keep what it promised; send what comes in pieces."""
        began = time.monotonic()
        start: Message | None = None
        answer: Answer | None = None

        async def gathering(message: Message) -> None:
            nonlocal start, answer
            if message["type"] == "http.response.start":
                start = message
                return
            if start is not None and not message.get("more_body") and not _is_own(start):
                answered = packing.varied(tuple(start["headers"]))
                answer = Answer(start["status"], answered, message.get("body", b""))
                return
            if start is not None:
                mine.over.set()  # what comes in pieces, or nobody may keep, is everybody's own
                await send(start)
                start = None
            await send(message)

        await self.app(scope, receive, gathering)
        mine.took_seconds = time.monotonic() - began
        validity = validity_of(scope)
        if answer is not None and answer.status == HTTPStatus.OK and validity is not None:
            self._cache.put(question, answer, validity)
        return answer
