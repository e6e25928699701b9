from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Protocol


class Credential(Protocol):
    """What a request authenticates with."""

    async def headers(self) -> Mapping[str, str]:
        """The headers of a request, once they may be used."""
        ...

    async def renew(self, used: Mapping[str, str]) -> bool:
        """Called after a 401 for a request with `used`: whether it can be repeated with other headers."""
        ...

    def redact(self, text: str) -> str:
        """Removes the secrets of this credential from a text of the service."""
        ...


class ApiKeyCredential:
    def __init__(self, api_key: str) -> None:
        self._key = require_header_value(api_key, "api_key")

    async def headers(self) -> Mapping[str, str]:
        return {"X-Api-Key": self._key}

    async def renew(self, used: Mapping[str, str]) -> bool:
        return False

    def redact(self, text: str) -> str:
        return without_secrets(text, [self._key])


class FormCredential:
    """Nothing to authenticate with, but a form of secrets that no error may contain."""

    def __init__(self, secrets: Iterable[str]) -> None:
        self._secrets = [secret for secret in secrets if secret]

    async def headers(self) -> Mapping[str, str]:
        return {}

    async def renew(self, used: Mapping[str, str]) -> bool:
        return False

    def redact(self, text: str) -> str:
        return without_secrets(text, self._secrets)


def require_header_value(value: object, name: str) -> str:
    """Visible ASCII: what a header can have. An error must not show the value."""
    if isinstance(value, str) and re.fullmatch(r"[\x21-\x7e]+", value):
        return value
    raise ValueError(f"{name} is not a text of visible ASCII characters without spaces")


def without_secrets(text: str, secrets: Iterable[str]) -> str:
    for secret in secrets:
        text = text.replace(secret, "[redacted]")
    return text
