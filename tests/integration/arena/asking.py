"""What the database is asked."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from sqlalchemy import Engine, event

Asked = list[tuple[str, Any]]


@contextmanager
def asked(*kinds: str, engine: Engine | type[Engine] = Engine) -> Iterator[Asked]:
    """The statements of these kinds that are asked of an engine meanwhile, or of any, with their values."""
    found: Asked = []

    def note(_conn: Any, _cursor: Any, statement: str, values: Any, _context: Any, many: bool) -> None:
        if not many and statement.startswith(kinds):
            found.append((statement, values))

    event.listen(engine, "before_cursor_execute", note)
    try:
        yield found
    finally:
        event.remove(engine, "before_cursor_execute", note)
