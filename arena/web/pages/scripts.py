"""The words that scripts say, in the reader's language, as a module that they import (`static/i18n.js`)."""

from __future__ import annotations

import json
from functools import cache

from fastapi import APIRouter, Response

from arena.core.errors import NotFoundError
from arena.web.answers.languages import LANGUAGES, STATIC, script_words

router = APIRouter()


@router.get("/strings/{tag}.js")
def strings(tag: str) -> Response:
    """The words of all scripts in one language, by what stands for them in the scripts."""
    if tag not in LANGUAGES:
        raise NotFoundError(f"there is no language {tag!r}; there are {', '.join(LANGUAGES)}")
    return Response(_module(tag), media_type="text/javascript", headers={"Cache-Control": "max-age=300"})


@cache
def _module(tag: str) -> str:
    words = script_words(LANGUAGES[tag], sorted(STATIC.glob("*.js")))
    return f"export default {json.dumps(words, ensure_ascii=False)};\n"
