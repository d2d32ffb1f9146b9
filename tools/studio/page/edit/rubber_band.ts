// SPDX-License-Identifier: BSD-3-Clause
// A rectangle drawn over the ground with Shift: what it touches is selected.
import { drawn } from "../parts/dom";
import type { Diagram } from "../diagram/diagram";

type Place = [number, number];

export class RubberBand {
  private box = drawn("rect", { className: "band" });
  private from: Place = [0, 0];
  private to: Place = [0, 0];

  constructor(private diagram: Diagram) {}

  begin(at: Place): void {
    this.from = this.to = at;
    this.diagram.world.append(this.box);
    this.stretch(at);
  }

  stretch(to: Place): void {
    this.to = to;
    const [x, y, width, height] = this.rectangle();
    for (const [key, value] of Object.entries({ x, y, width, height })) this.box.setAttribute(key, String(value));
  }

  /** Takes it away. Paths of what it touched; none where it was no more than a click. */
  end(): string[] | null {
    const [x, y, width, height] = this.rectangle();
    this.box.remove();
    if (Math.max(width, height) * this.diagram.view.scale < 4) return null;
    return this.diagram.symbols().filter(({ symbol: s }) => s.x < x + width && s.x + s.width > x && s.y < y + height && s.y + s.height > y).map(({ node }) => node.dataset.path ?? "").filter(Boolean);
  }

  private rectangle(): [number, number, number, number] {
    const [[x0, y0], [x1, y1]] = [this.from, this.to];
    return [Math.min(x0, x1), Math.min(y0, y1), Math.abs(x1 - x0), Math.abs(y1 - y0)];
  }
}
