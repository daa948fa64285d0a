"""What an error said, as JSON, so that what was kept of it can be said in any language later."""

from __future__ import annotations

from enum import StrEnum
from typing import Any

from arena.core import terms
from arena.core.errors import AnyOf, Term, Worded

TYPES: dict[str, type[StrEnum]] = {
    each.__name__: each
    for each in vars(terms).values()
    if isinstance(each, type) and issubclass(each, StrEnum) and each is not StrEnum
}
"""The closed lists whose words may stand in messages, by their names."""


def kept(error: Worded) -> dict[str, Any]:
    """The message and its values, as JSON has them."""
    return {"message": error.message, "values": {name: _kept(each) for name, each in error.values.items()}}


def said(words: dict[str, Any] | None, english: str) -> Worded:
    """What was kept; the English sentence beside it where nothing was, or nothing that is known here."""
    try:
        return _read(words) if words else Worded(english)
    except (KeyError, TypeError, ValueError):
        return Worded(english)


def _kept(value: object) -> Any:
    if isinstance(value, Worded):
        return kept(value)
    if isinstance(value, AnyOf):
        return {"any": [_kept(each) for each in value]}
    if isinstance(value, Term):
        return {"term": str(value)}
    if isinstance(value, StrEnum):
        return {"word": value.value, "of": type(value).__name__}
    return value if isinstance(value, int | float) else str(value)


def _read(words: dict[str, Any]) -> Worded:
    return Worded(words["message"], **{name: _value(each) for name, each in words["values"].items()})


def _value(kept: Any) -> object:
    if not isinstance(kept, dict):
        return kept
    if "any" in kept:
        return AnyOf(_value(each) for each in kept["any"])
    if "term" in kept:
        return Term(kept["term"])
    return TYPES[kept["of"]](kept["word"]) if "word" in kept else _read(kept)
