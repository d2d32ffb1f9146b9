#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Writes man pages and completions for bash, zsh and fish from the help of the program itself.

    tools/help_pages.py --hilda build/bin/hilda --output FOLDER

FOLDER/man1 gets a page for the program and one for each command; FOLDER has hilda (bash), _hilda (zsh), hilda.fish.
"""

import argparse
import gzip
import pathlib
import re
import subprocess
import sys

COLUMN = 30  # where descriptions begin


class Entry:
    """An option, argument or command: its name as the help prints it, and its description."""

    def __init__(self, shown, description):
        self.shown, self.description = shown, description

    def names(self):
        return re.findall(r"(?<![\w-])--?[a-z][\w-]*", self.shown.partition(" Excludes:")[0].partition(" Needs:")[0])

    def takes_value(self):
        return " " in self.shown.partition(" Excludes:")[0].partition(" Needs:")[0]

    def choices(self):
        found = re.search(r":\{([^}]*)\}", self.shown)
        return found[1].split(",") if found else []


class Help:
    def __init__(self, program, words):
        self.words = words
        done = subprocess.run([program, *words, "--help"], capture_output=True, text=True)
        if done.returncode != 0:
            sys.exit(f"help_pages: {program} {' '.join(words)} --help ends with {done.returncode}: {done.stderr}")
        lines = done.stdout.splitlines()
        usage = next(number for number, line in enumerate(lines) if line.startswith("Usage: "))
        self.description = " ".join(lines[:usage])
        self.usage = lines[usage].removeprefix("Usage: ")
        self.sections, self.footer = {}, []
        at = usage + 1
        while at < len(lines):
            if re.fullmatch(r"(Positionals|Options|Subcommands):", lines[at]):
                end = next((n for n in range(at + 1, len(lines)) if not lines[n].startswith("  ")), len(lines))
                self.sections[lines[at][:-1]] = entries(lines[at + 1:end])
                at = end
            elif lines[at] or self.footer:
                self.footer.append(lines[at])
                at += 1
            else:
                at += 1
        self.commands = [Help(program, [*words, each.shown]) for each in self.sections.get("Subcommands", [])]

    def options(self):
        return self.sections.get("Options", [])

    def every(self):
        yield self
        for command in self.commands:
            yield from command.every()


def entries(lines):
    found = []
    for number, line in enumerate(lines):
        below = number + 1 < len(lines) and lines[number + 1].startswith(" " * COLUMN)
        if line.startswith(" " * COLUMN):
            found[-1].description = (found[-1].description + " " + line.strip()).strip()
        elif len(line) > COLUMN and line[COLUMN - 1] == " " and line[COLUMN] != " " and not below:
            found.append(Entry(line[:COLUMN].strip(), line[COLUMN:].strip()))
        else:
            name, _, description = line.strip().partition("  ")
            found.append(Entry(name, description.strip()))
    return found


def roff(text):
    text = text.replace("\\", "\\e").replace("-", "\\-").replace("'", "\\(aq")
    return "\\&" + text if text.startswith(".") else text


def title(command):
    return "-".join(["hilda", *command.words])


def man_page(command, version):
    name = title(command)
    summary = command.description.rstrip(".")
    lines = [f'.TH "{roff(name.upper())}" 1 "" "hilda {version}" "hilda"', ".SH NAME", f"{roff(name)} \\- {roff(summary)}",
             ".SH SYNOPSIS", f".B {roff(command.usage)}"]
    heads = {"Positionals": "ARGUMENTS", "Options": "OPTIONS", "Subcommands": "COMMANDS"}
    for section, head in heads.items():
        if section in command.sections:
            lines.append(f".SH {head}")
            for each in command.sections[section]:
                lines += [".TP", f".B {roff(each.shown)}", roff(each.description)]
    if command.footer:
        lines += [".SH NOTES", ".nf", *(roff(line) for line in command.footer), ".fi"]
    others = ["hilda"] * bool(command.words) + [title(each) for each in command.commands]
    if others:
        lines += [".SH SEE ALSO", *(f".BR {roff(each)} (1)" for each in others)]
    return "\n".join(lines) + "\n"


def bash(root):
    lines = ["# Completion of hilda for bash, written by tools/help_pages.py.",
             "_hilda() {", "  local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]} path=hilda word options commands",
             '  for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do', '    case "$path $word" in']
    for command in root.every():
        if command.words:
            lines.append(f"      '{' '.join(['hilda', *command.words])}') path='{' '.join(['hilda', *command.words])}' ;;")
    lines += ["    esac", "  done", '  case "$path $previous" in']
    for command in root.every():
        for option in command.options():
            if option.choices():
                alternatives = "|".join(f"'{' '.join(['hilda', *command.words, name])}'" for name in option.names())
                words = " ".join(option.choices())
                lines.append(f'    {alternatives}) mapfile -t COMPREPLY < <(compgen -W "{words}" -- "$current"); return ;;')
    lines += ["  esac", '  case "$path" in']
    for command in root.every():
        options = " ".join(name for option in command.options() for name in option.names())
        commands = " ".join(each.words[-1] for each in command.commands)
        lines.append(f"    '{' '.join(['hilda', *command.words])}') options='{options}' commands='{commands}' ;;")
    lines += ["  esac", "  if [[ $current == -* ]]; then",
              '    mapfile -t COMPREPLY < <(compgen -W "$options" -- "$current")', "  else",
              '    mapfile -t COMPREPLY < <(compgen -W "$commands" -- "$current"; compgen -f -- "$current")', "  fi",
              "}", "complete -o filenames -F _hilda hilda", ""]
    return "\n".join(lines)


def quoted(text):
    return "'" + text.replace("'", "'\\''") + "'"


def zsh_option(option):
    text = re.sub(r"([\[\]:\\])", r"\\\1", option.description)
    value = ""
    if option.takes_value() or option.choices():
        value = f":value:({' '.join(option.choices())})" if option.choices() else ":value:_files"
    return [quoted(f"*{name}[{text}]{value}") for name in option.names()]


def zsh_function(command):
    name = "_" + "_".join(["hilda", *command.words]).replace("-", "_")
    options = [each for option in command.options() for each in zsh_option(option)]
    lines = [f"{name}() {{"]
    if command.commands:
        lines += ["  local -a commands", "  commands=("]
        for each in command.commands:
            lines.append("    " + quoted(each.words[-1] + ":" + each.description.replace(":", "\\:")))
        lines += ["  )", "  local state", "  _arguments -C \\", *(f"    {each} \\" for each in options),
                  "    '1: :->first' '*:: :->rest'", '  case "$state" in',
                  "    first) _describe command commands" + (" ;;" if not command.words else "; _files ;;"),
                  '    rest) case "$words[1]" in']
        for each in command.commands:
            lines.append(f"      {each.words[-1]}) {name}_{each.words[-1].replace('-', '_')} ;;")
        lines += ["      *) _files ;;", "    esac ;;", "  esac", "}"]
        return lines
    return lines + ["  _arguments \\", *(f"    {each} \\" for each in options), "    '*:file:_files'", "}"]


def zsh(root):
    lines = ["#compdef hilda", "# Completion of hilda for zsh, written by tools/help_pages.py."]
    for command in reversed(list(root.every())):
        lines += zsh_function(command)
    return "\n".join([*lines, '_hilda "$@"', ""])


def fish(root):
    lines = ["# Completion of hilda for fish, written by tools/help_pages.py."]
    for command in root.every():
        seen = [f"__fish_seen_subcommand_from {word}" for word in command.words]
        inner = " ".join(each.words[-1] for each in command.commands)
        here = seen + ([f"not __fish_seen_subcommand_from {inner}"] if inner else [])
        for each in command.commands:
            lines.append(f"complete -c hilda -n {quoted('; and '.join(here))} -a {each.words[-1]} -d {quoted(each.description)}")
        for option in command.options():
            names = " ".join(f"-l {name[2:]}" if name.startswith("--") else f"-s {name[1:]}" for name in option.names())
            value = f" -x -a {quoted(' '.join(option.choices()))}" if option.choices() else " -r" if option.takes_value() else ""
            where = f" -n {quoted('; and '.join(here))}" if here else ""
            lines.append(f"complete -c hilda{where} {names}{value} -d {quoted(option.description)}")
    return "\n".join([*lines, ""])


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--hilda", required=True)
    options.add_argument("--output", type=pathlib.Path, required=True)
    given = options.parse_args()
    root = Help(given.hilda, [])
    version = subprocess.run([given.hilda, "--version"], capture_output=True, text=True).stdout.split()[1]
    pages = given.output / "man1"
    pages.mkdir(parents=True, exist_ok=True)
    for old in pages.glob("*.1.gz"):
        old.unlink()
    for command in root.every():
        data = gzip.compress(man_page(command, version).encode(), 9, mtime=0)
        (pages / f"{title(command)}.1.gz").write_bytes(data)
    for name, text in (("hilda", bash(root)), ("_hilda", zsh(root)), ("hilda.fish", fish(root))):
        (given.output / name).write_text(text)


if __name__ == "__main__":
    main()
