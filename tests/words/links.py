# SPDX-License-Identifier: BSD-3-Clause
"""Pages are connected: no dead link, no page that no other leads to, and docs begin with what they are for. The pages about the inside
name files and folders that are there.

    tests/words/links.py TREE        the faults, one a line; exit code 1 if there is one
"""
import pathlib
import re
import sys

from pages import inner_pages, pages
from phrases import prose

INDEX = "docs/README.md"
OPENING = "After reading this page you can "
WITHOUT_OPENING = (INDEX,)  # it says for each page what it is for
LISTS = ("docs/results/history/", "docs/decisions/")  # their README.md list their pages
MAP = "docs/architecture.md"
NAMED = re.compile(r"`((?:[\w.-]+/)+[\w.-]*)`")  # `engine/run/plan.h`, `detail/solve`; not `blocks/NAME`
LINK = re.compile(r"!?\[(?:[^\[\]]|\[[^\]]*\])*\]\(([^()\s]+)\)")


def all_pages(tree):
    results = [str(page.relative_to(tree)) for page in sorted((tree / "docs/results").rglob("*.md"))]
    return pages(tree) + inner_pages(tree) + results


def links(text):
    """(line number, target) of each link of a page."""
    text = re.sub(r"`[^`\n]*`", "", prose(text))
    for match in LINK.finditer(text):
        yield text.count("\n", 0, match.start()) + 1, match.group(1)


def anchors(text):
    """Names of a page's headings: as repository hosts form them, and as the site does."""
    host, site = set(), set()
    for heading in re.findall(r"^#+ +(.*)$", prose(text), re.MULTILINE):
        words = re.sub(r"[^\w\s-]", "", re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).lower()).strip()
        host.add(words.replace(" ", "-"))
        site.add(re.sub(r"[-\s]+", "-", words))
    return host, site


def link_faults(tree):
    faults, found = [], {page: set() for page in all_pages(tree)}
    texts = {page: (tree / page).read_text() for page in found}
    for page, text in texts.items():
        for number, target in links(text):
            if re.match(r"[a-z]+:", target):
                continue
            path, _, anchor = target.partition("#")
            file = (tree / page).parent / path if path else tree / page
            if not file.exists():
                faults.append(f"{page}:{number}: {target} is not in the tree")
                continue
            name = str(file.resolve().relative_to(tree.resolve()))
            found[page].add(f"{name}/README.md" if file.is_dir() else name)
            if anchor and name in texts:
                host, site = anchors(texts[name])
                if anchor not in host:
                    faults.append(f"{page}:{number}: {name} has no heading '{anchor}'; it has: {', '.join(sorted(host))}")
                elif anchor not in site:
                    faults.append(f"{page}:{number}: the site calls the heading '{anchor}' otherwise; give it simpler words")
    return faults + orphans(found)


def orphans(found):
    """Pages that no sequence of links reaches from the index, and pages of docs that the index itself does not list."""
    reached, queue = {INDEX}, [INDEX]
    while queue:
        for page in found.get(queue.pop(), ()):
            if page in found and page not in reached:
                reached.add(page)
                queue.append(page)
    lost = [f"{page}: no link leads there from {INDEX}" for page in found if page not in reached]
    unlisted = [f"{INDEX}: does not list {page}" for page in found if page in reached and page.startswith("docs/") and page != INDEX
                and page not in found[INDEX] and not any(page.startswith(folder) and page in found.get(f"{folder}README.md", ()) for folder in LISTS)]
    return lost + unlisted


def path_faults(tree):
    """Files and folders that the map, the decisions and the READMEs of modules name, by the tree or by the module, and that are not there."""
    faults = []
    for page in [MAP, *inner_pages(tree)]:
        text = (tree / page).read_text() if (tree / page).exists() else ""
        module = (tree / page).parent
        for match in NAMED.finditer(text):
            name = match[1].rstrip("/")
            first, last = name.split("/")[0], name.split("/")[-1]
            places = [place for place in (tree, module) if (place / first).is_dir()]
            if places and not last.isupper() and not any((place / name).exists() or any((place / name).parent.glob(f"{last}.*")) for place in places):
                faults.append(f"{page}:{text.count(chr(10), 0, match.start()) + 1}: {match[1]} is not in the tree")
    return faults


def opening_faults(tree):
    """Pages of docs whose first sentence does not say what the reader can do afterwards."""
    faults = []
    for page in pages(tree):
        if not page.startswith("docs/") or page in WITHOUT_OPENING:
            continue
        paragraphs = [part for part in (tree / page).read_text().split("\n\n") if not part.startswith(("#", "<!--"))]
        if not paragraphs or not paragraphs[0].startswith(OPENING):
            faults.append(f"{page}: begin the page with '{OPENING}...'")
    return faults


if __name__ == "__main__":
    TREE = pathlib.Path(sys.argv[1])
    FOUND = link_faults(TREE) + path_faults(TREE) + opening_faults(TREE)
    print("\n".join(FOUND))
    sys.exit(1 if FOUND else 0)
