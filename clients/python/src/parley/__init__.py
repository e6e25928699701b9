"""The client of Parley's API."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from ._version import VERSION as __version__

if TYPE_CHECKING:
    from . import models as models
    from ._events.follow import FollowedEvent as FollowedEvent
    from ._events.stream import EventStream as EventStream
    from ._model import Model as Model
    from ._model import UnknownEvent as UnknownEvent
    from ._oauth.client import AsyncDeviceAuthorization as AsyncDeviceAuthorization
    from ._oauth.client import AsyncOAuthClient as AsyncOAuthClient
    from ._oauth.client import DeviceAuthorization as DeviceAuthorization
    from ._oauth.client import OAuthClient as OAuthClient
    from ._oauth.client import PendingAuthorization as PendingAuthorization
    from ._oauth.client import RegisteredClient as RegisteredClient
    from ._oauth.token_credential import OAuth as OAuth
    from ._oauth.tokens import OAuthTokens as OAuthTokens
    from ._transport.transport import ApiResponse as ApiResponse
    from .client import AsyncParley as AsyncParley
    from .client import Parley as Parley
    from .errors import AuthenticationError as AuthenticationError
    from .errors import ConflictError as ConflictError
    from .errors import ConnectionError as ConnectionError
    from .errors import CursorExpiredError as CursorExpiredError
    from .errors import NotFoundError as NotFoundError
    from .errors import ParleyError as ParleyError
    from .errors import PermissionError as PermissionError
    from .errors import RateLimitError as RateLimitError
    from .errors import ServerError as ServerError
    from .errors import TimeoutError as TimeoutError
    from .errors import ValidationError as ValidationError
    from .pages import AsyncPage as AsyncPage
    from .pages import AsyncPages as AsyncPages
    from .pages import Page as Page
    from .webhooks import WebhookVerificationError as WebhookVerificationError
    from .webhooks import sign_webhook as sign_webhook
    from .webhooks import verify_webhook as verify_webhook

# What is imported when it is first used: the libraries below take longer than a command line may wait.
_PLACES = {
    "_events.follow": ("FollowedEvent",),
    "_events.stream": ("EventStream",),
    "_model": ("Model", "UnknownEvent"),
    "_oauth.client": (
        "AsyncDeviceAuthorization",
        "AsyncOAuthClient",
        "DeviceAuthorization",
        "OAuthClient",
        "PendingAuthorization",
        "RegisteredClient",
    ),
    "_oauth.token_credential": ("OAuth",),
    "_oauth.tokens": ("OAuthTokens",),
    "_transport.transport": ("ApiResponse",),
    "client": ("AsyncParley", "Parley"),
    "errors": (
        "AuthenticationError",
        "ConflictError",
        "ConnectionError",
        "CursorExpiredError",
        "NotFoundError",
        "ParleyError",
        "PermissionError",
        "RateLimitError",
        "ServerError",
        "TimeoutError",
        "ValidationError",
    ),
    "pages": ("AsyncPage", "AsyncPages", "Page"),
    "webhooks": ("WebhookVerificationError", "sign_webhook", "verify_webhook"),
}
_PLACE_OF = {name: place for place, names in _PLACES.items() for name in names}

__all__ = [
    "__version__",
    "ApiResponse",
    "AsyncDeviceAuthorization",
    "AsyncOAuthClient",
    "AsyncPage",
    "AsyncPages",
    "AsyncParley",
    "AuthenticationError",
    "ConflictError",
    "ConnectionError",
    "CursorExpiredError",
    "DeviceAuthorization",
    "EventStream",
    "FollowedEvent",
    "Model",
    "NotFoundError",
    "OAuth",
    "OAuthClient",
    "OAuthTokens",
    "Page",
    "Parley",
    "ParleyError",
    "PendingAuthorization",
    "PermissionError",
    "RateLimitError",
    "RegisteredClient",
    "ServerError",
    "TimeoutError",
    "UnknownEvent",
    "ValidationError",
    "WebhookVerificationError",
    "models",
    "sign_webhook",
    "verify_webhook",
]


def __getattr__(name: str) -> Any:
    if name == "models":
        return importlib.import_module(".models", __name__)
    if name not in _PLACE_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(importlib.import_module(f".{_PLACE_OF[name]}", __name__), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
