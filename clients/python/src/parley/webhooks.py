"""Requests to webhooks: that they are the service's own (Standard Webhooks)."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
import re
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, cast

if TYPE_CHECKING:
    from .models import Event

Reason: TypeAlias = Literal[
    "missing_header",
    "invalid_timestamp",
    "timestamp_too_old",
    "timestamp_in_future",
    "signature_mismatch",
    "invalid_body",
]
Headers: TypeAlias = Mapping[str, str | Sequence[str]] | Iterable[tuple[str, str]]

TOLERANCE_SECS = 300.0
# The service sends two while a secret is rotated.
SIGNATURES_MAX = 20
PREFIX = "whsec_"


class WebhookVerificationError(Exception):
    """The request does not come from the service, or is not what the service sent: respond with 400 and do nothing."""

    def __init__(self, reason: Reason, message: str) -> None:
        super().__init__(message)
        self.reason: Reason = reason


def verify_webhook(
    body: str | bytes | bytearray | memoryview,
    headers: Headers,
    secret: str | Iterable[str],
    *,
    tolerance: float = TOLERANCE_SECS,
    now: Callable[[], float] = time.time,
) -> Event:
    """
    The event of a request to a webhook, once its signature was verified. `body` is what arrived, not what was parsed from it. After a
    rotation of the secret, for a day, `secret` may be both. `tolerance`: by how many seconds the time of the request may be off.
    """
    content = _bytes(body)
    keys = _keys(secret)
    message_id = _header(headers, "webhook-id")
    timestamp = _header(headers, "webhook-timestamp")
    signatures = _header(headers, "webhook-signature").split(" ")[:SIGNATURES_MAX]
    _check_timestamp(timestamp, tolerance, now())
    # All of them are compared, so that the time does not tell which one fits.
    fits = [
        hmac.compare_digest(given.encode("utf-8", "replace"), _signature(key, message_id, timestamp, content).encode())
        for key in keys
        for given in signatures
    ]
    if not any(fits):
        raise WebhookVerificationError("signature_mismatch", "no signature fits the secret")
    return _event(content)


def sign_webhook(
    body: str | bytes | bytearray | memoryview,
    secret: str | Iterable[str],
    *,
    id: str = "msg_test",  # noqa: A002
    timestamp: int | None = None,
) -> dict[str, str]:
    """The headers of a request to a webhook with this body, for tests of a receiver. `timestamp`: seconds since 1970."""
    signed_at = str(int(time.time()) if timestamp is None else timestamp)
    signatures = [_signature(key, id, signed_at, _bytes(body)) for key in _keys(secret)]
    return {"webhook-id": id, "webhook-timestamp": signed_at, "webhook-signature": " ".join(signatures)}


def _bytes(body: object) -> bytes:
    if isinstance(body, str):
        return body.encode("utf-8", "surrogatepass")
    if isinstance(body, (bytes, bytearray, memoryview)):
        return bytes(body)
    raise TypeError("the body must be the text or the bytes that arrived, not what was parsed from them")


def _keys(secret: str | Iterable[str]) -> list[bytes]:
    keys = [_decode(one) for one in ([secret] if isinstance(secret, str) else secret)]
    if not keys:
        raise ValueError("there is no secret")
    return keys


def _decode(secret: object) -> bytes:
    """The key in a secret; the secret itself is in no message."""
    text = secret.removeprefix(PREFIX) if isinstance(secret, str) else ""
    key = b""
    try:
        key = base64.b64decode(text + "=" * (-len(text) % 4), validate=True)
    except (binascii.Error, ValueError):
        pass
    if not key:
        raise ValueError("the secret of a webhook begins with whsec_ and goes on in base64")
    return key


def _signature(key: bytes, message_id: str, timestamp: str, content: bytes) -> str:
    signed = f"{message_id}.{timestamp}.".encode("utf-8", "replace") + content
    return "v1," + base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()


def _header(headers: Headers, name: str) -> str:
    values: list[object] = []
    for key, value in cast("Mapping[str, Any]", headers).items() if hasattr(headers, "items") else headers:
        if key.lower() == name:
            values.extend([value] if isinstance(value, str) else value)
    # A header that was sent twice has no value to rely on.
    if len(values) != 1 or not isinstance(values[0], str) or not values[0]:
        raise WebhookVerificationError("missing_header", f"the request has no single header {name}")
    return values[0]


def _check_timestamp(timestamp: str, tolerance: float, now: float) -> None:
    if not re.fullmatch(r"[0-9]{1,12}", timestamp):
        raise WebhookVerificationError("invalid_timestamp", "webhook-timestamp is no number of seconds")
    age = now - int(timestamp)
    if age > tolerance:
        raise WebhookVerificationError("timestamp_too_old", f"the request was signed {age:.0f} s ago")
    if age < -tolerance:
        raise WebhookVerificationError("timestamp_in_future", f"the request is {-age:.0f} s in the future")


def _event(content: bytes) -> Event:
    from ._events.event import event_of

    try:
        value = json.loads(content.decode())
    except (ValueError, RecursionError):
        value = None
    if not isinstance(value, dict) or not isinstance(value.get("event"), str):
        raise WebhookVerificationError("invalid_body", "the body is not an event")
    return event_of(value)
