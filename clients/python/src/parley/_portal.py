from __future__ import annotations

import asyncio
import os
import threading
import weakref
from collections.abc import Callable, Coroutine
from concurrent.futures import Future
from typing import Any, TypeVar

CLOSING_SECS = 2.0

Result = TypeVar("Result")
Work = Callable[[], Coroutine[Any, Any, Result]]


class Portal:
    """
    An event loop in a thread of its own, on which blocking calls run: a time limit of a whole exchange, slow headers included, cannot
    be kept by a socket that blocks. It begins with the first call, and again in a process that was forked; it ends, after `closing`,
    when nothing refers to it.
    """

    def __init__(self, closing: Work[None] | None = None) -> None:
        self._closing = closing
        self._lock = threading.RLock()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._pid = 0

    def start(self, work: Work[Result]) -> Future[Result]:
        return asyncio.run_coroutine_threadsafe(work(), self._running_loop())

    def start_if_running(self, work: Work[None]) -> None:
        """For finalizers, which may run anywhere and late: nobody waits for it."""
        loop = self._loop
        if loop is not None and loop.is_running() and self._pid == os.getpid():
            loop.call_soon_threadsafe(lambda: asyncio.ensure_future(work()))

    def run(self, work: Work[Result]) -> Result:
        future = self.start(work)
        try:
            return future.result()
        except BaseException:
            # Also after Ctrl-C: nobody waits for it any more.
            future.cancel()
            raise

    def _running_loop(self) -> asyncio.AbstractEventLoop:
        with self._lock:
            if self._loop is None or self._loop.is_closed() or self._pid != os.getpid():
                self._loop = asyncio.new_event_loop()
                self._pid = os.getpid()
                thread = threading.Thread(
                    target=_run_loop, args=(self._loop, self._closing), name="parley", daemon=True
                )
                thread.start()
                weakref.finalize(self, _stop_loop, self._loop, thread)
            return self._loop


def _run_loop(loop: asyncio.AbstractEventLoop, closing: Work[None] | None) -> None:
    asyncio.set_event_loop(loop)
    try:
        loop.run_forever()
        loop.run_until_complete(_end(closing))
        loop.run_until_complete(loop.shutdown_asyncgens())
    finally:
        loop.close()


async def _end(closing: Work[None] | None) -> None:
    # What closes a connection may end; nobody waits for anything else.
    if tasks := asyncio.all_tasks() - {asyncio.current_task()}:
        _, remaining = await asyncio.wait(tasks, timeout=CLOSING_SECS)
        for task in remaining:
            task.cancel()
        await asyncio.gather(*remaining, return_exceptions=True)
    if closing is not None:
        await closing()


def _stop_loop(loop: asyncio.AbstractEventLoop, thread: threading.Thread) -> None:
    if thread.is_alive() and not loop.is_closed():
        loop.call_soon_threadsafe(loop.stop)
