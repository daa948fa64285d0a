"""A calculator's process that has too much memory after each answer."""

from __future__ import annotations

from arena.web import calculator

if __name__ == "__main__":
    calculator.MAX_BYTES = 0
    calculator.main()
