"""Schemas made from rows and values whose attributes have the same names."""

from __future__ import annotations

from typing import Any, TypeVar

from pydantic import BaseModel

S = TypeVar("S", bound=BaseModel)


def copied(schema: type[S], source: object, **others: Any) -> S:
    """An answer with the fields `others`, and all further ones as the source's attributes of that name."""
    same = {name: getattr(source, name) for name in schema.model_fields if name not in others}
    return schema(**same, **others)
