// SPDX-License-Identifier: BSD-3-Clause
// Edits that do what the help of a diagnostic names: another word, or a block in a wire.
import type { Diagnostic } from "../run/protocol";
import type { EditElement, EditView, EditWire, Operation } from "./protocol";

/** What can be done by one click; null: the help names nothing of the kind. */
export type Fix = { label: string; word: string } | { label: string; through: Through } | { label: string; input: string };
/** A block in the wire between two ends. */
export interface Through { type: string; from: string; to: string; words: string[] }

export function fixOf(each: Diagnostic): Fix | null { return wordOf(each) ?? throughOf(each) ?? inputOf(each); }

function wordOf({ code, what, help = "" }: Diagnostic): Fix | null {
  const word = /did you mean (?:the parameter )?'([^']+)'\?/.exec(help)?.[1] ?? (/^unit-/.test(code) ? convertedValue(what, help) : undefined);
  return word === undefined ? null : { label: `Write '${word}'`, word };
}

/** The number with the unit that the help names. */
function convertedValue(what: string, help: string): string | undefined {
  const difference = /a difference of .+? is ([^;]+?)(?:;|$)/.exec(help)?.[1];
  const unit = /write (?:the value|it) in ([^;]+?)(?:;|$)/.exec(help)?.[1], number = /: '([-+]?[\d.]+(?:[eE][-+]?\d+)?) [^']+' is in /.exec(what)?.[1];
  return difference ?? (unit !== undefined && number !== undefined ? `${number} ${unit === "1" ? "" : unit}`.trim() : undefined);
}

function throughOf({ what, help = "" }: Diagnostic): Fix | null {
  const delay = /discrete\/UnitDelay .*between '?([\w.[\]]+?)'? and '?([\w.[\]]+?)'?[.;,]?(?:\s|$)/.exec(help);
  if (delay) return { label: "Insert a UnitDelay", through: { type: "discrete/UnitDelay", from: delay[1], to: delay[2], words: [] } };
  const gain = /put a math\/Gain with a value in (\S+) between them/.exec(help)?.[1], [from, to] = quoted(what);
  return gain && to ? { label: `Insert a Gain of 1 ${gain}`, through: { type: "math/Gain", from, to, words: [`gain=1 ${gain}`] } } : null;
}

function inputOf({ help = "" }: Diagnostic): Fix | null {
  const input = /^add <connect from="\.\.\." to="([^"]+)"\/>/.exec(help)?.[1];
  return input ? { label: `Connect ${input}`, input } : null;
}

const quoted = (text: string): string[] => [...text.matchAll(/'([^']+)'/g)].map((each) => each[1]);
/** As an edit calls an element of the view. */
export const ownerOf = (view: EditView, { kind, name, mode }: EditElement): string =>
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
export function rewordings(view: EditView, { what, line = 0, notes = [] }: Diagnostic, word: string): Operation[][] {
  const origins = notes.filter((each) => each.file === view.document && each.text === "its value comes from here").map((each) => each.line), lines = [...origins, line];
  const wrong = quoted(what).filter((each) => each !== word), found = view.elements.filter((each) => lines.some((at) => at !== undefined && each.line <= at && at <= each.last)), wires = view.wires.filter((each) => each.line === line);
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
