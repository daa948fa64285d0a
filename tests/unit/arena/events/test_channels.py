"""Channels: what readers at different places are given, and who is too slow."""

from __future__ import annotations

import asyncio

import pytest

from arena.events import channels
from arena.events.channels import Channel, Scope, TooSlowError

SCOPE = Scope(1, None, moves=False, staff=False)


def _filled(numbers: range, floor: int = 0) -> Channel:
    channel = Channel(SCOPE, floor)
    for number in numbers:
        channel.add(f"{number};".encode(), number)
    return channel


def test_a_scope_has_what_belongs_to_it() -> None:
    """The arena has all, a tournament its own, a match only its own."""
    arena = Scope(None, None, moves=False, staff=False)
    match = Scope(1, 7, moves=True, staff=False)
    assert [arena.has(None, None), arena.has(2, 9)] == [True, True]
    assert [SCOPE.has(1, 7), SCOPE.has(2, 9), SCOPE.has(None, None)] == [True, False, False]
    assert [match.has(1, 7), match.has(1, 8), match.has(1, None)] == [True, False, False]


def test_readers_go_on_where_they_are() -> None:
    """A reader gets what follows its number or position, and readers at one place the very same bytes."""
    channel = _filled(range(5, 9), floor=4)
    position = channel.position_after(6)
    end, chunk = channel.chunk(position)
    assert chunk == b"7;8;"
    assert channel.chunk(position)[1] is chunk
    assert channel.chunk(end) == (end, b"")
    channel.add(b"now;")
    assert channel.chunk(end) == (end + 1, b"now;")
    assert channel.chunk(position)[1] == b"7;8;now;"
    assert channel.position_after(8) == channel.end


def test_what_is_handed_out_at_once_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    """A reader who is far behind is given a piece after the other."""
    monkeypatch.setattr(channels, "CHUNK_BYTES", 4)
    channel = _filled(range(6))
    position, pieces = 0, []
    while (told := channel.chunk(position))[1]:
        position, piece = told
        pieces.append(piece)
    assert pieces == [b"0;1;", b"2;3;", b"4;5;"]


@pytest.mark.parametrize(("name", "most"), [("MAX_FRAMES", 3), ("MAX_BYTES", 6)])
def test_who_falls_out_of_what_is_kept_is_told(name: str, most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Old frames go, the floor rises to the last that went, and who is still there is too slow."""
    monkeypatch.setattr(channels, name, most)
    channel = _filled(range(1, 9))
    assert channel.floor == 5
    with pytest.raises(TooSlowError):
        channel.chunk(0)
    assert channel.chunk(channel.position_after(5))[1] == b"6;7;8;"


def test_news_wake_all_who_wait() -> None:
    """Everybody who waits is woken by the next addition, and waits again for the one after."""

    async def wait() -> None:
        channel = Channel(SCOPE, 0)
        waiting = [asyncio.create_task(channel.news()) for _ in range(3)]
        await asyncio.sleep(0)
        channel.wake()
        await asyncio.gather(*waiting)
        again = asyncio.create_task(channel.news())
        await asyncio.sleep(0)
        assert not again.done()
        again.cancel()

    asyncio.run(wait())
