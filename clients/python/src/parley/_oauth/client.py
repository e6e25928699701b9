from __future__ import annotations

import asyncio
import base64
import hashlib
import secrets
import time
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qsl, urlencode, urljoin, urlsplit

from .._portal import Portal
from .._settings import RETRIES, TIMEOUT_SECS, client_settings
from .._transport.transport import Request, Settings
from ..errors import AuthenticationError, ConnectionError, ParleyError, RateLimitError, ServerError
from .token_endpoint import post, post_form, request_tokens

if TYPE_CHECKING:
    import ssl

    import httpx2

    from .tokens import OAuthTokens

# How many authorizations an instance remembers; the oldest is forgotten for a new one.
PENDING_MAX = 1000
DEVICE_GRANT = "urn:ietf:params:oauth:grant-type:device_code"
# RFC 8628, section 3.2 and 3.5.
DEVICE_INTERVAL_SECS = 5.0
SLOW_DOWN_SECS = 5.0
DEVICE_INTERVAL_SECS_MAX = 60.0
DEVICE_LIFETIME_SECS_MAX = 3600.0


@dataclass(frozen=True, slots=True)
class RegisteredClient:
    client_id: str
    body: dict[str, Any]
    """All that the service said."""


@dataclass(frozen=True, slots=True, repr=False)
class PendingAuthorization:
    """An authorization that has begun. It holds a secret: keep it on the server, or in the session of the browser that began it."""

    state: str
    code_verifier: str
    url: str = ""
    """Where to send the browser."""


@dataclass(frozen=True, slots=True, repr=False)
class _Device:
    """What the employee sees, while the program waits."""

    user_code: str
    """What the employee enters at `verification_uri`."""
    verification_uri: str
    verification_uri_complete: str | None
    expires_in: float
    """Seconds."""
    _device_code: str
    _interval: float
    _client: _OAuth


class _OAuth:
    """How an app gets tokens of an employee: authorization code with PKCE, or the device grant."""

    def __init__(
        self,
        *,
        base_url: str | None = None,
        client_id: str | None = None,
        redirect_uri: str | None = None,
        timeout: float = TIMEOUT_SECS,
        max_retries: int = RETRIES,
        user_agent: str | None = None,
        transport: httpx2.AsyncBaseTransport | None = None,
        ssl_context: ssl.SSLContext | None = None,
    ) -> None:
        self._settings: Settings = client_settings(base_url, timeout, max_retries, user_agent, transport, ssl_context)
        self.client_id = client_id
        """The id of this app, once it is known."""
        self.redirect_uri = redirect_uri
        self._portal = Portal()
        self._pending: OrderedDict[str, PendingAuthorization] = OrderedDict()

    def authorization_url(self) -> PendingAuthorization:
        """Begins an authorization: send the browser to its `url`."""
        state, code_verifier = secrets.token_urlsafe(32), secrets.token_urlsafe(32)
        challenge = base64.urlsafe_b64encode(hashlib.sha256(code_verifier.encode()).digest()).rstrip(b"=").decode()
        query = {
            "response_type": "code",
            "client_id": self._require_client_id(),
            "redirect_uri": self._require_redirect_uri(),
            "scope": "api",
            "state": state,
            "code_challenge": challenge,
            "code_challenge_method": "S256",
        }
        url = f"{self._settings.base_url}/oauth/authorize?{urlencode(query)}"
        pending = PendingAuthorization(state, code_verifier, url)
        if len(self._pending) >= PENDING_MAX:
            self._pending.popitem(last=False)
        self._pending[state] = pending
        return pending

    async def _register(self, client_name: str | None, redirect_uris: Sequence[str] | None) -> RegisteredClient:
        uris = [self._require_redirect_uri()] if redirect_uris is None else list(redirect_uris)
        body = {"redirect_uris": uris, **({} if client_name is None else {"client_name": client_name})}
        registered = await post(self._settings, Request("POST", "/oauth/register", body=body))
        client_id = registered.get("client_id") if isinstance(registered, dict) else None
        if not isinstance(client_id, str):
            raise ServerError("the response to a registration has no client_id")
        self.client_id = client_id
        return RegisteredClient(client_id, registered)

    async def _callback(self, url: str, begun: PendingAuthorization | None) -> OAuthTokens:
        query = dict(parse_qsl(urlsplit(urljoin(self.redirect_uri or "", url)).query))
        pending = begun or self._pending.get(query.get("state", ""))
        if pending is None or not secrets.compare_digest(query.get("state", "").encode(), pending.state.encode()):
            raise _refused("invalid_state", "the state is not ours")
        self._pending.pop(pending.state, None)
        if query.get("iss") != self._settings.base_url:
            raise _refused("invalid_issuer", "another service has answered")
        if "error" in query:
            raise _refused(query["error"], query.get("error_description", query["error"]))
        if "code" not in query:
            raise _refused("invalid_response", "the address has no code")
        form = {
            "grant_type": "authorization_code",
            "client_id": self._require_client_id(),
            "redirect_uri": self._require_redirect_uri(),
            "code": query["code"],
            "code_verifier": pending.code_verifier,
        }
        return await request_tokens(self._settings, form)

    async def _refresh(self, refresh_token: str) -> OAuthTokens:
        client_id = self._require_client_id()
        form = {"grant_type": "refresh_token", "client_id": client_id, "refresh_token": refresh_token}
        return await request_tokens(self._settings, form)

    async def _revoke(self, token: str) -> None:
        await post_form(self._settings, "/oauth/revoke", {"token": token, "client_id": self._require_client_id()})

    async def _begin_device(self) -> dict[str, Any]:
        form = {"client_id": self._require_client_id(), "scope": "api"}
        answer = await post_form(self._settings, "/oauth/device_authorization", form)
        said = answer if isinstance(answer, dict) else {}
        if not all(isinstance(said.get(name), str) for name in ("device_code", "user_code", "verification_uri")):
            raise ServerError("the response has no device code")
        complete = said.get("verification_uri_complete")
        return {
            "user_code": said["user_code"],
            "verification_uri": said["verification_uri"],
            "verification_uri_complete": complete if isinstance(complete, str) else None,
            "expires_in": _secs(said.get("expires_in"), DEVICE_LIFETIME_SECS_MAX, DEVICE_LIFETIME_SECS_MAX),
            "_device_code": said["device_code"],
            "_interval": _secs(said.get("interval"), DEVICE_INTERVAL_SECS, DEVICE_INTERVAL_SECS_MAX),
            "_client": self,
        }

    async def _device_tokens(self, device: _Device) -> OAuthTokens:
        form = {
            "grant_type": DEVICE_GRANT,
            "client_id": self._require_client_id(),
            "device_code": device._device_code,
        }
        wait = device._interval
        ends_at = time.monotonic() + device.expires_in + wait
        while time.monotonic() < ends_at:
            await asyncio.sleep(wait)
            try:
                return await request_tokens(self._settings, form)
            except ParleyError as error:
                if error.code == "slow_down":
                    wait = min(wait + SLOW_DOWN_SECS, DEVICE_INTERVAL_SECS_MAX)
                elif _is_passing(error):
                    wait = min(wait * 2, DEVICE_INTERVAL_SECS_MAX)
                elif error.code != "authorization_pending":
                    raise
        raise _refused("expired_token", "nobody has decided in time")

    def _require_client_id(self) -> str:
        if self.client_id is None:
            raise ValueError("client_id is missing: pass it, or register first")
        return self.client_id

    def _require_redirect_uri(self) -> str:
        if self.redirect_uri is None:
            raise ValueError("redirect_uri is missing")
        return self.redirect_uri

    def __repr__(self) -> str:
        return f"{type(self).__name__}()"


