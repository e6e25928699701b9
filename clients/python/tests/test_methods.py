from __future__ import annotations

import asyncio
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import pytest
from support import Reply, ScriptedServer

import parley
from parley import AsyncParley, models

Scripted = Callable[..., ScriptedServer]


def routes(server: ScriptedServer) -> list[str]:
    return [f"{asked.method} {asked.path.removeprefix('/api/v1')}" for asked in server.asked]


def test_a_method_takes_ids_by_position_and_fields_by_name(scripted: Scripted) -> None:
    server = scripted(Reply({}))
    client = server.parley()
    client.business_numbers.closures.update("num/1", "clo 2", name="Easter", headers={"X-Own": "1"})
    client.reports.calls(from_="2026-11-01", group_by="day")
    client.contacts.update("con_1", note=None)
    assert routes(server) == [
        "PATCH /business_numbers/num%2F1/closures/clo%202",
        "GET /reports/calls?from=2026-11-01&group_by=day",
        "PATCH /contacts/con_1",
    ]
    assert (server.asked[0].headers["x-own"], server.asked[0].json()) == ("1", {"name": "Easter"})
    assert server.asked[2].json() == {"note": None}


def test_a_method_sends_models_times_and_lists_as_the_api_has_them(scripted: Scripted) -> None:
    read = {"id": "num_1", "incoming_call_config": {"type": "TransferConfig", "employee_ids": ["emp_1"], "extra": 1}}
    server = scripted(Reply(read))
    client = server.parley()
    number = client.business_numbers.get("num_1")
    at = datetime(2026, 11, 19, 10, tzinfo=UTC)
    client.business_numbers.explain_proposed_route("num_1", at=at, incoming_call_config=number.incoming_call_config)
    client.request("GET", "/things", query={"types": ["a", "b"], "on": True, "none": None})
    assert server.asked[1].json() == {"at": at.isoformat(), "incoming_call_config": read["incoming_call_config"]}
    assert routes(server)[2] == "GET /things?types=a%2Cb&on=true"


@pytest.mark.parametrize("wrong", ["", ".", ".."])
def test_a_method_refuses_what_is_no_id(scripted: Scripted, wrong: str) -> None:
    server = scripted(Reply({}))
    with pytest.raises(ValueError, match="id is not an id"):
        server.parley().contacts.get(wrong)
    with pytest.raises(TypeError):
        server.parley().contacts.get(7)  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        server.parley().contacts.create(phone="+4520304050", fax="1")  # type: ignore[call-arg]
    assert server.asked == []


def test_a_method_gives_text_nothing_or_a_model(scripted: Scripted) -> None:
    server = scripted(Reply(b"name,phone"), Reply(None, 204), Reply(None, 204), Reply({"id": "imp_1"}, 202))
    client = server.parley()
    assert client.contacts.export() == "name,phone"
    client.contacts.delete("con_1")
    assert client.calls.get_active() is None
    assert client.contacts.imports.create("phone\n+4520304050").id == "imp_1"
    assert (server.asked[3].body, server.asked[3].headers["content-type"]) == (b"phone\n+4520304050", "text/csv")


def test_a_model_passes_on_what_a_newer_service_has(scripted: Scripted) -> None:
    newer = {"id": "cal_1", "from": "+4520304050", "state": "parked", "mood": {"of": "the caller"}, "duration": "7 s"}
    server = scripted(Reply({"calls": [newer], "next_cursor": None}))
    page = server.parley().calls.list(direction="sideways")
    call = page.data[0]
    assert isinstance(call, models.Call)
    seen: tuple[Any, ...] = (call.from_, call.state, call.duration, call.summary)
    assert seen == ("+4520304050", "parked", "7 s", None)
    assert call.mood == {"of": "the caller"}  # type: ignore[attr-defined]
    assert call.model_dump(exclude_unset=True) == newer
    assert routes(server) == ["GET /calls?direction=sideways"]


def test_a_model_of_a_union_is_that_of_its_constants(scripted: Scripted) -> None:
    flow = scripted(Reply({"id": "num_1", "incoming_call_config": {"type": "VoicemailConfig", "greeting": "Hello"}}))
    config = flow.parley().business_numbers.get("num_1").incoming_call_config
    assert isinstance(config, models.CallFlowConfigVoicemailConfig)
    assert config.greeting == "Hello"
    newer = scripted(Reply({"id": "num_1", "incoming_call_config": {"type": "FaxConfig", "pages": 2}}))
    unknown: Any = newer.parley().business_numbers.get("num_1").incoming_call_config
    assert (unknown.type, unknown.pages) == ("FaxConfig", 2)


def test_a_model_keeps_hostile_fields_out_of_its_construction(scripted: Scripted) -> None:
    hostile = {
        "id": {"deep": []},
        "_fields_set": [],
        "cls": 1,
        "self": 2,
        "model_dump": 3,
        "__class__": 4,
        "__dict__": 5,
    }
    company = scripted(Reply(hostile)).parley().company.get()
    assert isinstance(company, models.Company)
    assert company.model_dump()["id"] == {"deep": []}


