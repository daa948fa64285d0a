"""How the tables came to be; `Database.migrate` brings a database up to date."""
