from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from support import EventServer, Fault, Reply, ScriptedServer


@pytest.fixture(autouse=True)
def _no_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("PARLEY_API_KEY", "PARLEY_BASE_URL"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def no_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("parley._transport.retry.FIRST_DELAY_SECS", 0.001)


@pytest.fixture
def scripted() -> Iterator[Callable[..., ScriptedServer]]:
    servers: list[ScriptedServer] = []

    def start(*replies: Reply) -> ScriptedServer:
        servers.append(ScriptedServer(*replies))
        return servers[-1]

    yield start
    for server in servers:
        server.close()


@pytest.fixture
def event_server() -> Iterator[Callable[..., EventServer]]:
    servers: list[EventServer] = []

    def start(*faults: Fault) -> EventServer:
        servers.append(EventServer(*faults))
        return servers[-1]

    yield start
    for server in servers:
        server.close()
