"use strict";
// Samples of signals: in separate elements, and decoded when they are first drawn.
/** Undoes tools/graphics/detail/report/encoding: base64, zlib, bytes sorted by significance. */
async function decoded(id, width, count) {
  const text = atob(document.getElementById("d" + id).textContent);
  const packed = new Uint8Array(text.length);
  for (let i = 0; i < text.length; ++i) packed[i] = text.charCodeAt(i);
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate"));
  const sorted = new Uint8Array(await new Response(stream).arrayBuffer());
  const bytes = new Uint8Array(sorted.length);
  for (let k = 0; k < width; ++k) {
    const from = k * count;
    for (let i = 0, to = k; i < count; ++i, to += width) bytes[to] = sorted[from + i];
  }
  return width === 4 ? new Float32Array(bytes.buffer) : new Float64Array(bytes.buffer);
}

/** The instants of a channel: uniform, or one by one. */
class Axis {
  constructor(described) { Object.assign(this, described); }
  async load() {
    if (this.data !== null && !this.times) this.times = await decoded(this.data, this.width, this.count);
    return this;
  }
  at(i) { return this.times ? this.times[i] : this.begin + i * this.step; }
  /** Index of the last sample at or before t, at least 0. */
  before(t) {
    if (!this.times) return Math.max(0, Math.min(this.count - 1, Math.floor((t - this.begin) / (this.step || 1) + 1e-6)));
    let low = 0, high = this.count - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      this.times[middle] <= t ? (low = middle) : (high = middle - 1);
    }
    return low;
  }
  nearest(t) {
    const i = this.before(t);
    return i + 1 < this.count && this.at(i + 1) - t < t - this.at(i) ? i + 1 : i;
  }
  get end() { return this.at(this.count - 1); }
}

const factor = 8; // samples of one level of a pyramid that make one of the next
/** One signal of one run, with least and greatest values of ever larger groups. */
class Curve {
  constructor(run, signal) { this.run = run; this.signal = signal; }
  async load() {
    const s = this.signal;
    if (s.data === undefined) {
      const end = runEnd(this.run);
      this.axis = new Axis({ begin: 0, step: end || 1, count: 2, data: null });
      this.values = Float64Array.of(s.low, s.low);
    } else {
      this.axis = await axisOf(this.run, s.axis);
      this.values = await decoded(s.data, s.width, s.kept);
    }
    this.levels = [{ low: this.values, high: this.values }];
    while (this.levels.at(-1).low.length > 4096) this.levels.push(Curve.coarser(this.levels.at(-1)));
    return this;
  }
  static coarser({ low, high }) {
    const n = Math.ceil(low.length / factor), least = new Float64Array(n), most = new Float64Array(n);
    for (let g = 0; g < n; ++g) {
      let a = Infinity, b = -Infinity;
      for (let i = g * factor; i < Math.min(low.length, (g + 1) * factor); ++i) {
        if (low[i] < a) a = low[i];
        if (high[i] > b) b = high[i];
      }
      least[g] = a <= b ? a : NaN;
      most[g] = a <= b ? b : NaN;
    }
    return { low: least, high: most };
  }
  /** Points from t0 to t1, at most about two a pixel, without losing a peak: [times, values]. */
  view(t0, t1, pixels) {
    const first = Math.max(0, this.axis.before(t0) - 1), last = Math.min(this.values.length - 1, this.axis.before(t1) + 2);
    let level = 0, size = 1;
    while ((last - first) / size > 3 * pixels && level + 1 < this.levels.length) ++level, (size *= factor);
    const x = [], y = [], { low, high } = this.levels[level];
    if (level === 0) {
      for (let i = first; i <= last; ++i) {
        const t = this.axis.at(i);
        if (this.signal.gap && i > first && t - x.at(-1) > this.signal.gap) x.push((t + x.at(-1)) / 2), y.push(null);
        x.push(t), y.push(Number.isFinite(low[i]) ? low[i] : null);
      }
      return [x, y];
    }
    for (let g = Math.floor(first / size); g <= Math.floor(last / size); ++g) {
      x.push(this.axis.at(g * size), this.axis.at(Math.min(this.values.length - 1, g * size + (size >> 1))));
      const ok = Number.isFinite(low[g]);
      y.push(ok ? low[g] : null, ok ? high[g] : null);
    }
    return [x, y];
  }
  read(t) { return this.values[this.axis.nearest(t)]; }
}

const axes = new Map(), curves = new Map();
const runEnd = (r) => {
  const run = data.runs[r];
  return Math.max(0, ...(run.axes || []).map((a) => a.begin + a.step * Math.max(0, a.count - 1)));
};
const axisOf = (run, index) => {
  const key = run + "/" + index;
  if (!axes.has(key)) axes.set(key, new Axis(data.runs[run].axes[index]).load());
  return axes.get(key);
};
const byName = data.runs.map((run) => new Map((run.signals || []).map((s) => [s.name, s])));
const curveOf = (run, name) => {
  const key = run + "/" + name;
  if (!curves.has(key)) curves.set(key, new Curve(run, byName[run].get(name)).load());
  return curves.get(key);
};
