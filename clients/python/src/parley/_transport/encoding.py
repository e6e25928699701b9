"""How inputs are written, and responses read."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import date, datetime
from typing import Any
from urllib.parse import urlencode


class NotJson:
    """The value of a text that is no JSON."""


NOT_JSON = NotJson()


def query_text(query: Mapping[str, object]) -> str:
    """A list is sent with commas; None is left out."""
    given = {name: _query_value(value) for name, value in query.items() if value is not None}
    return f"?{urlencode(given)}" if given else ""


def _query_value(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (date, datetime)):
        return value.isoformat()
    if isinstance(value, (list, tuple, set, frozenset)):
        return ",".join(_query_value(item) for item in value)
    return str(value)


def json_bytes(value: object) -> bytes:
    return json.dumps(value, default=_encodable, allow_nan=False).encode()


def _encodable(value: object) -> Any:
    dump = getattr(value, "model_dump", None)
    if dump is not None:
        return dump(mode="json", by_alias=True, exclude_unset=True)
    if isinstance(value, (date, datetime)):
        return value.isoformat()
    if isinstance(value, Mapping):
        return dict(value)
    if isinstance(value, (set, frozenset)):
        return list(value)
    raise TypeError(f"a {type(value).__name__} cannot be sent as JSON")


def parse_json(text: str) -> Any:
    try:
        return json.loads(text, parse_constant=_refuse)
    except (ValueError, RecursionError):
        return NOT_JSON


def _refuse(constant: str) -> None:
    raise ValueError(constant)
