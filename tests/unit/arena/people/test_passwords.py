"""Passwords: which are refused, and what is kept of the others."""

from __future__ import annotations

import pytest

from arena.people import passwords
from arena.people.passwords import MAX_CHARS, MIN_CHARS, WeakPasswordError

GOOD = "blue horse 7 lamps"


@pytest.mark.parametrize(
    "password",
    [
        "",
        "short",
        "x" * (MIN_CHARS - 1),
        "x" * (MAX_CHARS + 1),
        "aaaaaaaaaaaaaa",
        "abababababab",
        "Password123",
        "1234567890",
        "\uff11\uff12\uff13\uff14\uff15\uff16\uff17\uff18\uff19\uff10",
        "Longfellow-2026",
    ],
)
def test_what_is_easily_guessed_is_refused(password: str) -> None:
    """Short, long, common (also in wide characters), monotonous, or the name with digits: none of them."""
    with pytest.raises(WeakPasswordError):
        passwords.check_password(password, "longfellow-")


@pytest.mark.parametrize(
    ("name", "password"),
    [
        ("class-team7", "class-team7"),
        ("team-1", "team-12026"),
        ("2026team-1", "123TEAM-456"),
        ("\uff34\uff45\uff41\uff4d-longer1", "team-longer1"),
        ("1101234567", "1101234567"),
        ("110123", "2110123456"),
    ],
)
def test_the_own_name_is_refused(name: str, password: str) -> None:
    """A name that ends in digits, or is digits alone, is no password, and none with other digits around."""
    with pytest.raises(WeakPasswordError):
        passwords.check_password(password, name)
    passwords.check_password(password, "somebody-else")


@pytest.mark.parametrize(("name", "password"), [("110123", "5829304716"), ("team-1", "team-one-2026")])
def test_what_only_looks_a_little_like_the_name_is_taken(name: str, password: str) -> None:
    """Other digits than those of a name, and other words, are a password."""
    passwords.check_password(password, name)


@pytest.mark.parametrize("password", [GOOD, "正確的馬電池訂書針一二", "x1" * 5 + "!", "\ud800" * 5 + GOOD])
def test_what_is_kept_fits_its_password_only(password: str) -> None:
    """A hash names Argon2id and OWASP's parameters, differs each time, and fits no other password."""
    passwords.check_password(password, "amy")
    kept = passwords.hashed(password)
    assert kept.startswith("$argon2id$v=19$m=19456,t=2,p=1$")
    assert kept != passwords.hashed(password)
    assert passwords.matches(kept, password)
    assert not passwords.matches(kept, password + " ")
    assert not passwords.matches(kept, "")


def test_the_same_password_from_another_keyboard() -> None:
    """Composed and decomposed letters are the same password."""
    assert passwords.matches(passwords.hashed("Zu\u0308rich am See"), "Z\u00fcrich am See")


def test_nobody_has_no_password(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a password that is kept nothing fits, and as much is worked out as for one that is."""
    verified = []
    real = passwords._HASHER

    class Counting:
        """Counts what is verified."""

        hash = real.hash

        def verify(self, kept: str, password: str) -> bool:
            verified.append(kept)
            return real.verify(kept, password)

    monkeypatch.setattr(passwords, "_HASHER", Counting())
    assert not passwords.matches(None, "nobody's")
    assert not passwords.matches(real.hash("other"), GOOD)
    assert [kept.split("$")[3] for kept in verified] == ["m=19456,t=2,p=1"] * 2
