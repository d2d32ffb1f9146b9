// SPDX-License-Identifier: BSD-3-Clause
// Samples of one signal as they come, with least and greatest values of ever larger groups, so that any span is drawn
// in as many steps as it has pixels.
const factor = 8;
const drawable = 1e30; // beyond it a plot has no figures for its axis
const dense = 2; // samples a pixel, beyond which they are no longer drawn one by one
/** Ticks of a span up to which every sample comes. */
export const everySample = 20_000;
/** Samples kept of a signal; where there are more the older half goes. */
export const most = 1 << 21;

interface Level { low: Float64Array; high: Float64Array }
const grown = (old: Float64Array, size: number): Float64Array => {
  const made = new Float64Array(size);
  made.set(old.subarray(0, Math.min(old.length, size)));
  return made;
};

export class Series {
  times = new Float64Array(1024);
  values = new Float64Array(1024);
  count = 0;
  /** Samples that are no longer kept. */
  dropped = 0;
  /** How often something was taken away: what was computed of it is no longer right. */
  cuts = 0;
  private levels: Level[] = [];

  get end(): number { return this.count ? this.times[this.count - 1] : -Infinity; }
  get begin(): number { return this.count ? this.times[0] : Infinity; }

  append(times: ArrayLike<number>, values: ArrayLike<number>, scale = 1): void {
    for (let i = 0; i < times.length; ++i) {
      const t = times[i] * scale;
      if (t <= this.end) continue; // two scopes may have asked for one signal
      if (this.count === this.times.length) this.room();
      this.times[this.count] = t;
      this.values[this.count] = values[i];
      this.climb(this.count++, values[i]);
    }
  }

  /** Takes what lies at or behind t away. */
  truncate(t: number): void {
    const before = this.count;
    this.count = this.from(t);
    if (this.count < before) ++this.cuts;
    this.levels.length = 0;
    for (let i = 0; i < this.count; ++i) this.climb(i, this.values[i]);
  }

  copy(): Series {
    const made = new Series();
    made.times = this.times.slice(0, this.count);
    made.values = this.values.slice(0, this.count);
    made.count = this.count;
    made.levels = this.levels.map((each) => ({ low: each.low.slice(), high: each.high.slice() }));
    return made;
  }

  /** Index of the first sample at or behind t. */
  from(t: number): number {
    let low = 0, high = this.count;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.times[middle] < t) low = middle + 1; else high = middle;
    }
    return low;
  }

  /** The sample that held at t: the last one at or before it; none behind the last but for a step. */
  read(t: number): number | null {
    const i = this.from(t + 1e-12), step = i > 1 ? this.times[i - 1] - this.times[i - 2] : 0;
    return i > 0 && (i < this.count || t <= this.end + 1.5 * step + 1e-9) ? this.values[i - 1] : null;
  }

  /** Calls `point` for every sample that is to be drawn from t0 to t1, or, where these are many for so many pixels, `bar` for each
      pixel, with least and greatest, so that no peak is lost. A pixel holds the same samples wherever the span has been moved to. */
  view(t0: number, t1: number, pixels: number, point: (t: number, v: number) => void, bar: (t: number, low: number, high: number) => void): void {
    const first = Math.max(0, this.from(t0) - 1), last = Math.min(this.count, this.from(t1) + 1);
    if (last - first <= dense * pixels) {
      for (let i = first; i < last; ++i) point(this.times[i], this.values[i]);
      return;
    }
    const width = (t1 - t0) / pixels, ends: [number, number] = [NaN, NaN];
    for (let i = first; i < last;) {
      const pixel = Math.floor(this.times[i] / width), next = Math.min(last, Math.max(i + 1, this.from((pixel + 1) * width)));
      this.extremes(i, next, ends);
      bar(this.times[i], ...ends);
      i = next;
    }
  }

  /** Least and greatest of a span, of what can be drawn; [Infinity, -Infinity] of an empty one. */
  range(t0: number, t1: number, pixels = 100): [number, number] {
    let least = Infinity, greatest = -Infinity;
    const take = (_: number, v: number) => {
      if (!(Math.abs(v) < drawable)) return;
      if (v < least) least = v;
      if (v > greatest) greatest = v;
    };
    this.view(t0, t1, pixels, take, (t, low, high) => { take(t, low); take(t, high); });
    return [least, greatest];
  }

  /** Least and greatest of samples i to end: NaN where none is a number. */
  private extremes(i: number, end: number, ends: [number, number]): void {
    let low = NaN, high = NaN;
    const take = (a: number, b: number) => {
      if (!(a >= low) && a === a) low = a;
      if (!(b <= high) && b === b) high = b;
    };
    while (i < end) {
      let level = -1, size = 1;
      while (level + 1 < this.levels.length && i % (size * factor) === 0 && i + size * factor <= end) ++level, size *= factor;
      if (level < 0) take(this.values[i], this.values[i]);
      else take(this.levels[level].low[i / size], this.levels[level].high[i / size]);
      i += size;
    }
    ends[0] = low, ends[1] = high;
  }

  private climb(i: number, v: number): void {
    let group = i;
    for (let k = 0, size = factor; size <= most / 512; ++k, size *= factor) {
      const fresh = i % size === 0;
      if (Number.isNaN(v) && !fresh) return;
      group = Math.floor(group / factor);
      if (!this.levels[k]) this.levels[k] = { low: new Float64Array(64).fill(NaN), high: new Float64Array(64).fill(NaN) };
      const level = this.levels[k];
      if (group >= level.low.length) {
        level.low = grown(level.low, level.low.length * 2);
        level.high = grown(level.high, level.high.length * 2);
      }
      if (fresh) {
        level.low[group] = level.high[group] = v;
      } else {
        if (v >= level.low[group] && v <= level.high[group]) return;
        if (!(v >= level.low[group])) level.low[group] = v;
        if (!(v <= level.high[group])) level.high[group] = v;
      }
    }
  }

  private room(): void {
    if (this.count < most) {
      this.times = grown(this.times, this.count * 2);
      this.values = grown(this.values, this.count * 2);
      return;
    }
    const half = most / 2;
    this.dropped += half;
    this.times.copyWithin(0, half);
    this.values.copyWithin(0, half);
    this.count = half;
    this.levels.length = 0;
    for (let i = 0; i < half; ++i) this.climb(i, this.values[i]);
  }
}