class DeviceAuthorization(_Device):
    """A program without a browser waits for the employee."""

    __slots__ = ()

    def tokens(self) -> OAuthTokens:
        """Waits until the employee has decided; an error when they have not, or did not allow it."""
        client = self._client
        return client._portal.run(lambda: client._device_tokens(self))


class AsyncDeviceAuthorization(_Device):
    """A program without a browser waits for the employee."""

    __slots__ = ()

    async def tokens(self) -> OAuthTokens:
        """Waits until the employee has decided; an error when they have not, or did not allow it."""
        return await self._client._device_tokens(self)


class OAuthClient(_OAuth):
    __doc__ = _OAuth.__doc__

    def register(
        self, *, client_name: str | None = None, redirect_uris: Sequence[str] | None = None
    ) -> RegisteredClient:
        """Registers the app (RFC 7591) with its `redirect_uri`, or several; this instance uses the new id from then on."""
        return self._portal.run(lambda: self._register(client_name, redirect_uris))

    def callback(self, url: str, begun: PendingAuthorization | None = None) -> OAuthTokens:
        """
        Ends an authorization: `url` is the address at which the browser came back. It is checked that it answers an authorization of
        this instance (or `begun`, when another process has begun it) and comes from this service (RFC 9207); then the code is redeemed.
        """
        return self._portal.run(lambda: self._callback(url, begun))

    def refresh(self, refresh_token: str) -> OAuthTokens:
        """New tokens for a refresh token, which is spent by it."""
        return self._portal.run(lambda: self._refresh(refresh_token))

    def revoke(self, token: str) -> None:
        """Ends a grant with its refresh token, or one access token."""
        self._portal.run(lambda: self._revoke(token))

    def device_authorization(self) -> DeviceAuthorization:
        """Begins the device grant (RFC 8628), for programs without a browser."""
        return DeviceAuthorization(**self._portal.run(self._begin_device))


class AsyncOAuthClient(_OAuth):
    __doc__ = _OAuth.__doc__

    async def register(
        self, *, client_name: str | None = None, redirect_uris: Sequence[str] | None = None
    ) -> RegisteredClient:
        """Registers the app (RFC 7591) with its `redirect_uri`, or several; this instance uses the new id from then on."""
        return await self._register(client_name, redirect_uris)

    async def callback(self, url: str, begun: PendingAuthorization | None = None) -> OAuthTokens:
        """
        Ends an authorization: `url` is the address at which the browser came back. It is checked that it answers an authorization of
        this instance (or `begun`, when another process has begun it) and comes from this service (RFC 9207); then the code is redeemed.
        """
        return await self._callback(url, begun)

    async def refresh(self, refresh_token: str) -> OAuthTokens:
        """New tokens for a refresh token, which is spent by it."""
        return await self._refresh(refresh_token)

    async def revoke(self, token: str) -> None:
        """Ends a grant with its refresh token, or one access token."""
        await self._revoke(token)

    async def device_authorization(self) -> AsyncDeviceAuthorization:
        """Begins the device grant (RFC 8628), for programs without a browser."""
        return AsyncDeviceAuthorization(**await self._begin_device())


def _secs(value: object, otherwise: float, maximum: float) -> float:
    return min(float(value), maximum) if isinstance(value, (int, float)) and value > 0 else otherwise


def _is_passing(error: ParleyError) -> bool:
    """RFC 8628, section 3.5: a lost connection, or a service that is away, does not end the authorization; the program asks less often."""
    if isinstance(error, (ConnectionError, RateLimitError)):
        return True
    return isinstance(error, ServerError) and (error.status or 0) >= 500


def _refused(code: str, message: str) -> AuthenticationError:
    return AuthenticationError(message, code=code)
