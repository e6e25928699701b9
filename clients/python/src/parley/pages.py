"""Lists, which the service gives page by page."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Generator, Iterator
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from .errors import ServerError

Item = TypeVar("Item")


@dataclass(frozen=True, slots=True, repr=False)
class ReadPage:
    """A page as it was read."""

    data: list[Any]
    next_cursor: str | None
    has_more: bool
    body: Any


class _PageFacts(Generic[Item]):
    def __init__(self, read: ReadPage, cursor: str | None) -> None:
        self.data: list[Item] = read.data
        """The items of this page."""
        self.next_cursor = read.next_cursor
        """Where the next page begins; None after the last one, unless the list goes on as events do."""
        self.body = read.body
        """The whole body of the response as it came, with the fields around the list."""
        self._has_more = read.has_more
        self._cursor = cursor

    def _following(self) -> str | None:
        if not self._has_more or self.next_cursor is None:
            return None
        if self.next_cursor == self._cursor:
            raise ServerError("the list does not end: a page has its own cursor as the next")
        return self.next_cursor

    def __repr__(self) -> str:
        return f"{type(self).__name__}({len(self.data)} items)"


class Page(_PageFacts[Item]):
    """A page of a list. A loop over it gives every item of this and all further pages, which are read when it gets there."""

    def __init__(self, read: Callable[[str | None], ReadPage], cursor: str | None = None) -> None:
        super().__init__(read(cursor), cursor)
        self._read = read

    def next_page(self) -> Page[Item] | None:
        """The next page; None after the last one."""
        cursor = self._following()
        return None if cursor is None else Page(self._read, cursor)

    def __iter__(self) -> Iterator[Item]:
        page: Page[Item] | None = self
        while page is not None:
            yield from page.data
            page = page.next_page()


AsyncReader = Callable[[str | None], Awaitable[ReadPage]]


class AsyncPage(_PageFacts[Item]):
    """A page of a list. `async for` gives every item of this and all further pages, which are read when it gets there."""

    def __init__(self, read: AsyncReader, page: ReadPage, cursor: str | None) -> None:
        super().__init__(page, cursor)
        self._read = read

    async def next_page(self) -> AsyncPage[Item] | None:
        """The next page; None after the last one."""
        cursor = self._following()
        return None if cursor is None else AsyncPage(self._read, await self._read(cursor), cursor)

    async def __aiter__(self) -> AsyncIterator[Item]:
        page: AsyncPage[Item] | None = self
        while page is not None:
            for item in page.data:
                yield item
            page = await page.next_page()


class AsyncPages(Generic[Item]):
    """A list: `await` gives its first page, `async for` every item of all pages."""

    def __init__(self, read: AsyncReader) -> None:
        self._read = read

    def __await__(self) -> Generator[Any, None, AsyncPage[Item]]:
        return self._first().__await__()

    async def __aiter__(self) -> AsyncIterator[Item]:
        async for item in await self._first():
            yield item

    async def _first(self) -> AsyncPage[Item]:
        return AsyncPage(self._read, await self._read(None), None)
