from __future__ import annotations

import asyncio
import base64
import hashlib
import threading
from collections.abc import Callable
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

import pytest
from support import Reply, ScriptedServer

import parley
from parley import AsyncParley, OAuth, OAuthClient, OAuthTokens, Parley, PendingAuthorization

Scripted = Callable[..., ScriptedServer]
TOKENS: dict[str, Any] = {"access_token": "at_1", "refresh_token": "rt_1", "expires_in": 7200, "kept": "too"}
RENEWED = {"access_token": "at_2", "refresh_token": "rt_2"}
CALLBACK = "https://app.example/callback"


def form(server: ScriptedServer, index: int = -1) -> dict[str, str]:
    return {name: values[0] for name, values in parse_qs(server.asked[index].body.decode()).items()}


def test_an_app_registers_authorizes_and_redeems_the_code(scripted: Scripted) -> None:
    server = scripted(Reply({"client_id": "cli_1"}, 201), Reply(TOKENS))
    oauth = OAuthClient(base_url=server.url, redirect_uri=CALLBACK)
    assert oauth.register(client_name="Calendar").client_id == oauth.client_id == "cli_1"
    begun = oauth.authorization_url()
    query = {name: values[0] for name, values in parse_qs(urlsplit(begun.url).query).items()}
    challenge = base64.urlsafe_b64encode(hashlib.sha256(begun.code_verifier.encode()).digest()).decode().rstrip("=")
    assert query["code_challenge"] == challenge
    answer = urlencode({"code": "c", "state": begun.state, "iss": server.url})
    tokens = oauth.callback(f"{CALLBACK}?{answer}")
    assert tokens.model_dump(exclude_unset=True) == TOKENS
    assert form(server) == {
        "grant_type": "authorization_code",
        "client_id": "cli_1",
        "redirect_uri": CALLBACK,
        "code": "c",
        "code_verifier": begun.code_verifier,
    }
    with pytest.raises(parley.AuthenticationError):
        oauth.callback(f"{CALLBACK}?{answer}")


def test_an_app_refuses_answers_of_others(scripted: Scripted) -> None:
    server = scripted(Reply(TOKENS))
    oauth = OAuthClient(base_url=server.url, client_id="cli_1", redirect_uri=CALLBACK)

    def code_of(begun: PendingAuthorization | None = None, **query: str) -> str | None:
        with pytest.raises(parley.AuthenticationError) as refused:
            oauth.callback(f"/callback?{urlencode(query)}", begun)
        return refused.value.code

    state = oauth.authorization_url().state
    assert code_of(code="c", state="other", iss=server.url) == "invalid_state"
    assert code_of(code="c", iss=server.url) == "invalid_state"
    assert code_of(code="c", state=state, iss="https://other.example") == "invalid_issuer"
    state = oauth.authorization_url().state
    assert code_of(error="access_denied", state=state, iss=server.url) == "access_denied"
    assert code_of(PendingAuthorization("s", "v"), state="s", iss=server.url) == "invalid_response"
    assert server.asked == []
    kept = PendingAuthorization("s", "v")
    assert oauth.callback(f"/callback?state=s&code=c&iss={server.url}", kept).access_token == "at_1"


def test_tokens_are_refreshed_once_for_all_requests_and_stored_before_they_are_used(scripted: Scripted) -> None:
    renewing = threading.Event()
    stored: list[OAuthTokens] = []

    class Service(ScriptedServer):
        def _answer(self, handler: Any) -> None:
            if handler.path == "/oauth/token":
                self.replies = [Reply(RENEWED)]
                renewing.set()
            elif handler.headers["authorization"] == "Bearer at_2":
                assert stored
                self.replies = [Reply({"id": "com_1"})]
            else:
                self.replies = [Reply({"error": "unauthorized"}, 401)]
            super()._answer(handler)

    server = Service()

    async def store(tokens: OAuthTokens) -> None:
        await asyncio.sleep(0.1)
        stored.append(tokens)

    async def run() -> list[str]:
        oauth = OAuth("cli_1", TOKENS, store)
        async with AsyncParley(base_url=server.url, oauth=oauth) as client:
            return [company.id for company in await asyncio.gather(*(client.company.get() for _ in range(10)))]

    assert asyncio.run(run()) == ["com_1"] * 10
    assert [asked.path for asked in server.asked].count("/oauth/token") == 1
    assert [tokens.refresh_token for tokens in stored] == ["rt_2"]
    assert renewing.is_set()
    server.close()


