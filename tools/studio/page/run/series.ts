// Samples of one signal as they come, with least and greatest values of ever larger groups, so that any span is drawn
// in as many steps as it has pixels.
const factor = 8;
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
    this.count = this.from(t);
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

  /** Calls `point` for what is to be drawn from t0 to t1: at most some points a pixel, and no peak is lost. */
  view(t0: number, t1: number, pixels: number, point: (t: number, v: number) => void): void {
    const first = Math.max(0, this.from(t0) - 1), last = Math.min(this.count, this.from(t1) + 1);
    let level = -1, size = 1;
    while ((last - first) / size > 12 * pixels && level + 1 < this.levels.length) ++level, size *= factor;
    if (level < 0) {
      for (let i = first; i < last; ++i) point(this.times[i], this.values[i]);
      return;
    }
    const { low, high } = this.levels[level];
    for (let g = Math.floor(first / size); g * size < last; ++g) {
      const a = g * size, b = Math.min(this.count - 1, a + (size >> 1));
      point(this.times[a], low[g]);
      point(this.times[b], high[g]);
    }
  }

  /** Least and greatest of a span, of what is finite and could be drawn; [Infinity, -Infinity] of an empty one. */
  range(t0: number, t1: number, pixels = 100): [number, number] {
    let least = Infinity, greatest = -Infinity;
    this.view(t0, t1, pixels, (_, v) => {
      if (!(Math.abs(v) < 1e200)) return;
      if (v < least) least = v;
      if (v > greatest) greatest = v;
    });
    return [least, greatest];
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
