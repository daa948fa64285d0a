"""Where the data folder of an arena is, if nobody names another one."""

from __future__ import annotations

DATA_DIR_VARIABLE = "ARENA_DATA_DIR"
USUAL_DATA_DIR = "arena-data"
