from __future__ import annotations

import asyncio
import inspect
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from .._transport.credential import require_header_value, without_secrets

if TYPE_CHECKING:
    from .tokens import OAuthTokens


@dataclass(frozen=True, slots=True, repr=False)
class OAuth:
    """The tokens of an employee's grant to an app."""

    client_id: str
    tokens: OAuthTokens | Mapping[str, Any]
    on_tokens: Callable[[OAuthTokens], Awaitable[None] | None] | None = None
    """Stores new tokens. They are used once it has finished; without it they are lost with the process."""


class TokenCredential:
    """Tokens that are refreshed when the service no longer accepts them: once for all requests that wait for it."""

    def __init__(
        self,
        tokens: OAuthTokens,
        refresh: Callable[[str], Awaitable[OAuthTokens]],
        on_tokens: Callable[[OAuthTokens], Awaitable[None] | None] | None,
        *,
        in_thread: bool,
    ) -> None:
        self._current = _checked(tokens)
        # Issued, but not stored: the refresh token of the current ones is spent.
        self._unstored: OAuthTokens | None = None
        self._renewing: asyncio.Task[None] | None = None
        self._refresh = refresh
        self._on_tokens = on_tokens
        self._in_thread = in_thread

    async def headers(self) -> Mapping[str, str]:
        if renewing := self._current_renewal():
            # The request that renews gets the error; this one finds out with the old token.
            await asyncio.wait([renewing])
        return {"Authorization": f"Bearer {self._current.access_token}"}

    async def renew(self, used: Mapping[str, str]) -> bool:
        if used.get("Authorization") != f"Bearer {self._current.access_token}":
            return True
        renewing = self._current_renewal()
        if renewing is None:
            self._renewing = renewing = asyncio.get_running_loop().create_task(self._renew_once())
            renewing.add_done_callback(_retrieve)
        # The others wait for it, too: it goes on when this request is given up.
        await asyncio.shield(renewing)
        return True

    def redact(self, text: str) -> str:
        known = [self._current, self._unstored or self._current]
        return without_secrets(text, [s for tokens in known for s in (tokens.access_token, tokens.refresh_token)])

    def _current_renewal(self) -> asyncio.Task[None] | None:
        task = self._renewing
        if task is None or task.done() or task.get_loop() is not asyncio.get_running_loop():
            return None
        return task

    async def _renew_once(self) -> None:
        if self._unstored is None:
            self._unstored = _checked(await self._refresh(self._current.refresh_token))
        await self._store(self._unstored)
        self._current, self._unstored = self._unstored, None

    async def _store(self, tokens: OAuthTokens) -> None:
        if self._on_tokens is None:
            return
        # A blocking client may wait for a disk, and be used itself, in there.
        stored = await asyncio.to_thread(self._on_tokens, tokens) if self._in_thread else self._on_tokens(tokens)
        if inspect.isawaitable(stored):
            await stored


def _checked(tokens: OAuthTokens) -> OAuthTokens:
    require_header_value(tokens.access_token, "access_token")
    require_header_value(tokens.refresh_token, "refresh_token")
    return tokens


def _retrieve(task: asyncio.Task[None]) -> None:
    """Nobody may be left who waits for it."""
    if not task.cancelled():
        task.exception()
