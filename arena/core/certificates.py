"""The certificates by which an arena is reached by https in a network that no public authority knows.

The arena has an authority (CA) of its own, which devices can be told to trust, and a certificate for the
names and addresses that its machine has at the moment. The CA is good for names of this machine and of
networks without public names only, so that whoever got hold of its key could not pose as any site on the
internet by its name.
"""

from __future__ import annotations

import datetime as dt
import hashlib
import ipaddress
import ssl
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

from arena.core.addresses import Address, is_host_name, own_addresses, own_names
from arena.core.clock import utc_now
from arena.core.errors import UnusableError
from arena.core.private_file import write_private

CA_DAYS, SERVER_DAYS = 3650, 90
RENEWED_DAYS = 30
"""A certificate that ends within so many days is replaced."""
BEFORE = dt.timedelta(days=1)
"""Devices whose clocks are behind take a new certificate, too."""
LOCAL_NAMES = ("localhost", "local", "lan", "internal", "home.arpa")
"""What nobody on the internet is called."""


@dataclass(frozen=True)
class Wanted:
    """What a certificate is to be for."""

    names: frozenset[str]
    addresses: frozenset[Address]

    @classmethod
    def here(cls, host: str) -> Wanted:
        """This machine as it is reached now, and the name that it was told to listen on, if it is one."""
        told = {host.casefold()} if is_host_name(host.casefold()) else set()
        loopback = (ipaddress.ip_address("127.0.0.1"), ipaddress.ip_address("::1"))
        return cls(frozenset({"localhost", *own_names(), *told}), frozenset({*loopback, *own_addresses()}))


@dataclass(frozen=True)
class _Signed:
    key: ec.EllipticCurvePrivateKey
    certificate: x509.Certificate

    @property
    def is_pair(self) -> bool:
        return self.certificate.public_key() == self.key.public_key()

    def lasts(self, days: int) -> bool:
        return self.certificate.not_valid_after_utc > utc_now() + dt.timedelta(days=days)


class Certificates:
    """The CA and the certificate in a folder that only its owner may read."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._ca_key = folder / "ca.key"
        self.ca = folder / "ca.crt"
        self.server = folder / "server.pem"
        """The certificate and its key, in one file, so that one never stands there without the other."""

    def renew(self, wanted: Wanted) -> bool:
        """See to it that there is a certificate for what is wanted that lasts; whether a new one was made.

        Raises:
            UnusableError: what lies in the folder cannot be read or written.
        """
        try:
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            ca = self._read(self._ca_key, self.ca)
            if ca is None or not ca.is_pair or not ca.lasts(SERVER_DAYS) or not _permits(ca, wanted.names):
                ca = self._new_ca(wanted.names)
            server = self._read(self.server, self.server)
            if server and server.is_pair and server.lasts(RENEWED_DAYS) and _is_for(server, ca, wanted):
                return False
            made = _server_certificate(ca, wanted)
            write_private(self.server, _pem(made.certificate) + _pem_key(made.key))
        except (OSError, ValueError, TypeError) as error:
            raise UnusableError(
                f"the certificates in {self._folder} cannot be used ({error}); remove that folder to have new"
                " ones made, which every device has to trust anew"
            ) from None
        return True

    def fingerprint(self) -> str:
        """The SHA-256 of the CA's certificate, as browsers show it."""
        return fingerprint(self.ca.read_text(encoding="ascii"))

    def _new_ca(self, names: Collection[str]) -> _Signed:
        made = _ca_certificate(names)
        self.ca.unlink(missing_ok=True)  # without it a key is nobody's
        write_private(self._ca_key, _pem_key(made.key))
        write_private(self.ca, _pem(made.certificate))
        return made

    @staticmethod
    def _read(key_file: Path, certificate_file: Path) -> _Signed | None:
        try:
            key_text, certificate_text = key_file.read_bytes(), certificate_file.read_bytes()
        except FileNotFoundError:
            return None
        key = serialization.load_pem_private_key(key_text, password=None)
        if not isinstance(key, ec.EllipticCurvePrivateKey):
            raise ValueError(f"{key_file.name} is no key of ours")  # noqa: TRY004  (what is read has no type)
        return _Signed(key, x509.load_pem_x509_certificate(certificate_text))


