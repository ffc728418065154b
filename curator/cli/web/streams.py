"""What is told while it happens: server-sent events, so many at once at most, all of them over when the server ends."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from hashlib import sha256
from pathlib import Path
from typing import Any

from starlette.responses import StreamingResponse

from curator.repository.source_files import SourcesFolder

Event = tuple[str, Any]
"""Its name and its data."""
Send = Callable[[str, Any], None]
"""Sends an event by its name, with its data. Raises ClientGone where nobody listens any more."""
_Heard = asyncio.Queue[str | None]
"""Events as they are sent; None where there are no more."""


_BUSY: Event = ("refused", {"message": "enough is worked out for this page already", "hint": "try again in a moment"})


class ClientGone(Exception):
    """Nobody listens to what is told any more."""


class Streams:
    """The streams of one server."""

    def __init__(self, most: int = 32, most_at_work: int = 4) -> None:
        """``most`` may be open at once; behind ``most_at_work`` of them something may be worked out."""
        self._most = most
        self._at_work = threading.BoundedSemaphore(most_at_work)
        self._open: set[_Heard] = set()
        self._is_over = False

    def end(self) -> None:
        """End all of them; those that are opened later end at once. Called in the server's loop."""
        self._is_over = True
        for heard in self._open:
            heard.put_nowait(None)

    def looking(self, look: Callable[[], Iterable[Event]], every: float) -> StreamingResponse:
        """Tell what ``look`` finds, which is called off the loop again and again until the client is gone."""
        return _response(self._looked(look, every))

    def working(self, work: Callable[[Send], None]) -> StreamingResponse:
        """Tell what ``work`` sends, which runs in a thread of its own and is ended at the next event that nobody hears."""
        return _response(self._worked(work))

    async def _looked(self, look: Callable[[], Iterable[Event]], every: float) -> AsyncIterator[str]:
        with self._hearing() as heard:
            yield "retry: 2000\n\n"
            while True:
                for found in await asyncio.to_thread(lambda: list(look())):
                    yield _written(found)
                with suppress(TimeoutError):
                    last = await asyncio.wait_for(heard.get(), every)
                    if last is not None:
                        yield last
                    return

    async def _worked(self, work: Callable[[Send], None]) -> AsyncIterator[str]:
        if not self._at_work.acquire(blocking=False):
            yield _written(_BUSY)
            return
        loop, gone = asyncio.get_running_loop(), threading.Event()
        with self._hearing() as heard:

            def send(name: str, data: Any) -> None:
                if gone.is_set():
                    raise ClientGone
                with suppress(RuntimeError):  # the loop is over
                    loop.call_soon_threadsafe(heard.put_nowait, _written((name, data)))

            def at_work() -> None:
                try:
                    with suppress(ClientGone):
                        work(send)
                finally:
                    self._at_work.release()
                    with suppress(RuntimeError):
                        loop.call_soon_threadsafe(heard.put_nowait, None)

            # Not one of the pool's, which the server waits for when it ends: a model may think for minutes.
            threading.Thread(target=at_work, daemon=True).start()
            try:
                while (told := await heard.get()) is not None:
                    yield told
            finally:
                gone.set()

    @contextmanager
    def _hearing(self) -> Iterator[_Heard]:
        """Open one stream; what is heard ends at once where the server ends, or so many are open already."""
        heard: _Heard = asyncio.Queue()
        if self._is_over or len(self._open) >= self._most:
            heard.put_nowait(None if self._is_over else _written(_BUSY))
            heard.put_nowait(None)
        self._open.add(heard)
        try:
            yield heard
        finally:
            self._open.discard(heard)


class SourceChanges:
    """Tells a stamp of the sources at ``paths`` of the wiki at ``root``, at first and whenever one is another."""

    def __init__(self, root: Path, paths: Sequence[str]) -> None:
        folder = SourcesFolder(root)
        self._files = [root / path for path in paths if folder.has(path)]
        self._told = ""

    def __call__(self) -> Iterator[Event]:
        now = sha256(repr([_stamp(file) for file in self._files]).encode()).hexdigest()
        if now != self._told:
            self._told = now
            yield "sources", now


def _stamp(file: Path) -> tuple[int, int, int] | None:
    try:
        found = file.stat(follow_symlinks=False)
    except OSError:
        return None
    return found.st_ino, found.st_size, found.st_mtime_ns


def _response(events: AsyncIterator[str]) -> StreamingResponse:
    return StreamingResponse(events, media_type="text/event-stream", headers={"cache-control": "no-store"})


def _written(event: Event) -> str:
    """As a server-sent event, with its data as JSON, which has no line ends."""
    name, data = event
    return f"event: {name}\ndata: {json.dumps(data)}\n\n"
