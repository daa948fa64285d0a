"""`bot.toml`: what a bot says of itself. It is optional wherever the files speak for themselves.

name = "comet"
language = "c"
entry = "main.c"
games = ["NAME"]
environment = "NAME"        of a Python bot: the packages that it finds
protocol = "gtp"

What comes after `protocol` says how to speak it; see `docs/adapters.md`.
"""

from __future__ import annotations

import re
import tomllib
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, ValidationError

from bots.adapters import PROTOCOLS
from engines.games import GAMES, all_games
from workers.core.errors import ArchiveError, Flaw
from workers.programs.runtimes.languages import LANGUAGES

FILE = "bot.toml"
MAX_BYTES = 16 * 1024
MAX_DOTS = 200
"""In one line: to read a key takes as long as the square of its parts."""

MAX_ENVIRONMENT_CHARS = 12
"""With `python:` before it, it still fits where a bot's language is kept."""
ENVIRONMENT = rf"[a-z][a-z0-9-]{{0,{MAX_ENVIRONMENT_CHARS - 1}}}"

Word = Annotated[str, StringConstraints(min_length=1, max_length=200, pattern=r"^[^\x00-\x1f\x7f]*$")]


Line = Annotated[str, StringConstraints(max_length=1000, pattern=r"^[^\x00-\x1f\x7f]*$")]
TemplateLines = Annotated[list[Line], Field(max_length=100)]


class Said(BaseModel):
    """Something that `bot.toml` says: what is not known is refused."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)


class Template(Said):
    """The lines that a bot of the protocol `lines` reads and writes; see `bots.adapters.lines`."""

    start: TemplateLines = []
    turn: Annotated[TemplateLines, Field(min_length=1)]
    answer: Annotated[Line, StringConstraints(pattern=r"\{move\}")] = "{move}"
    cells: dict[Line, Line] = {}
    between: Line = ""
    none: Line = "-"


class Manifest(Said):
    """What `bot.toml` may say. Nothing in it must be there."""

    name: Word | None = None
    language: Word | None = None
    entry: Word | None = None
    games: Annotated[list[Word], Field(min_length=1, max_length=20)] | None = None
    environment: Word | None = None
    protocol: Word | None = None
    arguments: Annotated[list[Word], Field(max_length=20)] | None = None
    moves: Literal["arena", "index", "zero", "square", "xy", "yx"] | None = None
    depth: Annotated[int, Field(ge=1, le=60)] | None = None
    lines: Template | None = None


def read_manifest(data: bytes) -> Manifest:
    """The manifest in `data`.

    Raises:
        ArchiveError: it cannot be read, or names what there is not.
    """
    if len(data) > MAX_BYTES:
        raise ArchiveError(f"{FILE} has {len(data)} bytes; at most {MAX_BYTES} are taken", Flaw.MANIFEST)
    if any(line.count(b".") > MAX_DOTS for line in data.splitlines()):
        raise ArchiveError(f"a line of {FILE} has more than {MAX_DOTS} dots; break it up", Flaw.MANIFEST)
    try:
        said = tomllib.loads(data.decode("utf-8"))
    except (ValueError, RecursionError) as error:  # a number of too many digits is a mere ValueError
        raise ArchiveError(f"{FILE} is not TOML in UTF-8: {error}", Flaw.MANIFEST) from None
    try:
        manifest = Manifest.model_validate(said)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        where = ".".join(map(str, first["loc"]))
        known = ", ".join(Manifest.model_fields)
        raise ArchiveError(
            f"{FILE} is wrong at {where[:80]!r}: {first['msg']}; it knows {known}", Flaw.MANIFEST
        ) from None
    if manifest.language is not None and manifest.language not in LANGUAGES:
        raise ArchiveError(
            f"{FILE} names the language {manifest.language[:40]!r}; there are {', '.join(LANGUAGES)}",
            Flaw.MANIFEST,
        )
    if manifest.environment is not None and not re.fullmatch(ENVIRONMENT, manifest.environment):
        raise ArchiveError(
            f"{FILE} names the environment {manifest.environment[:40]!r}; a name has at most "
            f"{MAX_ENVIRONMENT_CHARS} characters a-z, 0-9 and -, such as numpy",
            Flaw.MANIFEST,
        )
    check_games(manifest.games or ())
    _check_protocol(manifest)
    return manifest


def _check_protocol(manifest: Manifest) -> None:
    """Refuse a protocol that there is not, that cannot tell these games, or does not heed what is said."""
    name = manifest.protocol
    if name is not None and name not in PROTOCOLS:
        raise ArchiveError(
            f"{FILE} names the protocol {name[:40]!r}; there are {', '.join(PROTOCOLS)}", Flaw.MANIFEST
        )
    heeded = PROTOCOLS[name].options if name else ()
    for option in ("arguments", "moves", "depth", "lines"):
        if getattr(manifest, option) is not None and option not in heeded:
            with_it = " or ".join(each for each, protocol in PROTOCOLS.items() if option in protocol.options)
            raise ArchiveError(f"{FILE} says {option}, which goes with the protocol {with_it}", Flaw.MANIFEST)
    if name == "lines" and manifest.lines is None:
        raise ArchiveError(f"{FILE} names the protocol lines, and has no template in [lines]", Flaw.MANIFEST)
    told = PROTOCOLS[name].games if name else ()
    for game in manifest.games or ():
        if told and game not in told:
            raise ArchiveError(
                f"{FILE} names {game[:40]!r}, and {PROTOCOLS[str(name)].title} is for {', '.join(told)}",
                Flaw.MANIFEST,
            )


def check_games(games: list[str] | tuple[str, ...]) -> None:
    """Make sure that all of `games` exist here.

    Raises:
        ArchiveError: one does not.
    """
    for game in games:
        if game not in GAMES and game not in (games_here := all_games()):
            raise ArchiveError(
                f"there is no game {game[:40]!r}; there are {', '.join(games_here)}", Flaw.GAME
            )
