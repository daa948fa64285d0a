"""Which language a reader gets."""

from __future__ import annotations

import re

import pytest

from arena.web.pages import wording
from arena.web.pages.i18n import CHINESE, ENGLISH, LANGUAGES, Language, accepted
from tests.integration.arena.site import Site


@pytest.mark.parametrize(
    ("header", "language"),
    [
        ("", ENGLISH),
        ("zh-TW,zh;q=0.9,en;q=0.8", CHINESE),
        ("en-GB;q=0.9, zh-Hant;q=0.95", CHINESE),
        ("fr, de;q=0.9", ENGLISH),
        ("fr, zh;q=0.1", CHINESE),
        ("zh;q=0, en;q=0.1", ENGLISH),
        ("zh;q=much, en", ENGLISH),
        ("*", ENGLISH),
        (";;,=q,\u00e9", ENGLISH),
    ],
)
def test_accept_language(header: str, language: Language) -> None:
    """The wanted language with the greatest weight is taken; English if none fits."""
    assert accepted(header) is language


def test_a_choice_is_remembered(site: Site) -> None:
    """`?lang=` outweighs the browser and stays; an unknown language changes nothing."""
    assert 'lang="en"' in site.client.get("/", headers={"Accept-Language": "en"}).text
    assert 'lang="zh-Hant-TW"' in site.client.get("/?lang=zh-Hant-TW").text
    assert "賽事" in site.client.get("/bots", headers={"Accept-Language": "en"}).text
    assert "賽事" in site.client.get("/bots?lang=xx").text
    assert "Tournaments" in site.client.get("/?lang=en").text


@pytest.mark.parametrize("path", ["/nothing", "/tournaments/none", "/bots?limit=0"])
def test_errors_are_in_the_readers_language(site: Site, path: str) -> None:
    """What went wrong and what to do are said in the reader's language, and in no other."""
    page = site.client.get(path, headers={"Accept-Language": "zh-TW"}).text
    main = re.sub("<[^>]*>", "", page[page.index("<main") :])
    assert "請" in main
    assert not re.search("[A-Za-z]", main)


@pytest.mark.parametrize("status", [400, 404, 405, 409, 422, 500, 502, 503])
def test_every_error_has_words(status: int) -> None:
    """Every status of an error has its message in the catalogue."""
    message = wording.advice(status)
    assert CHINESE.translations().gettext(message) != message


@pytest.mark.parametrize("language", LANGUAGES.values(), ids=str)
def test_every_language_has_a_locale(language: Language) -> None:
    """Numbers and times can be written in every language."""
    assert language.locale.language in {"en", "zh"}


def test_the_words_of_scripts(site: Site) -> None:
    """Scripts get their words from a module in each of the arena's languages, and in no other."""
    english = site.client.get("/strings/en.js")
    assert english.headers["content-type"].startswith("text/javascript")
    assert '"Copy": "Copy"' in english.text
    assert '"Copy": "複製"' in site.client.get("/strings/zh-Hant-TW.js").text
    assert site.client.get("/strings/fr.js").status_code == 404
