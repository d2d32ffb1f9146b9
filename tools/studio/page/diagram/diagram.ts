// SPDX-License-Identifier: BSD-3-Clause
// The diagram: levels, what is chosen in it, and the keys that walk through it.
import { button, drawn, element } from "../parts/dom";
import { Kept } from "../parts/kept";
import { fieldInUse, takesText } from "../parts/typing";
import type { Parameter, Scene, SceneSymbol, Wire } from "../run/protocol";
import { within, type Session } from "../run/session";
import { showInUse } from "./in_use";
import { areaItems } from "./areas";
import { Layer, type Item } from "./layer";
import { Minimap } from "./minimap";
import { NewPlugin } from "./new_plugin";
import { Pins } from "./pins";
import { symbolItem } from "./symbols";
import { View } from "./view";
import { carriedBy, tagItems, wireItems } from "./wires";

/** `level`: path of the subsystem in whose drawing it is. */
export interface Placed { symbol: SceneSymbol; node: SVGGElement; signals: string[]; level: string }

export interface DiagramActions {
  /** The user selects a block or subsystem; null: the diagram itself. */
  choose(path: string | null): void;
  /** Signals go to the scope, or from it. */
  scope(signals: string[]): void;
}

export class Diagram {
  readonly box = element("section", { className: "diagram", "aria-label": "Diagram" });
  readonly crumbs = element("nav", { className: "crumbs", "aria-label": "Where in the diagram" });
  readonly view: View;
  inside = "";
  chosen: string | null = null;
  private opened = new Set<string>();
  /** The editor provides the drawing; null: that of the run. */
  source: ((inside: string, open: string[]) => Promise<Scene | null>) | null = null;
  readonly picture = drawn("svg", { className: "picture", role: "group", "aria-label": "Blocks: arrow keys go from one to the next" });
  readonly world = drawn("g");
  private legend = element("div", { className: "legend" });
  private empty = element("div", { className: "empty" });
  private placed: Placed[] = [];
  private layer = new Layer(drawn("g"));
  private pins: Pins;
  private newPlugin: NewPlugin;
  private minimap: Minimap;
  private kept: Kept<{ inside: string; open: string[] }>;
  private fresh = true;

  constructor(private session: Session, private actions: DiagramActions) {
    this.kept = new Kept(session, "place");
    this.picture.append(this.world);
    this.world.append(this.layer.group);
    const tools = element("div", { className: "tools" },
      button("+", "Larger (+)", () => this.view.zoom(1.25)), button("\u2212", "Smaller (-)", () => this.view.zoom(0.8)),
      button("Fit", "The whole diagram (f)", () => this.view.fit()));
    this.box.append(this.picture, this.empty, this.legend, tools);
    // text too small to read only costs time: names of ports are left out first, names of blocks never
    this.view = new View(this.box, this.world, (scale) => {
      this.world.classList.toggle("far", scale < 0.3);
      this.world.classList.toggle("small", scale < 0.65);
      this.minimap.follow();
    });
    // in px: the layout around the picture tries several heights, and a picture that takes a share of each lays out all its texts again
    new ResizeObserver(() => Object.assign(this.picture.style, { width: `${this.box.clientWidth}px`, height: `${this.box.clientHeight}px` })).observe(this.box);
    this.minimap = new Minimap(this.box, this.view);
    this.box.append(this.minimap.box);
    this.pins = new Pins(session, this.world);
    // who presses here leaves the field he was in, before anything else comes of it
    this.picture.addEventListener("pointerdown", () => fieldInUse()?.blur(), { capture: true });
    this.picture.addEventListener("click", (event) => this.click(event));
    this.picture.addEventListener("dblclick", (event) => this.enter((event.target as Element).closest<SVGElement>(".symbol")?.dataset.path));
    this.picture.addEventListener("keydown", (event) => this.key(event));
    this.newPlugin = new NewPlugin(session, this.box);
    this.picture.addEventListener("contextmenu", (event) => {
      const path = (event.target as Element).closest<SVGElement>(".symbol.subsystem")?.dataset.path;
      if (path) { event.preventDefault(); this.newPlugin.open(path); }
    });
    session.on("hello", (hello) => {
      const known = (path: string) => hello.blocks.some((block) => block.path.startsWith(path + "."));
      if (this.source) return this.trail(); // the edited diagram is drawn already; the run follows it
      if (this.fresh && this.kept.value) ({ inside: this.inside } = this.kept.value), this.opened = new Set(this.kept.value.open);
      this.fresh = false;
      if (this.inside && !known(this.inside)) this.inside = "";
      this.inside || this.opened.size ? void this.load() : this.show(hello.scene);
    });
    session.on("marks", () => this.mark());
    session.on("parameters", (list) => this.showValues(new Set(list.map((each) => each.block))));
    session.on("state", (state) => { if (state.state !== "running") this.mark(); });
  }

