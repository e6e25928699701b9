from __future__ import annotations

import random
import re
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

FIRST_DELAY_SECS = 0.5
DELAY_SECS_MAX = 8.0
# A wait differs by up to a fifth, so that clients which failed together do not return together.
JITTER = 0.2
# A longer `Retry-After` is an error at once.
RETRY_AFTER_SECS_MAX = 60

REPEATABLE_STATUSES = frozenset({429, 502, 503, 504})


def delay_after_response(
    status: int, retry_after_secs: float | None, *, repeatable: bool, retries: int
) -> float | None:
    """How long to wait before the request is repeated; None when it must not be."""
    if repeatable:
        may_repeat = status in REPEATABLE_STATUSES
    else:
        may_repeat = status == 429 or (status == 503 and retry_after_secs is not None)
    if not may_repeat:
        return None
    if retry_after_secs is None:
        return backoff_secs(retries)
    return retry_after_secs if retry_after_secs <= RETRY_AFTER_SECS_MAX else None


def delay_without_response(*, sent: bool, repeatable: bool, retries: int) -> float | None:
    """`sent`: the service may have received the request."""
    return backoff_secs(retries) if repeatable or not sent else None


def backoff_secs(retries: int) -> float:
    """0.5 s, 1 s, 2 s … 8 s, with jitter."""
    delay_secs = min(FIRST_DELAY_SECS * 2.0 ** min(retries, 10), DELAY_SECS_MAX)
    return delay_secs * (1 + JITTER * (2 * random.random() - 1))


def retry_after_secs_of(value: str | None) -> float | None:
    """The seconds in a `Retry-After`, which may be a date (RFC 9110); None for anything else."""
    text = (value or "").strip()
    if re.fullmatch(r"[0-9]+(\.[0-9]+)?([eE][0-9]+)?", text):
        return float(text)
    if not re.match(r"[A-Za-z]{3}", text):
        return None
    try:
        at = parsedate_to_datetime(text)
        return max(0.0, (at if at.tzinfo else at.replace(tzinfo=UTC)).timestamp() - datetime.now(UTC).timestamp())
    except (ValueError, OverflowError, TypeError):
        return None
