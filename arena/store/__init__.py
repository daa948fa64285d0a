"""The database: its tables, its migrations, and the queries, one file a noun."""
