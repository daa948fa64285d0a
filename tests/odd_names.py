"""A program in Python that calls its process something that is no text, and then waits for its input."""

NAME = b"\xff) R VmHWM: 1"
ODDLY_NAMED = f"import ctypes, sys; ctypes.CDLL(None).prctl(15, {NAME!r}, 0, 0, 0); sys.stdin.read()"
