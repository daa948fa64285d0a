"""What is made of an API that ends, or is ended, in the middle of an answer."""

from __future__ import annotations

import socket
from threading import Thread

import pytest

from arena.supervisor.launch import troubles

HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n"


@pytest.mark.parametrize("told", [b"", b"HTT", HEAD[:-2], HEAD, HEAD + b'{"status": "ok"'])
def test_an_answer_that_breaks_off_is_none(told: bytes) -> None:
    """However far it came, the API does not answer, which is no error of who asks."""
    with socket.create_server(("127.0.0.1", 0)) as server:

        def break_off() -> None:
            connection, _ = server.accept()
            with connection:
                connection.recv(4096)
                connection.sendall(told)

        thread = Thread(target=break_off)
        thread.start()
        found = troubles(f"http://127.0.0.1:{server.getsockname()[1]}")
        thread.join()
    assert list(found) == ["api"]
