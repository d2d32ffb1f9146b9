// Editing: what is selected, what can be done with it, and who is told.
import { button, drawn, element } from "../parts/dom";
import type { Found } from "../parts/finder";
import type { Diagram } from "../diagram/diagram";
import { Layer, type Item } from "../diagram/layer";
import type { Scene } from "../run/protocol";
import type { Session } from "../run/session";
import { askName, askSide, choose, showDifference } from "./dialogs";
import { EditedDocument, freeName, plainName } from "./document";
import { Gestures } from "./gestures";
import { Clipboard } from "./clipboard";
import { Insertion, throughPorts, wireAt } from "./insertion";
import { Keypad } from "./keypad";
import { Palette } from "./palette";
import { knobsItem, looseSymbols } from "./ports";
import type { Documents, EditPort, EditWire, Operation } from "./protocol";
import { Sheet } from "./sheet";

export class Editor {
  readonly stage = element("div", { className: "stage" });
  readonly toggleButton = button("Edit", "Edit the diagram (e)", () => void this.toggle(), { "aria-pressed": "false", hidden: true });
  readonly document_: EditedDocument;
  readonly sheet: Sheet;
  on = false;
  private palette: Palette;
  private gestures: Gestures;
  private keypad = new Keypad();
  private knobs = new Layer(drawn("g", { className: "knobs" }));
  private bar = element("div", { className: "edit-bar", role: "toolbar", "aria-label": "Edit", hidden: true });
  private banner = element("div", { className: "banner", role: "status", hidden: true });
  private buttons: Record<string, HTMLButtonElement> = {};
  private selection = new Set<string>();
  private wire: { from: string; to: string } | null = null;
  private asking = false;
  private asked = "";
  private torn = false;
  private clipboard: Clipboard;
  private insertion: Insertion;

  constructor(private session: Session, private diagram: Diagram, private shown: (on: boolean) => void) {
    this.document_ = new EditedDocument(session);
    this.clipboard = new Clipboard(this.document_);
    this.insertion = new Insertion(this.document_);
    this.palette = new Palette(this.document_, { add: (type, at) => void this.add(type, at) });
    this.sheet = new Sheet(this.document_, { choose: (path) => this.select(path), connect: (port) => void this.connectFrom(port), rename: (name, to) => this.rename(name, to) });
    this.gestures = new Gestures(diagram, this.document_, { selected: () => this.selection, press: (path, more) => this.press(path, more), wire: (from, to) => void this.document_.connect(from, to),
      caught: (paths) => this.take(paths), wireOf: (node) => wireAt(node, this.document_.view?.wires ?? [], (line, wire) => this.shows(line, wire)), drop: (path, wire, moves) => this.drop(path, wire, moves) });
    this.makeBar();
    diagram.world.append(this.knobs.group);
    this.palette.box.hidden = true;
    this.stage.append(this.bar, this.banner, element("div", { className: "desk" }, this.palette.box, diagram.box), this.keypad.box);
    session.on("documents", (body) => this.heard(body));
    session.on("state", () => (this.toggleButton.hidden = !session.may("edit")));
    session.on("line", (line) => (this.torn ||= line === "lost"));
    session.on("hello", () => { if (this.on) void this.document_.begin().then(() => this.catchUp()); });
    diagram.box.addEventListener("drawn", () => this.decorate());
    diagram.picture.addEventListener("click", (event) => this.click(event), { capture: true });
    diagram.picture.addEventListener("keydown", (event) => this.key(event), { capture: true });
  }

  async toggle(): Promise<void> {
    if (!this.on && !this.session.may("edit")) return this.session.say("this run cannot be edited: 'hilda studio' opens a diagram to edit");
    this.on = this.gestures.on = !this.on;
    this.toggleButton.setAttribute("aria-pressed", String(this.on));
    this.bar.hidden = this.palette.box.hidden = !this.on;
    this.banner.hidden = true;
    this.diagram.source = this.on ? (inside, open) => this.scene(inside, open) : null;
    this.diagram.box.classList.toggle("editing", this.on);
    if (this.on) {
      await this.document_.begin();
      await this.palette.search();
    }
    await this.diagram.refresh();
    this.shown(this.on);
  }

