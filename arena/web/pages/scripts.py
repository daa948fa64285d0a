"""The words that scripts say, in the reader's language, as a module that they import (`static/i18n.js`)."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

from babel.messages.extract import extract_from_file
from fastapi import APIRouter, Response

from arena.core.errors import NotFoundError
from arena.web.pages.i18n import LANGUAGES

STATIC = Path(__file__).parent / "static"
KEYWORDS = {"_": None, "ngettext": (1, 2)}
"""The functions that take words, as `static/i18n.js` has them."""

router = APIRouter()


@router.get("/strings/{tag}.js")
def strings(tag: str) -> Response:
    """The words of all scripts in one language, by what stands for them in the scripts."""
    if tag not in LANGUAGES:
        raise NotFoundError(f"there is no language {tag!r}; there are {', '.join(LANGUAGES)}")
    return Response(_module(tag), media_type="text/javascript", headers={"Cache-Control": "max-age=300"})


@cache
def _module(tag: str) -> str:
    translations = LANGUAGES[tag].translations()
    words = {}
    for path in sorted(STATIC.glob("*.js")):
        for _, message, _, _ in extract_from_file("javascript", path, keywords=KEYWORDS):
            if isinstance(message, str):
                words[message] = translations.gettext(message)
            else:
                one, many, *_ = message
                words[one] = translations.ngettext(one, many, 2)
    return f"export default {json.dumps(words, ensure_ascii=False)};\n"
