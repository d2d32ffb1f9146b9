// SPDX-License-Identifier: BSD-3-Clause
// Amplitudes over frequency, of the samples of a span.
import type { Series } from "../run/series";

export type Window = "hann" | "flat top" | "none";
export interface Spectrum { frequencies: number[]; amplitudes: number[] }
const most = 1 << 16; // samples

/** Weights of n samples, of mean 1, so that a sine keeps its amplitude. */
export function weights(window: Window, n: number): Float64Array {
  const terms = { none: [1], hann: [0.5, -0.5], "flat top": [0.21557895, -0.41663158, 0.277263158, -0.083578947, 0.006947368] }[window];
  return Float64Array.from({ length: n }, (_, i) => terms.reduce((sum, each, k) => sum + each * Math.cos((2 * Math.PI * k * i) / n), 0) / terms[0]);
}

/** Discrete Fourier transform in place, of a power of two numbers (Cooley and Tukey, radix 2). */
export function transform(re: Float64Array, im: Float64Array): void {
  const n = re.length;
  for (let i = 1, j = 0; i < n; ++i) {
    let bit = n >> 1;
    for (; j & bit; bit >>= 1) j ^= bit;
    j ^= bit;
    if (i < j) [re[i], re[j], im[i], im[j]] = [re[j], re[i], im[j], im[i]];
  }
  for (let size = 2; size <= n; size *= 2)
    for (let k = 0; k < size / 2; ++k) {
      const c = Math.cos((-2 * Math.PI * k) / size), s = Math.sin((-2 * Math.PI * k) / size);
      for (let i = k; i < n; i += size) {
        const j = i + size / 2, a = re[j] * c - im[j] * s, b = re[j] * s + im[j] * c;
        re[j] = re[i] - a, im[j] = im[i] - b;
        re[i] += a, im[i] += b;
      }
    }
}

/** Of the last 2^k samples from t0 to t1, without their mean; null where these are fewer than 8, not equally spaced or not all finite. */
export function spectrum(series: Series, t0: number, t1: number, window: Window): Spectrum | null {
  const end = Math.min(series.count, series.from(t1 + 1e-12)), begin = series.from(Math.min(t0, t1) - 1e-12), n = Math.min(most, 2 ** Math.floor(Math.log2(Math.max(1, end - begin)))), first = end - n;
  if (n < 8) return null;
  const values = series.values.subarray(first, end), step = (series.times[end - 1] - series.times[first]) / (n - 1);
  for (let i = 0; i < n; ++i) if (!Number.isFinite(values[i]) || Math.abs(series.times[first + i] - series.times[first] - i * step) > 0.01 * step) return null;
  const mean = values.reduce((sum, each) => sum + each, 0) / n, w = weights(window, n), re = Float64Array.from(values, (v, i) => (v - mean) * w[i]), im = new Float64Array(n);
  transform(re, im);
  const frequencies: number[] = [], amplitudes: number[] = [];
  for (let k = 1; k <= n / 2; ++k) frequencies.push(k / (n * step)), amplitudes.push(((k === n / 2 ? 1 : 2) * Math.hypot(re[k], im[k])) / n);
  return { frequencies, amplitudes };
}

/** The largest local maxima, at most so many; between bins by the parabola through three logarithms. */
export function peaks({ frequencies: f, amplitudes: a }: Spectrum, count: number): { frequency: number; amplitude: number }[] {
  const floor = 1e-3 * Math.max(...a), found: { frequency: number; amplitude: number }[] = [];
  for (let i = 1; i + 1 < a.length; ++i) {
    if (!(a[i] > a[i - 1] && a[i] >= a[i + 1] && a[i] > floor)) continue;
    const [l, m, r] = [a[i - 1], a[i], a[i + 1]].map((each) => Math.log(Math.max(each, 1e-300))), bend = l - 2 * m + r, shift = bend < 0 ? (0.5 * (l - r)) / bend : 0;
    found.push({ frequency: f[i] + shift * (f[1] - f[0]), amplitude: Math.exp(m - 0.25 * (l - r) * shift) });
  }
  return found.sort((p, q) => q.amplitude - p.amplitude).slice(0, count);
}
