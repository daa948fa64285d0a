"""The arena as seen from the command line: its address, a token, and requests over HTTP."""
