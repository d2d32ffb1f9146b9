// SPDX-License-Identifier: BSD-3-Clause
// What the mouse or the keys point at: name, shape, unit and the value of now.
import { element } from "../parts/dom";
import { quantity, shown } from "../parts/number";
import type { Diagram } from "./diagram";
import { within, type Session } from "../run/session";

const most = 12; // lines of values

export class Hover {
  private box = element("div", { className: "hover", role: "tooltip", hidden: true });
  private cells = new Map<string, { cell: HTMLElement; unit: string }>();
  private at: Element | null = null;
  /** The user knows the pressed element: no hint is shown for it until the mouse has left it. */
  private pressed: Element | null = null;
  /** Where the mouse was last, px of the window. */
  private mouse: [number, number] = [0, 0];

  constructor(private session: Session, private diagram: Diagram) {
    document.body.append(this.box);
    const picture = diagram.box;
    picture.addEventListener("pointermove", (event) => this.point(event));
    picture.addEventListener("pointerdown", (event) => { this.leave(); this.pressed = this.target(event); });
    picture.addEventListener("pointerleave", () => this.leave());
    picture.addEventListener("focusin", (event) => {
      const target = event.target as Element;
      if (target !== this.pressed && target.matches(".symbol:focus-visible")) this.show(target, target.getBoundingClientRect().right, target.getBoundingClientRect().top);
    });
    picture.addEventListener("focusout", () => this.leave());
    picture.addEventListener("drawn", () => this.drawn());
    session.on("values", (values) => {
      for (const [name, { cell, unit }] of this.cells) cell.textContent = quantity(values.get(name), unit);
    });
  }

  private target(event: PointerEvent): Element | null { return (event.target as Element).closest("[data-signals], .symbol"); }

  /** What it is about may be elsewhere now, or gone. */
  private drawn(): void {
    const data = (this.at as SVGElement | null)?.dataset, now = document.elementFromPoint(...this.mouse)?.closest<SVGElement>("[data-signals], .symbol")?.dataset;
    if (data && this.at !== document.activeElement && (now?.path !== data.path || now?.signals !== data.signals)) this.leave();
  }

  private point(event: PointerEvent): void {
    this.mouse = [event.clientX, event.clientY];
    if (event.buttons) return this.leave();
    const target = this.target(event);
    if (target && target === this.pressed) return;
    this.pressed = null;
    if (!target) return this.leave();
    if (target !== this.at) this.show(target, event.clientX, event.clientY);
    else this.place(event.clientX, event.clientY);
  }

  private leave(): void {
    if (this.box.hidden) return;
    this.at = null;
    this.box.hidden = true;
    this.cells.clear();
    this.session.watch("hover", []);
  }

  private show(target: Element, x: number, y: number): void {
    this.at = target;
    const data = (target as SVGElement).dataset, rows: HTMLElement[] = [];
    this.cells.clear();
    if (data.signals !== undefined) {
      for (const name of data.signals.split(" ").filter(Boolean)) rows.push(...this.signal(name));
      if (data.to) rows.push(element("div", { className: "quiet" }, "to " + data.to));
      rows.push(element("div", { className: "hint" }, "click: into the scope; with Shift: value pinned"));
    } else {
      rows.push(...this.block(data.path ?? ""));
    }
    this.box.replaceChildren(...rows);
    this.box.hidden = rows.length === 0;
    this.place(x, y);
    this.session.watch("hover", [...this.cells.keys()]);
  }

  private signal(wanted: string): HTMLElement[] {
    const scalars = [...this.session.scalars.values()].filter((each) => within(each.name, wanted));
    if (scalars.length === 0) return [element("div", { className: "title" }, wanted)];
    const { signal } = scalars[0], { rows, columns } = signal;
    const shape = signal.kind && signal.kind !== "real" ? signal.kind : rows * columns === 1 ? signal.element : `${rows} x ${columns} ${signal.element}`;
    const table = element("div", { className: "values" });
    for (const { name, unit } of scalars.slice(0, most)) {
      const cell = element("span", { className: "value" }, quantity(this.session.values.get(name), unit));
      this.cells.set(name, { cell, unit });
      table.append(element("span", {}, name.slice(wanted.length).replace(/^\./, "") || "value"), cell);
    }
    if (scalars.length > most) table.append(element("span", { className: "quiet" }, `and ${scalars.length - most} more`));
    const about = [shape, signal.unit, signal.rate].filter(Boolean).join(", ");
    return [element("div", { className: "title" }, wanted), element("div", { className: "quiet" }, about), ...(signal.doc ? [element("div", {}, signal.doc)] : []), table];
  }

  private block(path: string): HTMLElement[] {
    if (!path || this.diagram.symbols().some(({ symbol }) => symbol.path === path && symbol.kind === "note")) return [];
    const block = this.session.blocks.get(path), rows = [element("div", { className: "title" }, path)];
    if (block) rows.push(element("div", { className: "quiet" }, [block.type, block.rate].filter(Boolean).join(", ")), element("div", {}, block.doc));
    const mark = this.session.markOf(path);
    if (mark) rows.push(element("div", { className: "bad" }, mark.text));
    for (const p of [...this.session.parameters.values()].filter((each) => each.block === path).slice(0, 6))
      rows.push(element("div", { className: "quiet" }, `${p.name} = ${p.text || shown(p.value)}`));
    return rows;
  }

  private place(x: number, y: number): void {
    const { offsetWidth, offsetHeight } = this.box, { right } = this.diagram.box.getBoundingClientRect();
    this.box.style.left = Math.max(4, x + 14 + offsetWidth < right ? x + 14 : x - offsetWidth - 10) + "px"; // not over its neighbours
    this.box.style.top = Math.max(4, y + 18 + offsetHeight > innerHeight ? y - offsetHeight - 10 : y + 18) + "px";
  }
}
