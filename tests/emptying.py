"""Makes a used database of PostgreSQL's what it was when it was new: much quicker than to make one."""

from __future__ import annotations

import psycopg

_TABLES = "SELECT quote_ident(tablename) FROM pg_tables WHERE schemaname = 'public' ORDER BY tablename"
_FIRST_OF_OURS = 16384
"""The first number that PostgreSQL gives to what users make."""
_MADE = f"""
SELECT
  (SELECT array_agg((c.oid, c.relname, c.relkind)::text ORDER BY c.oid)
     FROM pg_class c WHERE c.oid >= {_FIRST_OF_OURS}),
  (SELECT array_agg((a.attrelid, a.attname, a.xmin)::text ORDER BY a.attrelid, a.attnum)
     FROM pg_attribute a WHERE a.attrelid >= {_FIRST_OF_OURS}),
  (SELECT array_agg((d.oid, d.xmin)::text ORDER BY d.oid) FROM pg_attrdef d),
  (SELECT array_agg((c.oid, c.xmin)::text ORDER BY c.oid) FROM pg_constraint c),
  (SELECT array_agg((t.oid, t.xmin)::text ORDER BY t.oid) FROM pg_trigger t),
  (SELECT array_agg((p.oid, p.xmin)::text ORDER BY p.oid) FROM pg_proc p WHERE p.oid >= {_FIRST_OF_OURS}),
  (SELECT array_agg(n.nspname::text ORDER BY n.nspname) FROM pg_namespace n WHERE n.nspname NOT LIKE 'pg_%'),
  (SELECT count(*) FROM pg_statistic s WHERE s.starelid >= {_FIRST_OF_OURS}),
  (SELECT count(*) FROM pg_db_role_setting)
"""  # noqa: S608  (a number of ours)
_START_AGAIN = "SELECT setval(oid::regclass, 1, false) FROM pg_class WHERE relkind = 'S'"


class Emptying:
    """Knows a new database, reached by its URL, and makes others that were copied from it like it again."""

    def __init__(self, url: str) -> None:
        with psycopg.connect(url) as connection:
            self._made = connection.execute(_MADE).fetchone()
            tables = [name for (name,) in connection.execute(_TABLES)]
            self._with_rows = " UNION ALL ".join(
                f"SELECT '{name}' WHERE EXISTS (SELECT FROM {name})"  # noqa: S608  (names of ours)
                for name in tables
            )
            self._rows = {
                name: connection.execute(f"SELECT jsonb_agg(t)::text FROM {name} AS t").fetchone()  # noqa: S608
                for name in self._used(connection)
            }

    def empty(self, url: str) -> bool:
        """Take back all rows and numbers; whether it is like new, as it is not with other tables."""
        with psycopg.connect(url) as connection:
            if connection.execute(_MADE).fetchone() != self._made:
                return False
            if used := self._used(connection):
                connection.execute(f"TRUNCATE {', '.join(used)} CASCADE")
            for name, rows in self._rows.items():
                given = f"jsonb_populate_recordset(NULL::{name}, %s::jsonb)"
                connection.execute(f"INSERT INTO {name} SELECT * FROM {given}", rows)  # noqa: S608
            connection.execute(_START_AGAIN)
        return True

    def _used(self, connection: psycopg.Connection) -> list[str]:
        return [name for (name,) in connection.execute(self._with_rows)]
