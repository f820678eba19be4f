"""Headless Chromium, for tests of pages: what a page finds out is read from its title."""

from __future__ import annotations

import html
import json
import os
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

NAMES = ("chromium", "chromium-browser", "google-chrome", "chrome")
CHROMIUM = next((found for found in map(shutil.which, NAMES) if found), None)


def ask(page: str, folder: Path, question: str, dark: bool = False) -> Any:
    """What a JavaScript expression is on a page, once its scripts have run: anything JSON holds."""
    answer = (
        "<script>document.title = JSON.stringify((() => { try { return "
        f"{question.strip()}; }} catch (error) {{ return String(error.stack); }} }})())</script>"
    )
    file = folder / "page.html"
    file.write_text(page.replace("</body>", f"{answer}</body>"), encoding="utf-8")
    assert CHROMIUM is not None
    command = [
        CHROMIUM, "--headless", "--no-sandbox", "--disable-gpu", "--window-size=1200,900",
        f"--blink-settings=preferredColorScheme={0 if dark else 1}",
        f"--user-data-dir={folder / 'profile'}", "--dump-dom", file.as_uri(),
    ]  # fmt: skip
    environment = os.environ | {"DBUS_SESSION_BUS_ADDRESS": "disabled:"}
    done = subprocess.run(command, capture_output=True, timeout=120, env=environment, check=True)
    title = re.search("<title>(.*?)</title>", done.stdout.decode(), re.DOTALL)
    assert title is not None
    return json.loads(html.unescape(title[1]))
