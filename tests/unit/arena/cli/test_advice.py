"""What is advised after a bot's fault, in the languages of the command line and of the pages."""

from __future__ import annotations

import re
from typing import Any

import pytest

from arena.cli.shared.advice import advice_of
from arena.core.words import speak
from arena.web.pages import own_words
from arena.web.pages.i18n import CHINESE
from workers.core.contract import FaultCode, Forfeit

MISSING = "ModuleNotFoundError: No module named 'numpy'\n"
FAULTS = [
    pytest.param("crash", MISSING, 1, "numpy", id="a module that is not there"),
    pytest.param("timeout", "", 1, "flush", id="nothing sent"),
    pytest.param("timeout", "", 99, "time", id="too much computed"),
]
HAN = re.compile(r"[\u4e00-\u9fff]")


def _fault(code: str, cpu: int) -> dict[str, Any]:
    return {"code": code, "detail": "no answer", "clock": 100, "cpu": cpu, "received": ""}


@pytest.mark.usefixtures("run")  # which sets another locale
@pytest.mark.parametrize(("code", "stderr", "cpu", "names"), FAULTS)
def test_the_command_line_advises_in_the_reader_s_language(
    monkeypatch: pytest.MonkeyPatch, code: str, stderr: str, cpu: int, names: str
) -> None:
    """In Taiwan's locale every hint is Chinese and names the same thing; elsewhere English."""
    english = advice_of(stderr=stderr, **_fault(code, cpu))
    monkeypatch.setenv("LANGUAGE", "zh_TW")
    speak(translated=True)
    chinese = advice_of(stderr=stderr, **_fault(code, cpu))
    assert english
    assert chinese
    assert names in english
    assert names in chinese
    assert (bool(HAN.search(english)), bool(HAN.search(chinese))) == (False, True)


@pytest.mark.parametrize(("code", "stderr", "cpu", "names"), FAULTS)
def test_the_pages_advise_the_same_in_chinese(code: str, stderr: str, cpu: int, names: str) -> None:
    """A page knows every hint of the command line, and its catalogue has it."""
    fault = Forfeit(
        seat=0,
        code=FaultCode(code),
        ply=4,
        detail="no answer",
        expected="",
        stderr_tail=stderr,
        clock_ns=100,
        cpu_ns=cpu,
    )
    found = own_words.advice(fault, stderr)
    assert found
    message, values = found
    text = CHINESE.translations().gettext(message) % values
    assert HAN.search(text)
    assert names in text or names == "flush"