  /** Draws a level as a separate page. */
  async go(inside: string): Promise<void> {
    this.inside = inside;
    await this.load();
    if (!fieldInUse()) (this.nodeOf(this.chosen) ?? this.placed[0]?.node)?.focus();
  }

  /** Opens a subsystem in place, or closes it. */
  async toggle(path: string): Promise<void> {
    if (!this.opened.delete(path)) this.opened.add(path);
    await this.load();
    if (!fieldInUse()) this.nodeOf(path)?.focus();
  }

  /** Chooses a block wherever it is, and goes to its level where that is not in sight. */
  async find(path: string): Promise<void> {
    if (!this.nodeOf(path)) await this.go(path.includes(".") ? path.slice(0, path.lastIndexOf(".")) : "");
    this.choose(path);
    if (!fieldInUse()) this.nodeOf(path)?.focus();
  }

  choose(path: string | null): void {
    this.chosen = path;
    this.showChosen();
    this.actions.choose(path);
  }

  private showChosen(): void {
    for (const each of this.placed) each.node.classList.toggle("chosen", this.chosen !== null && each.symbol.path === this.chosen);
  }

  /** Wires whose signals are in a scope are coloured. */
  highlight(colours: Map<string, string>): void {
    for (const node of this.world.querySelectorAll<SVGElement>("[data-signals]")) {
      const names = (node.dataset.signals ?? "").split(" ");
      const found = [...colours].find(([name]) => names.some((each) => within(name, each)));
      node.classList.toggle("scoped", !!found);
      if (found) node.style.setProperty("--pen", found[1]); else node.style.removeProperty("--pen");
    }
  }

  /** The symbols of the drawing, each with its level. */
  symbols(): readonly Placed[] { return this.placed; }
  /** Draws it once more. */
  refresh(): Promise<void> { return this.load(); }
  /** Who types somewhere is left there. */
  focus(path: string): void { if (!fieldInUse()) this.nodeOf(path)?.focus({ preventScroll: true }); }
  reveal(path: string): void {
    const found = this.placed.find((each) => each.symbol.path === path);
    if (found) this.view.reveal(found.symbol.x, found.symbol.y, found.symbol.width, found.symbol.height);
  }

  centre(path: string): void {
    const found = this.placed.find((each) => each.symbol.path === path)?.symbol;
    if (found) this.view.centre(found.x + found.width / 2, found.y + found.height / 2);
  }

  private async load(): Promise<void> {
    this.kept.value = { inside: this.inside, open: [...this.opened] };
    const turn = ++this.turn, source = this.source ?? ((inside: string, open: string[]) => this.session.scene(inside, open));
    let scene = await source(this.inside, [...this.opened]);
    if (!scene && this.source && this.inside) scene = await source((this.inside = ""), [...this.opened]); // it is gone
    if (turn !== this.turn) return; // a later one is on its way
    const focused = (document.activeElement as SVGElement | null)?.dataset?.path;
    if (scene) this.show(scene);
    if (focused && this.picture.isConnected && document.activeElement === document.body) this.focus(focused);
  }
  private turn = 0;