  /** Draws what was missed while the line was down; a run that has taken an edit brings nothing new. */
  private async catchUp(): Promise<void> {
    const { view, state } = this.document_, missed = this.torn || view?.revision !== state?.revision;
    this.torn = false;
    if (missed) await this.diagram.refresh();
  }

  private makeBar(): void {
    const add = (name: string, label: string, title: string, act: () => void) => (this.buttons[name] = button(label, title, act));
    const { document_: d } = this;
    this.bar.append(add("save", "Save", "Save the diagram's files (Ctrl S)", () => void d.save()), add("undo", "Undo", "Take the last edit back (Ctrl Z)", () => void this.undo()), add("redo", "Redo", "Make it again (Ctrl Y)", () => void this.redo()),
      add("diff", "Diff", "What was edited, as lines", () => this.difference()), element("span", { className: "gap" }),
      add("connect", "Connect", "Connect a port of the block (c)", () => void this.connect()), add("rename", "Rename", "Rename (F2)", () => this.renameChosen()), add("duplicate", "Duplicate", "A copy of what is selected (Ctrl D)", () => void this.duplicate()),
      add("copy", "Copy", "What is selected into the clipboard (Ctrl C)", () => void this.copy()), add("paste", "Paste", "What the clipboard holds into this diagram (Ctrl V)", () => void this.paste(null)),
      add("remove", "Delete", "Delete what is selected (Delete)", () => void this.remove()), add("group", "Group", "What is selected becomes a subsystem (Ctrl G)", () => void this.group()), add("extract", "Extract", "The subsystem becomes a file, to be used again", () => void this.extract()),
      add("alignX", "Align |", "What is selected stands in a column", () => void this.align("x")), add("alignY", "Align \u2013", "What is selected stands in a row", () => void this.align("y")), add("loose", "Unpin", "What is selected stands where it looks best", () => void this.unpin()),
      element("span", { className: "gap" }), add("keys", "\u2328", "Letters and digits to be clicked", () => this.buttons.keys.setAttribute("aria-pressed", String(this.keypad.toggle()))), element("span", { className: "saved-as quiet" }));
  }

  private async scene(inside: string, open: string[]): Promise<Scene | null> {
    const view = await this.document_.look(inside, open);
    if (!view) return null;
    const loose = looseSymbols(view.elements, view.scene, view.mode), below = Math.max(0, ...loose.map((each) => each.y + each.height + 20)), right = Math.max(0, ...loose.map((each) => each.x + each.width + 30));
    const none: Scene = { inside, title: "", remark: "", doc: "", width: 600, height: 300, rates: [], symbols: [], wires: [], flags: [], origin: { x: 0, y: 0 } };
    const scene = view.scene ?? none;
    return { ...scene, width: Math.max(scene.width, right), height: Math.max(scene.height, below), symbols: [...scene.symbols, ...loose] };
  }

  private heard(body: Documents): void {
    this.document_.heard(body);
    if (body.note) this.session.say(body.note);
    if (!this.on) return;
    this.session.found(body.diagnostics);
    void this.diagram.refresh();
  }

