// SPDX-License-Identifier: BSD-3-Clause
// Units as products of powers: enough to tell whether two signals may be added, and what a product has.

/** Exponents by symbol; an empty one is a bare number. */
export type Powers = Map<string, number>;

const derived: Record<string, string> = { N: "kg m/s2", J: "kg m2/s2", W: "kg m2/s3", Pa: "kg/m s2", C: "A s", V: "kg m2/s3 A", Ohm: "kg m2/s3 A2", F: "A2 s4/kg m2", H: "kg m2/s2 A2", T: "kg/s2 A", Wb: "kg m2/s2 A" };
const named = ["N", "W", "Pa", "V"]; // what a product is called again

/** "kg m2/s3 A": all behind the stroke is divided by. A symbol that is not known stands for itself. */
export function powersOf(text: string): Powers {
  const all: Powers = new Map();
  text.split("/").forEach((part, stroke) => {
    for (const word of part.replace(/[()*]/g, " ").split(/\s+/).filter((each) => each && each !== "1")) {
      const found = /^(.*?)\^?(-?\d+)?$/.exec(word), symbol = found?.[1] ?? word, power = Number(found?.[2] ?? 1) * (stroke ? -1 : 1);
      for (const [base, each] of symbol in derived ? powersOf(derived[symbol]) : new Map([[symbol, 1]])) raise(all, base, each * power);
    }
  });
  return all;
}

function raise(all: Powers, symbol: string, by: number): void {
  const now = (all.get(symbol) ?? 0) + by;
  if (Math.abs(now) < 1e-9) all.delete(symbol); else all.set(symbol, now);
}

export const samePowers = (a: Powers, b: Powers): boolean => a.size === b.size && [...a].every(([symbol, power]) => Math.abs((b.get(symbol) ?? 0) - power) < 1e-9);
export function product(a: Powers, b: Powers, power = 1): Powers {
  const all = new Map(a);
  for (const [symbol, each] of b) raise(all, symbol, each * power);
  return all;
}

/** "kg m/s2"; "1" of a bare number. */
export function textOf(powers: Powers): string {
  const short = named.find((each) => samePowers(powersOf(each), powers));
  if (short) return short;
  const word = ([symbol, power]: [string, number]) => `${symbol}${Math.abs(power) === 1 ? "" : String(Math.abs(power))}`;
  const above = [...powers].filter(([, power]) => power > 0).map(word), below = [...powers].filter(([, power]) => power < 0).map(word);
  return above.length + below.length === 0 ? "1" : `${above.join(" ") || "1"}${below.length ? `/${below.join(" ")}` : ""}`;
}
