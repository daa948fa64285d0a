"""Source code as tokens of which only the kind is left: names, literals, layout and comments do not count."""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import PurePosixPath

from pygments.lexer import Lexer
from pygments.lexers import get_lexer_by_name
from pygments.token import Comment, Keyword, Literal, Number, Operator, Punctuation, String, Text, Whitespace

LANGUAGES = {
    **dict.fromkeys((".py",), "python"),
    **dict.fromkeys((".c", ".h"), "c"),
    **dict.fromkeys((".cpp", ".cc", ".cxx", ".hpp", ".hh", ".hxx"), "cpp"),
    ".java": "java",
    **dict.fromkeys((".js", ".mjs", ".cjs"), "javascript"),
    ".ts": "typescript",
    ".rs": "rust",
    ".go": "go",
    ".cs": "csharp",
}
"""What the endings of files say of their language, as Pygments calls it."""
MAX_CHARS = 200_000
MAX_TOKENS = 20_000
"""What is looked at of one program; what is more is not compared."""
MAX_SECONDS = 5.0
"""Of processor time for one program: of some things, such as empty lines in C, a lexer takes the square."""
NAME, TEXT, NUMBER, BREAK = "N", "S", "0", "\0"
"""What names, strings and numbers become, and what stands between two files."""


@dataclass
class Code:
    """The files of a program, and their tokens: what each has become, its file, and where it stands there."""

    files: list[tuple[str, str]] = field(default_factory=list)
    kinds: list[str] = field(default_factory=list)
    places: list[tuple[int, int, int]] = field(default_factory=list)
    cut: bool = False


def is_source(name: str) -> bool:
    """Whether a file's ending says that it is in a language that is known here."""
    return PurePosixPath(name).suffix.lower() in LANGUAGES


def read_code(files: Mapping[str, bytes]) -> Code:
    """The tokens of all source files, in the order of their names."""
    code, left = Code(), MAX_CHARS
    until = time.thread_time() + MAX_SECONDS
    for name in sorted(filter(is_source, files)):
        text = files[name].decode("utf-8", "replace").replace("\r\n", "\n")
        code.cut = code.cut or len(text) > left
        text = text[:left]
        left -= len(text)
        code.files.append((name, text))
        _add(code, text, LANGUAGES[PurePosixPath(name).suffix.lower()], until)
    if len(code.kinds) > MAX_TOKENS:
        code.cut = True
        del code.kinds[MAX_TOKENS:], code.places[MAX_TOKENS:]
    return code


def _add(code: Code, text: str, language: str, until: float) -> None:
    lexer: Lexer = get_lexer_by_name(language)
    number = len(code.files) - 1
    for start, kind, value in _tokens(lexer, text, until):
        code.kinds.append(kind)
        code.places.append((number, start, start + len(value)))
    code.cut = code.cut or time.thread_time() > until
    code.kinds.append(BREAK)
    code.places.append((number, len(text), len(text)))


def _tokens(lexer: Lexer, text: str, until: float) -> Iterable[tuple[int, str, str]]:
    """Each token's start, what it becomes, and its text, as far as time allows; a string's pieces are one."""
    in_string = False
    for start, kind, value in lexer.get_tokens_unprocessed(text + "\n"):
        if time.thread_time() > until:
            return
        is_string = kind in String
        if kind in Comment or kind in String.Doc or kind in Whitespace or kind in Text or not value.strip():
            in_string = in_string and is_string
            continue
        if is_string:
            if not in_string:
                yield start, TEXT, value
        elif kind in Number or kind in Literal:
            yield start, NUMBER, value
        elif kind in Punctuation:
            yield from ((start + at, sign, sign) for at, sign in enumerate(value) if not sign.isspace())
        elif kind in Operator or kind in Keyword:
            yield start, value, value
        else:
            yield start, NAME, value
        in_string = is_string
