from __future__ import annotations

import asyncio
import logging
import threading
from collections.abc import Callable, Iterator
from itertools import islice

import pytest
from support import EventServer, Fault, Reply, until

import parley
from parley import AsyncParley, FollowedEvent, Parley, models

Servers = Callable[..., EventServer]


@pytest.fixture(autouse=True)
def _fast(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("parley._events.follow.POLL_SECS", 0.02)
    monkeypatch.setattr("parley._transport.retry.FIRST_DELAY_SECS", 0.01)


def client_of(server: EventServer, *, websockets: bool = True) -> Parley:
    return Parley(api_key="pk_not_to_be_seen", base_url=server.url, websockets=websockets)


def once_subscribed(server: EventServer, action: Callable[[], None]) -> None:
    def wait() -> None:
        until(lambda: len(server.subscriptions) == 1)
        action()

    threading.Thread(target=wait).start()


def ids(events: Iterator[FollowedEvent]) -> list[str | None]:
    return [followed.event.id for followed in events]


def filled(server: EventServer, count: int) -> list[str]:
    for _ in range(count):
        server.add()
    return [f"evt_{n}" for n in range(count)]


@pytest.mark.parametrize("websockets", [True, False])
def test_events_after_a_cursor_come_once_in_order_and_then_those_that_happen(
    event_server: Servers, websockets: bool
) -> None:
    server = event_server()
    filled(server, 5)
    with client_of(server, websockets=websockets).events.follow(after="2") as events:
        past = list(islice(events, 3))
        server.add("call.ended")
        later = next(events)
    assert ids(iter(past)) == ["evt_2", "evt_3", "evt_4"]
    assert (later.event.event, later.cursor) == ("call.ended", "6")
    assert isinstance(past[0].event, models.ContactCreatedEvent)
    assert past[0].event.data.contact.name == "Ane"


def test_events_begin_now_without_a_cursor(event_server: Servers) -> None:
    server = event_server()
    filled(server, 3)
    events = client_of(server).events.follow()
    once_subscribed(server, server.add)
    assert next(events).event.id == "evt_3"
    assert server.subscriptions == [{"channel": "EventsChannel"}]
    events.close()


def test_events_are_neither_lost_nor_repeated_when_connections_break_off(event_server: Servers) -> None:
    server = event_server(*(Fault(cut_after=count) for count in (1, 0, 3, 2)))
    expected = filled(server, 20)
    with client_of(server).events.follow(after="0") as events:
        assert ids(islice(events, 20)) == expected
    assert len(server.subscriptions) > 2
    # Between two connections the log is asked why.
    assert all("after=" in path for path in server.requests)


def test_events_are_read_from_the_log_where_websockets_do_not_pass(event_server: Servers) -> None:
    server = event_server(*[Fault(refuse=True)] * 50)
    expected = filled(server, 6)
    with client_of(server).events.follow(after="0", types=["contact.*"]) as events:
        assert ids(islice(events, 6)) == expected
    assert server.subscriptions == []
    assert "types=contact.%2A" in server.requests[0]


def test_events_end_with_the_error_of_an_expired_cursor(event_server: Servers) -> None:
    server = event_server(Fault(reject=True))
    body = {"error": "cursor_expired", "code": "cursor_expired", "oldest_cursor": "9"}
    server.failures = [Reply(body, 410)]
    with pytest.raises(parley.CursorExpiredError) as expired:
        next(client_of(server).events.follow(after="1"))
    assert expired.value.oldest_cursor == "9"


def test_events_survive_errors_of_the_service_once_it_was_reached(event_server: Servers) -> None:
    server = event_server(Fault(cut_after=1))
    filled(server, 3)
    server.failures = [Reply({}, 500), Reply({}, 500)]
    with client_of(server).events.follow(after="0") as events:
        assert ids(islice(events, 3)) == ["evt_0", "evt_1", "evt_2"]
    server.failures = [Reply({}, 500)]
    with pytest.raises(parley.ServerError):
        next(client_of(server, websockets=False).events.follow(after="0"))
    server.failures = [Reply({"error": "forbidden"}, 403)]
    with pytest.raises(parley.PermissionError):
        next(client_of(server, websockets=False).events.follow(after="0"))


def test_events_end_when_another_thread_closes_them(event_server: Servers) -> None:
    server = event_server()
    events = client_of(server).events.follow()
    once_subscribed(server, events.close)
    assert list(events) == []
    assert list(events) == []


def test_events_of_an_asynchronous_client_end_with_their_task(event_server: Servers) -> None:
    server = event_server()
    expected = filled(server, 3)
    seen: list[str | None] = []

    async def run() -> None:
        async with AsyncParley(api_key="pk_1", base_url=server.url) as client:
            with pytest.raises(TimeoutError):
                async with asyncio.timeout(1):
                    async for followed in client.events.follow(after="0", types="contact.created"):
                        seen.append(followed.event.id)

    asyncio.run(run())
    assert seen == expected
    assert server.subscriptions[0]["types"] == ["contact.created"]


def test_events_of_the_log_are_listed_with_their_types(event_server: Servers) -> None:
    server = event_server()
    filled(server, 2)
    server.add("fax.received")
    page = client_of(server).events.list(after="0", limit=1)
    assert [type(event) for event in page] == [
        models.ContactCreatedEvent,
        models.ContactCreatedEvent,
        parley.UnknownEvent,
    ]
    assert server.requests[1].endswith("after=1&limit=1")


def test_events_leave_no_key_in_logs(event_server: Servers, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    server = event_server()
    filled(server, 1)
    with client_of(server).events.follow(after="0") as events:
        assert next(events).event.id == "evt_0"
    client_side = [record for record in caplog.records if record.name != "websockets.server"]
    assert "pk_not_to_be_seen" not in "".join(record.getMessage() for record in client_side)
