// SPDX-License-Identifier: BSD-3-Clause
// One series as a curve over a plot's area.
import type { Series } from "../run/series";

export interface Area {
  span: [number, number]; // s
  pixels: number;
  x(t: number): number;
  y(v: number): number;
}
export interface Pen { colour: string; alpha: number; width: number; dashes: number[] }

const tall = 4; // widths of the pen; what swings further in a pixel, and over much of where it was in the one before, is a bar
const far = 1e6; // px; further out a canvas loses count
const many = 16; // tall pieces of one stroke; a browser takes all of a stroke for each of its rows

/** Whether a dashed line has ink at this length. */
function inked(dashes: number[], length: number): boolean {
  let rest = length % (dashes.reduce((sum, each) => sum + each, 0) || 1);
  for (let i = 0; i < dashes.length; rest -= dashes[i++]) if (rest < dashes[i]) return i % 2 === 0;
  return true;
}

/** A browser draws a line that goes up and down in each pixel very slowly; as bars it is there at once. A jump and a slope stay a line. */
export function drawCurve(ctx: CanvasRenderingContext2D, series: Series, { span, pixels, x, y }: Area, pen: Pen, steps: boolean): void {
  ctx.strokeStyle = ctx.fillStyle = pen.colour;
  ctx.globalAlpha = pen.alpha;
  ctx.lineWidth = pen.width;
  ctx.lineJoin = "round";
  ctx.setLineDash(pen.dashes);
  ctx.beginPath();
  // where it was last: a place, or from top to bottom of a bar
  let on = false, at = 0, top = 0, bottom = 0, pieces = 0, points = 0;
  const place = (v: number) => Math.min(Math.max(y(v), -far), far);
  const point = (t: number, v: number) => {
    if (!Number.isFinite(v)) return void (on = false);
    const px = x(t), py = place(v);
    if (!on) ctx.moveTo(px, py);
    else {
      if (top !== bottom) ctx.moveTo(at, Math.min(Math.max(py, top), bottom));
      if (steps) ctx.lineTo(px, top !== bottom ? Math.min(Math.max(py, top), bottom) : top);
      ctx.lineTo(px, py);
      if (Math.abs(py - top) > tall * pen.width && ++pieces % many === 0 && pen.dashes.length === 0) {
        ctx.stroke();
        ctx.beginPath();
        ctx.moveTo(px, py);
      }
    }
    on = true, at = px, top = bottom = py, ++points;
  };
  let highest = NaN, lowest = NaN; // of the pixel before
  series.view(...span, pixels, point, (t, low, high) => {
    const high_ = place(high), low_ = place(low), both = Math.min(low_, lowest) - Math.max(high_, highest);
    highest = high_, lowest = low_;
    if (!(low_ - high_ > tall * pen.width && both > (low_ - high_) / 2)) {
      if (!(low_ - high_ > pen.width / 2)) return point(t, (low + high) / 2);
      const falls = on && Math.abs(top - high_) < Math.abs(top - low_);
      point(t, falls ? high : low);
      return point(t, falls ? low : high);
    }
    const px = Math.round(x(t)), from = on ? Math.min(high_, bottom) : high_, to = on ? Math.max(low_, top) : low_;
    if (inked(pen.dashes, px)) ctx.fillRect(px, from, 1, to - from);
    on = true, at = px, top = high_, bottom = low_, points += 2;
  });
  ctx.stroke();
  if (points === 1) ctx.fillRect(at - 1.5 * pen.width, top - 1.5 * pen.width, 3 * pen.width, 3 * pen.width); // one sample is not a line
  ctx.globalAlpha = 1;
}
