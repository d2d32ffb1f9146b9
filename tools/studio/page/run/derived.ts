// SPDX-License-Identifier: BSD-3-Clause
// What is computed from samples: the difference of two runs, and figures of a span.
import type { Expression, Instant } from "./expression";
import { Series } from "./series";

const made = new WeakMap<Series, { from: Series; upTo: number; cuts: number; dropped: number; result: Series }>();

/** `a` less what `b` had at the same instants, where both are; computed once for each sample. */
export function difference(a: Series, b: Series): Series {
  let known = made.get(a);
  if (known?.from !== b || known.cuts !== a.cuts || known.dropped !== a.dropped) made.set(a, (known = { from: b, upTo: 0, cuts: a.cuts, dropped: a.dropped, result: new Series() }));
  const times: number[] = [], values: number[] = [];
  for (let i = known.upTo; i < a.count; ++i) {
    const other = b.read(a.times[i]);
    if (other !== null) times.push(a.times[i]), values.push(a.values[i] - other);
  }
  known.upTo = a.count;
  known.result.append(times, values);
  return known.result;
}

interface Computed { all: Series[]; upTo: number; cuts: number[]; dropped: number[]; result: Series; at: Instant }
const expressed = new WeakMap<Expression, WeakMap<Series, Computed>>();

/** An expression at the instants of the signal that has most of them, where all its signals are; computed once for each sample. */
export function computed(expression: Expression, all: Series[]): Series {
  const first = all.reduce((most, each) => (each.count > most.count ? each : most)), kept = expressed.get(expression) ?? new WeakMap<Series, Computed>();
  expressed.set(expression, kept);
  let known = kept.get(first);
  const fits = (each: Computed) => all.every((series, i) => each.all[i] === series && each.cuts[i] === series.cuts && each.dropped[i] === series.dropped);
  if (!known || !fits(known)) kept.set(first, (known = { all, upTo: 0, cuts: all.map((each) => each.cuts), dropped: all.map((each) => each.dropped), result: new Series(), at: { t: 0, kept: new Map() } }));
  const times: number[] = [], values: number[] = [], others = new Array<number>(all.length);
  for (; known.upTo < first.count; ++known.upTo) {
    const t = first.times[known.upTo];
    let have = true, later = false;
    all.forEach((series, i) => {
      const v = series === first ? first.values[known.upTo] : series.read(t);
      if (v === null) { have = false; later ||= t > series.end; } else others[i] = v;
    });
    if (later) break; // its samples are on their way
    if (have) known.at.t = t, times.push(t), values.push(expression.value(others, known.at));
  }
  known.result.append(times, values);
  return known.result;
}

/** Of the samples from t0 to t1. slope: the straight line of least squares, a second. settling: s from t0 until the last sample
    that is further than 2 % of the change from first to last away from the last. */
export interface Statistics { mean: number; rms: number; least: number; greatest: number; span: number; slope: number; settling: number }
export const settled = 0.02;

export function statistics(series: Series, t0: number, t1: number): Statistics | null {
  const [begin, end] = [Math.min(t0, t1), Math.max(t0, t1)], { times, values } = series, first = series.from(begin - 1e-12);
  let n = 0, sum = 0, squares = 0, least = Infinity, greatest = -Infinity, last = first;
  let middle = 0, spread = 0, both = 0; // of time, about its mean, and with the values: updated sample by sample
  for (let i = first; i < series.count && times[i] <= end + 1e-12; ++i) {
    const v = values[i];
    if (!Number.isFinite(v)) continue;
    ++n, last = i;
    const late = times[i] - middle;
    sum += v, squares += v * v;
    middle += late / n;
    spread += late * (times[i] - middle);
    both += late * (v - sum / n);
    least = Math.min(least, v), greatest = Math.max(greatest, v);
  }
  if (n === 0) return null;
  const band = settled * Math.abs(values[last] - values[first]);
  let out = last;
  while (out > first && Math.abs(values[out] - values[last]) <= band) --out;
  const inside = Math.abs(values[out] - values[last]) <= band ? out : out + 1;
  return { mean: sum / n, rms: Math.sqrt(squares / n), least, greatest, span: greatest - least, slope: spread > 0 ? both / spread : NaN, settling: times[inside] - begin };
}
