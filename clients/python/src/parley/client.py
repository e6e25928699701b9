"""The clients: `Parley`, whose methods block, and `AsyncParley` for asyncio."""

from __future__ import annotations

import os
from collections.abc import AsyncGenerator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ._events.channel import Channel
from ._events.event import event_of
from ._events.follow import EventSource, FollowedEvent, follow
from ._events.stream import EventStream
from ._oauth.token_credential import OAuth, TokenCredential
from ._oauth.token_endpoint import request_tokens, tokens_of
from ._operations import API_PREFIX, Operation, operation, page_request, read_page
from ._portal import Portal
from ._resources import AsyncEvents, AsyncResources, Events, Resources
from ._settings import RETRIES, TIMEOUT_SECS, client_settings
from ._transport.credential import ApiKeyCredential, Credential
from ._transport.transport import ApiResponse, Request, Settings, Transport
from .errors import ServerError
from .pages import AsyncPages, Page, ReadPage

if TYPE_CHECKING:
    import ssl

    import httpx2

    from ._oauth.tokens import OAuthTokens


class _Caller:
    """What both clients do; it runs on an event loop."""

    def __init__(
        self,
        settings: Settings,
        *,
        api_key: str | None,
        oauth: OAuth | None,
        use_channel: bool,
        in_thread: bool,
    ) -> None:
        self._credential = _credential_of(settings, api_key, oauth, in_thread=in_thread)
        self.transport = Transport(settings, self._credential)
        url = f"ws{settings.base_url.removeprefix('http')}/cable"
        self._channel = Channel(url, settings.user_agent, settings.ssl_context) if use_channel else None

    async def send(self, name: str, request: Request) -> Any:
        described = operation(name)
        response = await self.transport.send(request)
        if described.gives == "nothing" or response.status == 204:
            return None
        return response.body if described.gives == "text" else _modelled(described, response.body)

    async def read(self, name: str, request: Request, cursor: str | None) -> ReadPage:
        described = operation(name)
        page = await self._read(described, request, cursor)
        data = [_modelled(described, item) for item in page.data]
        return ReadPage(data, page.next_cursor, page.has_more, page.body)

    async def request(
        self,
        method: str,
        path: str,
        query: Mapping[str, object] | None,
        body: object,
        timeout: float | None,
        headers: Mapping[str, str] | None,
        idempotency_key: str | None,
    ) -> ApiResponse:
        if not path.startswith("/"):
            raise ValueError("path must begin with a slash, such as /contacts")
        full_path = API_PREFIX + path
        given = (query or {}, body, "any", headers or {}, timeout, idempotency_key)
        return await self.transport.send(Request(method.upper(), full_path, *given))  # type: ignore[arg-type]

    def follow(self, after: str | None, types: str | Sequence[str] | None) -> AsyncGenerator[FollowedEvent, None]:
        async def read_log(query: Mapping[str, object]) -> ReadPage:
            return await self._read(operation("events.list"), Request("GET", f"{API_PREFIX}/events", query), None)

        return follow(EventSource(self._channel, self._credential.headers, read_log), after, types)

    async def _read(self, described: Operation, request: Request, cursor: str | None) -> ReadPage:
        return read_page(described, await self.transport.send(page_request(request, described.page, cursor)))


class _BlockingCaller:
    def __init__(self, caller: _Caller, portal: Portal) -> None:
        self._caller = caller
        self._portal = portal

    def send(self, name: str, request: Request) -> Any:
        return self._portal.run(lambda: self._caller.send(name, request))

    def list(self, name: str, request: Request) -> Page[Any]:
        return Page(lambda cursor: self._portal.run(lambda: self._caller.read(name, request, cursor)))


class _AsyncCaller:
    def __init__(self, caller: _Caller) -> None:
        self._caller = caller

    async def send(self, name: str, request: Request) -> Any:
        return await self._caller.send(name, request)

    def list(self, name: str, request: Request) -> AsyncPages[Any]:
        return AsyncPages(lambda cursor: self._caller.read(name, request, cursor))


class FollowableEvents(Events):
    def __init__(self, blocking: _BlockingCaller, caller: _Caller, portal: Portal) -> None:
        super().__init__(blocking)
        self._log = caller
        self._portal = portal

    def follow(self, *, after: str | None = None, types: str | Sequence[str] | None = None) -> EventStream:
        """Every event after a cursor, each once, and then those that happen; without a cursor from now on."""
        return EventStream(self._portal, lambda: self._log.follow(after, types))


