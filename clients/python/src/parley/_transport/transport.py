from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal
from urllib.parse import urlsplit

from ..errors import ConnectionError, ParleyError, ServerError, TimeoutError, error_of_response
from .credential import Credential
from .encoding import NOT_JSON, json_bytes, parse_json, query_text
from .retry import delay_after_response, delay_without_response, retry_after_secs_of

if TYPE_CHECKING:
    import ssl

    import httpx2

# The largest response of the API, all contacts of a large company, is half of it.
RESPONSE_BYTES_MAX = 64 * 1024 * 1024
# An error of something that is no Parley may be a long page.
ERROR_TEXT_LENGTH_MAX = 2000
TIMEOUT_SECS_MAX = 86_400.0


@dataclass(frozen=True, slots=True, repr=False)
class Settings:
    base_url: str
    timeout: float
    max_retries: int
    user_agent: str
    transport: httpx2.AsyncBaseTransport | None
    ssl_context: ssl.SSLContext | None


@dataclass(frozen=True, slots=True, repr=False)
class Request:
    """A request before it is sent."""

    method: str
    path: str
    """Below the base address, with its parameters filled in."""
    query: Mapping[str, object] = field(default_factory=dict)
    body: object = None
    """Sent as JSON; text and bytes as they are; None: no body."""
    accept: Literal["json", "text", "any"] = "json"
    """`json`: an object or a list, anything else is an error; `any`: JSON if that is what the response says, or nothing."""
    headers: Mapping[str, str] = field(default_factory=dict)
    timeout: float | None = None
    idempotency_key: str | None = None

    @property
    def is_repeatable(self) -> bool:
        """It may be executed twice with the effect of once."""
        return self.method != "POST" or self.idempotency_key is not None


@dataclass(frozen=True, slots=True)
class ApiResponse:
    """A successful response."""

    status: int
    headers: Mapping[str, str]
    """Names are lower case."""
    body: Any
    """JSON that was parsed, or text; None when there was none."""


@dataclass(frozen=True, slots=True, repr=False)
class _Received:
    status: int
    headers: Mapping[str, str]
    text: str


@dataclass(frozen=True, slots=True, repr=False)
class _Failed:
    error: ConnectionError
    sent: bool


