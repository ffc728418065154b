"""A real browser on a real server: headless Chromium, driven by Playwright, before ``curate open`` on a free port."""

from __future__ import annotations

import os
import shutil
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from curator.cli.loopback import listening
from curator.cli.web.served import named
from curator.cli.web.server import WebServer

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

CHROMIUM = next(
    (found for name in ("chromium", "chromium-browser", "google-chrome") if (found := shutil.which(name))), ""
)
TOKEN = "a-token-of-the-tests"
_FLAGS = ("--no-sandbox", "--enable-unsafe-swiftshader", "--disable-dev-shm-usage")


@contextmanager
def served(roots: Sequence[Path], *, writes: bool = False) -> Iterator[str]:
    """The address of a server over the wikis at ``roots``, without a slash at its end."""
    listener = listening(0)
    port = listener.getsockname()[1]
    server = WebServer(named(roots, dict(os.environ), {}, writes=writes), TOKEN, port)
    running = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
    running.start()
    try:
        yield f"http://127.0.0.1:{port}"
    finally:
        server.should_exit = True
        running.join()


@contextmanager
def chromium() -> Iterator[Browser]:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=list(_FLAGS))
        try:
            yield browser
        finally:
            browser.close()


@contextmanager
def opened(browser: Browser, address: str, **options: object) -> Iterator[Page]:
    """A tab that was let in; what went wrong in it fails the test, and it reaches nothing but ``address``."""
    context = browser.new_context(**options)  # type: ignore[arg-type]
    faults: list[str] = []
    page = context.new_page()
    page.set_default_timeout(60_000)
    page.on("pageerror", lambda error: faults.append(f"{error}"))
    page.on("console", lambda said: faults.append(said.text) if said.type == "error" else None)
    page.on(
        "request",
        lambda asked: faults.append(asked.url) if not asked.url.startswith((address, "data:", "blob:")) else None,
    )
    page.goto(f"{address}/?token={TOKEN}")
    yield page
    context.close()
    assert not faults
