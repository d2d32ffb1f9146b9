// SPDX-License-Identifier: BSD-3-Clause
// Numbers as people read them.
const minus = "\u2212";

/** With `digits` that count; "–" for what there is not. */
export function shown(v: unknown, digits = 5): string {
  if (v === null || v === undefined) return "\u2013";
  if (typeof v === "boolean") return v ? "true" : "false";
  if (typeof v !== "number") return String(v);
  if (!Number.isFinite(v)) return Number.isNaN(v) ? "NaN" : v > 0 ? "\u221e" : minus + "\u221e";
  if (Number.isInteger(v) && Math.abs(v) < 1e9) return String(v).replace("-", minus);
  const size = Math.abs(v);
  const text = size >= 1e-3 && size < 10 ** Math.max(digits, 6)
    ? String(Number(v.toPrecision(digits)))
    : v.toExponential(digits - 1).replace(/\.?0+e/, "e").replace("e+", "e");
  return text.replaceAll("-", minus);
}

const scalable = new Set(["s", "m", "N", "J", "W", "Hz", "V", "A", "rad"]);
const prefixes: [number, string][] = [[1e6, "M"], [1e3, "k"], [1, ""], [1e-3, "m"], [1e-6, "\u00b5"], [1e-9, "n"]];

/** "4 ms" for 0.004 and "s": with a prefix where the unit is one symbol that takes one. */
export function quantity(v: unknown, unit = "", digits = 4): string {
  if (typeof v !== "number" || !unit || unit === "1") return shown(v, digits);
  const size = Math.abs(v);
  if (!scalable.has(unit) || size === 0 || !Number.isFinite(v)) return `${shown(v, digits)} ${unit}`;
  const [factor, prefix] = prefixes.find(([f]) => size >= f * 0.9999999) ?? prefixes[prefixes.length - 1];
  return `${shown(Number((v / factor).toPrecision(12)), digits)} ${prefix}${unit}`;
}

/** Any value of a parameter: numbers, rows, texts. */
export function valueText(v: unknown, unit = ""): string {
  if (Array.isArray(v)) return "[" + v.map((each) => valueText(each)).join(", ") + "]" + (unit && unit !== "1" ? " " + unit : "");
  return quantity(v, unit, 6);
}

/** The offset of an axis whose numbers differ in their last digits alone: 293.15, of values a nK apart. 0: no offset. */
export function countedFrom(low: number, high: number): number {
  const span = high - low, size = Math.max(Math.abs(low), Math.abs(high));
  if (!(span > 0) || span > 1e-4 * size) return 0;
  const step = 10 ** (Math.ceil(Math.log10(span)) + 1);
  return Number((Math.round((low + high) / 2 / step) * step).toPrecision(15));
}

/** Seconds with as many places as the tick has. */
export function timeText(t: number, period: number): string {
  const places = period > 0 ? Math.min(6, Math.max(1, Math.ceil(-Math.log10(period) - 1e-9))) : 3;
  return t.toFixed(places).replace("-", minus);
}
