"""What the documents say, claim by claim, and what answers it here.

Both are data. ``claims/NAME.toml`` is the inventory: one entry for every figure, board, number, claim and
program option of a document, with its place and its words in ours. ``answers/NAME.toml`` has the answer to
each; a program's modes have the `page` or the `command` that does them now.
"""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple

from arena.documents import circle_nim, heap_nim, l_game, reversed_reversi, rhombic_chess
from arena.documents.texts import Words, filled, read


class Document(NamedTuple):
    """A document: what it is about, and what it is called."""

    title: Words
    source: Words


DOCUMENTS = {
    "circle_nim": Document(
        Words("消圈圈（三角形的拈）", "Circle Nim"),
        Words(
            f"{circle_nim.TITLE}，花蓮縣第 61 屆國民中小學科學展覽會（國中組）",
            f"{circle_nim.TITLE_IN_ENGLISH}, 61st science fair of Hualien County, junior high school group",
        ),
    ),
    "l_game": Document(
        Words("L 棋", "The L-Game"),
        Words(
            f"{l_game.TITLE}，蔡明原、林順喜，國立臺灣師範大學資訊教育系",
            f"{l_game.TITLE_IN_ENGLISH}. Tsai and Lin, Department of Information and Computer Education,"
            " National Taiwan Normal University",
        ),
    ),
    "nim": Document(
        Words("拈", "Heap Nim"),
        Words(
            f"{heap_nim.TITLE}，呂可名，麗山高中資訊專題研究",
            f"{heap_nim.TITLE_IN_ENGLISH}, Lu, project report, Lishan High School",
        ),
    ),
    "rhombic_chess": Document(
        Words("斜方棋", "Rhombic chess"),
        Words(
            f"{rhombic_chess.TITLE}，劉哲志、林順喜，國立臺灣師範大學資訊教育系",
            f"{rhombic_chess.TITLE_IN_ENGLISH}. Liu and Lin, Department of Information and Computer"
            " Education, National Taiwan Normal University",
        ),
    ),
    "reversed_reversi": Document(
        Words("反轉黑白棋", "Reversed Reversi"),
        Words(
            f"{reversed_reversi.TITLE}，第 8 組，長庚大學資訊工程學系 112-2 人工智慧課程",
            f"{reversed_reversi.TITLE_IN_ENGLISH} by group 8, artificial intelligence course 112-2,"
            " Department of Computer Science and Information Engineering, Chang Gung University",
        ),
    ),
}
"""The documents by name, in the report's order."""


class ClaimKind(StrEnum):
    """What is claimed."""

    TABLE = "table"
    FIGURE = "figure"
    BOARD = "board"
    NUMBER = "number"
    CLAIM = "claim"
    OPTION = "option"


class Standing(StrEnum):
    """What became of a claim."""

    REPRODUCED = "reproduced"
    CONTRADICTED = "contradicted"
    WORKS = "works as"
    UNKNOWN = "cannot be known"


class Claim(NamedTuple):
    """An entry of an inventory; `where` is the place in the document, `says` its words in short."""

    key: str
    kind: ClaimKind
    where: str
    says: Words


class Known(NamedTuple):
    """What is known of a claim without computing: by which `page` or `command` it is done here now.

    `standing` and the words `found` are there where they need no number.
    """

    standing: Standing | None
    found: Words | None
    page: str
    command: str


def inventory(name: str) -> tuple[Claim, ...]:
    """Every claim of the document of that name, in its order."""
    return tuple(
        Claim(key, ClaimKind(entry["kind"]), entry["where"], Words(entry["zh"], entry["en"]))
        for key, entry in read("claims", name).items()
    )


def known(name: str) -> dict[str, Known]:
    """What is known of each claim of that document without computing, by its key."""
    told = {}
    for key, entry in read("answers", name).items():
        try:
            found = filled(entry, {}) if "standing" in entry else None
        except KeyError:  # a number has to be computed
            found = None
        standing = Standing(entry["standing"]) if "standing" in entry else None
        told[key] = Known(standing, found, entry.get("page", ""), entry.get("command", ""))
    return told
