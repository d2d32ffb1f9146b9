// Values that stay on the wire: what was pinned shows the value of now, wherever one points.
import { drawn } from "../parts/dom";
import { quantity } from "../parts/number";
import { within, type Session } from "../run/session";

const most = 24;

export class Pins {
  private pinned = new Set<string>(); // by the signals of a wire, as its element names them
  private texts: { name: string; unit: string; text: SVGTextElement }[] = [];
  private layer = drawn("g", { className: "pins" });

  constructor(private session: Session, private world: SVGGElement) {
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

  /** Anew, after the diagram was drawn. */
  place(): void {
    this.layer.replaceChildren();
    this.texts = [];
    this.world.append(this.layer);
    for (const signals of this.pinned) {
      const wire = [...this.world.querySelectorAll<SVGElement>(".wire, .tag")].find((each) => each.dataset.signals === signals);
      const scalars = signals.split(" ").flatMap((each) => [...this.session.scalars.values()].filter(({ name }) => within(name, each))).slice(0, 3);
      if (wire && scalars.length) this.label(wire, scalars);
    }
    this.session.watch("pins", this.texts.map((each) => each.name));
    this.show();
  }

  private label(wire: SVGElement, scalars: { name: string; unit: string }[]): void {
    const line = wire.querySelector<SVGPathElement>("path.line"), length = line?.getTotalLength() ?? 0, box = (wire as SVGGraphicsElement).getBBox();
    const at = line ? line.getPointAtLength(length / 2) : new DOMPoint(box.x + box.width, box.y);
    const width = 78, height = 11 * scalars.length + 4, group = drawn("g", { className: "pin", transform: `translate(${at.x - width / 2} ${at.y - height - 4})` });
    group.append(drawn("rect", { width, height, rx: 3 }), drawn("title", { text: scalars.map((each) => each.name).join("\n") }));
    scalars.forEach(({ name, unit }, i) => {
      const text = drawn("text", { x: width - 5, y: 11 * i + 10, "text-anchor": "end", "font-size": 9 });
      this.texts.push({ name, unit, text });
      group.append(text);
    });
    this.layer.append(group);
  }

  private show(): void {
    for (const { name, unit, text } of this.texts) text.textContent = quantity(this.session.values.get(name), unit);
  }
}