class AsyncFollowableEvents(AsyncEvents):
    def __init__(self, asynchronous: _AsyncCaller, caller: _Caller) -> None:
        super().__init__(asynchronous)
        self._log = caller

    def follow(
        self, *, after: str | None = None, types: str | Sequence[str] | None = None
    ) -> AsyncGenerator[FollowedEvent, None]:
        """Every event after a cursor, each once, and then those that happen; without a cursor from now on."""
        return self._log.follow(after, types)


class Parley(Resources):
    """A client of the API, whose methods wait for the response. Threads can share it."""

    events: FollowableEvents

    def __init__(
        self,
        *,
        api_key: str | None = None,
        base_url: str | None = None,
        oauth: OAuth | None = None,
        timeout: float = TIMEOUT_SECS,
        max_retries: int = RETRIES,
        user_agent: str | None = None,
        transport: httpx2.AsyncBaseTransport | None = None,
        ssl_context: ssl.SSLContext | None = None,
        websockets: bool = True,
    ) -> None:
        settings = client_settings(base_url, timeout, max_retries, user_agent, transport, ssl_context)
        self._log = _Caller(settings, api_key=api_key, oauth=oauth, use_channel=websockets, in_thread=True)
        self._portal = Portal(self._log.transport.aclose)
        blocking = _BlockingCaller(self._log, self._portal)
        super().__init__(blocking)
        self.events = FollowableEvents(blocking, self._log, self._portal)

    def request(
        self,
        method: str,
        path: str,
        *,
        query: Mapping[str, object] | None = None,
        body: object = None,
        timeout: float | None = None,
        headers: Mapping[str, str] | None = None,
        idempotency_key: str | None = None,
    ) -> ApiResponse:
        """Any request: `path` is below `/api/v1`. The body of the response is parsed if it is JSON."""
        given = (method, path, query, body, timeout, headers, idempotency_key)
        return self._portal.run(lambda: self._log.request(*given))

    def close(self) -> None:
        """Closes the connections; otherwise that happens when nothing refers to the client."""
        self._portal.run(self._log.transport.aclose)

    def __enter__(self) -> Parley:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class AsyncParley(AsyncResources):
    """A client of the API for asyncio."""

    events: AsyncFollowableEvents

    def __init__(
        self,
        *,
        api_key: str | None = None,
        base_url: str | None = None,
        oauth: OAuth | None = None,
        timeout: float = TIMEOUT_SECS,
        max_retries: int = RETRIES,
        user_agent: str | None = None,
        transport: httpx2.AsyncBaseTransport | None = None,
        ssl_context: ssl.SSLContext | None = None,
        websockets: bool = True,
    ) -> None:
        settings = client_settings(base_url, timeout, max_retries, user_agent, transport, ssl_context)
        self._log = _Caller(settings, api_key=api_key, oauth=oauth, use_channel=websockets, in_thread=False)
        asynchronous = _AsyncCaller(self._log)
        super().__init__(asynchronous)
        self.events = AsyncFollowableEvents(asynchronous, self._log)

    async def request(
        self,
        method: str,
        path: str,
        *,
        query: Mapping[str, object] | None = None,
        body: object = None,
        timeout: float | None = None,
        headers: Mapping[str, str] | None = None,
        idempotency_key: str | None = None,
    ) -> ApiResponse:
        """Any request: `path` is below `/api/v1`. The body of the response is parsed if it is JSON."""
        return await self._log.request(method, path, query, body, timeout, headers, idempotency_key)

    async def aclose(self) -> None:
        """Closes the connections."""
        await self._log.transport.aclose()

    async def __aenter__(self) -> AsyncParley:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()


def _credential_of(settings: Settings, api_key: str | None, oauth: OAuth | None, *, in_thread: bool) -> Credential:
    if oauth is None:
        key = api_key or os.environ.get("PARLEY_API_KEY")
        if not key:
            raise ValueError("api_key is missing: pass it, or set PARLEY_API_KEY")
        return ApiKeyCredential(key)
    if api_key is not None:
        raise ValueError("api_key and oauth are alternatives")
    client_id = oauth.client_id
    given = oauth.tokens
    tokens = tokens_of(dict(given) if isinstance(given, Mapping) else given.model_dump())

    async def refresh(refresh_token: str) -> OAuthTokens:
        form = {"grant_type": "refresh_token", "client_id": client_id, "refresh_token": refresh_token}
        return await request_tokens(settings, form)

    return TokenCredential(tokens, refresh, oauth.on_tokens, in_thread=in_thread)


def _modelled(described: Operation, value: Any) -> Any:
    from . import models
    from ._model import build

    if not isinstance(value, dict):
        raise ServerError("the response is not the JSON of the API")
    # Its type decides, of which the service may know more.
    return event_of(value) if described.model == "Event" else build(getattr(models, described.model or ""), value)
