"""Explanations in a browser, where one is installed: nothing is cut off, on a phone or a desk."""

from __future__ import annotations

import html
import json
import shutil
import subprocess
from pathlib import Path

import pytest
from explanations import LONG, SEVERAL, SINGLE, UNCOMMON, WORDS

BROWSER = next(
    filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None
)

PAGES = {"single": SINGLE, "several": SEVERAL, "uncommon": UNCOMMON, "long": LONG, "words": WORDS}

#: Looks at each frame of the page, and tells what is wider than its place.
SCRIPT = """
addEventListener("load", () => {
  const found = [];
  for (const frame of document.querySelectorAll("iframe")) {
    const page = frame.contentDocument, wide = page.documentElement.clientWidth;
    const tell = (what, element) =>
      found.push([frame.title, what, element.textContent.slice(0, 60)]);
    for (const e of page.body.querySelectorAll("*")) {
      // The words in a header are cut where they are long, and whole in its title.
      if (e.matches(".heat bdi")) continue;
      const box = e.getBoundingClientRect();
      const scroll = e.closest(".scroll");
      if (scroll) {
        if (scroll.scrollWidth < e.clientWidth) tell("beyond its scroll box", e);
        if (e !== scroll) continue;
        if (box.right > wide + 1) tell("beyond the page", e);
        continue;
      }
      if (box.right > wide + 1) tell("beyond the page", e);
      const inline = frame.contentWindow.getComputedStyle(e).display === "inline";
      if (!inline && e.clientWidth && e.scrollWidth > e.clientWidth + 1) tell("cut off", e);
    }
    for (const group of page.querySelectorAll("svg g")) {
      const box = group.querySelector(":scope > rect");
      if (!box) continue;
      const outer = box.getBoundingClientRect();
      for (const text of group.querySelectorAll(":scope > text")) {
        const inner = text.getBoundingClientRect();
        if (inner.left < outer.left || inner.right > outer.right) tell("out of its box", text);
        const size = parseFloat(getComputedStyle(text).fontSize) * text.getScreenCTM().a;
        if (size < 9) tell("too small", text);
      }
    }
  }
  document.body.textContent = "FOUND" + JSON.stringify(found) + "END";
});
"""


@pytest.mark.skipif(BROWSER is None, reason="no Chromium is installed")
def test_nothing_is_cut_off(tmp_path: Path) -> None:
    frames = "".join(
        f'<iframe title="{name} at {width}" width="{width}" height="800" '
        f'style="border:0" srcdoc="{html.escape(explanation.to_html())}"></iframe>'
        for name, explanation in PAGES.items()
        for width in (390, 700, 1280)
    )
    file = tmp_path / "pages.html"
    file.write_text(
        f'<!DOCTYPE html><meta charset="utf-8">{frames}<script>{SCRIPT}</script>', encoding="utf-8"
    )
    assert BROWSER is not None
    options = ["--headless", "--no-sandbox", "--disable-gpu", "--dump-dom"]
    own = f"--user-data-dir={tmp_path / 'profile'}"
    done = subprocess.run(
        [BROWSER, *options, own, file.as_uri()], capture_output=True, timeout=120, check=False
    )
    shown = done.stdout.decode("utf-8", "replace")
    if done.returncode or "FOUND[" not in shown:
        pytest.skip("the browser does not start here")
    found = json.loads(html.unescape(shown.partition("FOUND")[2].partition("END")[0]))
    assert found == []
