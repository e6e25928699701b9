from __future__ import annotations

from .._model import Model


class OAuthTokens(Model):
    """Tokens as the service issues them; what is stored and given to the client again. They are hidden in its `repr`."""

    access_token: str
    refresh_token: str
    """Valid once: a refresh replaces it."""
    token_type: str | None = None
    expires_in: int | None = None
    """Seconds."""
    scope: str | None = None
    created_at: int | None = None
    """Seconds since 1970."""