  /** Knobs, marks of what is wrong, what is selected: on the drawing as it is now. */
  private decorate(): void {
    this.clean();
    const { view } = this.document_, knobs: Item[] = [], elements = new Map(view?.elements.map((each) => [each.path, each])), ports = new Map(view?.elements.filter((each) => each.kind === "input" || each.kind === "output").map((each) => [each.name, each]));
    for (const { symbol, node, level } of this.on ? this.diagram.symbols() : []) {
      node.classList.toggle("entered", symbol.scene !== undefined && symbol.path === view?.inside);
      if (level !== view?.inside) continue;
      const found = symbol.kind === "port" ? ports.get(symbol.name) : elements.get(symbol.path);
      if (!found) continue;
      if (!symbol.path) node.dataset.path = found.path;
      knobs.push(knobsItem(symbol, found.ports));
      const wrong = this.document_.wrong(found.line, found.last, found.document);
      const errors = wrong.filter((each) => each.severity === "error"), open = errors.every((each) => /^(undriven|missing|open|unused)/.test(each.code));
      node.classList.toggle("unfinished", errors.length > 0 && open);
      node.classList.toggle("wrong", errors.length > 0 && !open);
      if (wrong.length) node.append(drawn("title", { className: "finding", text: wrong.map((each) => each.what).join("\n") }));
    }
    this.knobs.show(knobs);
    if (!this.on || !view) return;
    for (const wire of view.wires) {
      const wrong = this.document_.wrong(wire.line, wire.line);
      if (wrong.length) for (const node of this.wireNodes(wire)) { node.classList.add("wrong"); node.append(drawn("title", { className: "finding", text: wrong.map((each) => each.what).join("\n") })); }
    }
    this.selection = new Set([...this.selection].filter((path) => this.document_.element(path)));
    if (this.wire && !view.wires.some((each) => each.from === this.wire?.from && each.to === this.wire.to)) this.wire = null;
    this.mark();
  }

  /** Nodes are kept from drawing to drawing: what was found before is taken off. */
  private clean(): void {
    for (const each of this.diagram.world.querySelectorAll("title.finding")) {
      each.parentElement?.classList.remove("wrong", "unfinished");
      each.remove();
    }
    if (this.on) return;
    for (const { symbol, node } of this.diagram.symbols()) {
      node.classList.remove("selected", "entered");
      node.dataset.path = symbol.path;
    }
    for (const node of this.diagram.world.querySelectorAll(".wire.selected, .tag.selected")) node.classList.remove("selected");
  }

