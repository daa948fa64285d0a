"""What a command lacks where only a part of the arena is installed, and how that is added."""

from __future__ import annotations

import re
from importlib.metadata import requires

DISTRIBUTION = "bot-arena"
EXTRAS = ("postgres", "s3", "research", "worker", "server", "environments", "openspiel")
"""Those that bring something by themselves: what commands need, the smallest first, and then the others."""
BROUGHT_BY = {
    "argon2": "argon2-cffi",
    "kombu": "celery",
    "llvmlite": "numba",
    "markdown_it": "markdown-it-py",
    "markupsafe": "jinja2",
    "starlette": "fastapi",
}
"""What is not called as the distribution that brings it."""
REQUIREMENT = re.compile(r"""(?P<name>[\w.-]+).*;.*extra == ['"](?P<extra>\w+)['"]""")


def lacking(error: ModuleNotFoundError) -> str | None:
    """What to install where a module of another's is missing; None where none of our extras brings it."""
    module = (error.name or "").partition(".")[0]
    wanted = _plain(BROUGHT_BY.get(module, module))
    found = [REQUIREMENT.match(line) for line in requires(DISTRIBUTION) or ()]
    bringing = {each["extra"] for each in found if each and _plain(each["name"]) == wanted}
    extra = next((each for each in EXTRAS if each in bringing), None)
    if extra is None:
        return None
    return (
        f"this needs {module}, which is not installed: add what belongs to it by"
        f" `pip install '{DISTRIBUTION}[{extra}]'`"
    )


def _plain(name: str) -> str:
    """A distribution's name as it is compared."""
    return re.sub(r"[-_.]+", "-", name).lower()
