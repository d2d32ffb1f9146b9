// SPDX-License-Identifier: BSD-3-Clause
// Axes of plots: their numbers in another unit, and on a logarithmic scale.

/** How values in SI are shown: v * factor + offset, in `unit`. */
export interface ShownUnit { unit: string; factor: number; offset: number }

/** Ticks of a logarithmic axis: decades, of many every second or third; of few 1, 2 and 5 of each. */
export function decades(min: number, max: number): number[] {
  const first = Math.floor(Math.log10(min) + 1e-9), last = Math.ceil(Math.log10(max) - 1e-9), step = Math.max(1, Math.ceil((last - first + 1) / 6));
  const all: number[] = [];
  for (let power = Math.ceil(first / step) * step; power <= last; power += step) for (const each of last - first <= 2 ? [1, 2, 5] : [1]) all.push(Number((each * 10 ** power).toPrecision(12)));
  return all.filter((each) => each >= min * (1 - 1e-9) && each <= max * (1 + 1e-9));
}

/** Least and greatest of what a logarithmic axis shows: twelve decades at most. */
export function logarithmicSpan(least: number, greatest: number): [number, number] {
  if (!(greatest > 0)) return [0.1, 10];
  const from = Math.max(least, greatest * 1e-12);
  return [from / 1.5, greatest * 1.5];
}

const suggested: Record<string, string[]> = {
  m: ["mm", "um", "cm", "km"], s: ["ms", "us", "min", "h"], N: ["mN", "kN"], rad: ["deg", "mrad"], "rad/s": ["deg/s", "rpm", "Hz"], "m/s": ["mm/s", "km/h"], "m/s2": ["mm/s2"], "N m": ["N mm", "kN m"], Pa: ["kPa", "bar", "MPa"],
  K: ["degC", "mK"], V: ["mV", "kV"], A: ["mA"], W: ["kW", "mW"], J: ["kJ", "mJ"], kg: ["g"], "N/m": ["N/mm", "kN/m"], "1": ["%"],
};
export const unitsLike = (unit: string): string[] => [unit, ...(suggested[unit] ?? [])];
