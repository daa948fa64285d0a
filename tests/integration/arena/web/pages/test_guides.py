"""The guides on the pages, and the kit that they give out."""

from __future__ import annotations

import re

import pytest

from arena.web.pages.guides import KIT, NAMES, text_of
from arena.web.pages.i18n import LANGUAGES
from tests.integration.arena.site import Site


@pytest.mark.parametrize("tag", LANGUAGES)
@pytest.mark.parametrize("name", NAMES)
def test_a_guide_is_shown_in_the_readers_language(site: Site, name: str, tag: str) -> None:
    """Everybody can read it, and its list of sections leads to each of them."""
    page = site.client.get(f"/guide/{name}", headers={"Accept-Language": tag})
    text = text_of(name, tag)
    assert page.status_code == 200
    assert f"<h1>{text.title}</h1>" in page.text
    assert [section.anchor for section in text.sections] == re.findall('<h2 id="(.+?)">', page.text)
    assert all(f'href="#{section.anchor}"' in page.text for section in text.sections)


@pytest.mark.parametrize("name", NAMES)
def test_every_link_of_a_guide_leads_somewhere(site: Site, name: str) -> None:
    """Who is not signed in is asked to where that is needed."""
    links = set(re.findall(r'href="(/[^"]*)"', text_of(name, "en").html))
    assert links
    for link in links:
        assert site.client.get(link).status_code == 200, link


def test_the_kit_is_the_one_that_is_tested(site: Site) -> None:
    """It comes as a file to be saved, byte for byte."""
    answer = site.client.get("/guide/arena_bot.py")
    assert answer.content == KIT.read_bytes()
    assert 'filename="arena_bot.py"' in answer.headers["Content-Disposition"]


def test_the_first_bot_of_the_guide_is_the_same_in_each_language() -> None:
    """All guides show one and the same first bot, and Python compiles it."""
    code = re.compile('<code class="language-python">(.+?)</code>', re.DOTALL)
    (program,) = {shown for tag in LANGUAGES for shown in code.findall(text_of("student", tag).html)}
    compile(program, "main.py", "exec")
    assert "def choose(self, request)" in program


def test_there_are_no_other_guides(site: Site) -> None:
    """Whatever is named instead is not found, and no file is read."""
    for name in ("nobody", "student.en", "..%2F..%2Fi18n"):
        assert site.client.get(f"/guide/{name}").status_code == 404
