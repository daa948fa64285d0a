"""Keep modules and functions of a size that is read at once: `python -m deploy.check_sizes`.

Fails, naming them, when a module has more than 400 lines, or a function more than 50 or over 20 parameters.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
PACKAGES = ("arena", "workers", "bots", "engines")
MODULE_LINES = 400
FUNCTION_LINES = 50
PARAMETERS = 20
LEFT_OUT = ("arena/store/migrations/versions",)
"""They stay as they were run."""


def faults(root: Path) -> list[str]:
    """What is too large in the packages under `root`, a line each; empty when all is well."""
    paths = sorted(path for package in PACKAGES for path in (root / package).rglob("*.py"))
    named = [(path, path.relative_to(root).as_posix()) for path in paths]
    return [
        fault
        for path, name in named
        if not name.startswith(LEFT_OUT)
        for fault in _module_faults(name, path.read_text(encoding="utf-8"))
    ]


def _module_faults(name: str, text: str) -> Iterator[str]:
    if (lines := len(text.splitlines())) > MODULE_LINES:
        yield f"{name}: {lines} lines, at most {MODULE_LINES}; split it by subject"
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            where = f"{name}:{node.lineno}: {node.name}"
            lines = (node.end_lineno or node.lineno) - node.lineno + 1
            parameters = len([*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs])
            if lines > FUNCTION_LINES:
                yield f"{where} has {lines} lines, at most {FUNCTION_LINES}"
            if parameters > PARAMETERS:
                yield f"{where} has {parameters} parameters, at most {PARAMETERS}"


def main(root: Path = ROOT) -> int:
    """Print the faults; 1 if there are any, else 0."""
    found = faults(root)
    for line in found:
        print(line, file=sys.stderr)  # noqa: T201  (this is a command)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
