"""Pages in a headless Chromium, where one is installed: what is cut off, what axe-core objects to.

Each page is opened in a frame of the width that is asked for: a window of Chromium is not as narrow
as a phone.
"""

from __future__ import annotations

import html
import json
import shutil
import subprocess
from collections.abc import Iterable, Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

__all__ = ["cut_off", "violations"]

BROWSER = next(
    filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None
)

#: Looks at each frame of the page, and tells what is wider than its place, too small or hidden.
_LOOK = """
addEventListener("load", () => {
  const found = [];
  for (const frame of document.querySelectorAll("iframe")) {
    const page = frame.contentDocument, wide = page.documentElement.clientWidth;
    const tell = (what, element) =>
      found.push([frame.title, what, element.textContent.slice(0, 60)]);
    for (const details of page.querySelectorAll("details")) details.open = true;
    for (const e of page.body.querySelectorAll("*")) {
      // The words in a header are cut where they are long, and whole in its title.
      if (e.matches(".heat bdi, svg *")) continue;
      const box = e.getBoundingClientRect();
      const scroll = e.closest(".scroll, .wide");
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
    const sized = (text, least) => {
      const m = text.getScreenCTM();
      const size = parseFloat(getComputedStyle(text).fontSize) * Math.hypot(m.a, m.b);
      if (size < least) tell("too small", text);
    };
    for (const group of page.querySelectorAll("svg g")) {
      const box = group.querySelector(":scope > rect");
      if (!box) continue;
      const outer = box.getBoundingClientRect();
      for (const text of group.querySelectorAll(":scope > text")) {
        const inner = text.getBoundingClientRect();
        if (inner.left < outer.left || inner.right > outer.right) tell("out of its box", text);
        sized(text, 9);
      }
    }
    for (const chart of page.querySelectorAll("svg.chart")) {
      const outer = chart.getBoundingClientRect();
      const texts = [...chart.querySelectorAll("text")].filter(text => text.textContent);
      const boxes = texts.map(text => text.getBoundingClientRect());
      texts.forEach((text, i) => {
        const a = boxes[i];
        if (a.left < outer.left - 1 || a.right > outer.right + 1 || a.top < outer.top - 1 ||
            a.bottom > outer.bottom + 1) tell("out of the plot", text);
        sized(text, 11);
        // What is turned has a box bigger than itself.
        if (/rotate/.test(text.getAttribute("transform"))) return;
        texts.slice(i + 1).forEach((other, j) => {
          const b = boxes[i + 1 + j];
          if (/rotate/.test(other.getAttribute("transform"))) return;
          if (a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 4 &&
              b.top < a.bottom - 4) tell("over " + other.textContent, text);
        });
      });
    }
  }
  document.body.textContent = "FOUND" + JSON.stringify(found) + "END";
});
"""

#: Runs axe-core in each frame, one after the other.
_CHECK = """
addEventListener("load", async () => {
  const found = [];
  for (const frame of document.querySelectorAll("iframe")) {
    const page = frame.contentDocument, script = page.createElement("script");
    for (const details of page.querySelectorAll("details")) details.open = true;
    script.textContent = document.getElementById("axe").textContent;
    page.head.append(script);
    const results = await frame.contentWindow.axe.run(page);
    for (const of of results.violations)
      found.push([frame.title, of.id, ...of.nodes.slice(0, 3).map(node => node.html.slice(0, 90))]);
  }
  document.body.textContent = "FOUND" + JSON.stringify(found) + "END";
});
"""


def cut_off(pages: Mapping[str, str], folder: Path, widths: Iterable[int]) -> list[Any]:
    """Return texts that are cut off: the page, the fault, and the text of each.

    :param pages: documents of HTML by what they are called.
    :param folder: an empty one for what the browser writes.
    :param widths: of the pages, in pixels.
    """
    return _found(pages, folder, widths, f"<script>{_LOOK}</script>")


def violations(pages: Mapping[str, str], folder: Path, widths: Iterable[int]) -> list[Any]:
    """The rules of accessibility that axe-core sees violated, on light pages and on dark ones.

    :param pages: documents of HTML by what they are called.
    :param folder: an empty one for what the browser writes.
    :param widths: of the pages, in pixels.
    """
    spec = find_spec("axe_core_python")
    if spec is None or spec.origin is None:
        pytest.skip("axe-core-python is not installed")
    axe = Path(spec.origin).with_name("axe.min.js").read_text(encoding="utf-8")
    scripts = f'<script type="text/plain" id="axe">{axe}</script><script>{_CHECK}</script>'
    dark = ["--blink-settings=preferredColorScheme=0", "--force-dark-mode"]
    widths = list(widths)
    return [
        *_found(pages, folder, widths, scripts),
        *_found(pages, folder, widths, scripts, dark),
    ]


def _found(
    pages: Mapping[str, str],
    folder: Path,
    widths: Iterable[int],
    scripts: str,
    options: Iterable[str] = (),
) -> list[Any]:
    """Return the output of scripts for all pages in frames of all widths."""
    if BROWSER is None:
        pytest.skip("no Chromium is installed")
    frames = "".join(
        f'<iframe title="{name} at {width}" width="{width}" height="800" '
        f'style="border:0" srcdoc="{html.escape(page)}"></iframe>'
        for name, page in pages.items()
        for width in widths
    )
    file = folder / "pages.html"
    head = '<!DOCTYPE html><html lang="en"><meta charset="utf-8"><title>pages</title>'
    file.write_text(f"{head}{frames}{scripts}", encoding="utf-8")
    command = [BROWSER, "--headless", "--no-sandbox", "--disable-gpu", "--dump-dom", *options]
    command += ["--virtual-time-budget=60000", "--disable-background-networking"]
    command += [f"--user-data-dir={folder / 'profile'}", file.as_uri()]
    done = subprocess.run(command, capture_output=True, timeout=300, check=False)
    shown = done.stdout.decode("utf-8", "replace")
    if done.returncode or "FOUND[" not in shown:
        pytest.skip("the browser does not start here")
    values: list[Any] = json.loads(html.unescape(shown.rpartition("FOUND")[2].rpartition("END")[0]))
    return values
