// SPDX-License-Identifier: BSD-3-Clause
// What is computed of signals: "a.y - b.y", "abs(error.y) / 2 [mm]", with units checked.
import { powersOf, product, samePowers, textOf, type Powers } from "./unit";

/** Of an evaluation from sample to sample: the time of this one, s, and what each filter has kept. */
export interface Instant { t: number; kept: Map<number, Kept> }
interface Kept { t: number; x: number; y: number }
/** A value by the numbers of its signals, in their order. */
type Value = (of: number[], at: Instant) => number;
interface Part { value: Value; powers: Powers; at: number; text: string }
export interface Expression { text: string; signals: string[]; unit: string; value: Value; comparison: boolean }
export class ExpressionError extends Error { constructor(message: string, readonly at: number) { super(message); } }

interface Token { kind: "number" | "name" | "unit" | "sign" | "end"; text: string; at: number }
const shapes: [Token["kind"], RegExp][] = [["number", /^(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?/], ["unit", /^\[\s*[A-Za-z\u00b0%1][^\]]*\]/], ["name", /^[A-Za-z_]\w*(\.[A-Za-z_]\w*|\[\d+(,\s*\d+)*\])*/], ["sign", /^(<=|>=|[-+*/^(),<>])/]];
const functions: Record<string, { take: [number, number]; of(...all: number[]): number; unit: "same" | "bare" | "root" }> = {
  abs: { take: [1, 1], of: Math.abs, unit: "same" }, min: { take: [2, 8], of: Math.min, unit: "same" }, max: { take: [2, 8], of: Math.max, unit: "same" }, norm: { take: [1, 8], of: Math.hypot, unit: "same" },
  sqrt: { take: [1, 1], of: Math.sqrt, unit: "root" }, sin: { take: [1, 1], of: Math.sin, unit: "bare" }, cos: { take: [1, 1], of: Math.cos, unit: "bare" }, tan: { take: [1, 1], of: Math.tan, unit: "bare" },
  exp: { take: [1, 1], of: Math.exp, unit: "bare" }, log: { take: [1, 1], of: Math.log, unit: "bare" }, sign: { take: [1, 1], of: Math.sign, unit: "bare" },
};

/** What depends on the samples before: the next result from the last one, the last and this value, and the time between them, s. */
const filters: Record<string, { first(x: number): number; next(y: number, before: number, x: number, step: number, constant: number): number; seconds: -1 | 0 | 1; constant?: true }> = {
  cumsum: { first: (x) => x, next: (y, _, x) => y + x, seconds: 0 },
  integral: { first: () => 0, next: (y, before, x, step) => y + ((before + x) / 2) * step, seconds: 1 },
  derivative: { first: () => NaN, next: (_, before, x, step) => (x - before) / step, seconds: -1 },
  lowpass: { first: (x) => x, next: (y, _, x, step, constant) => x + (y - x) * Math.exp(-step / constant), seconds: 0, constant: true },
  highpass: { first: () => 0, next: (y, before, x, step, constant) => (y + x - before) * Math.exp(-step / constant), seconds: 0, constant: true },
};
const second = powersOf("s");

function tokens(text: string): Token[] {
  const all: Token[] = [];
  for (let at = 0; at < text.length;) {
    if (/\s/.test(text[at])) { ++at; continue; }
    const rest = text.slice(at), found = shapes.map(([kind, shape]) => [kind, shape.exec(rest)?.[0]] as const).find(([, word]) => word);
    if (!found?.[1]) throw new ExpressionError(`'${[...rest][0]}' means nothing here`, at);
    all.push({ kind: found[0], text: found[1], at });
    at += found[1].length;
  }
  return [...all, { kind: "end", text: "the end", at: text.length }];
}

const bare = (part: Part) => part.powers.size === 0;
/** Angles are numbers where a sine is meant. */
const plain = (part: Part) => [...part.powers.keys()].every((each) => each === "rad");

class Reader {
  readonly signals: string[] = [];
  private at = 0;
  private filters = 0;
  private all: Token[];

