// SPDX-License-Identifier: BSD-3-Clause
// Values that stay on the wire: what was pinned shows the value of now, wherever one points.
import { drawn } from "../parts/dom";
import { quantity } from "../parts/number";
import { within, type Session } from "../run/session";

const most = 24;

export class Pins {
  private pinned = new Set<string>(); // by the signals of a wire, as its element names them
  private texts: { name: string; unit: string; text: SVGTextElement; rect: SVGRectElement }[] = [];
  private layer = drawn("g", { className: "pins" });

  constructor(private session: Session, private world: SVGGElement) {
    world.append(this.layer);
    session.on("values", () => this.show());
  }

  /** Pins a wire, or takes the pin off. */
  toggle(signals: string): void {
    if (!this.pinned.delete(signals)) this.pinned.add(signals);
    if (this.pinned.size > most) {
      this.pinned.delete(signals);
      this.session.say(`${most} wires are pinned: take one off first`);
    }
    this.place();
  }

  /** Places them again after the diagram was drawn. */
  place(): void {
    this.layer.replaceChildren();
    this.texts = [];
    for (const signals of this.pinned) {
      const wire = [...this.world.querySelectorAll<SVGElement>(".wire, .tag")].find((each) => each.dataset.signals === signals);
      const scalars = signals.split(" ").flatMap((each) => [...this.session.scalars.values()].filter(({ name }) => within(name, each))).slice(0, 3);
      if (wire && scalars.length) this.label(wire, scalars);
    }
    this.session.watch("pins", this.texts.map((each) => each.name));
    this.show();
  }

  private label(wire: SVGElement, scalars: { name: string; unit: string }[]): void {
    const [x, y] = this.placeOn(wire), height = 11 * scalars.length + 3, group = drawn("g", { className: "pin", transform: `translate(${x} ${y - height - 2})` });
    const rect = drawn("rect", { height, rx: 3 });
    group.append(rect, drawn("title", { text: scalars.map((each) => each.name).join("\n") }));
    const texts = scalars.map((_, i) => drawn("text", { y: 11 * i + 10, "text-anchor": "middle", "font-size": 8.5 }));
    group.append(...texts);
    scalars.forEach(({ name, unit }, i) => this.texts.push({ name, unit, text: texts[i], rect }));
    this.layer.append(group);
  }

  /** The middle of a wire's longest piece that lies; of a tag its upper edge. */
  private placeOn(wire: SVGElement): [number, number] {
    const corners = (wire.querySelector("path.line")?.getAttribute("d") ?? "").slice(1).split("L").map((each) => each.split(" ").map(Number));
    let best: [number, number] | null = null, longest = 0;
    for (let i = 0; i + 1 < corners.length; ++i) {
      const [[x0, y0], [x1, y1]] = [corners[i], corners[i + 1]];
      if (Math.abs(y1 - y0) < 1 && Math.abs(x1 - x0) > longest) longest = Math.abs(x1 - x0), best = [(x0 + x1) / 2, y0];
    }
    const box = (wire as SVGGraphicsElement).getBBox();
    return best ?? [box.x + box.width / 2, box.y];
  }

  private show(): void {
    const widths = new Map<SVGRectElement, number>();
    for (const { name, unit, text, rect } of this.texts) {
      text.textContent = quantity(this.session.values.get(name), unit);
      widths.set(rect, Math.max(widths.get(rect) ?? 0, text.textContent.length * 5.4 + 8));
    }
    for (const [rect, width] of widths) {
      rect.setAttribute("width", String(width));
      rect.setAttribute("x", String(-width / 2));
    }
  }
}
