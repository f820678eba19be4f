"""The page that recognises digits, in headless Chromium."""

from __future__ import annotations

import html
import json
import os
import re
import subprocess

import numpy as np
import pytest

from tests.support.browser import CHROMIUM
from tests.support.extras import needs

pytest.importorskip("llvmlite")
ASKS = """
<script type="module">
await window.ready;
const images = IMAGES;
const answers = images.map((image) => window.recognise(Float32Array.from(image)));
document.title = JSON.stringify([answers, document.querySelectorAll("tr.best").length]);
</script>
</body>
"""


@pytest.mark.nightly
@needs("native")
@pytest.mark.skipif(CHROMIUM is None, reason="no Chromium")
def test_page_recognises_digits(tmp_path):
    from examples.browser.digits import page_of, trained

    random = np.random.default_rng(0)
    kinds = random.integers(0, 17, size=(10, 64))  # ten digits of noise, each seen with more of it
    labels = np.arange(200) % 10
    images = np.clip(kinds[labels] + random.normal(size=(200, 64)), 0, 16)
    model = trained(images, labels)
    page = page_of(model)
    assert len(page) < 300_000
    asked = images[:20].astype(np.float32)
    file = tmp_path / "page.html"
    file.write_text(page.replace("</body>", ASKS.replace("IMAGES", json.dumps(asked.tolist()))))
    command = [
        CHROMIUM, "--headless", "--no-sandbox", "--disable-gpu", "--virtual-time-budget=20000",
        f"--user-data-dir={tmp_path / 'profile'}", "--dump-dom", file.as_uri(),
    ]  # fmt: skip
    environment = os.environ | {"DBUS_SESSION_BUS_ADDRESS": "disabled:"}
    done = subprocess.run(command, capture_output=True, timeout=120, env=environment, check=True)
    title = re.search("<title>(.*?)</title>", done.stdout.decode(), re.DOTALL)[1]
    answers, best = json.loads(html.unescape(title))
    wanted = np.argmax(model.predict(asked / 16, verbose=0), axis=1)
    assert answers == wanted.tolist() == labels[:20].tolist()
    assert best == 1
