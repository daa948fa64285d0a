"""What tests have in common of SQLAlchemy's compiled statements."""

from __future__ import annotations

from sqlalchemy.dialects.postgresql.psycopg import PGDialect_psycopg
from sqlalchemy.dialects.sqlite.pysqlite import SQLiteDialect_pysqlite


def test_dialects_are_alike_for_good() -> None:
    """What one learns when it first connects makes it neither alike nor unlike another; its kind does."""
    one, other = SQLiteDialect_pysqlite(), SQLiteDialect_pysqlite()
    assert one == other
    one.server_version_info = (3, 40)
    assert one == other
    assert hash(one) == hash(other)
    assert one not in (PGDialect_psycopg(), SQLiteDialect_pysqlite(paramstyle="named"))  # type: ignore[no-untyped-call]
