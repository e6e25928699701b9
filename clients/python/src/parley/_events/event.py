from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ..models import Event


def event_of(value: Any) -> Event:
    """An event of its type; of a type that this version does not know an `UnknownEvent`."""
    from .._model import UnknownEvent, build
    from ..models import EVENTS

    name = value.get("event") if isinstance(value, dict) else None
    event: Event = build(EVENTS.get(name, UnknownEvent) if isinstance(name, str) else UnknownEvent, value)
    return event
