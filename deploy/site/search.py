"""Search in English and Chinese: what is written without spaces is found by each two characters in a row."""

from __future__ import annotations

import re

from sphinx.search.en import SearchEnglish

HAN = "\u2e80-\u2fdf\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
RUN = re.compile(f"[{HAN}]+|[^\\W{HAN}]+")
OF_HAN = re.compile(f"[{HAN}]")


class Words(SearchEnglish):
    """English by the stems of its words, Chinese by pairs of characters, in the index and in questions."""

    lang = "en-and-zh"
    js_splitter_code = (
        "function splitQuery(query) {\n"
        "  return query.split(/[^\\p{Letter}\\p{Number}_]+/gu).filter(Boolean)\n"
        f"    .flatMap((word) => word.match(/[{HAN}]+|[^{HAN}]+/gu))\n"
        f"    .flatMap((run) => run.length > 1 && /[{HAN}]/.test(run)\n"
        "      ? Array.from(run).slice(1).map((each, number) => run[number] + each) : [run]);\n"
        "}\n"
    )

    def split(self, input: str) -> list[str]:  # noqa: A002  (Sphinx's name)
        """The words of a text."""
        return [word for run in RUN.findall(input) for word in _words(run)]


def _words(run: str) -> list[str]:
    if len(run) == 1 or not OF_HAN.match(run):
        return [run]
    return [run[at : at + 2] for at in range(len(run) - 1)]
