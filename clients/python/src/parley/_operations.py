from __future__ import annotations

import re
import secrets
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple, Protocol
from urllib.parse import parse_qs, quote, urlsplit

from ._transport.transport import Request
from .errors import ServerError
from .pages import ReadPage

if TYPE_CHECKING:
    from typing import TypeAlias

    from pydantic import BaseModel

    from ._transport.transport import ApiResponse
    from .pages import AsyncPages, Page

    Object: TypeAlias = Mapping[str, Any] | BaseModel
    """An object within an input: a dict, or a model."""

API_PREFIX = "/api/v1"
# `GET /contacts` gives all contacts at once without it, and with a query the first fifty.
LINKED_PAGE_SIZE = 100


class Omit:
    """What an input is that was not given: None is a value of the API."""

    def __repr__(self) -> str:
        return "omitted"

    def __bool__(self) -> Literal[False]:
        return False


OMIT: Final = Omit()


class Operation(NamedTuple):
    """What the generated table says about a method."""

    route: str
    """`GET /contacts/{id}`"""
    list: str | None = None
    """The field of the response that has the list; empty when the response is the list."""
    page: Literal["cursor", "after", "link"] | None = None
    """How the next page is found: a field of the body for the parameter of this name, or the header `Link`."""
    gives: Literal["text", "nothing"] | None = None
    """The response has another form than JSON, or no body at all."""
    takes: str | None = None
    """The media type of a body that is not JSON."""
    model: str | None = None
    """Of the response, or of the items of the list."""
    keyed: bool = False
    """It takes an idempotency key."""


class Caller(Protocol):
    def send(self, name: str, request: Request) -> Any: ...

    def list(self, name: str, request: Request) -> Page[Any]: ...


class AsyncCaller(Protocol):
    async def send(self, name: str, request: Request) -> Any: ...

    def list(self, name: str, request: Request) -> AsyncPages[Any]: ...


Ids = tuple[str, ...]
Input = Mapping[str, object] | str | bytes
Headers = Mapping[str, str] | None


class Group:
    """Methods, as attributes of a client."""

    def __init__(self, caller: Caller) -> None:
        self._caller = caller

    def _send(
        self, name: str, ids: Ids, given: Input, timeout: float | None, headers: Headers, key: str | None = None
    ) -> Any:
        return self._caller.send(name, request_of(name, ids, given, timeout, headers, key))

    def _list(self, name: str, ids: Ids, given: Input, timeout: float | None, headers: Headers) -> Page[Any]:
        return self._caller.list(name, request_of(name, ids, given, timeout, headers))

    def __repr__(self) -> str:
        return f"{type(self).__name__}()"


class AsyncGroup:
    """Methods, as attributes of a client."""

    def __init__(self, caller: AsyncCaller) -> None:
        self._caller = caller

    async def _send(
        self, name: str, ids: Ids, given: Input, timeout: float | None, headers: Headers, key: str | None = None
    ) -> Any:
        return await self._caller.send(name, request_of(name, ids, given, timeout, headers, key))

    def _list(self, name: str, ids: Ids, given: Input, timeout: float | None, headers: Headers) -> AsyncPages[Any]:
        return self._caller.list(name, request_of(name, ids, given, timeout, headers))

    def __repr__(self) -> str:
        return f"{type(self).__name__}()"


def operation(name: str) -> Operation:
    from ._resources import OPERATIONS

    return OPERATIONS[name]


def request_of(
    name: str, ids: Ids, given: Input, timeout: float | None, headers: Headers, key: str | None = None
) -> Request:
    described = operation(name)
    method, template = described.route.split(" ", 1)
    takes_body = method in ("POST", "PUT", "PATCH")
    fields = {n: v for n, v in given.items() if v is not OMIT} if isinstance(given, Mapping) else {}
    content_type = {"Content-Type": described.takes} if described.takes else {}
    return Request(
        method=method,
        path=API_PREFIX + _path(template, ids),
        query={} if takes_body else fields,
        body=None if not takes_body else fields if isinstance(given, Mapping) else given,
        accept={None: "json", "text": "text", "nothing": "any"}[described.gives],  # type: ignore[arg-type]
        headers={**content_type, **(headers or {})},
        timeout=timeout,
        # Made here, once: all retries have the same.
        idempotency_key=(key or secrets.token_hex(16)) if described.keyed else None,
    )


def _path(template: str, ids: Ids) -> str:
    remaining = iter(ids)

    def fill(match: re.Match[str]) -> str:
        value = next(remaining)
        if not isinstance(value, str):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise TypeError(f"{match[1]} is not an id")
        # An empty value, or dots, would make it another path.
        if value in ("", ".", ".."):
            raise ValueError(f"{match[1]} is not an id")
        return quote(value, safe="")

    return re.sub(r"\{(\w+)\}", fill, template)


def page_request(request: Request, page: str | None, cursor: str | None) -> Request:
    """The request of the page at a cursor; of the first one without."""
    query = dict(request.query)
    if page == "link":
        query = {"limit": LINKED_PAGE_SIZE, **query}
    if cursor is not None:
        # A list of events begins at a time or after a cursor.
        query = {n: v for n, v in query.items() if n != "from" or page != "after"}
        query["after" if page == "after" else "cursor"] = cursor
    return Request(request.method, request.path, query, None, "json", request.headers, request.timeout)


def read_page(described: Operation, response: ApiResponse) -> ReadPage:
    body = response.body
    fields = body if isinstance(body, dict) else {}
    data = fields.get(described.list) if described.list else body
    if not isinstance(data, list):
        raise ServerError(f"the response has no list {described.list or ''}".rstrip(), status=response.status)
    following = _linked_cursor(response.headers.get("link")) if described.page == "link" else fields.get("next_cursor")
    next_cursor = following if isinstance(following, str) else None
    has_more = fields.get("has_more")
    return ReadPage(data, next_cursor, has_more if isinstance(has_more, bool) else next_cursor is not None, body)


def _linked_cursor(link: str | None) -> str | None:
    """The parameter `cursor` of the address of the next page (RFC 8288); the address itself is not used."""
    found = re.search(r'<([^>]*)>\s*;\s*rel="?next"?', link or "")
    try:
        return parse_qs(urlsplit(found[1]).query).get("cursor", [None])[0] if found else None
    except ValueError:
        return None
