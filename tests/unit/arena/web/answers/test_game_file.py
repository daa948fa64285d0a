"""A game in one file: what is in it, and that nothing in it can be anything else than text."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from html.parser import HTMLParser

import pytest

from arena.core.errors import InvalidError
from arena.web.answers import game_file as module
from arena.web.answers.game_file import bundle, game_file
from arena.web.answers.languages import CHINESE, ENGLISH, LANGUAGES, Language
from engines.games import all_games, find_game
from engines.stream import Stream
from workers.core.contract import (
    BotRef,
    FaultCode,
    Forfeit,
    GameSpec,
    MatchRecord,
    MatchResult,
    MatchSpec,
    MoveRecord,
    SeatUse,
)

HOSTILE = "</script><!--<script>alert(1)</script>\u2028\u202e"
SECRET = "only for its owner"
PLIES = 7


def record_of(name: str, **changes: object) -> MatchRecord:
    """The first plies of a game of a hostile bot, which then breaks and leaves what is private."""
    game = find_game(name)
    state, moves, stream = game.initial(), [], Stream("test", name)
    for ply in range(PLIES):
        if game.outcome(state) is not None:
            break
        move = stream.choice(game.legal_moves(state))
        told = MoveRecord(ply, game.to_move(state), game.move_to_text(move), wall_ns=10**9, debug=SECRET)
        moves.append(told)
        state = game.play(state, move)
    fault = Forfeit(
        seat=0, code=FaultCode.CRASH, ply=len(moves), detail=SECRET, expected=SECRET, stderr_tail=SECRET
    )
    use = SeatUse(bot_name=SECRET, stderr_head=SECRET, stderr_bytes=len(SECRET))
    spec = {"name": name, "params": game.params, "version": game.version} | changes
    return MatchRecord(
        spec=MatchSpec(match="1", game=GameSpec(**spec), bots=(BotRef(name=HOSTILE), BotRef(name="blue"))),
        result=MatchResult(
            match="1",
            winner=1,
            reason="crash",
            score=game.forfeit_score(0),
            forfeits=(fault,),
            moves=tuple(moves),
            seats=(use, use),
            host=SECRET,
        ),
    )


class Parts(HTMLParser):
    """The elements of a page, and what its scripts and styles hold."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.inside: tuple[str, dict[str, str | None]] | None = None
        self.held: list[tuple[str, dict[str, str | None], str]] = []
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """An element begins."""
        self.elements.append((tag, dict(attrs)))
        self.inside = (tag, dict(attrs)) if tag in {"script", "style"} else None

    def handle_data(self, data: str) -> None:
        """What is in it."""
        if self.inside:
            self.held.append((*self.inside, data))
            self.inside = None


@pytest.mark.parametrize("language", LANGUAGES.values(), ids=lambda each: each.tag)
@pytest.mark.parametrize("name", all_games())
def test_a_page_holds_a_game_and_nothing_private(name: str, language: Language) -> None:
    """Every position of every game, its moves and its end are there, in the language; no note and no log."""
    record = record_of(name)
    page = game_file(record, language, "Cup #1")
    assert SECRET not in page
    assert f'<html lang="{language.tag}">' in page
    assert ("forfeits at ply" in page) == (language is ENGLISH)
    held = {attrs.get("id"): data for tag, attrs, data in Parts(page).held if tag == "script"}
    told = json.loads(held["told"])
    assert [each["last"] for each in told["positions"]] == [
        None,
        *(move.move for move in record.result.moves),
    ]
    assert json.loads(held["words"]).get("Pause") == (None if language is ENGLISH else "暫停")
    assert page.count("data-ply=") == len(record.result.moves)


def test_what_it_is_given_is_never_markup() -> None:
    """A name that would end a script or begin a comment stays a name; the policy lets our own code be."""
    page = game_file(record_of("heap_nim"), CHINESE, HOSTILE)
    parts = Parts(page)
    assert [tag for tag, _ in parts.elements].count("script") == 3
    assert "<!--" not in page
    assert not any(name.startswith("on") or name == "src" for _, attrs in parts.elements for name in attrs)
    policy = next(attrs["content"] for tag, attrs in parts.elements if attrs.get("http-equiv"))
    assert policy is not None
    for kind, (tag, wanted) in {"script-src": ("script", "module"), "style-src": ("style", None)}.items():
        (data,) = [held for each, attrs, held in parts.held if each == tag and attrs.get("type") == wanted]
        digest = base64.b64encode(hashlib.sha256(data.encode()).digest()).decode()
        assert f"{kind} 'sha256-{digest}'" in policy
    assert policy.startswith("default-src 'none'")
    assert "unsafe" not in policy


def test_the_script_is_whole() -> None:
    """No import or export is left, each module comes once after those it needs, and none ends a script."""
    script, order = bundle("replay")
    assert order[-1] == "replay"
    assert len(set(order)) == len(order)
    assert {"i18n", "board"} <= set(order)
    assert not re.search(r"^(import|export)\b", script, re.MULTILINE)
    assert "</script" not in script
    assert "<!--" not in script


def test_what_cannot_be_drawn_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """Other rules than those here, and more plies than a page holds."""
    with pytest.raises(InvalidError, match="other rules here than version 99"):
        game_file(record_of("heap_nim", version=99), ENGLISH)
    monkeypatch.setattr(module, "MAX_PLIES", 2)
    with pytest.raises(InvalidError, match="holds 2 at most"):
        game_file(record_of("heap_nim"), ENGLISH)
