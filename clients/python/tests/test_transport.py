from __future__ import annotations

import asyncio
import gc
import logging
import time
from collections.abc import Callable
from typing import Any

import pytest
from support import Reply, ScriptedServer

import parley
from parley import AsyncParley

Scripted = Callable[..., ScriptedServer]
COMPANY = Reply({"id": "com_1"})
SENT = Reply({"id": "msg_1"}, 201)


def retry_now(status: int) -> Reply:
    return Reply({"error": "busy"}, status, {"Retry-After": "0"})


@pytest.mark.parametrize(
    ("replies", "times"),
    [
        ([retry_now(503), retry_now(502), COMPANY], 3),
        ([Reply({"id": "com_1"}, cut_after=0), COMPANY], 2),
        ([Reply({"id": "com_1"}, cut_after=5), COMPANY], 2),
        ([Reply(None, 429, {"Retry-After": "Thu, 01 Jan 1970 00:00:00 GMT"}), COMPANY], 2),
    ],
)
@pytest.mark.usefixtures("no_waiting")
def test_a_request_is_repeated_after_a_failure_that_may_pass(
    scripted: Scripted, replies: list[Reply], times: int
) -> None:
    server = scripted(*replies)
    assert server.parley().company.get().id == "com_1"
    assert len(server.asked) == times


@pytest.mark.usefixtures("no_waiting")
def test_a_text_is_repeated_with_one_key_and_another_post_not_at_all(scripted: Scripted) -> None:
    lost = Reply({"id": "msg_1"}, cut_after=0)
    server = scripted(lost, Reply(None, 504), SENT, SENT, lost)
    client = server.parley()
    assert client.messages.send("num_1", to="+4520304050", text="Hello").id == "msg_1"
    client.messages.send("num_1", to="+4520304050", text="Hello", idempotency_key="order-7")
    keys = [asked.headers["idempotency-key"] for asked in server.asked]
    assert len(set(keys[:3])) == 1
    assert keys[3] == "order-7"
    with pytest.raises(parley.ConnectionError):
        client.contacts.create(phone="+4520304050")
    assert len(server.asked) == 5


def test_a_post_is_repeated_when_it_was_surely_not_executed(scripted: Scripted) -> None:
    server = scripted(retry_now(429), retry_now(503), Reply({"id": "con_1"}, 201), Reply({}, 503), SENT)
    assert server.parley().contacts.create(phone="+4520304050").id == "con_1"
    with pytest.raises(parley.ServerError):
        server.parley().contacts.create(phone="+4520304050")
    assert len(server.asked) == 4


@pytest.mark.usefixtures("no_waiting")
def test_a_delete_that_was_repeated_takes_404_as_done(scripted: Scripted) -> None:
    missing = Reply({"error": "not_found"}, 404)
    lost = scripted(Reply({"id": 1}, cut_after=0), missing)
    lost.parley().contacts.delete("con_1")
    assert len(lost.asked) == 2
    with pytest.raises(parley.NotFoundError):
        scripted(missing).parley().contacts.delete("con_1")


def test_attempts_wait_twice_as_long_each_time(scripted: Scripted) -> None:
    server = scripted(Reply({}, 503))
    started = time.monotonic()
    with pytest.raises(parley.ServerError) as failed:
        server.parley(max_retries=2).company.get()
    # 0.5 s and 1 s, each up to a fifth less.
    assert time.monotonic() - started > 1.19
    assert (failed.value.status, len(server.asked)) == (503, 3)


@pytest.mark.parametrize(
    ("reply", "kind"),
    [
        (Reply({}, 429, {"Retry-After": "1e9"}), parley.RateLimitError),
        (Reply(b"<html>Sign in to the hotel</html>"), parley.ServerError),
        (Reply(b'{"id":"com_'), parley.ServerError),
        (Reply(b'"text"'), parley.ServerError),
        (Reply(b"[1]"), parley.ServerError),
        (Reply(b'{"a": NaN}'), parley.ServerError),
        (Reply(b"[" * 200_000), parley.ServerError),
        (Reply(b"\xff\xfe"), parley.ServerError),
        (Reply(b"9" * 10_000), parley.ServerError),
        (Reply(None, 307, {"Location": "/"}), parley.ServerError),
        (Reply({"error": "employee_in_use"}, 409), parley.ConflictError),
        (Reply([], 500), parley.ServerError),
    ],
)
def test_an_answer_that_is_hostile_ends_in_an_error_at_once(scripted: Scripted, reply: Reply, kind: type) -> None:
    server = scripted(reply)
    # Reading a deeply nested answer fills the stack; what is collected just then could not report that it ends.
    gc.collect()
    gc.disable()
    try:
        with pytest.raises(parley.ParleyError) as failed:
            server.parley().company.get()
    finally:
        gc.enable()
    assert type(failed.value) is kind
    assert len(server.asked) == 1