class Transport:
    """Sends requests: authentication, time limits, retries, errors."""

    def __init__(self, settings: Settings, credential: Credential | None = None) -> None:
        self._settings = settings
        self._credential = credential
        self._client: httpx2.AsyncClient | None = None
        self._loop: asyncio.AbstractEventLoop | None = None

    async def send(self, request: Request) -> ApiResponse:
        url = f"{self._settings.base_url}{request.path}{query_text(request.query)}"
        headers, content = _prepare(request, self._settings.user_agent)
        timeout = require_timeout(self._settings.timeout if request.timeout is None else request.timeout)
        renewed = False
        retries = 0
        while True:
            authentication = await self._credential.headers() if self._credential else {}
            attempt_headers = {**headers, **authentication}
            outcome = await self._attempt(request.method, url, attempt_headers, content, timeout)
            if isinstance(outcome, _Received):
                if outcome.status == 401 and self._credential and not renewed:
                    renewed = True
                    if await self._credential.renew(authentication):
                        continue
                if 200 <= outcome.status < 300:
                    return _read(outcome, request.accept)
                if retries > 0 and _is_done_already(request, outcome):
                    return ApiResponse(204, outcome.headers, None)
            delay = self._delay(outcome, request, retries)
            if delay is None:
                raise outcome.error if isinstance(outcome, _Failed) else self._error_of(outcome)
            retries += 1
            await asyncio.sleep(delay)

    async def aclose(self) -> None:
        client, self._client = self._client, None
        if client is not None and self._loop is asyncio.get_running_loop():
            await client.aclose()

    def _delay(self, outcome: _Received | _Failed, request: Request, retries: int) -> float | None:
        if retries >= self._settings.max_retries:
            return None
        repeatable = request.is_repeatable
        if isinstance(outcome, _Failed):
            return delay_without_response(sent=outcome.sent, repeatable=repeatable, retries=retries)
        retry_after = retry_after_secs_of(outcome.headers.get("retry-after"))
        return delay_after_response(outcome.status, retry_after, repeatable=repeatable, retries=retries)

    async def _attempt(
        self, method: str, url: str, headers: Mapping[str, str], content: bytes | None, timeout: float
    ) -> _Received | _Failed:
        """One request and its response, all of it within the time limit."""
        import httpx2

        limit = asyncio.timeout(timeout)
        try:
            async with limit:
                return await self._exchange(method, url, headers, content)
        except ParleyError:
            raise
        except (httpx2.ConnectError, httpx2.ConnectTimeout, httpx2.LocalProtocolError) as error:
            reason, sent = _reason_of(error), False
        # Whatever a library thinks of what has arrived: it is no response.
        except Exception as error:
            if limit.expired():
                return _Failed(TimeoutError(f"no response within {timeout:g} s"), sent=True)
            reason, sent = _reason_of(error), True
        parts = urlsplit(url)
        message = f"no response from {parts.scheme}://{parts.netloc}: {self._redact(reason)}"
        # Made here, so that it has no cause: those of the library hold the headers of the request.
        return _Failed(ConnectionError(message), sent)

    async def _exchange(self, method: str, url: str, headers: Mapping[str, str], content: bytes | None) -> _Received:
        client = self._open()
        async with client.stream(method, url, headers=headers, content=content) as response:
            body = bytearray()
            async for chunk in response.aiter_bytes():
                body += chunk
                if len(body) > RESPONSE_BYTES_MAX:
                    message = f"the response is larger than {RESPONSE_BYTES_MAX} bytes"
                    raise ServerError(message, status=response.status_code)
            # A session that a proxy gives must not decide who the next request is from.
            client.cookies.clear()
            names = {name.lower(): value for name, value in response.headers.items()}
            return _Received(response.status_code, names, body.decode("utf-8", "replace"))

    def _open(self) -> httpx2.AsyncClient:
        """The connections; they belong to the event loop that they were opened in."""
        import httpx2

        loop = asyncio.get_running_loop()
        if self._client is None or self._loop is not loop:
            context = self._settings.ssl_context
            self._client = httpx2.AsyncClient(
                transport=self._settings.transport,
                verify=True if context is None else context,
                timeout=None,
                follow_redirects=False,
            )
            self._loop = loop
        return self._client

    def _error_of(self, received: _Received) -> ParleyError:
        request_id = received.headers.get("x-request-id")
        retry_after = retry_after_secs_of(received.headers.get("retry-after"))
        status = received.status
        if 300 <= status < 400:
            message = "the service redirected the request, which is not followed"
            return ServerError(message, status=status, request_id=request_id)
        said = self._redact(received.text)
        parsed = parse_json(said)
        body = said[:ERROR_TEXT_LENGTH_MAX] if parsed is NOT_JSON else parsed
        return error_of_response(status, body, request_id=request_id, retry_after_secs=retry_after)

    def _redact(self, text: str) -> str:
        return self._credential.redact(text) if self._credential else text


def require_timeout(timeout: float) -> float:
    if not 0 < timeout <= TIMEOUT_SECS_MAX:
        raise ValueError(f"timeout must be more than 0 and at most {TIMEOUT_SECS_MAX:g} seconds")
    return timeout


def _prepare(request: Request, user_agent: str) -> tuple[dict[str, str], bytes | None]:
    headers = {"User-Agent": user_agent, "Accept": "*/*" if request.accept == "text" else "application/json"}
    if request.idempotency_key is not None:
        headers["Idempotency-Key"] = request.idempotency_key
    content: bytes | None = None
    if isinstance(request.body, str):
        content = request.body.encode()
    elif isinstance(request.body, bytes):
        content = request.body
    elif request.body is not None:
        headers["Content-Type"] = "application/json"
        content = json_bytes(request.body)
    given = {name.lower() for name in request.headers}
    return {**{n: v for n, v in headers.items() if n.lower() not in given}, **request.headers}, content


def _read(received: _Received, accept: str) -> ApiResponse:
    says_json = "json" in received.headers.get("content-type", "")
    if accept == "text" or (accept == "any" and not says_json):
        return ApiResponse(received.status, received.headers, received.text or (None if accept == "any" else ""))
    # Such as a call that there is not.
    if received.status == 204:
        return ApiResponse(204, received.headers, None)
    body = parse_json(received.text)
    if body is NOT_JSON or (accept == "json" and not isinstance(body, (dict, list))):
        message = "the response is not the JSON of the API"
        raise ServerError(message, status=received.status, request_id=received.headers.get("x-request-id"))
    return ApiResponse(received.status, received.headers, body)


def _is_done_already(request: Request, received: _Received) -> bool:
    """What was to be deleted is gone: the attempt whose response was lost has done it."""
    return request.method == "DELETE" and request.accept != "json" and received.status == 404


def _reason_of(error: Exception) -> str:
    return str(error) or type(error).__name__
