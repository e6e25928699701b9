from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from .._transport.retry import backoff_secs
from ..errors import ConnectionError, ParleyError, RateLimitError, ServerError
from ..pages import ReadPage
from .channel import Channel, ChannelEnd
from .event import event_of

if TYPE_CHECKING:
    from ..models import Event

# Between two requests to a log that had nothing new.
POLL_SECS = 2.0
# How long WebSockets are not tried again when they do not pass.
CHANNEL_PAUSE_SECS = 30.0
# A connection that ends sooner makes the next one wait longer.
SHORT_SECS = 10.0
# A longer `Retry-After` is not waited for.
RETRY_AFTER_SECS_MAX = 300.0


@dataclass(frozen=True, slots=True)
class FollowedEvent:
    """An event, and where to go on after it."""

    event: Event
    cursor: str
    """Store it with what the event has led to: `after` of a later `follow`."""


@dataclass(frozen=True, slots=True, repr=False)
class EventSource:
    """How `follow` reaches the service."""

    channel: Channel | None
    """None where it is not to be used."""
    headers: Callable[[], Awaitable[Mapping[str, str]]]
    read_page: Callable[[Mapping[str, object]], Awaitable[ReadPage]]
    """A page of the log; what it authenticates with is renewed if necessary, for the next connection, too."""


async def follow(
    source: EventSource, after: str | None, types: str | Sequence[str] | None
) -> AsyncGenerator[FollowedEvent, None]:
    """
    Every event after a cursor, each once, in their order, and then those that happen: by the live channel and, where WebSockets do
    not pass, by reading the log again and again. A lost connection is no error once the service has been reached.
    """
    started = datetime.now(UTC)
    names = [types] if isinstance(types, str) else None if types is None else list(types)
    cursor = after
    reached = False
    # In a row: requests that failed, and connections that ended soon.
    failures = 0
    short_connections = 0
    channel_at = float("-inf") if source.channel else float("inf")

    while True:
        if source.channel and time.monotonic() >= channel_at:
            opened_at = time.monotonic()
            wanted = {n: v for n, v in {"after": cursor, "types": names}.items() if v is not None}
            async with aclosing(source.channel.read(await source.headers(), wanted)) as messages:
                async for message in messages:
                    if isinstance(message, ChannelEnd):
                        now = time.monotonic()
                        short_connections = short_connections + 1 if now - opened_at < SHORT_SECS else 0
                        reached = reached or message.confirmed
                        pause = backoff_secs(short_connections) if message.confirmed else CHANNEL_PAUSE_SECS
                        channel_at = now + pause
                        break
                    failures = 0
                    cursor = message.cursor
                    if message.event is not None:
                        yield FollowedEvent(event_of(message.event), cursor)
        # Also after a connection that broke off: an error says why, such as a cursor that has expired or a key that was revoked.
        try:
            # One by one, because a page has one cursor: that of its last event.
            position: dict[str, object] = {"from": started} if cursor is None else {"after": cursor}
            page = await source.read_page({"limit": 1, "types": names, **position})
        except ParleyError as error:
            if not (reached and _is_temporary(error)):
                raise
            await asyncio.sleep(max(backoff_secs(failures), min(error.retry_after_secs or 0, RETRY_AFTER_SECS_MAX)))
            failures += 1
            continue
        advanced = bool(page.data) or page.next_cursor != cursor
        reached = True
        failures = 0
        cursor = page.next_cursor or cursor
        if page.data and cursor is None:
            raise ServerError("a page of events has no cursor")
        for event in page.data:
            yield FollowedEvent(event_of(event), cursor or "")
        pause = min(POLL_SECS, channel_at - time.monotonic())
        if not (page.has_more and advanced) and pause > 0:
            await asyncio.sleep(pause)


def _is_temporary(error: ParleyError) -> bool:
    return isinstance(error, (ConnectionError, ServerError, RateLimitError))