  private show(scene: Scene | null): void {
    const nothing = !scene || scene.symbols.length === 0;
    this.empty.replaceChildren(...(nothing ? [element("p", {}, scene ? "There is no block in this diagram yet." : "This diagram cannot be drawn until its errors are fixed."),
      element("p", { className: "quiet" }, (scene ? "" : "They are listed next to it. ") + (scene && this.source ? "Drag one from the palette to here, or press a." : this.session.may("edit") ? `Edit (e) ${scene ? "draws one" : "fixes them"} here; or save the file: this page follows.` : "Save the file: this page follows."))] : []));
    this.empty.hidden = !nothing;
    this.paint(scene);
    this.trail();
    if (scene) this.explain(scene);
    this.view.content(Math.max(1, scene?.width ?? 1), Math.max(1, scene?.height ?? 1), scene?.origin ?? null, scene?.inside ?? "");
    this.minimap.show(nothing ? null : scene);
    if (this.chosen !== null && !this.nodeOf(this.chosen)) this.choose(null);
    this.showChosen();
    this.mark();
    this.pins.place();
    this.box.dispatchEvent(new CustomEvent("drawn"));
  }

  private paint(scene: Scene | null): void {
    const items: Item[] = [], symbols: (Omit<Placed, "node"> & { at: number })[] = [];
    const add = (level: Scene) => {
      const from = new Map<string, Wire[]>();
      for (const wire of level.wires) { const known = from.get(wire.from); if (known) known.push(wire); else from.set(wire.from, [wire]); }
      items.push(...areaItems(level), ...wireItems(level));
      for (const symbol of level.symbols) {
        symbols.push({ at: items.length, symbol, level: level.inside, signals: carriedBy(from.get(symbol.path) ?? []) });
        items.push(symbolItem(symbol, level));
      }
      for (const symbol of level.symbols) if (symbol.scene) add(symbol.scene);
      items.push(...tagItems(level));
    };
    if (scene) add(scene);
    const nodes = this.layer.show(items);
    this.placed = symbols.map(({ at, ...each }) => ({ ...each, node: nodes[at] as SVGGElement }));
    this.showValues();
    const reached = this.placed.find((each) => each.node.getAttribute("tabindex") === "0") ?? this.placed[0];
    reached?.node.setAttribute("tabindex", "0");
  }

  /** Shows values of these blocks, or of all. Named parameters of a subsystem are shown on its symbol. */
  private showValues(blocks?: Set<string>): void {
    const of = new Map<string, Parameter[]>();
    for (const each of this.session.parameters.values()) {
      const owner = each.block || each.path.slice(0, Math.max(0, each.path.lastIndexOf(".")));
      of.set(owner, [...(of.get(owner) ?? []), each]);
    }
    for (const { symbol, node } of this.placed)
      if (!blocks || blocks.has(symbol.path) || blocks.has("")) showInUse(node, symbol, of.get(symbol.path) ?? [], this.source !== null);
  }

  private trail(): void {
    const steps = this.inside ? this.inside.split(".") : [], { name = "", file = "" } = this.session.hello?.diagram ?? {};
    const crumb = (text: string, path: string, last: boolean) =>
      element("button", { type: "button", "aria-current": last ? "page" : undefined, onclick: () => void this.go(path) }, text);
    this.crumbs.replaceChildren(crumb(name || (file.split("/").pop() ?? ""), "", steps.length === 0),
      ...steps.flatMap((step, i) => [element("span", { "aria-hidden": "true" }, "\u203a"), crumb(step, steps.slice(0, i + 1).join("."), i === steps.length - 1)]));
  }

  private explain(scene: Scene): void {
    const { rates } = scene;
    this.legend.replaceChildren(...(rates.length < 2 ? [] : rates.map((rate, i) =>
      element("span", { "data-rate": rate.continuous ? "continuous" : String(i % 6) }, rate.continuous ? "continuous" : "every " + rate.text))));
  }

