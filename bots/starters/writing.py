"""Writes the starter of a language for a game: the language's own files, and what tells of the game."""

from __future__ import annotations

import io
import json
import re
import stat
import zipfile
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from string import Template
from typing import Any

from bots.protocol import PROTOCOL
from bots.protocol.messages import encode
from bots.sdk.libraries import library
from bots.starters import BUILT, STARTERS, Starter
from engines.game import Game
from engines.games import find_game, find_presentation
from engines.presentation import Words
from engines.stream import Stream

POSITIONS = "positions.jsonl"
ASKED, LONGEST, LEGAL = 12, 80, 12
"""So many positions of a game of at most so many moves; and so many legal moves are written out."""
TIME = {"move_ms": 1000, "extensions": 0, "extension_ms": 0, "bank_ms": None, "increment_ms": 0}
EPOCH = (1980, 1, 1, 0, 0, 0)

KIT = "arena_bot.py"
READMES = {"en": "README.md", "zh-Hant-TW": "README.zh-TW.md"}
READING = Words("The first of `{key}` there:", "其中 `{key}` 的第一個：")
RULES = r"rules\..*"
SEARCHED = Words(
    "To look further ahead, search with the rules in `{file}`; its first lines show how.",
    "想看得更遠，就用 `{file}` 裡的規則來搜尋；開頭幾行說明用法。",
)
MAIN = Words("the bot: begin here", "機器人：從這裡開始")
OTHERS = (
    (r"main\.ts", Words("what the arena starts", "競技場啟動的檔案")),
    (r".*arena_?bot\..*", Words("the kit, which talks with the referee", "與裁判溝通的工具")),
    (
        r"(.*/)?test.*|.*_test\.go",
        Words("the test: legal moves in all positions of a game", "測試：在一局的所有局面都下合法的棋"),
    ),
    (RULES, Words("the rules of the game, to search with", "遊戲規則，用來搜尋")),
    (re.escape(POSITIONS), Words("these positions, as the referee asks", "這些局面，如同裁判的提問")),
    (
        r"bot\.toml",
        Words("what the bot is called, its language, and its games", "機器人的名字、語言與遊戲"),
    ),
    (r"\.gitignore", Words("what of the folder is not handed in either", "資料夾中同樣不會交出的檔案")),
    (r".*", Words("how it is built and tested", "如何建置與測試")),
)
"""What is said of files by their names in small letters; the first that fits."""


def starter(language: str, game: str) -> dict[str, bytes]:
    """All files of the starter by name.

    Raises:
        KeyError: there is no starter for that language.
        UnknownGameError: there is no such game.
    """
    return dict(_starter(language, game))


def zipped(language: str, game: str) -> bytes:
    """The same as a zip, in one folder."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in starter(language, game).items():
            info = zipfile.ZipInfo(f"{game}-{language}/{name}", EPOCH)
            info.external_attr = (stat.S_IFREG | 0o644) << 16
            info.create_system = 3
            info.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(info, content)
    return buffer.getvalue()


@cache
def _starter(language: str, game: str) -> dict[str, bytes]:
    about, rules = STARTERS[language], find_game(game)
    asked = list(_asked(rules))
    written = dict(_read(files("bots.starters").joinpath(language)))
    if language == "python":
        written[KIT] = files("bots.sdk").joinpath(KIT).read_bytes()
    written |= library(game, language)
    written[POSITIONS] = b"".join(map(encode, (_hello(rules), *asked)))
    written["bot.toml"] = (
        "# docs/bots.md of the arena lists all that may stand here. Without a name, the folder's is taken.\n"
        f'# name = "comet"\nlanguage = {json.dumps(language)}\ngames = [{json.dumps(game)}]\n'
    ).encode()
    written[".gitignore"] = "".join(f"{each}/\n" for each in BUILT).encode()
    names = sorted(written, key=lambda name: (name != about.main, name.lower()))
    for tag, name in READMES.items():
        written[name] = _readme(tag, about, rules, names, asked[0]).encode()
    return written


def _read(folder: Traversable, before: str = "") -> list[tuple[str, bytes]]:
    found: list[tuple[str, bytes]] = []
    for each in folder.iterdir():
        if each.is_dir() and each.name != "__pycache__":
            found += _read(each, f"{before}{each.name}/")
        elif each.is_file():
            found.append((before + each.name, each.read_bytes()))
    return found


def _hello(game: Game[Any]) -> dict[str, Any]:
    return {
        "type": "hello",
        "protocols": [PROTOCOL],
        "match": "positions",
        "game": {"name": game.name, "params": game.params, "version": game.version},
        "seat": 0,
        "seed": 1,
        "time": {**TIME, "startup_ms": 10_000},
    }


def _asked(game: Game[Any]) -> list[dict[str, Any]]:
    """Questions spread over a game of random moves, always the same one, from its first position on."""
    stream, state = Stream("starter", game.name), game.initial()
    history: list[str] = []
    asked: list[dict[str, Any]] = []
    while len(history) < LONGEST and (moves := game.legal_moves(state)):
        if len(moves) > 1 or not asked:
            asked.append(
                {
                    "type": "move",
                    "id": len(asked) + 1,
                    "ply": len(history),
                    "state": game.state_to_json(state),
                    "legal": [game.move_to_text(move) for move in moves],
                    "history": [*history],
                    "time": {"move_ms": TIME["move_ms"], "extensions_left": 0, "bank_ms": None, "last_ms": 0},
                }
            )
        move = stream.choice(moves)
        history.append(game.move_to_text(move))
        state = game.play(state, move)
    return asked[:: -(-len(asked) // ASKED)]


def _readme(tag: str, about: Starter, game: Game[Any], names: list[str], first: dict[str, Any]) -> str:
    presentation, legal = find_presentation(game.name), first["legal"]
    searched = next((name for name in names if re.fullmatch(RULES, name)), None)
    template = files("bots.starters").joinpath(READMES[tag]).read_text(encoding="utf-8")
    return Template(template).substitute(
        title=presentation.title(game.params).said(tag),
        language=about.title,
        game=game.name,
        files="\n".join(f"| `{each}` | {_said_of(each, about).said(tag)} |" for each in names),
        main=about.main,
        place=about.place,
        state=json.dumps(first["state"]),
        legal=" ".join(legal[:LEGAL]) + f" … ({len(legal)})" * (len(legal) > LEGAL),
        reading=_reading(tag, about, first["state"]),
        library=f"{SEARCHED.said(tag, file=searched)}\n" if searched else "",
        rules=presentation.rules(game).said(tag),
        notation=presentation.notation(game).said(tag),
    )


def _said_of(name: str, about: Starter) -> Words:
    if name == about.main:
        return MAIN
    return next(said for pattern, said in OTHERS if re.fullmatch(pattern, name.lower()))


def _reading(tag: str, about: Starter, state: dict[str, Any]) -> str:
    """How an item of the state is written in the language; nothing of a state without a list."""
    key = next((key for key, value in state.items() if isinstance(value, list) and value), None)
    if key is None:
        return ""
    item = state[key][0]
    written = about.reads.replace("KEY", key) + (about.text if isinstance(item, str) else about.number)
    return f"{READING.said(tag, key=key)}\n\n    {written}    {about.comment} {json.dumps(item)}\n"
