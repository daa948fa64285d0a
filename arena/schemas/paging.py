"""Parts of lists."""

from __future__ import annotations

from typing import Annotated, Generic, TypeVar

from pydantic import BaseModel, Field

T = TypeVar("T")


class Page(BaseModel, Generic[T]):
    """A part of a list; the `Link` header leads to the first, previous, next and last part."""

    items: list[T]
    total: Annotated[int, Field(ge=0, description="How many there are in all.")]
    offset: Annotated[int, Field(ge=0)]
    limit: Annotated[int, Field(ge=1)]
