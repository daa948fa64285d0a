"""What a command lacks where only a part of the arena is installed, and how that is added."""

from __future__ import annotations

import re
from importlib.metadata import PackageNotFoundError, requires, version

from arena.core.words import say

DISTRIBUTION = "bot-arena"
ROOMS = "bot-arena-server"
"""The distribution with those of our rooms that a student does without."""
OURS = {
    "arena": "server",
    "arena.reproduction": "research",
    "arena.results": "research",
    "arena.theory": "research",
    "engines.kernels": "research",
    "workers": "worker",
}
"""The smallest extra with which a room of that distribution can be used: the longest name counts."""
EXTRAS = ("postgres", "s3", "research", "worker", "server", "otel", "environments", "openspiel")
"""Those that bring something by themselves: what commands need, the smallest first, and then the others."""
BROUGHT_BY = {
    "argon2": "argon2-cffi",
    "kombu": "celery",
    "llvmlite": "numba",
    "markdown_it": "markdown-it-py",
    "markupsafe": "jinja2",
    "opentelemetry": "opentelemetry-sdk",
    "starlette": "fastapi",
}
"""What is not called as the distribution that brings it."""
REQUIREMENT = re.compile(r"""(?P<name>[\w.-]+).*;.*extra == ['"](?P<extra>\w+)['"]""")


def lacking(error: ImportError) -> str | None:
    """What to install where a module is missing; None where none of our extras brings it.

    Of a package that is there without one of its modules the package is named.
    """
    name = error.name or ""
    module = name.partition(".")[0]
    if module in {"arena", "engines", "workers"}:
        module, extra = name, _extra_of_ours(name)
    else:
        extra = _extra_of_others(module) if isinstance(error, ModuleNotFoundError) else None
    if extra is None:
        return None
    return say(
        "this needs {module}, which is not installed: add what belongs to it by `pip install "
        "'{DISTRIBUTION}[{extra}]'`",
        module=module,
        DISTRIBUTION=DISTRIBUTION,
        extra=extra,
    )


def _extra_of_ours(name: str) -> str | None:
    """By which the rest of our own is installed; None where it is, so that the module is nowhere."""
    try:
        version(ROOMS)
    except PackageNotFoundError:
        parts = name.split(".")
        longest_first = (".".join(parts[:end]) for end in range(len(parts), 0, -1))
        return next((OURS[part] for part in longest_first if part in OURS), None)
    return None


def _extra_of_others(module: str) -> str | None:
    """The smallest that brings a module which others have written."""
    wanted = _plain(BROUGHT_BY.get(module, module))
    found = [REQUIREMENT.match(line) for line in requires(DISTRIBUTION) or ()]
    bringing = {each["extra"] for each in found if each and _plain(each["name"]) == wanted}
    return next((each for each in EXTRAS if each in bringing), None)


def _plain(name: str) -> str:
    """A distribution's name as it is compared."""
    return re.sub(r"[-_.]+", "-", name).lower()