  /** Blocks that hold, saturate or have failed. */
  private mark(): void {
    for (const { symbol, node } of this.placed) {
      const found = this.session.markOf(symbol.path);
      node.querySelector(".badge")?.remove();
      if (!found) { delete node.dataset.mark; continue; }
      node.dataset.mark = found.kind;
      node.append(drawn("g", { className: "badge", transform: "translate(-3 -3)" }, drawn("circle", { r: 7 }),
        drawn("text", { "text-anchor": "middle", y: 3.5, "font-size": 10, text: found.kind === "hold" ? "\u2016" : "!" }), drawn("title", { text: found.text })));
    }
  }

  private nodeOf(path: string | null): SVGGElement | undefined { return this.placed.find((each) => each.symbol.path === path && path)?.node; }

  private click(event: MouseEvent): void {
    if (this.view.moved) return;
    const target = event.target as Element, wire = target.closest<SVGElement>("[data-signals]"), symbol = target.closest<SVGElement>(".symbol");
    if (wire && event.shiftKey) return this.pins.toggle(wire.dataset.signals ?? "");
    if (wire) return this.actions.scope((wire.dataset.signals ?? "").split(" ").filter(Boolean));
    if (symbol) (symbol as SVGGElement).focus({ preventScroll: true });
    this.choose((symbol?.classList.contains("note") && !this.source ? "" : symbol?.dataset.path) || null); // a note has nothing to show of a run
  }

  /** A subsystem becomes the page. */
  private enter(path?: string): void {
    const found = this.placed.find((each) => each.symbol.path === path);
    if (path && found?.symbol.kind === "subsystem") void this.go(path);
  }

  private key(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey || takesText(event.target as Element)) return; // of words that are written on the drawing
    const here = this.placed.find((each) => each.node === document.activeElement);
    const step = ({ ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] } as Record<string, [number, number]>)[event.key];
    if (step && here) this.walk(here, step);
    else if (event.key === "Enter" && here) here.symbol.kind === "subsystem" && this.chosen === here.symbol.path ? this.enter(here.symbol.path) : this.choose(here.symbol.path);
    else if (event.key === "s" && here) this.actions.scope(here.signals);
    else if (event.key === "p" && here) this.pin(here);
    else if (event.key === "o" && here?.symbol.kind === "subsystem") void this.toggle(here.symbol.path);
    else if (event.key === "w" && here?.symbol.kind === "subsystem") this.newPlugin.open(here.symbol.path);
    else if (event.key === "Backspace") void this.go(this.inside.includes(".") ? this.inside.slice(0, this.inside.lastIndexOf(".")) : "");
    else if (event.key === "f") this.view.fit();
    else if (event.key === "+" || event.key === "-") this.view.zoom(event.key === "+" ? 1.25 : 0.8);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** The wires that begin at a block. */
  private pin({ signals }: Placed): void {
    const mine = [...this.world.querySelectorAll<SVGElement>(".wire")].map((each) => each.dataset.signals ?? "");
    for (const each of new Set(mine)) if (each.split(" ").every((name) => signals.includes(name))) this.pins.toggle(each);
  }

  /** To the nearest symbol that way; sideways counts double. */
  private walk(here: Placed, [dx, dy]: [number, number]): void {
    const middle = ({ symbol: s }: Placed) => [s.x + s.width / 2, s.y + s.height / 2], [hx, hy] = middle(here);
    let best: Placed | null = null, least = Infinity;
    for (const each of this.placed) {
      const [x, y] = middle(each), along = (x - hx) * dx + (y - hy) * dy, aside = Math.abs((x - hx) * dy) + Math.abs((y - hy) * dx);
      if (each !== here && along > 1 && along + 2 * aside < least) least = along + 2 * aside, best = each;
    }
    if (!best) return;
    here.node.setAttribute("tabindex", "-1");
    best.node.setAttribute("tabindex", "0");
    best.node.focus({ preventScroll: true });
    this.view.reveal(best.symbol.x, best.symbol.y, best.symbol.width, best.symbol.height);
  }
}