def test_a_model_hides_secrets_in_its_repr(scripted: Scripted) -> None:
    server = scripted(Reply({"id": "whk_1", "secret": "whsec_not_to_be_seen"}, 201))
    webhook = server.parley().webhooks.create(name="x", url="https://app.example", events=["fax.received"])
    assert webhook.secret == "whsec_not_to_be_seen"
    assert "not_to_be_seen" not in repr(webhook) + str(webhook)


def test_a_list_reads_its_pages_when_the_loop_gets_there(scripted: Scripted) -> None:
    pages = [
        Reply({"calls": [{"id": "1"}, {"id": "2"}], "next_cursor": "b", "waiting": 3}),
        Reply({"calls": [{"id": "3"}], "next_cursor": None}),
    ]
    server = scripted(*pages)
    page = server.parley().calls.list(limit=2)
    assert ([call.id for call in page.data], page.next_cursor, page.body["waiting"]) == (["1", "2"], "b", 3)
    assert len(server.asked) == 1
    assert [call.id for call in page] == ["1", "2", "3"]
    assert routes(server) == ["GET /calls?limit=2", "GET /calls?limit=2&cursor=b"]
    following = page.next_page()
    assert following is not None
    assert following.next_page() is None


def test_a_list_of_contacts_follows_its_links(scripted: Scripted) -> None:
    link = {"Link": '<https://elsewhere.example/api/v1/contacts?limit=100&cursor=c%202>; rel="next"'}
    server = scripted(Reply([{"id": "1"}], headers=link), Reply([{"id": "2"}]))
    assert [contact.id for contact in server.parley().contacts.list(query="ane")] == ["1", "2"]
    assert routes(server) == ["GET /contacts?limit=100&query=ane", "GET /contacts?limit=100&query=ane&cursor=c+2"]


def test_a_list_that_never_ends_or_is_none_is_an_error(scripted: Scripted) -> None:
    endless = scripted(Reply({"calls": [], "next_cursor": "same"}))
    with pytest.raises(parley.ServerError, match="does not end"):
        list(endless.parley().calls.list())
    bodies: list[Any] = [{"calls": {}}, {}, {"calls": [7]}]
    for body in bodies:
        with pytest.raises(parley.ServerError):
            scripted(Reply(body)).parley().calls.list()


def test_a_list_of_an_asynchronous_client_is_awaited_or_looped_over(scripted: Scripted) -> None:
    first = Reply({"calls": [{"id": "1"}], "next_cursor": "b"})
    server = scripted(first, Reply({"calls": [{"id": "2"}], "next_cursor": None}), first, first)

    async def run() -> tuple[list[Any], list[Any]]:
        async with AsyncParley(api_key="pk_1", base_url=server.url) as client:
            looped = [call.id async for call in client.calls.list()]
            page = await client.calls.list()
            return looped, [call.id for call in page.data]

    assert asyncio.run(run()) == (["1", "2"], ["1"])


def test_a_client_takes_what_is_missing_from_the_environment(
    scripted: Scripted, monkeypatch: pytest.MonkeyPatch
) -> None:
    server = scripted(Reply({}))
    with pytest.raises(ValueError, match="base_url is missing"):
        parley.Parley(api_key="pk_1")
    monkeypatch.setenv("PARLEY_BASE_URL", f"{server.url}//")
    with pytest.raises(ValueError, match="api_key is missing"):
        parley.Parley()
    monkeypatch.setenv("PARLEY_API_KEY", "pk_env")
    with parley.Parley(user_agent="calendar/2") as client:
        client.company.get()
    headers = server.asked[0].headers
    assert (headers["x-api-key"], server.asked[0].path) == ("pk_env", "/api/v1/company")
    assert headers["user-agent"] == f"calendar/2 parley-sdk-python/{parley.__version__}"


@pytest.mark.parametrize(
    "url", ["phone.example", "ftp://phone.example", "https://ane:secret@phone.example", "http://[x"]
)
def test_a_client_cannot_have_a_wrong_address_which_is_not_repeated(url: str) -> None:
    with pytest.raises(ValueError, match="^base_url must be") as wrong:
        parley.Parley(api_key="pk_1", base_url=url)
    assert "secret" not in str(wrong.value)


def test_a_client_sends_any_request_and_gives_the_whole_response(scripted: Scripted) -> None:
    server = scripted(Reply({"id": 1}, 201, {"Idempotent-Replayed": "true"}), Reply(None, 204))
    client = server.parley()
    created = client.request("post", "/things", query={"a": 1}, body={"b": 2}, idempotency_key="k")
    assert (created.status, created.body, created.headers["idempotent-replayed"]) == (201, {"id": 1}, "true")
    assert (routes(server), server.asked[0].headers["idempotency-key"]) == (["POST /things?a=1"], "k")
    assert client.request("DELETE", "/things/1").body is None
    with pytest.raises(ValueError, match="slash"):
        client.request("GET", "things")
