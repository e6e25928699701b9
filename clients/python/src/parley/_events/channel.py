from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import AsyncGenerator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import ssl

PROTOCOL = "actioncable-v1-json"
# The service pings every 3 s.
SILENCE_SECS_MAX = 15.0
CLOSE_SECS = 1.0
MESSAGE_BYTES_MAX = 8 * 1024 * 1024
# The library logs the headers of a handshake, and one of them is a key.
_SILENT = logging.Logger("parley.events", logging.CRITICAL + 1)


@dataclass(frozen=True, slots=True, repr=False)
class ChannelMessage:
    """What `EventsChannel` sends: an event, or that the past is sent."""

    cursor: str
    event: dict[str, Any] | None


@dataclass(frozen=True, slots=True)
class ChannelEnd:
    """The last message of a connection: whether its subscription was ever confirmed."""

    confirmed: bool


@dataclass(frozen=True, slots=True, repr=False)
class Channel:
    """Where `EventsChannel` is, in Action Cable's protocol (`actioncable-v1-json`)."""

    url: str
    user_agent: str
    ssl_context: ssl.SSLContext | None

    async def read(
        self, headers: Mapping[str, str], wanted: Mapping[str, object]
    ) -> AsyncGenerator[ChannelMessage | ChannelEnd, None]:
        """
        The messages of one connection, and its end. Why it has ended is not told: a request to the log finds out. A reader that is
        slower than the service holds up the connection, is disconnected by the service, and goes on later.
        """
        from websockets.asyncio.client import connect

        class ConnectOnce(connect):
            def process_redirect(self, exc: Exception) -> Exception | str:
                # The credential is for this service.
                return exc

        tls: dict[str, Any] = {}
        if self.ssl_context is not None and self.url.startswith("wss:"):
            tls["ssl"] = self.ssl_context
        identifier = json.dumps({"channel": "EventsChannel", **wanted})
        confirmed = False
        try:
            async with ConnectOnce(
                self.url,
                subprotocols=[PROTOCOL],  # type: ignore[list-item]
                additional_headers=dict(headers),
                user_agent_header=self.user_agent,
                open_timeout=SILENCE_SECS_MAX,
                close_timeout=CLOSE_SECS,
                ping_interval=None,
                max_size=MESSAGE_BYTES_MAX,
                logger=_SILENT,
                **tls,
            ) as socket:
                while True:
                    async with asyncio.timeout(SILENCE_SECS_MAX):
                        text = await socket.recv()
                    frame = _object(text)
                    kind = frame.get("type")
                    if kind == "welcome":
                        await socket.send(json.dumps({"command": "subscribe", "identifier": identifier}))
                    elif kind == "confirm_subscription":
                        confirmed = True
                    elif kind in ("disconnect", "reject_subscription"):
                        break
                    message = _message(frame.get("message"))
                    if message is not None:
                        yield message
        except Exception:  # noqa: BLE001, S110 -- a connection breaks off in many ways
            pass
        yield ChannelEnd(confirmed)


def _object(text: str | bytes) -> dict[str, Any]:
    """Empty when it is no frame of the protocol."""
    try:
        frame = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    return frame if isinstance(frame, dict) else {}


def _message(value: object) -> ChannelMessage | None:
    if not isinstance(value, dict) or not isinstance(value.get("cursor"), str):
        return None
    event = value.get("event")
    if value.get("type") == "event" and isinstance(event, dict):
        return ChannelMessage(value["cursor"], event)
    return ChannelMessage(value["cursor"], None) if value.get("type") == "caught_up" else None