  /** Does a line or tag show a wire? */
  private shows({ dataset }: SVGElement, wire: { from: string; to: string }): boolean {
    const prefix = this.document_.view?.inside ? this.document_.view.inside + "." : "", owner = (end: string) => prefix + end.split(/[.[]/)[0];
    return (dataset.from === owner(wire.from) || dataset.from === "") && (dataset.target === owner(wire.to) || dataset.target === "") && (dataset.inputs ?? "").split(" ").some((input) => wire.to.endsWith(input));
  }

  private wireNodes(wire: { from: string; to: string }): SVGElement[] {
    return [...this.diagram.world.querySelectorAll<SVGElement>(".wire, .tag")].filter((each) => this.shows(each, wire));
  }

  private mark(): void {
    for (const { node } of this.diagram.symbols()) node.classList.toggle("selected", this.selection.has(node.dataset.path ?? ""));
    for (const node of this.diagram.world.querySelectorAll(".wire.selected, .tag.selected")) node.classList.remove("selected");
    if (this.wire) for (const node of this.wireNodes(this.wire)) node.classList.add("selected");
    const { state, view } = this.document_, one = this.chosen, many = this.selection.size;
    const may = { save: this.document_.unsaved, undo: !!state?.undo, redo: !!state?.redo, connect: !!view?.elements.length, rename: !!one, duplicate: !!one && (one.kind === "block" || one.kind === "subsystem"), copy: many > 0, paste: !!view && !view.read_only, remove: many > 0 || !!this.wire, group: many > 0, extract: one?.kind === "subsystem" && one.document === undefined, alignX: many > 1, alignY: many > 1, loose: many > 0 };
    for (const [name, possible] of Object.entries(may)) this.buttons[name].disabled = !possible;
    const told = this.bar.querySelector(".saved-as");
    if (told) told.textContent = view?.read_only || `${view?.document.split("/").pop() ?? ""}${state?.unsaved ? ", not saved" : ""}${state && !state.journal ? ", no journal can be written" : ""}`;
    this.sheet.show(one ? one.path : null);
    void this.settle();
  }

  /** Edits of before that wait, and files that somebody else has changed. */
  private async settle(): Promise<void> {
    const waits = this.document_.states.find((each) => each.recovery !== null), changed = this.document_.states.find((each) => each.conflict);
    const ask = (take: boolean) => void this.session.ask("recover", { document: waits?.document, take });
    const key = waits ? `${waits.document} ${waits.recovery ?? 0}` : "";
    if (key !== this.asked) {
      this.asked = key;
      this.banner.replaceChildren(...(waits ? [element("span", {}, `${waits.recovery ?? 0} edits of ${waits.document} were not saved when hilda ended.`), button("Take them up", "Make these edits again", () => ask(true), { className: "primary" }), button("Drop them", "The file stays as it is", () => ask(false))] : []));
    }
    this.banner.hidden = !waits || !this.on;
    if (!changed || this.asking || !this.on) return;
    this.asking = true;
    const reply = await this.session.ask("diff", { document: changed.document, against: "disk" });
    const copy = await askSide(changed.document, String(reply.diff ?? ""));
    if (copy !== null) await this.session.ask("resolve", { document: changed.document, ...(copy ? { copy } : {}) });
    this.asking = false;
  }

  private get chosen() { return this.selection.size === 1 ? this.document_.element([...this.selection][0]) : undefined; }

  select(path: string | null): void {
    if (path && !this.document_.element(path)) void this.enter(path, () => this.select(path));
    this.selection = new Set(path ? [path] : []);
    this.wire = null;
    this.diagram.choose(path);
    this.mark();
  }

  /** More of the view's elements. */
  private take(paths: string[]): void {
    this.wire = null;
    for (const path of paths) if (this.document_.element(path)) this.selection.add(path);
    this.mark();
  }

  /** A block of the drawing was dropped onto a wire. */
  private async drop(path: string, wire: EditWire, moves: Operation[]): Promise<void> {
    const { document_: d } = this, found = d.element(path), through = throughPorts(found?.ports ?? []);
    const own = [wire.from, wire.to].some((end) => end.split(/[.[]/)[0] === found?.name);
    if (!through && !own) d.session.say(`not put into the wire: ${found?.name ?? ""} has no free input, or no output`, true);
    const made = through && !own ? await this.insertion.into(wire, through, moves) : moves;
    if (!(await d.edit(made)).ok) await this.diagram.refresh();
  }

  /** Into the level of a block that another one shows, or of the page; then what was meant there. */
  private async enter(path: string, then: () => void): Promise<void> {
    const found = this.diagram.symbols().find(({ node }) => node.dataset.path === path);
    if (!found || found.level === this.document_.view?.inside || !(await this.document_.enter(found.level))) return;
    this.decorate();
    if (this.document_.element(path)) then();
  }

  private press(path: string, more: boolean): void {
    if (!this.document_.element(path)) return void this.enter(path, () => this.press(path, more));
    this.wire = null;
    if (more && !this.selection.delete(path)) this.selection.add(path);
    else if (!more && !this.selection.has(path)) this.selection = new Set([path]);
    this.mark();
    this.diagram.focus(path);
  }

  /** Clicks on wires and on the ground; blocks were taken when they were pressed. */
  private click(event: MouseEvent): void {
    if (!this.on || this.diagram.view.moved) return;
    const target = event.target as Element, node = target.closest<SVGElement>(".wire, .tag"), symbol = target.closest<SVGElement>(".symbol");
    if (event.shiftKey && (symbol || node) || target.closest(".knob")) return event.stopPropagation();
    if (symbol) return;
    this.selection.clear();
    this.wire = node ? this.document_.view?.wires.find((each) => this.shows(node, each)) ?? null : null;
    if (node) event.stopPropagation();
    this.mark();
  }

  private key(event: KeyboardEvent): void {
    const focused = (document.activeElement as SVGElement | null)?.dataset.path;
    if (!this.on || !focused) return;
    const step = ({ ArrowLeft: [-6, 0], ArrowRight: [6, 0], ArrowUp: [0, -6], ArrowDown: [0, 6] } as Record<string, [number, number]>)[event.key];
    if (event.key === "Enter" && event.shiftKey) this.press(focused, true);
    else if (step && event.altKey) void this.nudge(focused, step);
    else if (event.key === "Enter" && !this.selection.has(focused)) this.select(focused);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  private async nudge(path: string, [dx, dy]: [number, number]): Promise<void> {
    const each = this.diagram.symbols().find(({ symbol }) => symbol.path === path);
    if (each) await this.gestures.move([[path, each.symbol.x + dx, each.symbol.y + dy]]);
    this.diagram.focus(path);
  }

  /** What the keys act on: the selection, or else the block that has the focus. */
  private acting(): string[] {
    const focused = (document.activeElement as SVGElement | null)?.dataset?.path;
    if (this.selection.size === 0 && focused && this.document_.element(focused) && !this.wire) this.selection.add(focused);
    return [...this.selection].flatMap((path) => this.document_.element(path)?.name ?? []);
  }

  /** What is in view and edited, for a search: the run may not know it yet. */
  found(): Found[] {
    return (this.on ? this.document_.view?.elements ?? [] : []).map((each) => ({ text: each.path, kind: "block", more: `${each.type || each.kind}${each.mode ? ` ${each.mode}` : ""}`, act: () => this.select(each.path) }));
  }

  openPalette(): void { void this.palette.open(); }
  async undo(): Promise<void> { await this.document_.undo(); }
  async redo(): Promise<void> { await this.document_.redo(); }
  save(): Promise<boolean> { return this.document_.save(); }
  private difference(): void { void showDifference(async (against) => { const reply = await this.session.ask("diff", { document: this.document_.view?.document, against }); return String(reply.diff ?? reply.error ?? ""); }); }

  private async add(type: string, at: { x: number; y: number } | null): Promise<void> {
    const { document_: d } = this, name = freeName(plainName(type), d.names()), origin = d.view?.scene?.origin ?? { x: 0, y: 0 };
    const words: Operation = ["add", type, d.at(name)];
    if (type === "parameter") words.push("value=0");
    if (at && (type.includes("/") || type === "subsystem")) {
      const [x, y] = this.gestures.place(at.x, at.y);
      words.push(`ui.x=${Math.round((x - origin.x - 40) / 6) * 6}`, `ui.y=${Math.round((y - origin.y - 20) / 6) * 6}`);
      this.diagram.view.hold();
    }
    const reply = await d.edit(at ? await this.onto(type, name, at, [words]) : [words]);
    if (!reply.ok) return;
    await this.diagram.refresh();
    this.select(d.view?.elements.find((each) => each.name === name)?.path ?? null);
    if (!at) this.diagram.reveal(this.chosen?.path ?? "");
    this.shown(true);
    this.sheet.focusName();
  }

  /** A new block, put into the wire onto which it was dropped. */
  private async onto(type: string, name: string, at: { x: number; y: number }, made: Operation[]): Promise<Operation[]> {
    const block = this.document_.blocks.get(type), wire = this.gestures.wireAt(at.x, at.y);
    const port = (input: boolean) => (each: { name: string; repeated: boolean; optional: boolean }): EditPort => ({ name: `${name}.${each.name}${each.repeated ? "[0]" : ""}`, input, type: "", optional: each.optional, driver: "" });
    const through = block && throughPorts([...block.inputs.map(port(true)), ...block.outputs.map(port(false))]);
    return wire && through ? this.insertion.into(wire, through, made) : made;
  }

  copy(): Promise<boolean> { return this.clipboard.copy(this.acting()); }
  async cut(): Promise<void> { if (await this.copy()) await this.remove(); }
  async paste(text: string | null): Promise<void> {
    const { document_: d } = this, reply = await this.clipboard.paste(text);
    if (!reply.ok) return;
    await this.diagram.refresh();
    this.selection.clear();
    this.take((reply.names as string[]).flatMap((name) => d.view?.elements.find((each) => each.name === name)?.path ?? []));
  }

  renameChosen(): void { if (this.acting().length === 1) { this.mark(); this.shown(true); this.sheet.focusName(); } }

  private async rename(name: string, to: string): Promise<boolean> {
    const kept = this.chosen?.path;
    const reply = await this.document_.edit([["rename", this.document_.at(name), to]]);
    if (!reply.ok || !kept) return reply.ok;
    await this.diagram.refresh();
    this.select(kept.slice(0, kept.length - name.length) + to);
    return true;
  }

  async remove(): Promise<void> {
    const names = this.acting(), { document_: d, wire } = this;
    if (wire) await d.edit([["disconnect", d.at(wire.from), d.at(wire.to)]]);
    else if (names.length) await d.edit([["remove", ...names.map((each) => d.at(each))]]);
  }

  async duplicate(): Promise<void> {
    const { document_: d } = this, taken = d.names(), made: Operation[] = [];
    for (const name of this.acting()) {
      const copy = freeName(name.replace(/\d+$/, ""), taken);
      taken.add(copy);
      made.push(["duplicate", d.at(name), "as", copy]);
    }
    if (made.length && (await d.edit(made)).ok) { await this.diagram.refresh(); this.select(d.view?.elements.find((each) => each.name === made[0][3])?.path ?? null); }
  }

  async group(): Promise<void> {
    const names = this.acting(), { document_: d } = this;
    const name = names.length ? await askName("Name of the subsystem", freeName("part", d.names())) : null;
    if (name) await d.edit([["group", ...names.map((each) => d.at(each)), "as", name]]);
  }

  private async extract(): Promise<void> {
    const [name] = this.acting(), { document_: d } = this;
    const file = name ? await askName("File of the subsystem", `${name}.xml`, "It lies beside the diagram, and is written when you save.") : null;
    if (file) await d.edit([["extract", d.at(name), "to", file]]);
  }

  private async align(along: "x" | "y"): Promise<void> {
    const placed = this.diagram.symbols().filter(({ symbol }) => this.selection.has(symbol.path) && symbol.kind !== "port");
    const middle = Math.min(...placed.map(({ symbol }) => symbol[along] + symbol[along === "x" ? "width" : "height"] / 2));
    await this.gestures.move(placed.map(({ symbol: s }): [string, number, number] => [s.path, along === "x" ? middle - s.width / 2 : s.x, along === "y" ? middle - s.height / 2 : s.y]));
  }

  private async unpin(): Promise<void> {
    const { document_: d } = this, pinned = [...this.selection].flatMap((path) => d.element(path) ?? []);
    const made = pinned.flatMap((each) => ["ui.x", "ui.y"].filter((key) => key in each.attributes).map((key): Operation => ["unset", `${d.at(each.name)}.${key}`]));
    if (made.length) await d.edit(made);
  }

  /** By keys: a port of the block, then one that fits. */
  async connect(): Promise<void> {
    const [name] = this.acting(), rank = (each: { owner: string; more: string }) => (each.owner === name ? 0 : 2) + (each.more === "output" ? 0 : 1);
    const ports = (this.document_.view?.elements ?? []).flatMap((element_) => element_.ports.map((each) => ({ owner: element_.name, text: each.name, more: each.input ? (each.driver ? `input, driven by ${each.driver}` : "input") : "output", disabled: !!each.driver, value: each.name })));
    const port = await choose("Connect: one end", ports.sort((a, b) => rank(a) - rank(b)), "Type a part of its name; Enter takes it. What is driven already is disconnected in the sheet beside, or by Delete on its wire.");
    if (port) await this.connectFrom(port);
  }

  private async connectFrom(port: string): Promise<void> {
    const fits = (await this.document_.fits(port)).sort((a, b) => Number(a.fits === false) - Number(b.fits === false));
    const other = await choose(`Connect ${port} with`, fits.map((each) => ({ text: each.name, more: each.fits === false ? each.why : this.document_.port(each.name)?.type ?? "", disabled: each.fits === false, value: each.name })), "What cannot fit is grey.");
    if (other) await this.document_.connect(port, other);
  }
}
