"""Servers whose responses a test defines, on ports of this machine."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from websockets.sync.server import Server as SocketServer
from websockets.sync.server import ServerConnection, serve

from parley import Parley


@dataclass
class Reply:
    body: Any = None
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    delay: float = 0
    cut_after: int | None = None
    """How many bytes of the body are sent before the connection ends."""
    drip: float = 0
    """Seconds between the bytes of the head."""

    def content(self) -> bytes:
        return (
            self.body if isinstance(self.body, bytes) else b"" if self.body is None else json.dumps(self.body).encode()
        )


@dataclass
class Asked:
    method: str
    path: str
    headers: dict[str, str]
    body: bytes

    def json(self) -> Any:
        return json.loads(self.body)


class ScriptedServer:
    """Gives each reply once, in turn, and the last one again and again."""

    def __init__(self, *replies: Reply) -> None:
        self.replies = list(replies)
        self.asked: list[Asked] = []
        owner = self

        class Handler(BaseHTTPRequestHandler):
            def handle_one_request(self) -> None:
                try:
                    self.raw_requestline = self.rfile.readline(65537)
                    if not self.raw_requestline or not self.parse_request():
                        self.close_connection = True
                        return
                    self.close_connection = True
                    owner._answer(self)
                except OSError:
                    self.close_connection = True

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}"
        threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True).start()

    def _answer(self, handler: BaseHTTPRequestHandler) -> None:
        body = handler.rfile.read(int(handler.headers.get("content-length") or 0))
        headers = {name.lower(): value for name, value in handler.headers.items()}
        self.asked.append(Asked(handler.command, handler.path, headers, body))
        reply = self.replies[min(len(self.asked), len(self.replies)) - 1]
        time.sleep(reply.delay)
        content = reply.content()
        given = {"Content-Type": "application/json", "Content-Length": str(len(content)), **reply.headers}
        head = f"HTTP/1.1 {reply.status} Scripted\r\n" + "".join(f"{n}: {v}\r\n" for n, v in given.items()) + "\r\n"
        for byte in head.encode():
            handler.wfile.write(bytes([byte]))
            if reply.drip:
                time.sleep(reply.drip)
        handler.wfile.write(content if reply.cut_after is None else content[: reply.cut_after])

    def parley(self, **options: Any) -> Parley:
        return Parley(**{"api_key": "pk_scripted", "base_url": self.url, "websockets": False, **options})

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()


@dataclass
class Fault:
    """What happens to a connection: it is refused, its subscription is rejected, or it breaks off after some messages."""

    refuse: bool = False
    reject: bool = False
    cut_after: int | None = None


class EventServer:
    """An event log with its two ways of reading; a cursor is a position. Connections have the faults in turn."""

    def __init__(self, *faults: Fault) -> None:
        self.faults = list(faults)
        self.log: list[dict[str, Any]] = []
        self.subscriptions: list[dict[str, Any]] = []
        self.requests: list[str] = []
        self.failures: list[Reply] = []
        self._added = threading.Condition()
        self._is_closed = False
        self._sockets: SocketServer = serve(
            self._connect, "127.0.0.1", 0, process_request=self._respond, subprotocols=["actioncable-v1-json"]  # type: ignore[list-item]
        )
        self.url = f"http://127.0.0.1:{self._sockets.socket.getsockname()[1]}"
        threading.Thread(target=self._sockets.serve_forever, daemon=True).start()

    def add(self, event: str = "contact.created") -> None:
        with self._added:
            data = {"contact": {"id": "con_1", "name": "Ane"}}
            entry = {
                "id": f"evt_{len(self.log)}",
                "event": event,
                "timestamp": "2026-11-19T10:00:00.000Z",
                "data": data,
            }
            self.log.append(entry)
            self._added.notify_all()

    def _respond(self, connection: ServerConnection, request: Any) -> Any:
        if request.path.startswith("/cable"):
            fault = self.faults[0] if self.faults else Fault()
            if fault.refuse:
                self.faults.pop(0)
                return connection.respond(503, "no")
            return None
        self.requests.append(request.path)
        if self.failures:
            failure = self.failures.pop(0)
            response = connection.respond(failure.status, failure.content().decode())
            del response.headers["Content-Type"]
            response.headers["Content-Type"] = "application/json"
            return response
        after = next((p.split("=")[1] for p in request.path.split("?")[1].split("&") if p.startswith("after=")), None)
        start = len(self.log) if after is None else int(after)
        page = self.log[start : start + 1]
        body = {"events": page, "next_cursor": str(start + len(page)), "has_more": start + len(page) < len(self.log)}
        response = connection.respond(200, json.dumps(body))
        del response.headers["Content-Type"]
        response.headers["Content-Type"] = "application/json"
        return response

    def _connect(self, socket: ServerConnection) -> None:
        fault = self.faults.pop(0) if self.faults else Fault()
        socket.send(json.dumps({"type": "welcome"}))
        command = json.loads(socket.recv())
        wanted = json.loads(command["identifier"])
        self.subscriptions.append(wanted)
        if fault.reject:
            socket.send(json.dumps({"type": "reject_subscription"}))
            return
        socket.send(json.dumps({"type": "confirm_subscription", "identifier": command["identifier"]}))
        position = int(wanted.get("after", len(self.log)))
        sent = 0
        caught_up = False
        while not self._is_closed:
            while position < len(self.log):
                event = self.log[position]
                position += 1
                if event["event"] not in wanted.get("types", [event["event"]]):
                    continue
                if sent == fault.cut_after:
                    return
                sent += 1
                self._offer(socket, command, {"type": "event", "cursor": str(position), "event": event})
            if not caught_up:
                caught_up = True
                self._offer(socket, command, {"type": "caught_up", "cursor": str(position)})
            with self._added:
                self._added.wait_for(lambda: position < len(self.log) or self._is_closed, 0.05)

    def _offer(self, socket: ServerConnection, command: dict[str, Any], message: dict[str, Any]) -> None:
        socket.send(json.dumps({"identifier": command["identifier"], "message": message}))

    def close(self) -> None:
        self._is_closed = True
        self._sockets.shutdown()


def until(condition: Callable[[], bool], seconds: float = 10) -> None:
    ends_at = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < ends_at, "the condition was not met in time"
        time.sleep(0.01)
