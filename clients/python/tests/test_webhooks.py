from __future__ import annotations

import base64
import json
from collections.abc import Mapping
from typing import Any

import pytest

from parley import UnknownEvent, WebhookVerificationError, models, sign_webhook, verify_webhook

SECRET = "whsec_" + base64.b64encode(b"k" * 32).decode()
OTHER = "whsec_" + base64.b64encode(b"o" * 32).decode()
NOW = 1_700_000_000
BODY = json.dumps({"event": "contact.created", "timestamp": "t", "data": {"contact": {"id": "c", "name": "Åse"}}})


def signed(body: str | bytes = BODY, secret: str = SECRET, **options: Any) -> dict[str, str]:
    return sign_webhook(body, secret, **{"timestamp": NOW, **options})


def reason(body: Any, headers: Mapping[str, Any], secret: Any = SECRET, **options: Any) -> str:
    with pytest.raises(WebhookVerificationError) as refused:
        verify_webhook(body, headers, secret, **{"now": lambda: NOW, **options})
    return refused.value.reason


def test_a_webhook_that_is_signed_gives_its_event() -> None:
    for body in (BODY, BODY.encode(), bytearray(BODY.encode()), memoryview(BODY.encode())):
        event = verify_webhook(body, signed(), SECRET, now=lambda: NOW)
        assert isinstance(event, models.ContactCreatedEvent)
        assert (event.data.contact.name, event.id) == ("Åse", None)


def test_a_webhook_of_an_unknown_type_is_passed_on() -> None:
    body = json.dumps({"event": "fax.received", "timestamp": "t", "data": {"pages": 3}, "more": 1})
    event = verify_webhook(body, signed(body), SECRET, now=lambda: NOW)
    assert isinstance(event, UnknownEvent)
    assert (event.event, event.data["pages"]) == ("fax.received", 3)


def test_a_webhook_has_the_signature_of_standard_webhooks() -> None:
    # The example of the specification of Standard Webhooks.
    secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
    headers = sign_webhook('{"test": 2432232314}', secret, id="msg_p5jXN8AQM9LWM0D4loKWxJek", timestamp=1614265330)
    assert headers["webhook-signature"] == "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="


def test_a_webhook_with_any_changed_byte_is_refused() -> None:
    content = BODY.encode()
    for index in range(len(content)):
        changed = bytearray(content)
        changed[index] ^= 1
        assert reason(bytes(changed), signed()) == "signature_mismatch"
    for name in ("webhook-id", "webhook-signature"):
        for index in range(3, len(signed()[name])):
            text = signed()[name]
            other = text[:index] + chr(ord(text[index]) ^ 1) + text[index + 1 :]
            assert reason(BODY, {**signed(), name: other}) == "signature_mismatch"
    assert reason(BODY, {**signed(), "webhook-timestamp": str(NOW + 1)}) == "signature_mismatch"
    assert reason(BODY, signed(secret=OTHER)) == "signature_mismatch"
    assert reason(BODY, {**signed(), "webhook-signature": "v1,é v1a,x"}) == "signature_mismatch"


@pytest.mark.parametrize(
    ("timestamp", "expected"),
    [(NOW - 301, "timestamp_too_old"), (NOW + 301, "timestamp_in_future")],
)
def test_a_webhook_of_another_time_is_refused(timestamp: int, expected: str) -> None:
    assert reason(BODY, signed(timestamp=timestamp)) == expected
    verify_webhook(BODY, signed(timestamp=timestamp), SECRET, now=lambda: NOW, tolerance=400)
    for wrong in ("soon", "-5", "1e9", "١٢٣", "9" * 13):
        assert reason(BODY, {**signed(), "webhook-timestamp": wrong}) == "invalid_timestamp"


def test_a_webhook_without_one_of_each_header_is_refused() -> None:
    for name in signed():
        assert reason(BODY, {n: v for n, v in signed().items() if n != name}) == "missing_header"
        assert reason(BODY, {**signed(), name: ""}) == "missing_header"
        assert reason(BODY, {**signed(), name: [signed()[name], signed()[name]]}) == "missing_header"
    upper = [(name.upper(), value) for name, value in signed().items()]
    verify_webhook(BODY, upper, SECRET, now=lambda: NOW)


def test_a_webhook_may_have_two_secrets_and_two_signatures() -> None:
    both = sign_webhook(BODY, [OTHER, SECRET], timestamp=NOW)
    verify_webhook(BODY, both, SECRET, now=lambda: NOW)
    verify_webhook(BODY, signed(), [OTHER, SECRET], now=lambda: NOW)
    assert reason(BODY, signed(), [OTHER]) == "signature_mismatch"


@pytest.mark.parametrize("body", [b"[1]", b"no json", b'{"event": 7}', b"\xff", b"[" * 100_000])
def test_a_webhook_that_is_signed_but_no_event_is_refused(body: bytes) -> None:
    assert reason(body, signed(body)) == "invalid_body"


def test_wrong_arguments_are_errors_of_the_program_and_show_no_secret() -> None:
    with pytest.raises(TypeError, match="not what was parsed"):
        verify_webhook({"event": "x"}, signed(), SECRET)  # type: ignore[arg-type]
    wrong_secrets: list[Any] = ["", "whsec_", "whsec_not base64!", []]
    for secret in wrong_secrets:
        with pytest.raises(ValueError, match="secret") as wrong:
            verify_webhook(BODY, signed(), secret)
        assert "not base64" not in str(wrong.value)
