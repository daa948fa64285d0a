"""What is said on pages and terminals, in every language of theirs, side by side."""

from __future__ import annotations

from typing import NamedTuple


class Words(NamedTuple):
    """The same in English and in Chinese as it is written in Taiwan."""

    english: str
    chinese: str

    def said(self, tag: str, **values: object) -> str:
        """What is said in the language of that tag (BCP 47), English if in none; `values` fill its braces."""
        text = self.chinese if tag.startswith("zh") else self.english
        return text.format(**values) if values else text


NOTHING = Words("", "")
