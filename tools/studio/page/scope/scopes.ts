// SPDX-License-Identifier: BSD-3-Clause
// All scopes, side by side; one of them takes what is clicked.
import { element } from "../parts/dom";
import { Kept } from "../parts/kept";
import { Layouts, type ScopeLayout } from "./layouts";
import { pen } from "./pens";
import { Scope } from "./scope";
import { SignalMoves } from "./signal_moves";
import type { Session } from "../run/session";

const most = 4; // side by side
const figures = 3; // of the diagram, with which a scope begins
const many = 6; // scalars of a wire that go into the scope at once

export class Scopes {
  readonly box = element("div", { className: "scopes" });
  readonly all: Scope[] = [];
  active!: Scope;
  private next = 1;
  private pending = false;
  private fresh = true;
  private kept: Kept<ScopeLayout[]>;
  private layouts: Layouts;

  constructor(private session: Session, private highlight: (colours: Map<string, string>) => void) {
    this.kept = new Kept(session, "layout");
    this.layouts = new Layouts(session, () => this.layout(), (all) => void this.arrange(all));
    new SignalMoves(session, this.box, () => this.all);
    this.add();
    session.on("hello", () => this.greeted());
    session.on("samples", (samples) => {
      if (samples.op === "sweep") this.all.find((each) => each.id === samples.scope)?.sweep(samples);
      this.soon();
    });
    session.on("state", () => this.soon());
    session.on("runs", () => { for (const scope of this.all) scope.toldOfRuns(); });
  }

  add(): void {
    if (this.all.length >= most) return this.session.say(`${most} scopes are open: close one first`);
    const scope = new Scope(this.session, String(this.next++), { changed: () => this.changed(), add: () => this.add(), close: () => this.close(scope), layouts: () => this.layouts.open() });
    this.all.push(scope);
    this.box.append(scope.box);
    for (const event of ["pointerdown", "focusin"] as const) scope.box.addEventListener(event, () => this.activate(scope));
    scope.box.classList.add("none");
    this.activate(scope);
    if (!this.fresh) this.changed();
  }

  /** A wire was clicked: all that it carries, or a part of it where that is much, comes or goes. */
  take(wanted: string[]): void {
    const names = [...new Set(wanted.flatMap((each) => this.session.scalarsOf(each)))];
    if (names.length === 0) return this.session.say(`${wanted.join(", ")} is not among the signals of this run`, true);
    const shown = new Set(this.active.names());
    const inside = names.filter((name) => shown.has(name));
    if (inside.length) return inside.forEach((name) => this.active.toggle(name));
    // a pose, a twist, a wrench: what moves comes first
    const moving = names.filter((name) => !/quaternion|orientation|\.q[wxyz]?$/.test(name));
    const chosen = (moving.length ? moving : names).slice(0, many);
    chosen.forEach((name) => this.active.toggle(name));
    if (chosen.length < names.length) this.session.say(`${chosen.length} of ${names.length} values are in the scope; search (/) finds the others`);
  }

  activate(scope: Scope): void {
    this.active = scope;
    for (const each of this.all) each.box.classList.toggle("active", each === scope && this.all.length > 1);
  }

  rebuild(): void { for (const scope of this.all) scope.rebuild(); this.coloured(); }

  private close(scope: Scope): void {
    scope.release();
    if (this.all.length === 1) return;
    this.all.splice(this.all.indexOf(scope), 1);
    scope.box.remove();
    this.activate(this.all[this.all.length - 1]);
    this.changed();
  }

  /** Signals that are no longer there go; the others are asked for again. */
  private greeted(): void {
    for (const scope of this.all) {
      for (const name of scope.names()) if (!this.session.knows(name)) scope.toggle(name);
      if (scope.names().length) scope.subscribe();
    }
    if (this.fresh && this.session.scalars.size) this.begin();
  }

  /** What was there before the page was loaded again, or else what the author chose: the diagram's first figures. */
  private begin(): void {
    const before = this.kept.value;
    this.fresh = false;
    if (before) return this.arrangeWithLogs(before);
    for (const figure of (this.session.hello?.figures ?? []).slice(0, figures))
      for (const name of figure.signals.flatMap((each) => this.session.scalarsOf(each)).slice(0, many))
        if (!this.active.names().includes(name)) this.active.toggle(name);
  }

  private layout(): ScopeLayout[] { return this.all.map((each) => each.layout); }

  /** A page that was loaded again has its scopes at once, and signals of opened logs when the server has listed these. */
  private arrangeWithLogs(layouts: ScopeLayout[]): void {
    const lost = this.arrange(layouts, false);
    if (lost.length) void this.session.logs.ready.then(() => {
      layouts.forEach((each, i) => each.names.forEach((name) => { if (lost.includes(name) && this.session.knows(name) && !this.all[i]?.names().includes(name)) this.all[i]?.toggle(name); }));
      layouts.forEach((each, i) => { if (each.panels?.length && each.names.some((name) => lost.includes(name))) this.all[i]?.group(each.panels); });
      this.sayLost(lost.filter((each) => !this.session.knows(each)));
    });
  }

  private sayLost(names: string[]): void { if (names.length) this.session.say(`not in this diagram: ${names.join(", ")}`, true); }

  /** These scopes, with what the diagram has of their signals; gives those that it has not. */
  private arrange(layouts: ScopeLayout[], say = true): string[] {
    while (this.all.length > Math.max(1, layouts.length)) this.close(this.all[this.all.length - 1]);
    while (this.all.length < layouts.length && this.all.length < most) this.add();
    layouts.slice(0, most).forEach((each, i) => this.all[i].arrange(each));
    const lost = layouts.flatMap((each) => each.names.filter((name) => !this.session.knows(name)));
    if (say) this.sayLost(lost);
    this.activate(this.all[0]);
    return lost;
  }

  private changed(): void {
    if (!this.fresh) this.kept.value = this.layout();
    this.coloured();
  }

  coloured(): void {
    const colours = new Map<string, string>();
    for (const scope of this.all) for (const panel of scope.panels) for (const curve of panel.curves) colours.set(curve.scalar.name, pen(curve.pen));
    this.highlight(colours);
  }

  /** Once a frame, however much comes. */
  private soon(): void {
    if (this.pending) return;
    this.pending = true;
    requestAnimationFrame(() => {
      this.pending = false;
      for (const scope of this.all) scope.tick();
    });
  }
}
