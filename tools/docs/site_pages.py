# SPDX-License-Identifier: BSD-3-Clause
"""Which pages the site has, and its sidebar."""
import pathlib
import re
import shutil

TREE = pathlib.Path(__file__).resolve().parent.parent.parent
LINK = re.compile(r"\]\(([^()\s#]+)(?:#[^()\s]*)?\)")
CODE_IN_ROW = re.compile(r"(?<=[^`])`[^`\n]+`(?=[^`])")
FENCE = re.compile(r"^( *```[\w+-]+)[ \t][^`\n]*$", re.MULTILINE)
BLOCKS, PYTHON = "reference/blocks", "reference/python.md"
KINDS = [re.compile(kind) for kind in (r"examples/", r"((engine|tools)/\w+|python)/README\.md$", r"docs/decisions/")]  # what has a section


def without_quotes(text):
    return re.sub(r"^ *```.*?^ *```", "", text, flags=re.MULTILINE | re.DOTALL)


def shown(text):
    """A page as mkdocs reads it: the words behind a quote's language (```xml file=loop.xml) are for tests, and mkdocs takes such a
    line for text. In code of a table it shows the backslash before a bar, which others need."""
    lines = (CODE_IN_ROW.sub(lambda code: code[0].replace("\\|", "|"), line) if line.startswith("|") else line for line in text.split("\n"))
    return FENCE.sub(r"\1", "\n".join(lines))


def title(page):
    found = re.search(r"^# +(.+)$", without_quotes(page.read_text()), re.MULTILINE)
    return found[1].replace("`", "") if found else page.stem  # the sidebar shows no code


def copied(pages):
    """Copies README.md and all that its links lead to, and gives the pages among that."""
    queue, seen = ["README.md", "docs/README.md"], set()
    while queue:
        name = queue.pop()
        source = TREE / name
        if name in seen or not source.is_file():
            continue
        seen.add(name)
        (pages / name).parent.mkdir(parents=True, exist_ok=True)
        if name.endswith(".md"):
            (pages / name).write_text(shown(source.read_text()))
            queue += linked(name, source.read_text())
        else:
            shutil.copyfile(source, pages / name)
    return {name for name in seen if name.endswith(".md")}


def linked(page, text):
    """The files of the tree that a page links to; a folder means its README.md."""
    for target in LINK.findall(without_quotes(text)):
        file = ((TREE / page).parent / target).resolve()
        if not re.match(r"[a-z]+:", target) and file.is_relative_to(TREE):
            yield str((file / "README.md" if file.is_dir() else file).relative_to(TREE))


def sidebar(pages):
    """The sections of docs/README.md with the pages that each links to, and their subsections; then lessons, modules, decisions,
    and all that is left."""
    index, sections, placed = (TREE / "docs/README.md").read_text(), [], {"README.md", "docs/README.md"}

    def entries(part):
        for name in linked("docs/README.md", part):
            if name in pages and name not in placed:
                placed.add(name)
                yield {title(TREE / name): name}

    for part in re.split(r"^## ", index, flags=re.MULTILINE)[1:]:
        first, *others = re.split(r"^### ", part, flags=re.MULTILINE)
        sections.append({first.splitlines()[0]: [*entries(first), *({each.splitlines()[0]: [*entries(each)]} for each in others)]})
    kinds = [set() for _ in KINDS] + [set()]
    for name in pages - placed:
        kinds[next((at for at, kind in enumerate(KINDS) if kind.match(name)), -1)].add(name)
    return sections, *([{title(TREE / name): name} for name in sorted(kind)] for kind in kinds)


def navigation(pages, libraries, headers):
    sections, lessons, modules, decisions, rest = sidebar(pages)
    reference = [{"Blocks": [{"All blocks" if name == "README" else name: f"{BLOCKS}/{name}.md"} for name in libraries]}, {"Python": PYTHON},
                 *({heading: f"reference/{name}.md"} for heading, name in headers)]
    results = [section for section in sections if "Results" in section]
    return [{"hilda": "README.md"}, {"All pages": "docs/README.md"}, *(section for section in sections if section not in results),
            {"Lessons": lessons}, {"Reference": reference}, {"Modules": modules}, {"Decisions": decisions}, *results, {"Project": rest}]
