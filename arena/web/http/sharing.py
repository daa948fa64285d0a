"""One answer for all who ask the same at the same time: a whole class looks at one page.

An answer is only given to those who asked before it was begun to be worked out, so that nobody is told what
was true before the question. Whoever asks meanwhile gets the next one, together with all others who do.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Hashable

from starlette.types import ASGIApp, Message, Receive, Scope, Send

PAUSES = 3
LONGEST_PAUSE_SECONDS = 1.0
"""While many ask the same, the next answer is begun so many times later as the last one took, at most 1 s."""


class _Round:
    """A question that is answered once. `answer` is None until then, and where each needs one of its own."""

    def __init__(self) -> None:
        self.answer: tuple[Message, Message] | None = None
        self.over = asyncio.Event()
        self.others = 0
        self.took_seconds = 0.0


class Shared:
    """Answers those together who ask the same `question`; those for whom it is None, each alone."""

    def __init__(self, app: ASGIApp, question: Callable[[Scope], Hashable | None]) -> None:
        self.app = app
        self._question = question
        self._gathering: dict[Hashable, _Round] = {}
        self._answering: dict[Hashable, _Round] = {}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or wait for the answer to another one that asks the same."""
        question = self._question(scope) if scope["type"] == "http" else None
        if question is None:
            await self.app(scope, receive, send)
            return
        joined = self._gathering.get(question)
        if joined is None:
            await self._begin(question, scope, receive, send)
            return
        joined.others += 1
        await joined.over.wait()
        if joined.answer is None:
            await self.app(scope, receive, send)
            return
        for message in joined.answer:
            await send(message)

    async def _begin(self, question: Hashable, scope: Scope, receive: Receive, send: Send) -> None:
        mine = self._gathering[question] = _Round()
        try:
            await self._await_turn(question, mine)
            del self._gathering[question]
            self._answering[question] = mine
            await self._answer(mine, scope, receive, send)
        finally:
            mine.over.set()
            for rounds in (self._gathering, self._answering):
                if rounds.get(question) is mine:
                    del rounds[question]

    async def _await_turn(self, question: Hashable, mine: _Round) -> None:
        """Wait for the answer that is being worked out; and, where many wait with us, leave others a part."""
        before = self._answering.get(question)
        if before is not None:
            await before.over.wait()
            if mine.others:
                await asyncio.sleep(min(PAUSES * before.took_seconds, LONGEST_PAUSE_SECONDS))

    async def _answer(self, mine: _Round, scope: Scope, receive: Receive, send: Send) -> None:
        began = time.monotonic()
        start: Message | None = None

        async def keeping(message: Message) -> None:
            nonlocal start
            if message["type"] == "http.response.start":
                start = message
                return
            if start is not None:
                if not message.get("more_body"):  # what comes in pieces is everybody's own
                    mine.answer = start, message
                mine.took_seconds = time.monotonic() - began
                mine.over.set()
                await send(start)
                start = None
            await send(message)

        await self.app(scope, receive, keeping)
