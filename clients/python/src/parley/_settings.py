from __future__ import annotations

import os
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from ._transport.transport import Settings, require_timeout
from ._version import VERSION

if TYPE_CHECKING:
    import ssl

    import httpx2

TIMEOUT_SECS = 20.0
RETRIES = 3
RETRIES_MAX = 100


def client_settings(
    base_url: str | None,
    timeout: float,
    max_retries: int,
    user_agent: str | None,
    transport: httpx2.AsyncBaseTransport | None,
    ssl_context: ssl.SSLContext | None,
) -> Settings:
    if not 0 <= max_retries <= RETRIES_MAX:
        raise ValueError(f"max_retries must be 0 to {RETRIES_MAX}")
    agent = " ".join(filter(None, [user_agent, f"parley-sdk-python/{VERSION}"]))
    url = _read_base_url(base_url or os.environ.get("PARLEY_BASE_URL"))
    return Settings(url, require_timeout(timeout), max_retries, agent, transport, ssl_context)


def _read_base_url(text: str | None) -> str:
    if not text:
        raise ValueError("base_url is missing: pass it, or set PARLEY_BASE_URL")
    try:
        url = urlsplit(text)
        if url.scheme in ("http", "https") and url.hostname and "@" not in url.netloc and url.port != 0:
            return f"{url.scheme}://{url.netloc}{url.path}".rstrip("/")
    except ValueError:
        pass
    # Not repeated in the message: it may have a password.
    raise ValueError("base_url must be an address such as https://phone.example, without a user or a password")
