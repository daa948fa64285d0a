"""A school's OpenID provider in a process of its own: Django OAuth Toolkit, which has no line of ours.

`python -m tests.acceptance.openid_provider FOLDER` says its issuer in one line of JSON, and then does what
each line of its standard input says, answering with a line; it ends with its input.
"""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from pathlib import Path
from socketserver import ThreadingMixIn
from typing import Any
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer, make_server

from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

MODULE = "tests.acceptance.openid_provider"
CLIENT, SECRET = "arena-of-the-school", "a secret: of+the arena's/own"
PASSWORD = "the school's own 1"
LOGIN = """<!doctype html><html lang="en"><title>School</title>
<form method="post" action="?next={{ next|urlencode }}">{% csrf_token %}{{ form }}
<button>Sign in</button></form>"""


class School:
    """The provider as a test has it: users of it, and what is done there by hand."""

    def __init__(self, folder: Path) -> None:
        self._log = (folder / "provider.log").open("w")
        self._process = subprocess.Popen(
            [sys.executable, "-m", MODULE, str(folder)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._log,
            text=True,
        )
        self.issuer = str(self._answer()["issuer"])

    def tell(self, **order: Any) -> None:
        """Have it do something, and wait until it is done."""
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(order) + "\n")
        self._process.stdin.flush()
        self._answer()

    def settings(self, **more: str) -> dict[str, str]:
        """What an arena is told of it."""
        known = {"ISSUER": self.issuer, "CLIENT_ID": CLIENT, "CLIENT_SECRET": SECRET, "NAME": "Sunny School"}
        return {f"ARENA_OIDC_{name}": value for name, value in (known | more).items()}

    def close(self) -> None:
        """End it."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.close()
        self._process.wait()
        self._process.stdout.close()
        self._log.close()

    def _answer(self) -> dict[str, Any]:
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        assert line, "the provider has ended; its log says why"
        return dict(json.loads(line))


class _Server(ThreadingMixIn, WSGIServer):
    daemon_threads = True


class _Quiet(WSGIRequestHandler):
    def log_message(self, *_arguments: Any) -> None:
        pass


def _new_key() -> str:
    key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
    return key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()).decode()


def _configure(folder: Path) -> None:
    """Make Django of this process the school's."""
    import django
    from django.conf import settings

    own = ("django.template.loaders.locmem.Loader", {"registration/login.html": LOGIN})
    loaders = [own, "django.template.loaders.app_directories.Loader"]
    processors = ["django.contrib.auth.context_processors.auth"]
    middleware = [
        *(
            "django.contrib.sessions.middleware.SessionMiddleware",
            "django.middleware.csrf.CsrfViewMiddleware",
        ),
        "django.contrib.auth.middleware.AuthenticationMiddleware",
    ]
    settings.configure(
        SECRET_KEY="a test's",
        ALLOWED_HOSTS=["localhost"],
        ROOT_URLCONF=MODULE,
        STATIC_URL="/static/",
        USE_TZ=True,
        LOGIN_URL="/accounts/login/",
        DEFAULT_AUTO_FIELD="django.db.models.BigAutoField",
        PASSWORD_HASHERS=["django.contrib.auth.hashers.MD5PasswordHasher"],
        SESSION_COOKIE_NAME="school",
        CSRF_COOKIE_NAME="school-forms",
        INSTALLED_APPS=[
            *("django.contrib.auth", "django.contrib.contenttypes", "django.contrib.sessions"),
            *("django.contrib.staticfiles", "oauth2_provider"),
        ],
        MIDDLEWARE=middleware,
        TEMPLATES=[
            {
                "BACKEND": "django.template.backends.django.DjangoTemplates",
                "OPTIONS": {"loaders": loaders, "context_processors": processors},
            }
        ],
        DATABASES={
            "default": {"ENGINE": "django.db.backends.sqlite3", "NAME": folder / "school.sqlite3"},
        },
        OAUTH2_PROVIDER={
            "OIDC_ENABLED": True,
            "OIDC_RSA_PRIVATE_KEY": _new_key(),
            "OAUTH2_VALIDATOR_CLASS": f"{MODULE}.Validator",
            "SCOPES": {"openid": "who you are", "profile": "your name", "email": "your e-mail address"},
            "PKCE_REQUIRED": True,
            "COMPLIANT_BCP_RFC9700_PKCE_METHOD": True,
            "COMPLIANT_BCP_RFC9700_AUTHZ_RESPONSE_ISS": True,
        },
    )
    django.setup()


def _prepare() -> None:
    """Its tables, its users and the arena as one of its clients."""
    from django.contrib.auth.models import User
    from django.core.management import call_command
    from oauth2_provider.models import Application

    call_command("migrate", verbosity=0)
    for name in ("ann", "bob", "eve"):
        User.objects.create_user(name, f"{name}@school.example", PASSWORD)
    Application.objects.create(
        name="Bot Arena",
        client_id=CLIENT,
        client_secret=SECRET,
        client_type=Application.CLIENT_CONFIDENTIAL,
        authorization_grant_type=Application.GRANT_AUTHORIZATION_CODE,
        algorithm=Application.RS256_ALGORITHM,
    )


def _do(order: dict[str, Any]) -> None:
    """What is done at the provider by hand: the arena's address is entered, or the key is replaced."""
    from django.conf import settings
    from oauth2_provider.models import Application
    from oauth2_provider.settings import oauth2_settings

    if "redirect_uri" in order:
        Application.objects.update(redirect_uris=order["redirect_uri"])
    if "new_key" in order:
        settings.OAUTH2_PROVIDER["OIDC_RSA_PRIVATE_KEY"] = _new_key()
        oauth2_settings.reload()


def _patterns() -> list[Any]:
    from django.contrib.auth.views import LoginView
    from django.urls import include, path

    provider = path("o/", include("oauth2_provider.urls", namespace="oauth2_provider"))
    return [provider, path("accounts/login/", LoginView.as_view())]


def _make_validator() -> type:
    from oauth2_provider.oauth2_validators import OAuth2Validator

    class Validator(OAuth2Validator):  # type: ignore[misc]  # it ships no types
        """Tells the name in the ID token, and the e-mail address only where it is asked for (`userinfo`)."""

        oidc_claim_scope = None

        def get_additional_claims(self, request: Any) -> dict[str, Any]:
            return {"preferred_username": request.user.username}

        def get_userinfo_claims(self, request: Any) -> dict[str, Any]:
            verified = request.user.username != "eve"
            told = {"email": request.user.email, "email_verified": verified}
            return {**super().get_userinfo_claims(request), **told}

    return Validator


def __getattr__(name: str) -> Any:
    """What Django looks up in this module once it is set up."""
    if name == "urlpatterns":
        return _patterns()
    if name == "Validator":
        return _make_validator()
    raise AttributeError(name)


def main(folder: Path) -> None:
    """Serve until the standard input ends."""
    _configure(folder)
    _prepare()
    from django.contrib.staticfiles.handlers import StaticFilesHandler
    from django.core.wsgi import get_wsgi_application

    server = make_server("127.0.0.1", 0, StaticFilesHandler(get_wsgi_application()), _Server, _Quiet)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    sys.stdout.write(json.dumps({"issuer": f"http://localhost:{server.server_port}/o"}) + "\n")
    sys.stdout.flush()
    for line in sys.stdin:
        _do(json.loads(line))
        sys.stdout.write("{}\n")
        sys.stdout.flush()
    server.shutdown()
    server.server_close()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
