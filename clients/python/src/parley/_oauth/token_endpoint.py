from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from .._transport.credential import FormCredential
from .._transport.transport import Request, Settings, Transport
from ..errors import ServerError

if TYPE_CHECKING:
    from .tokens import OAuthTokens

SECRET_FIELDS = ("code", "code_verifier", "refresh_token", "token", "device_code")


async def post_form(settings: Settings, path: str, form: Mapping[str, str]) -> Any:
    """Sends a form to an OAuth endpoint. Its values are secrets: no error may contain what the service repeats of them."""
    credential = FormCredential(form.get(name, "") for name in SECRET_FIELDS)
    headers = {"Content-Type": "application/x-www-form-urlencoded"}
    return await post(settings, Request("POST", path, body=urlencode(form), headers=headers), credential)


async def post(settings: Settings, request: Request, credential: FormCredential | None = None) -> Any:
    transport = Transport(settings, credential)
    try:
        return (await transport.send(request)).body
    finally:
        if settings.transport is None:
            await transport.aclose()


async def request_tokens(settings: Settings, form: Mapping[str, str]) -> OAuthTokens:
    return tokens_of(await post_form(settings, "/oauth/token", form))


def tokens_of(body: object) -> OAuthTokens:
    from .._model import build
    from .tokens import OAuthTokens

    fields = body if isinstance(body, dict) else {}
    if not all(isinstance(fields.get(name), str) and fields[name] for name in ("access_token", "refresh_token")):
        raise ServerError("the response of the token endpoint has no tokens")
    tokens: OAuthTokens = build(OAuthTokens, fields)
    return tokens
