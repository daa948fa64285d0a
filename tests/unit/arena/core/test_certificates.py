"""When an arena's CA and certificate are made anew, and what they are good for."""

from __future__ import annotations

import datetime as dt
import ipaddress
from pathlib import Path

import pytest
from cryptography import x509

from arena.core import certificates
from arena.core.certificates import CA_DAYS, SERVER_DAYS, Certificates, Wanted
from arena.core.errors import UnusableError

ROOM = Wanted(frozenset({"localhost", "teacher"}), frozenset({ipaddress.ip_address("192.168.1.5")}))


@pytest.fixture
def made(tmp_path: Path) -> Certificates:
    """A CA and a certificate as they were made for a room."""
    found = Certificates(tmp_path / "https")
    assert found.renew(ROOM)
    return found


def later(monkeypatch: pytest.MonkeyPatch, days: int) -> None:
    """Let so many days go by."""
    then = dt.datetime.now(dt.UTC) + dt.timedelta(days=days)
    monkeypatch.setattr(certificates, "utc_now", lambda: then)


def test_only_their_owner_can_read_what_was_made(made: Certificates) -> None:
    """All files have the mode 600."""
    files = list(made.ca.parent.iterdir())
    assert sorted(file.name for file in files) == ["ca.crt", "ca.key", "server.pem"]
    assert {file.stat().st_mode & 0o777 for file in files} == {0o600}


def test_what_still_does_is_kept(made: Certificates, monkeypatch: pytest.MonkeyPatch) -> None:
    """Until 30 days before its end, for the same names and addresses."""
    before = made.server.read_bytes()
    assert not made.renew(ROOM)
    later(monkeypatch, SERVER_DAYS - 31)
    assert not made.renew(ROOM)
    assert made.server.read_bytes() == before


def test_a_certificate_is_replaced_before_it_ends(
    made: Certificates, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By one of the same CA, so that no device has to trust anything anew."""
    ca = made.ca.read_bytes()
    later(monkeypatch, SERVER_DAYS - 29)
    assert made.renew(ROOM)
    assert made.ca.read_bytes() == ca


def test_other_addresses_have_a_certificate_of_the_same_ca(made: Certificates) -> None:
    """The authority stays, and the new certificate names just the wanted addresses."""
    ca = made.ca.read_bytes()
    elsewhere = Wanted(ROOM.names, frozenset({ipaddress.ip_address("10.0.0.7")}))
    assert made.renew(elsewhere)
    assert not made.renew(elsewhere)
    assert made.ca.read_bytes() == ca
    told = x509.load_pem_x509_certificate(made.server.read_bytes())
    names = told.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    assert names.get_values_for_type(x509.IPAddress) == [ipaddress.ip_address("10.0.0.7")]
    assert names.get_values_for_type(x509.DNSName) == ["localhost", "teacher"]


def test_a_ca_that_would_end_before_its_certificate_is_replaced(
    made: Certificates, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An authority that ends too soon is made anew before its certificate is."""
    before = made.fingerprint()
    later(monkeypatch, CA_DAYS - SERVER_DAYS + 1)
    assert made.renew(ROOM)
    assert made.fingerprint() != before


def test_a_ca_is_good_for_its_own_and_for_local_names_only(made: Certificates) -> None:
    """A name that it does not permit needs another CA; a local one does not."""
    before = made.fingerprint()
    made.renew(Wanted(ROOM.names | {"teacher.local"}, ROOM.addresses))
    assert made.fingerprint() == before
    made.renew(Wanted(ROOM.names | {"arena.school.example"}, ROOM.addresses))
    assert made.fingerprint() != before


def test_a_key_of_another_ca_is_not_used(made: Certificates, tmp_path: Path) -> None:
    """Where the two do not belong together, both are made anew."""
    other = Certificates(tmp_path / "other")
    other.renew(ROOM)
    made.ca.with_name("ca.key").write_bytes(other.ca.with_name("ca.key").read_bytes())
    before = made.fingerprint()
    assert made.renew(ROOM)
    assert made.fingerprint() != before


@pytest.mark.parametrize("name", ["ca.key", "ca.crt", "server.pem"])
def test_a_damaged_file_is_named_with_the_remedy(made: Certificates, name: str) -> None:
    """Nothing is thrown away by itself, as all devices would have to trust a new CA."""
    made.ca.with_name(name).write_text("damaged")
    with pytest.raises(UnusableError, match="remove that folder"):
        made.renew(ROOM)


def test_an_address_is_no_name(monkeypatch: pytest.MonkeyPatch) -> None:
    """A certificate is for the name that was listened on, and not for an address as a name."""
    monkeypatch.setattr("arena.core.certificates.own_names", lambda: ["vm"])
    monkeypatch.setattr("arena.core.certificates.own_addresses", list)
    assert Wanted.here("Arena.School.example").names == {"localhost", "vm", "arena.school.example"}
    assert Wanted.here("0.0.0.0").names == {"localhost", "vm"}  # noqa: S104  (only named)
    assert Wanted.here("::").names == {"localhost", "vm"}