def test_tokens_that_were_issued_but_not_stored_are_stored_by_the_next_request(scripted: Scripted) -> None:
    refused = Reply({"error": "unauthorized"}, 401)
    server = scripted(refused, Reply(RENEWED), refused, Reply({"id": "com_1"}))
    attempts: list[str] = []
    client: Parley

    def store(tokens: OAuthTokens) -> None:
        attempts.append(tokens.refresh_token)
        if len(attempts) == 1:
            raise OSError("the disk is full")

    client = server.parley(api_key=None, oauth=OAuth("cli_1", OAuthTokens(**TOKENS), store))
    with pytest.raises(OSError, match="disk"):
        client.company.get()
    assert client.company.get().id == "com_1"
    assert attempts == ["rt_2", "rt_2"]
    assert [asked.path for asked in server.asked].count("/oauth/token") == 1


def test_a_blocking_client_can_be_used_while_tokens_are_stored(scripted: Scripted) -> None:
    refused = Reply({"error": "unauthorized"}, 401)
    server = scripted(refused, Reply(RENEWED), Reply({"id": "com_1"}))
    other = scripted(Reply({"id": "com_2"})).parley()
    seen: list[str] = []
    oauth = OAuth("cli_1", TOKENS, lambda tokens: seen.append(other.company.get().id))
    assert server.parley(api_key=None, oauth=oauth).company.get().id == "com_1"
    assert seen == ["com_2"]


def test_a_grant_that_has_ended_is_an_authentication_error_without_tokens(scripted: Scripted) -> None:
    said = {"error": "invalid_grant", "error_description": "rt_1 is spent"}
    server = scripted(Reply({"error": "unauthorized"}, 401), Reply(said, 400))
    client = server.parley(api_key=None, oauth=OAuth("cli_1", TOKENS))
    with pytest.raises(parley.AuthenticationError) as ended:
        client.company.get()
    assert (ended.value.code, str(ended.value)) == ("invalid_grant", "[redacted] is spent")
    tokens = OAuthTokens(**TOKENS)
    assert "at_1" not in repr(tokens)
    assert "rt_1" not in repr(OAuth("cli_1", tokens)) + str(tokens)


def test_tokens_are_refreshed_and_revoked_by_hand(scripted: Scripted) -> None:
    server = scripted(Reply(RENEWED), Reply({}), Reply({"access_token": "at"}))
    oauth = OAuthClient(base_url=server.url, client_id="cli_1")
    assert oauth.refresh("rt_1").refresh_token == "rt_2"
    oauth.revoke("rt_2")
    assert form(server) == {"token": "rt_2", "client_id": "cli_1"}
    with pytest.raises(parley.ServerError):
        oauth.refresh("rt_1")
    with pytest.raises(ValueError, match="redirect_uri"):
        oauth.authorization_url()


def test_a_device_waits_until_the_employee_has_decided(scripted: Scripted, monkeypatch: pytest.MonkeyPatch) -> None:
    begun = {"device_code": "dc", "user_code": "WDJB-MJHT", "verification_uri": "https://x/device", "interval": 0.01}
    pending, slow = Reply({"error": "authorization_pending"}, 400), Reply({"error": "slow_down"}, 400)
    monkeypatch.setattr("parley._oauth.client.SLOW_DOWN_SECS", 0.01)
    server = scripted(Reply(begun), pending, slow, Reply(TOKENS), Reply(begun), Reply({"error": "access_denied"}, 400))
    oauth = OAuthClient(base_url=server.url, client_id="parley-cli")
    device = oauth.device_authorization()
    assert (device.user_code, device.verification_uri, "dc'" in repr(device)) == (
        "WDJB-MJHT",
        "https://x/device",
        False,
    )
    assert device.tokens().access_token == "at_1"
    assert form(server)["device_code"] == "dc"
    with pytest.raises(parley.ParleyError) as denied:
        oauth.device_authorization().tokens()
    assert denied.value.code == "access_denied"


def test_a_device_goes_on_waiting_after_a_lost_connection_and_while_the_service_is_away(scripted: Scripted) -> None:
    begun = {"device_code": "dc", "user_code": "WDJB-MJHT", "verification_uri": "https://x/device", "interval": 0.01}
    lost, away = Reply({}, cut_after=0), Reply({"error": "unavailable"}, 502)
    server = scripted(Reply(begun), lost, away, Reply({"error": "authorization_pending"}, 400), Reply(TOKENS))
    oauth = OAuthClient(base_url=server.url, client_id="parley-cli", max_retries=0)
    assert oauth.device_authorization().tokens().access_token == "at_1"
    assert len(server.asked) == 5
