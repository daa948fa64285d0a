"""Classes and who is in them."""

from __future__ import annotations

import datetime as dt
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from arena.core.names import FORM, MAX_CHARS

ClassName = Annotated[
    str,
    Field(
        min_length=1,
        max_length=MAX_CHARS,
        description="Letters and digits of any script, `_`, `-` and `.`.",
        json_schema_extra={"pattern": FORM},
    ),
]


class NewClass(BaseModel):
    """A class to be made."""

    model_config = ConfigDict(extra="forbid", json_schema_extra={"example": {"name": "class-7a"}})

    name: ClassName


class ClassOut(BaseModel):
    """A class with those who run it."""

    name: str = Field(examples=["class-7a"])
    organisers: list[str]
    created_at: dt.datetime
    scrimmages: bool = Field(default=True, description="Whether its teams may have scrimmages.")
