"""Words about the documents in both languages, which are data: a folder a subject, in it a file a document.

Words have places in braces for the numbers that are computed, as `str.format` has them.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any, NamedTuple


class Words(NamedTuple):
    """The same words in Traditional Chinese and in English."""

    zh: str
    en: str


@cache
def read(folder: str, name: str) -> Mapping[str, Mapping[str, Any]]:
    """The entries of a document's file in that folder, by their keys, in order."""
    return tomllib.loads((files("arena.documents") / folder / f"{name}.toml").read_text("utf-8"))


def filled(entry: Mapping[str, Any], numbers: Mapping[str, object]) -> Words:
    """The words of an entry, if it has some, with the numbers in their places.

    A number that is called otherwise in each language is `Words`.

    Raises:
        KeyError: there is no such number.
    """
    chinese = {name: value.zh if isinstance(value, Words) else value for name, value in numbers.items()}
    english = {name: value.en if isinstance(value, Words) else value for name, value in numbers.items()}
    return Words(entry.get("zh", "").format_map(chinese), entry.get("en", "").format_map(english))
