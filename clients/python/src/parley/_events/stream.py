from __future__ import annotations

from collections.abc import AsyncGenerator, Callable, Iterator
from concurrent.futures import CancelledError, Future
from typing import TYPE_CHECKING

from .._portal import Portal

if TYPE_CHECKING:
    from .follow import FollowedEvent


class EventStream:
    """Events as a loop of a blocking program; `close` ends it, also from another thread."""

    def __init__(self, portal: Portal, events: Callable[[], AsyncGenerator[FollowedEvent, None]]) -> None:
        self._portal = portal
        self._open = events
        self._events: AsyncGenerator[FollowedEvent, None] | None = None
        self._waiting: Future[FollowedEvent | None] | None = None
        self._is_closed = False

    def __iter__(self) -> Iterator[FollowedEvent]:
        return self

    def __next__(self) -> FollowedEvent:
        if self._is_closed:
            raise StopIteration
        self._waiting = future = self._portal.start(self._next)
        try:
            followed = future.result()
        except CancelledError:
            if not self._is_closed:
                raise
            followed = None
        except BaseException:
            future.cancel()
            raise
        if followed is None:
            raise StopIteration
        return followed

    def close(self) -> None:
        """Ends the loop and its connection."""
        if self._is_closed:
            return
        self._is_closed = True
        if self._waiting is not None:
            self._waiting.cancel()
        if (events := self._events) is not None:
            self._portal.run(lambda: _close(events))

    def __enter__(self) -> EventStream:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __del__(self) -> None:
        if not self._is_closed and (events := self._events) is not None:
            self._portal.start_if_running(lambda: _close(events))

    async def _next(self) -> FollowedEvent | None:
        if self._events is None:
            self._events = self._open()
        return await anext(self._events, None)


async def _close(events: AsyncGenerator[FollowedEvent, None]) -> None:
    try:
        await events.aclose()
    except RuntimeError:
        # It is being cancelled at this moment, which ends it as well.
        pass
