"""The client against a running installation, which PARLEY_TEST_STACK describes (e2e/python-sdk)."""

from __future__ import annotations

import asyncio
import json
import os
import time
import uuid
from typing import Any

import httpx2
import pytest

import parley
from parley import AsyncOAuthClient, AsyncParley, OAuth, OAuthClient, OAuthTokens, Parley, models, verify_webhook

STACK: dict[str, Any] = json.loads(os.environ.get("PARLEY_TEST_STACK", "{}"))
pytestmark = pytest.mark.skipif(not STACK, reason="there is no running installation")


class LosingTransport(httpx2.AsyncHTTPTransport):
    """Its first responses are lost: the service has executed the requests."""

    def __init__(self, lost: int, path: str) -> None:
        super().__init__()
        self.lost = lost
        self.path = path
        self.sent = 0

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        response = await super().handle_async_request(request)
        if self.path not in request.url.path:
            return response
        self.sent += 1
        if self.sent > self.lost:
            return response
        await response.aread()
        raise httpx2.ReadError("the connection was lost")


def client(**options: Any) -> Parley:
    return Parley(**{"api_key": STACK["api_key"], "base_url": STACK["base_url"], **options})


def submitted(to: str) -> list[Any]:
    return list(httpx2.get(f"{STACK['sandbox_url']}/messages", params={"to": to}).json())


def test_contacts_are_created_read_changed_listed_and_deleted() -> None:
    with client() as service:
        created = service.contacts.create(phone="20 30 40 50", name="Ane")
        assert (created.name, created.phone) == ("Ane", "+4520304050")
        service.contacts.update(created.id, note="Calls on Mondays")
        assert service.contacts.get(created.id).note == "Calls on Mondays"
        for n in range(5):
            service.contacts.create(phone=f"+452030405{n + 1}", name=f"Contact {n}")
        first = service.contacts.list(limit=2)
        following = first.next_page()
        assert following is not None
        assert (len(first.data), len(following.data)) == (2, 2)
        names = [contact.name for contact in service.contacts.list(limit=2, query="Contact")]
        assert sorted(filter(None, names)) == [f"Contact {n}" for n in range(5)]
        assert "Ane" in service.contacts.export()
        service.contacts.delete(created.id)
        with pytest.raises(parley.NotFoundError):
            service.contacts.get(created.id)


def test_what_is_wrong_is_named() -> None:
    with pytest.raises(parley.ValidationError) as wrong:
        client().contacts.create(phone="no number", name="Ane")
    assert (wrong.value.code, list(wrong.value.fields)) == ("validation_failed", ["phone"])
    assert wrong.value.request_id
    with pytest.raises(parley.AuthenticationError):
        client(api_key="pk_wrong").company.get()


def test_there_is_no_active_call_and_lists_have_one_page() -> None:
    service = client()
    assert service.calls.get_active() is None
    assert [employee.id for employee in service.employees.list()] == [STACK["owner_id"]]
    number = service.business_numbers.get(STACK["number"]["id"])
    config = number.incoming_call_config
    written = service.business_numbers.explain_proposed_route(number.id, incoming_call_config=config)
    assert isinstance(written, models.RouteExplanation)


def test_a_delete_whose_response_was_lost_is_repeated() -> None:
    transport = LosingTransport(1, "/text_snippets/")
    service = client(transport=transport)
    snippet = service.text_snippets.create(title="Hours", text="We are open until five.")
    service.text_snippets.delete(snippet.id)
    assert transport.sent == 2


def test_a_text_is_sent_once_however_many_responses_are_lost() -> None:
    transport = LosingTransport(2, "/messages")
    to = STACK["customers"][0]
    message = client(transport=transport).messages.send(STACK["number"]["id"], to=to, text="Your bicycle is ready.")
    assert (message.to, message.text, transport.sent) == (to, "Your bicycle is ready.", 3)
    assert len(submitted(to)) == 1


def test_a_text_is_sent_once_also_when_the_program_begins_again_with_its_key() -> None:
    to, key = STACK["customers"][1], f"order-{uuid.uuid4()}"
    given: dict[str, Any] = {"to": to, "text": "Your order has left.", "idempotency_key": key}
    with pytest.raises(parley.ConnectionError):
        killed = client(transport=LosingTransport(1, "/messages"), max_retries=0)
        killed.messages.send(STACK["number"]["id"], **given)
    client().messages.send(STACK["number"]["id"], **given)
    assert len(submitted(to)) == 1


def test_what_webhooks_receive_is_verified() -> None:
    service = client()
    webhook = service.webhooks.create(name="Own", url=STACK["hook_url"], events=["contact.created"])
    service.contacts.create(phone="+4520405060", name="Bo")
    ends_at = time.monotonic() + 30
    while not (arrived := httpx2.get(STACK["hook_url"]).json()):
        assert time.monotonic() < ends_at
        time.sleep(0.1)
    event = verify_webhook(arrived[0]["raw_body"], arrived[0]["headers"], webhook.secret)
    assert isinstance(event, models.ContactCreatedEvent)
    assert event.data.contact.name == "Bo"
    with pytest.raises(parley.WebhookVerificationError):
        verify_webhook(arrived[0]["raw_body"] + " ", arrived[0]["headers"], webhook.secret)


def test_an_app_refreshes_its_tokens_once_for_all_requests() -> None:
    app = STACK["app"]
    stored: list[OAuthTokens] = []
    oauth = AsyncOAuthClient(base_url=STACK["base_url"], client_id=app["client_id"])

    async def run() -> None:
        given = OAuth(app["client_id"], app["tokens"], stored.append)
        async with AsyncParley(base_url=STACK["base_url"], oauth=given) as service:
            await oauth.revoke(app["tokens"]["access_token"])
            companies = await asyncio.gather(*(service.company.get() for _ in range(10)))
            assert {company.id for company in companies} == {app["company_id"]}
            assert len(stored) == 1
            await oauth.revoke(stored[0].refresh_token)
            with pytest.raises(parley.AuthenticationError) as ended:
                await service.company.get()
            assert ended.value.code == "invalid_grant"

    asyncio.run(run())


def test_the_scripted_server_of_the_sandbox_sees_the_retries() -> None:
    url = f"{STACK['sandbox_url']}/servers/python-{uuid.uuid4()}"
    body = {"id": "com_1"}
    lost = {"body": body, "cut_after_bytes": 3}
    busy = {"status": 503, "headers": {"Retry-After": "0"}}
    httpx2.put(url, json={"responses": [lost, busy, {"body": body}]}).raise_for_status()
    assert client(base_url=url).company.get().id == "com_1"
    assert len(httpx2.get(url).json()) == 3


def test_a_program_without_a_browser_is_allowed_by_the_employee() -> None:
    # Whoever runs this test allows what arrives here.
    oauth = OAuthClient(base_url=STACK["base_url"], client_id="parley-cli")
    device = oauth.device_authorization()
    shown = {
        "user_code": device.user_code,
        "uri": device.verification_uri,
        "complete": device.verification_uri_complete,
    }
    httpx2.post(STACK["device_url"], json=shown).raise_for_status()
    tokens = device.tokens()
    with Parley(base_url=STACK["base_url"], oauth=OAuth("parley-cli", tokens, lambda stored: None)) as service:
        assert service.company.get().id == STACK["device_company_id"]
    oauth.revoke(tokens.refresh_token)
