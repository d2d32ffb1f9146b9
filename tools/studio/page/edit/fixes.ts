// SPDX-License-Identifier: BSD-3-Clause
// Edits that do what the help of a diagnostic names: another word, or a block in a wire.
import type { Diagnostic } from "../run/protocol";
import type { EditElement, EditView, EditWire, Operation } from "./protocol";

/** What can be done by one click; null: the help names nothing of the kind. */
export type Fix = { label: string; word: string } | { label: string; delay: { from: string; to: string } };

export function fixOf({ help = "" }: Diagnostic): Fix | null {
  const word = /did you mean (?:the parameter )?'([^']+)'\?/.exec(help)?.[1];
  if (word !== undefined) return { label: `Write '${word}'`, word };
  const delay = /discrete\/UnitDelay .*between '?([\w.[\]]+?)'? and '?([\w.[\]]+?)'?[.;,]?(?:\s|$)/.exec(help);
  return delay ? { label: "Insert a UnitDelay", delay: { from: delay[1], to: delay[2] } } : null;
}

const quoted = (text: string): string[] => [...text.matchAll(/'([^']+)'/g)].map((each) => each[1]);
/** As an edit calls an element of the view. */
const ownerOf = (view: EditView, { kind, name, mode }: EditElement): string =>
  (kind === "block" || kind === "subsystem" ? "" : `${kind}:`) + view.local + name + (mode ? `@${mode}` : "");

function inElement(view: EditView, found: EditElement, wrong: string, word: string): Operation[][] {
  const owner = ownerOf(view, found), set = (key: string, value: string): Operation => ["set", `${owner}.${key}=${value}`];
  const all = Object.entries(found.attributes);
  return [...all.filter(([key]) => key === wrong).map(([key, value]) => [["unset", `${owner}.${key}`], set(word, value)]),
          ...all.filter(([, value]) => value.includes(wrong)).map(([key, value]) => [set(key, value.replace(wrong, word))]),
          ...(found.type === wrong ? [[set("type", word)]] : [])];
}

function inWire(view: EditView, wire: EditWire, wrong: string, word: string): Operation[][] {
  const mode = wire.mode ? [`mode=${wire.mode}`] : [], cut: Operation = ["disconnect", view.local + wire.from, view.local + wire.to, ...mode];
  const joined = (from: string, to: string): Operation => ["connect", view.local + from, view.local + to, ...mode];
  return [...(wire.from.includes(wrong) ? [[cut, joined(wire.from.replace(wrong, word), wire.to)]] : []), ...(wire.to.includes(wrong) ? [[cut, joined(wire.from, wire.to.replace(wrong, word))]] : [])];
}

/** Edits that may be the intended one: the caller tries them, and takes one that fixes the diagnostic. */
export function rewordings(view: EditView, { what, line = 0 }: Diagnostic, word: string): Operation[][] {
  const wrong = quoted(what).filter((each) => each !== word), found = view.elements.filter((each) => each.line <= line && line <= each.last), wires = view.wires.filter((each) => each.line === line);
  return wrong.flatMap((each) => [...found.flatMap((one) => inElement(view, one, each, word)), ...wires.flatMap((wire) => inWire(view, wire, each, word))]);
}

/** The wire of the view between two ends, which are named by their paths in the whole diagram. */
export function wireBetween(view: EditView, from: string, to: string): EditWire | undefined {
  const prefix = view.inside ? view.inside + "." : "", is = (end: string, path: string) => prefix + end === path || (prefix + end).startsWith(path + ".") || path.startsWith(prefix + end.split(/[.[]/)[0] + ".");
  return view.wires.find((each) => is(each.from, from) && is(each.to, to));
}

/** The attribute that a diagnostic is about: by its name, or else by its value. */
export function attributeOf({ attributes }: EditElement, { what }: Diagnostic, known: string[]): string | null {
  const words = quoted(what), names = [...new Set([...Object.keys(attributes), ...known])];
  return names.find((each) => words.includes(each)) ?? names.find((each) => attributes[each] !== undefined && words.includes(attributes[each])) ??
    names.find((each) => new RegExp(`(^|[^\\w.])([\\w]+\\.)*${each.replace(/[^\w]/g, "\\$&")}([^\\w.]|$)`).test(what)) ?? null;
}