  /** @param unitOf  that of a signal; undefined: there is none of that name */
  constructor(text: string, private unitOf: (name: string) => string | undefined, private near: (name: string) => string) { this.all = tokens(text); }

  get next(): Token { return this.all[this.at]; }
  private take(sign: string): boolean { const is = this.next.kind === "sign" && this.next.text === sign; if (is) ++this.at; return is; }
  private must(sign: string): void { if (!this.take(sign)) throw new ExpressionError(`'${sign}' is missing before ${this.next.kind === "end" ? "the end" : `'${this.next.text}'`}`, this.next.at); }

  /** One of < > <= >= between two sums, or a sum alone. */
  whole(): { part: Part; comparison: boolean } {
    const left = this.sum(), { text: sign } = this.next, comparison = ["<", ">", "<=", ">="].some((each) => this.take(each));
    if (!comparison) return { part: this.finished(left), comparison };
    const right = this.finished(this.sum()), [a, b] = [left.value, right.value];
    this.agree(left, right, sign);
    const holds: Record<string, Value> = { "<": (of, at) => Number(a(of, at) < b(of, at)), ">": (of, at) => Number(a(of, at) > b(of, at)), "<=": (of, at) => Number(a(of, at) <= b(of, at)), ">=": (of, at) => Number(a(of, at) >= b(of, at)) };
    return { part: { ...left, value: holds[sign], powers: new Map() }, comparison };
  }

  private finished(part: Part): Part {
    if (this.next.kind !== "end") throw new ExpressionError(`'${this.next.text}' follows where the expression is over`, this.next.at);
    return part;
  }

  private agree(a: Part, b: Part, sign: string): void {
    if (samePowers(a.powers, b.powers)) return;
    const unit = (part: Part) => (bare(part) ? "has no unit" : `is in ${textOf(part.powers)}`), number = [a, b].find((each) => bare(each) && /^[\d.]/.test(each.text)), other = number === a ? b : a;
    throw new ExpressionError(`${a.text} ${unit(a)}, and ${b.text} ${unit(b)}: '${sign}' needs equal units, in SI${number ? `. Write ${number.text} [${textOf(other.powers)}]` : ""}`, b.at);
  }

  private sum(): Part {
    let left = this.term();
    for (let minus = false; (minus = this.take("-")) || this.take("+");) {
      const right = this.term(), a = left.value, b = right.value;
      this.agree(left, right, minus ? "-" : "+");
      left = { ...left, text: `${left.text} ${minus ? "-" : "+"} ${right.text}`, value: minus ? (of, at) => a(of, at) - b(of, at) : (of, at) => a(of, at) + b(of, at) };
    }
    return left;
  }

  private term(): Part {
    let left = this.factor();
    for (let over = false; (over = this.take("/")) || this.take("*");) {
      const right = this.factor(), a = left.value, b = right.value;
      left = { ...left, text: `${left.text} ${over ? "/" : "*"} ${right.text}`, powers: product(left.powers, right.powers, over ? -1 : 1), value: over ? (of, at) => a(of, at) / b(of, at) : (of, at) => a(of, at) * b(of, at) };
    }
    return left;
  }

  private factor(): Part {
    if (this.take("-")) { const part = this.factor(), { value } = part; return { ...part, text: `-${part.text}`, value: (of, at) => -value(of, at) }; }
    const base = this.atom();
    if (!this.take("^")) return base;
    const minus = this.take("-"), exponent = this.next;
    if (exponent.kind !== "number") throw new ExpressionError("an exponent is a number", exponent.at);
    ++this.at;
    const power = Number(exponent.text) * (minus ? -1 : 1), { value } = base;
    return { ...base, text: `${base.text}^${power}`, powers: product(new Map(), base.powers, power), value: (of, at) => value(of, at) ** power };
  }

