// SPDX-License-Identifier: BSD-3-Clause
// Signals are taken from panel to panel, and from scope to scope: by the mouse at their name, or by Alt and arrows.
import { element } from "../parts/dom";
import type { Session } from "../run/session";
import type { Panel, PanelLayout } from "./panel";
import type { Scope } from "./scope";

type Side = "into" | "before" | "after";
/** panel: null in a scope without panels. */
interface Place { scope: Scope; panel: Panel | null; side: Side }

const begins = 5; // px, from which it is not a click

export class SignalMoves {
  private sign = element("div", { className: "carried", hidden: true });

  constructor(private session: Session, private box: HTMLElement, private scopes: () => Scope[]) {
    document.body.append(this.sign);
    box.addEventListener("pointerdown", (event) => this.begin(event));
    box.addEventListener("keydown", (event) => this.key(event));
  }

  /** The signal of a row, and where it is. */
  private held(target: EventTarget | null): { name: string; scope: Scope; panel: Panel } | null {
    const row = (target as Element | null)?.closest?.<HTMLElement>("tr[data-signal]"), name = row?.dataset.signal;
    const scope = this.scopes().find((each) => row && each.box.contains(row)), panel = scope?.panels.find((each) => row && each.box.contains(row));
    return name && scope && panel ? { name, scope, panel } : null;
  }

  private begin(down: PointerEvent): void {
    const held = (down.target as Element).closest(".who") ? this.held(down.target) : null;
    if (!held || down.button !== 0) return;
    let at: Place | null = null, carried = false;
    const move = (event: PointerEvent) => {
      carried ||= Math.hypot(event.clientX - down.clientX, event.clientY - down.clientY) > begins;
      if (!carried) return;
      event.preventDefault();
      at = this.place(event, held.name);
      this.show(event, held.name, at);
    };
    const end = (event: Event) => {
      for (const [what, how] of [["pointermove", move], ["pointerup", end], ["pointercancel", end], ["keydown", escape]] as [string, EventListener][]) document.removeEventListener(what, how);
      this.show(null, "", null);
      if (carried && at && event.type === "pointerup") this.move(held.name, held.scope, at);
    };
    const escape = (event: KeyboardEvent) => { if (event.key === "Escape") end(event); };
    for (const [what, how] of [["pointermove", move], ["pointerup", end], ["pointercancel", end], ["keydown", escape]] as [string, EventListener][]) document.addEventListener(what, how);
    down.preventDefault(); // no text is selected
  }

  /** The middle of a panel of its unit: into it. Above and below, and in one of another unit: a new panel there. */
  private place(event: PointerEvent, name: string): Place | null {
    const under = document.elementFromPoint(event.clientX, event.clientY), scope = this.scopes().find((each) => each.box.contains(under));
    if (!scope) return null;
    const panel = scope.panels.find((each) => each.box.contains(under)) ?? scope.panels[scope.panels.length - 1] ?? null;
    if (!panel) return { scope, panel, side: "into" };
    const box = panel.box.getBoundingClientRect(), share = (event.clientY - box.top) / box.height, fits = panel.unit === this.session.scalars.get(name)?.unit;
    return { scope, panel, side: fits && share > 0.2 && share < 0.8 ? "into" : share < 0.5 ? "before" : "after" };
  }

  private show(event: PointerEvent | null, name: string, at: Place | null): void {
    for (const each of this.box.querySelectorAll("[data-drop]")) each.removeAttribute("data-drop");
    this.sign.hidden = !event;
    if (!event) return;
    this.sign.textContent = at ? name : `${name}: drop it on a scope`;
    this.sign.style.transform = `translate(${event.clientX + 12}px, ${event.clientY + 12}px)`;
    if (at) (at.panel?.box ?? at.scope.box).dataset.drop = at.side;
  }

  private move(name: string, from: Scope, { scope, panel, side }: Place): void {
    const own = panel?.curves.length === 1 && panel.curves[0].scalar.name === name;
    if (own) return;
    const at = panel ? scope.panels.indexOf(panel) : -1;
    if (from !== scope) {
      if (scope.names().includes(name)) return this.session.say(`${name} is in scope ${scope.id} already`);
    }
    const limit = from.limits.of(name);
    if (from !== scope) from.toggle(name);
    const lists: PanelLayout[] = scope.panels.map((each) => ({ ...each.layout, names: each.layout.names.filter((other) => other !== name) }));
    if (from !== scope) scope.toggle(name);
    if (at < 0) lists.push({ names: [name] });
    else if (side === "into") lists[at].names.push(name);
    else lists.splice(at + (side === "after" ? 1 : 0), 0, { names: [name] });
    scope.group(lists);
    if (from !== scope && limit) scope.limits.set(limit);
    this.tellPlace(name, scope);
  }

  private tellPlace(name: string, scope: Scope): void {
    const at = scope.panels.findIndex((each) => each.curves.some((curve) => curve.scalar.name === name));
    this.session.say(`${name} is in panel ${at + 1} of scope ${scope.id}`);
    scope.box.querySelector<HTMLElement>(`tr[data-signal="${CSS.escape(name)}"] .swatch`)?.focus();
  }

  /** Up and down through the panels, left and right through the scopes. */
  private key(event: KeyboardEvent): void {
    const held = event.altKey && !event.ctrlKey ? this.held(event.target) : null, all = this.scopes();
    if (!held || !event.key.startsWith("Arrow")) return;
    event.preventDefault();
    event.stopPropagation();
    const { name, scope, panel } = held, down = event.key === "ArrowDown", at = scope.panels.indexOf(panel);
    if (event.key === "ArrowLeft" || event.key === "ArrowRight") {
      const other = all[all.indexOf(scope) + (event.key === "ArrowRight" ? 1 : -1)];
      if (!other) return this.session.say("There is no scope on that side");
      const alike = other.panels.find((each) => each.unit === panel.unit) ?? null;
      return this.move(name, scope, { scope: other, panel: alike ?? other.panels[other.panels.length - 1] ?? null, side: alike ? "into" : "after" });
    }
    const next = scope.panels[at + (down ? 1 : -1)], alone = panel.curves.length === 1;
    if (next && next.unit === panel.unit) return this.move(name, scope, { scope, panel: next, side: "into" });
    if (!alone) return this.move(name, scope, { scope, panel, side: down ? "after" : "before" });
    if (next) this.move(name, scope, { scope, panel: next, side: down ? "after" : "before" });
  }
}
