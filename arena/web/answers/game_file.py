"""One game as a page that opens without any server: its board and its moves, and all that they need."""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Collection
from functools import cache
from typing import Any

from jinja2 import Environment
from markupsafe import Markup

from arena.core.errors import InvalidError
from arena.core.terms import GOES_ON
from arena.schemas.positions import PositionsOut
from arena.web.answers.languages import STATIC, Language, script_words
from arena.web.answers.positions import game_of, positions, scene_of
from arena.web.answers.steps import steps
from arena.web.answers.templates import environment_in
from workers.core.contract import MatchRecord

SCRIPT = "replay"
"""The script that is in it, with those that it imports."""
STYLES = ("board.css", "game.css")
MAX_PLIES = 4096
"""What is longer would be a file of tens of megabytes."""
IMPORT = re.compile(r'^import \{([^}]+)\} from "\./(\w+)\.js";$', re.MULTILINE)
EXPORT = re.compile(r"^export (?=(?:async )?(?:function|class|const) (\w+))", re.MULTILINE)


def game_file(
    record: MatchRecord, language: Language, heading: str = "", people: Collection[int] = ()
) -> str:
    """The page, which tells what everybody may know of a game: nothing that a bot wrote but its moves.

    In the seats `people` sit persons, who have no names.

    Raises:
        InvalidError: its rules are not here, or it is too long.
        GameError: its moves are not a game's.
    """
    spec, result = record.spec, record.result
    moves = [move.move for move in result.moves]
    game = game_of(spec.game)
    if game is None:
        raise InvalidError(
            f"{spec.game.name} has other rules here than version {spec.game.version}, which was played"
        )
    if len(moves) > MAX_PLIES:
        raise InvalidError(f"the game has {len(moves)} plies; a page holds {MAX_PLIES} at most")
    told = PositionsOut(scene=scene_of(game), plies=len(moves), first=0, positions=positions(game, moves, 0))
    unseen = {"state"} if told.scene.board is None else {"state", "text"}
    page = _environment(language).get_template("game_file.html")
    return page.render(
        language=language,
        heading=heading,
        bots=spec.bots,
        people=people,
        game=spec.game,
        result=None if result.reason == GOES_ON else result,
        time=spec.time,
        scene=told.scene,
        position=told.positions[-1],
        last=len(moves),
        steps=steps(result.moves, spec.time.extensions, len(spec.opening)),
        told=told.model_dump(mode="json", exclude={"positions": {"__all__": unseen}}),
        **_parts(language),
    )


@cache
def _environment(language: Language) -> Environment:
    return environment_in(language)


@cache
def _parts(language: Language) -> dict[str, Any]:
    """The script and the style of every such page, and by which hashes its policy lets them be."""
    script, modules = bundle(SCRIPT)
    style = "".join((STATIC / name).read_text(encoding="utf-8") for name in STYLES)
    words = (
        {}
        if language.catalogue is None
        else script_words(language, [STATIC / f"{each}.js" for each in modules])
    )
    return {
        "script": Markup(script),  # noqa: S704  (our own)
        "style": Markup(style),  # noqa: S704  (likewise)
        "script_hash": _hash(script),
        "style_hash": _hash(style),
        "words": words,
    }


def bundle(name: str) -> tuple[str, list[str]]:
    """A module of `static/` and those that it imports as one script, and their names in that order."""
    order: list[str] = []
    return "".join(_bundled(name, order)), order


def _bundled(name: str, order: list[str]) -> list[str]:
    source = (STATIC / f"{name}.js").read_text(encoding="utf-8")
    before = [
        part for _, other in IMPORT.findall(source) if other not in order for part in _bundled(other, order)
    ]
    order.append(name)
    exported = ", ".join(EXPORT.findall(source))
    body = EXPORT.sub("", IMPORT.sub(r"const {\1} = \2_js;", source))
    return [*before, f"const {name}_js = await (async () => {{\n{body}\nreturn {{ {exported} }};\n}})();\n"]


def _hash(text: str) -> str:
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}"
