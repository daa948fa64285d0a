"""Texts of several lines that people write for others to read."""

from __future__ import annotations

import re
from typing import Annotated

from pydantic import AfterValidator, BeforeValidator, Field, StringConstraints

MAX_TEXT_CHARS = 2000
UNSEEN = r"\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff\ufffe\uffff"
"""Controls but tabs and ends of lines, and what is no character."""
TEXT = rf"^[^{UNSEEN}]*[^\s{UNSEEN}][^{UNSEEN}]*$"
_TEXT = re.compile(TEXT)


def tidy(text: object) -> object:
    """A text without blanks around it, with one kind of ends of lines, and one empty line for several."""
    if not isinstance(text, str):
        return text
    lines = [line.rstrip() for line in re.split(r"\r\n|\r|\n", text)]
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip()


def readable(text: str) -> str:
    """`text`, which holds nothing that is not shown.

    Raises:
        ValueError: it does.
    """
    if not _TEXT.search(text):
        raise ValueError("write a text without control characters")
    return text


LongText = Annotated[
    str,
    BeforeValidator(tidy),
    StringConstraints(min_length=1, max_length=MAX_TEXT_CHARS),
    AfterValidator(readable),
    Field(json_schema_extra={"pattern": TEXT.replace(r"\ud800-\udfff", "")}),
]
