"""Every failure of a request, by what a program can do about it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any


class ParleyError(Exception):
    """Every failure of a request."""

    def __init__(
        self,
        message: str,
        *,
        status: int | None = None,
        code: str | None = None,
        fields: Mapping[str, list[str]] | None = None,
        request_id: str | None = None,
        retry_after_secs: float | None = None,
        body: Any = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.status = status
        """The HTTP status; None when there was no response."""
        self.code = code
        """A code of the API such as `employee_in_use`, or of OAuth such as `invalid_grant`."""
        self.fields: Mapping[str, list[str]] = fields or {}
        """Problems by field, such as `{"phone": ["is not a phone number"]}`; empty except after a validation."""
        self.request_id = request_id
        """Names the request in the logs of the service."""
        self.retry_after_secs = retry_after_secs
        """What the service said in `Retry-After`."""
        self.body = body
        """The body of the response: a dict or a list if it was JSON, otherwise text."""


class AuthenticationError(ParleyError):
    """401: the key or token is missing, wrong, expired or revoked, or the grant has ended."""


class PermissionError(ParleyError):  # noqa: A001
    """403: the employee's role, or the kind of credential, does not allow this."""


class NotFoundError(ParleyError):
    """404: unknown, or another company's."""


class ConflictError(ParleyError):
    """409: the state of the resource does not allow this; `code` says why."""


class ValidationError(ParleyError):
    """422: `fields` names the problems."""


class CursorExpiredError(ParleyError):
    """410 `cursor_expired`: events after the cursor are no longer kept."""

    def __init__(self, message: str, *, oldest_cursor: str | None = None, **details: Any) -> None:
        super().__init__(message, **details)
        self.oldest_cursor = oldest_cursor
        """Where to go on; what was before it is lost."""


class RateLimitError(ParleyError):
    """429: too many requests, after all retries."""


class ServerError(ParleyError):
    """5xx, or a response that the API never gives: no JSON, a redirect, or one that is too large."""


class ConnectionError(ParleyError):  # noqa: A001
    """There was no response, or it broke off."""


class TimeoutError(ConnectionError):  # noqa: A001
    """The response did not arrive within `timeout`."""


_CLASSES: Mapping[int, type[ParleyError]] = {
    401: AuthenticationError,
    403: PermissionError,
    404: NotFoundError,
    409: ConflictError,
    422: ValidationError,
    429: RateLimitError,
}


def error_of_response(
    status: int, body: Any, *, request_id: str | None = None, retry_after_secs: float | None = None
) -> ParleyError:
    """The error for a status and the body that came with it."""
    said = body if isinstance(body, dict) else {}
    error = _text(said.get("error"))
    code = _text(said.get("code")) or (error if error and re.fullmatch(r"[a-z][a-z0-9_]*", error) else None)
    message = _text(said.get("error_description")) or error or f"the service responded with {status}"
    details: dict[str, Any] = {
        "status": status,
        "code": code,
        "fields": _problems(said.get("errors")),
        "request_id": request_id or _text(said.get("request_id")),
        "retry_after_secs": retry_after_secs,
        "body": body,
    }
    if code == "cursor_expired":
        return CursorExpiredError(message, oldest_cursor=_text(said.get("oldest_cursor")), **details)
    return _class_of(status, code)(message, **details)


def _class_of(status: int, code: str | None) -> type[ParleyError]:
    if code == "invalid_grant":
        return AuthenticationError
    return _CLASSES.get(status, ServerError if status >= 500 else ParleyError)


def _text(value: object) -> str | None:
    return value if isinstance(value, str) and value else None


def _problems(errors: object) -> dict[str, list[str]]:
    if not isinstance(errors, dict):
        return {}
    return {str(name): [str(one) for one in found] for name, found in errors.items() if isinstance(found, list)}