  private atom(): Part {
    const token = this.next, { at, text } = token;
    ++this.at;
    if (token.kind === "number") {
      const unit = this.next.kind === "unit" ? this.all[this.at++].text.slice(1, -1).trim() : "1", number = Number(text);
      return { value: () => number, powers: powersOf(unit), at, text: unit === "1" ? text : `${text} [${unit}]` };
    }
    if (token.kind === "name") return this.next.kind === "sign" && this.next.text === "(" ? this.call(token) : this.signal(token);
    if (token.kind === "sign" && text === "(") { const part = this.sum(); this.must(")"); return { ...part, text: `(${part.text})` }; }
    throw new ExpressionError(token.kind === "end" ? "something is missing at the end" : `'${text}' is not a value: write a signal, a number, or a function of them`, at);
  }

  private signal({ text, at }: Token): Part {
    const unit = this.unitOf(text);
    if (unit === undefined) throw new ExpressionError(`there is no signal '${text}'${this.near(text)}`, at);
    const known = this.signals.indexOf(text), i = known >= 0 ? known : this.signals.push(text) - 1;
    return { value: (of) => of[i], powers: powersOf(unit), at, text };
  }

  /** One of a signal and, of some, of a time constant. */
  private filter(text: string, place: number): Part {
    const made = filters[text], number = this.filters++;
    this.must("(");
    const of_ = this.sum(), { value } = of_;
    const time = made.constant && (this.must(","), this.sum());
    this.must(")");
    if (time && !samePowers(time.powers, second)) throw new ExpressionError(`${text} takes a time constant, and ${time.text} ${bare(time) ? "has no unit" : `is in ${textOf(time.powers)}`}: write 20 [ms] as 0.02 [s]`, time.at);
    const next: Value = (of, at) => {
      const x = value(of, at), constant = time ? time.value(of, at) : 0, last = at.kept.get(number), y = last ? made.next(last.y, last.x, x, at.t - last.t, constant) : made.first(x);
      if (Number.isFinite(x)) at.kept.set(number, { t: at.t, x, y: Number.isFinite(y) ? y : made.first(x) });
      return y;
    };
    return { value: next, powers: made.seconds ? product(of_.powers, second, made.seconds) : of_.powers, at: place, text: `${text}(${[of_, time].filter((each): each is Part => !!each).map((each) => each.text).join(", ")})` };
  }

  private call({ text, at }: Token): Part {
    if (Object.hasOwn(filters, text)) return this.filter(text, at);
    const made = Object.hasOwn(functions, text) ? functions[text] : undefined;
    if (!made) throw new ExpressionError(`there is no function '${text}': there are ${[...Object.keys(functions), ...Object.keys(filters)].join(", ")}`, at);
    this.must("(");
    const parts = [this.sum()];
    while (this.take(",")) parts.push(this.sum());
    this.must(")");
    if (parts.length < made.take[0] || parts.length > made.take[1]) throw new ExpressionError(`${text} takes ${made.take[0] === made.take[1] ? made.take[0] : `${made.take[0]} to ${made.take[1]}`} of them, and not ${parts.length}`, at);
    for (const each of parts.slice(1)) this.agree(parts[0], each, text);
    if (made.unit === "bare" && text !== "sign" && !plain(parts[0])) throw new ExpressionError(`${text} is of a number, and ${parts[0].text} is in ${textOf(parts[0].powers)}`, parts[0].at);
    const values = parts.map((each) => each.value), powers = made.unit === "same" ? parts[0].powers : made.unit === "root" ? product(new Map(), parts[0].powers, 0.5) : new Map<string, number>();
    return { value: (of, at) => made.of(...values.map((each) => each(of, at))), powers, at, text: `${text}(${parts.map((each) => each.text).join(", ")})` };
  }
}

/** Throws an ExpressionError where it means nothing. */
export function readExpression(text: string, unitOf: (name: string) => string | undefined, near: (name: string) => string = () => ""): Expression {
  const reader = new Reader(text, unitOf, near), { part, comparison } = reader.whole(), { signals } = reader;
  if (signals.length === 0) throw new ExpressionError("no signal is in it", 0);
  // one of the signals' own words for its unit, where that is the same
  const unit = signals.map((each) => unitOf(each) ?? "1").find((each) => samePowers(powersOf(each), part.powers)) ?? textOf(part.powers);
  return { text: text.trim().replace(/\s+/g, " "), signals, unit, value: part.value, comparison };
}