def fingerprint(text: str) -> str:
    """The SHA-256 of a certificate in PEM form, in pairs of signs."""
    return hashlib.sha256(ssl.PEM_cert_to_DER_cert(text)).digest().hex(":").upper()


def _permits(ca: _Signed, names: Collection[str]) -> bool:
    """Whether a certificate for these names would be believed of that CA."""
    constraints = ca.certificate.extensions.get_extension_for_class(x509.NameConstraints).value
    permitted = [
        each.value for each in constraints.permitted_subtrees or () if isinstance(each, x509.DNSName)
    ]
    return all(any(name == each or name.endswith(f".{each}") for each in permitted) for name in names)


def _is_for(server: _Signed, ca: _Signed, wanted: Wanted) -> bool:
    """Whether it is that CA's, and for just what is wanted."""
    names = server.certificate.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    found = Wanted(
        frozenset(names.get_values_for_type(x509.DNSName)),
        frozenset(
            each
            for each in names.get_values_for_type(x509.IPAddress)
            if isinstance(each, ipaddress.IPv4Address | ipaddress.IPv6Address)
        ),
    )
    issuer = server.certificate.extensions.get_extension_for_class(x509.AuthorityKeyIdentifier).value
    return found == wanted and issuer == _issued_by(ca.key)


def _ca_certificate(names: Collection[str]) -> _Signed:
    key = ec.generate_private_key(ec.SECP256R1())
    permitted = sorted({*LOCAL_NAMES, *names})
    name = _called(f"Bot Arena CA of {min(own_names(), key=len, default='localhost')}, {utc_now():%Y-%m-%d}")
    builder = (
        _certificate(name, name, key, CA_DAYS)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .add_extension(_usage(key_cert_sign=True), critical=True)
        .add_extension(x509.NameConstraints([x509.DNSName(each) for each in permitted], None), critical=True)
    )
    return _Signed(key, builder.sign(key, hashes.SHA256()))


def _server_certificate(ca: _Signed, wanted: Wanted) -> _Signed:
    key = ec.generate_private_key(ec.SECP256R1())
    addresses = sorted(wanted.addresses, key=lambda each: (each.version, int(each)))
    others = [
        *(x509.DNSName(each) for each in sorted(wanted.names)),
        *(x509.IPAddress(each) for each in addresses),
    ]
    builder = (
        _certificate(_called("Bot Arena"), ca.certificate.subject, key, SERVER_DAYS)
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(_usage(digital_signature=True), critical=True)
        .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
        .add_extension(x509.SubjectAlternativeName(others), critical=False)
        .add_extension(_issued_by(ca.key), critical=False)
    )
    return _Signed(key, builder.sign(ca.key, hashes.SHA256()))


def _certificate(
    subject: x509.Name, issuer: x509.Name, key: ec.EllipticCurvePrivateKey, days: int
) -> x509.CertificateBuilder:
    now = utc_now()
    return (
        x509.CertificateBuilder(subject_name=subject, issuer_name=issuer, public_key=key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - BEFORE)
        .not_valid_after(now + dt.timedelta(days=days))
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
    )


def _called(name: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name[:64])])


def _issued_by(key: ec.EllipticCurvePrivateKey) -> x509.AuthorityKeyIdentifier:
    return x509.AuthorityKeyIdentifier.from_issuer_public_key(key.public_key())


def _usage(*, digital_signature: bool = False, key_cert_sign: bool = False) -> x509.KeyUsage:
    return x509.KeyUsage(
        digital_signature=digital_signature,
        content_commitment=False,
        key_encipherment=False,
        data_encipherment=False,
        key_agreement=False,
        key_cert_sign=key_cert_sign,
        crl_sign=False,
        encipher_only=False,
        decipher_only=False,
    )


def _pem(certificate: x509.Certificate) -> bytes:
    return certificate.public_bytes(serialization.Encoding.PEM)


def _pem_key(key: ec.EllipticCurvePrivateKey) -> bytes:
    return key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
