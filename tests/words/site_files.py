#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Every file that a page of the built site names is there, and no page loads anything from elsewhere: tests/words/site_files.py SITE.

Without a built site the exit code is 77.
"""
import pathlib
import sys
import urllib.parse
from html.parser import HTMLParser

LOADED = {"script", "link", "img", "iframe", "source", "video"}


class Names(HTMLParser):
    """The tags of a page with what they name; text such as `src="plant.xml"` in a quote is none."""

    def __init__(self, text):
        super().__init__()
        self.found = []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        self.found += [(tag, value) for name, value in attributes if name in {"src", "href", "action"} and value]

    handle_startendtag = handle_starttag


def fault(site, page, tag, name):
    """The fault of a name on a page; None if nothing is."""
    parts = urllib.parse.urlsplit(name)
    if parts.scheme or parts.netloc:
        return "is not of the site" if tag in LOADED and parts.scheme != "data" else None
    if not parts.path:
        return None
    path = urllib.parse.unquote(parts.path)
    file = site / path.lstrip("/") if path.startswith("/") else page.parent / path  # 404.html is shown for any address
    return None if file.is_file() else "is not there"


def main(site):
    if not (site / "index.html").is_file():
        print(f"no site in {site}: skipped")
        return 77
    faults, seen = {}, 0
    for page in sorted(site.rglob("*.html")):
        for tag, name in Names(page.read_text()).found:
            seen += 1
            if wrong := fault(site, page, tag, name):
                faults.setdefault(f"{name} of <{tag}> {wrong}", []).append(str(page.relative_to(site)))
    for what, pages in faults.items():
        print(f"{what}: {pages[0]}" + (f" and {len(pages) - 1} more" if len(pages) > 1 else ""))
    if seen < 1000:
        print(f"{seen} names: this is not the site")
    return int(bool(faults) or seen < 1000)


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1]).resolve()))