@pytest.mark.parametrize("reply", [Reply({}, delay=5), Reply({}, drip=0.15)])
def test_a_response_that_is_slow_ends_in_a_timeout(scripted: Scripted, reply: Reply) -> None:
    server = scripted(reply)
    started = time.monotonic()
    with pytest.raises(parley.TimeoutError):
        server.parley(timeout=0.4, max_retries=0).company.get()
    with pytest.raises(parley.ConnectionError):
        server.parley(max_retries=0).company.get(timeout=0.4)
    assert time.monotonic() - started < 3


def test_a_response_that_is_huge_ends_in_an_error(scripted: Scripted, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("parley._transport.transport.RESPONSE_BYTES_MAX", 1_000_000)
    with pytest.raises(parley.ServerError, match="larger"):
        scripted(Reply({"id": "x" * 2_000_000})).parley().company.get()


def test_an_error_says_what_the_service_says(scripted: Scripted) -> None:
    body = {"error": "Validation failed", "code": "validation_failed", "errors": {"phone": ["is no number"], "odd": 1}}
    with pytest.raises(parley.ValidationError) as failed:
        scripted(Reply(body, 422, {"X-Request-Id": "r1"})).parley().contacts.create(phone="x")
    error = failed.value
    assert (error.status, error.code, error.message) == (422, "validation_failed", "Validation failed")
    assert (error.fields, error.request_id, error.body) == ({"phone": ["is no number"]}, "r1", body)


def test_a_key_is_in_no_error_repr_or_log(scripted: Scripted, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    server = scripted(Reply({"error": "the key pk_not_to_be_seen is wrong"}, 401))
    client = server.parley(api_key="pk_not_to_be_seen")
    with pytest.raises(parley.AuthenticationError) as failed:
        client.company.get()
    error = failed.value
    seen = [
        str(error),
        repr(error),
        repr(error.body),
        repr(client),
        repr(client.contacts),
        repr(vars(client)),
        caplog.text,
    ]
    assert error.__cause__ is None
    assert error.__context__ is None
    assert "pk_not_to_be_seen" not in "".join(seen)
    assert server.asked[0].headers["x-api-key"] == "pk_not_to_be_seen"
    with pytest.raises(ValueError, match="api_key") as wrong:
        server.parley(api_key="pk not to be seen")
    assert "not to be seen" not in str(wrong.value)


def test_a_client_that_reaches_nobody_says_so() -> None:
    with pytest.raises(parley.ConnectionError) as failed:
        parley.Parley(api_key="pk_1", base_url="http://127.0.0.1:9", max_retries=0).company.get()
    assert failed.value.status is None


def test_requests_of_an_asynchronous_client_run_at_once_and_can_be_cancelled(scripted: Scripted) -> None:
    server = scripted(Reply({"id": "com_1"}, delay=0.3))

    async def run() -> None:
        async with AsyncParley(api_key="pk_1", base_url=server.url) as client:
            started = time.monotonic()
            companies = await asyncio.gather(*(client.company.get() for _ in range(5)))
            assert [company.id for company in companies] == ["com_1"] * 5
            assert time.monotonic() - started < 1.4
            with pytest.raises(TimeoutError):
                async with asyncio.timeout(0.05):
                    await client.company.get()

    asyncio.run(run())
    assert len(server.asked) == 6


def test_a_client_can_be_used_in_several_event_loops(scripted: Scripted) -> None:
    server = scripted(COMPANY)
    client = AsyncParley(api_key="pk_1", base_url=server.url)

    async def run() -> Any:
        return (await client.company.get()).id

    assert [asyncio.run(run()), asyncio.run(run())] == ["com_1", "com_1"]
