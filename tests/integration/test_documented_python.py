"""What the documents show of a conversation with Python."""

from __future__ import annotations

import doctest
import re

import pytest

from tests.documents import ROOT, documents

ASKED = re.compile("^ *>>> ", re.MULTILINE)
TOLD = [each for each in documents() if ASKED.search((ROOT / each).read_text(encoding="utf-8"))]


@pytest.mark.parametrize("document", TOLD)
def test_python_answers_as_it_is_shown(document: str) -> None:
    """Every `>>>` of a document is answered by what stands below it."""
    failed, tried = doctest.testfile(str(ROOT / document), module_relative=False, encoding="utf-8")
    assert (tried > 0, failed) == (True, 0)
