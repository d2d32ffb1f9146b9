// SPDX-License-Identifier: BSD-3-Clause
// Editing: which part draws the diagram during editing, what is selected, and which parts are notified.
import { button, element } from "../parts/dom";
import type { Found } from "../parts/finder";
import type { Diagram } from "../diagram/diagram";
import type { Diagnostic, Parameter, Scene } from "../run/protocol";
import type { Session } from "../run/session";
import { Annotations, isAnnotation } from "./annotations";
import { Bends } from "./bends";
import { placeOf, sidePath } from "./beside";
import { Commands } from "./commands";
import { choose } from "./dialogs";
import { EditedDocument } from "./document";
import { EditBar } from "./edit_bar";
import { Findings, showsWire } from "./findings";
import { attributeOf, fixOf, rewordings, wireBetween, type Through } from "./fixes";
import { replaceInAll } from "./replace";
import { Gestures } from "./gestures";
import { wireAt } from "./insertion";
import { Keypad } from "./keypad";
import { Palette } from "./palette";
import type { Documents, EditElement, EditView } from "./protocol";
import { Selection } from "./selection";
import { Sheet } from "./sheet";
import { WaitingEdits } from "./waiting_edits";

export class Editor {
  readonly stage = element("div", { className: "stage" });
  readonly toggleButton = button("Edit", "Edit the diagram (e)", () => void this.toggle(), { "aria-pressed": "false", hidden: true });
  readonly document_: EditedDocument;
  readonly sheet: Sheet;
  readonly commands: Commands;
  on = false;
  private palette: Palette;
  private gestures: Gestures;
  private keypad = new Keypad();
  private bar: EditBar;
  private waiting: WaitingEdits;
  private selection: Selection;
  private findings: Findings;
  private annotations: Annotations;
  private torn = false;
  private looked = false;

  constructor(private session: Session, private diagram: Diagram, private shown: (on: boolean) => void) {
    this.document_ = new EditedDocument(session);
    this.selection = new Selection(this.document_);
    this.waiting = new WaitingEdits(this.document_);
    this.palette = new Palette(this.document_, { expect: () => this.expect(""), add: (type, at) => { if (type) void this.add(type, at); else this.expect(null); } });
    this.sheet = new Sheet(this.document_, { choose: (path) => this.select(path), connect: (port) => void this.commands.connectFrom(port), rename: (path, to) => this.commands.rename(path, to) });
    this.gestures = new Gestures(diagram, this.document_, { selected: () => this.selection.paths, press: (path, more) => this.press(path, more), wire: (from, to) => void this.document_.connect(from, to),
      caught: (paths) => this.take(paths), wireOf: (node) => wireAt(node, this.document_.view?.wires ?? [], (line, wire) => this.shows(line, wire)), drop: (path, wire, moves) => this.commands.drop(path, wire, moves) });
    this.commands = new Commands(this.document_, diagram, this.gestures, this.selection, { select: (path) => this.select(path), take: (paths) => this.take(paths), name: () => { this.mark(); this.shown(true); this.sheet.focusName(); },
      expect: (name) => this.expect(name), renamed: (from, to) => this.sheet.renamed(from, to) });
    this.annotations = new Annotations(diagram, this.document_, this.gestures, { select: (path) => this.select(path) });
    new Bends(diagram, this.document_, this.gestures, (node) => this.document_.view?.wires.filter((each) => this.shows(node, each)) ?? []);
    this.bar = new EditBar(this.document_, this.selection, this.commands, { modes: () => void this.modes(), keypad: () => this.keypad.toggle() });
    this.findings = new Findings(diagram, this.document_, this.selection);
    this.palette.box.hidden = true;
    this.stage.append(this.bar.box, this.waiting.banner, element("div", { className: "desk" }, this.palette.box, diagram.box), this.keypad.box);
    session.on("documents", (body) => this.heard(body));
    session.on("state", () => { this.toggleButton.hidden = !session.may("edit"); void this.lookForLeft(); });
    session.on("line", (line) => { if (line === "lost") this.torn = true, this.looked = false; });
    session.on("hello", () => { if (this.on) void this.document_.begin().then(() => this.catchUp()); });
    diagram.box.addEventListener("drawn", () => this.decorate());
    diagram.picture.addEventListener("click", (event) => this.click(event), { capture: true });
    diagram.picture.addEventListener("keydown", (event) => this.key(event), { capture: true });
  }

  async toggle(): Promise<void> {
    if (!this.on && !this.session.may("edit")) return this.session.say("this run cannot be edited: 'hilda studio' opens a diagram to edit");
    this.on = this.gestures.on = !this.on;
    this.toggleButton.setAttribute("aria-pressed", String(this.on));
    this.bar.box.hidden = this.palette.box.hidden = !this.on;
    this.diagram.source = this.on ? (inside, open) => this.scene(inside, open) : null;
    this.diagram.box.classList.toggle("editing", this.on);
    this.document_.alone();
    if (this.on) {
      await this.document_.begin();
      await this.palette.search();
    }
    await this.diagram.refresh();
    this.shown(this.on);
  }

  /** Who opens a diagram hears of edits that wait, before anything is edited. */
  private async lookForLeft(): Promise<void> {
    if (this.looked || !this.session.may("edit")) return;
    this.looked = true;
    const reply = await this.session.ask("documents", {}, true);
    if (!reply.ok) return;
    this.document_.heard(reply as unknown as Documents);
    void this.waiting.look(this.on);
  }

  /** Draws what was missed while the line was down; a run that has taken an edit brings nothing new. */
  private async catchUp(): Promise<void> {
    const { view, state } = this.document_, missed = this.torn || view?.revision !== state?.revision;
    this.torn = false;
    if (missed) await this.diagram.refresh();
  }

  private scene(inside: string, open: string[]): Promise<Scene | null> {
    const { clientWidth: width, clientHeight: height } = this.diagram.box;
    this.diagram.inside = placeOf(inside).inside; // a side's subsystem becomes the page: of both sides
    return this.document_.look(this.diagram.inside, open, { width, height });
  }

  /** Shows the run's mode next to another one, of the chosen subsystem or else of the page; and back. */
  async modes(): Promise<void> {
    const { view, beside } = this.document_, all = view?.modes ?? [];
    if (beside) return this.drawBeside(null);
    if (all.length < 2) return this.session.say("this diagram has only one mode: define a block or subsystem for two values of 'mode' to compare them");
    const [run, ...others] = all, { chosen } = this.selection;
    const twins = view?.elements.filter((each) => each.kind === "subsystem" && each.name === chosen?.name && each.mode) ?? [];
    const mode = others.length === 1 ? others[0] : await choose(`Mode ${run} and`, others.map((each) => ({ text: each, value: each })));
    if (!mode) return;
    if (chosen && twins.length > 1 && [run, mode].every((each) => twins.some((twin) => twin.mode === each))) this.diagram.inside = placeOf(chosen.path).inside;
    await this.drawBeside([run, mode]);
  }

  private async drawBeside(modes: [string, string] | null): Promise<void> {
    this.selection.only(null);
    this.document_.alone();
    this.document_.beside = modes;
    await this.diagram.refresh();
    if (modes) this.focusOn(sidePath(this.diagram.inside, modes[0]));
    this.shown(true);
  }

  /** Into a side: to that element of it, or else to its first one. */
  private focusOn(side: string, path = ""): void {
    const inner = this.diagram.symbols().filter(({ level, symbol }) => level === side && symbol.path), at = inner.find(({ symbol }) => symbol.path === path) ?? inner[0];
    this.diagram.focus(at?.symbol.path ?? side);
  }

  /** To the other side of two, where what has the focus has its twin. */
  async across(): Promise<void> {
    const focused = (document.activeElement as SVGElement | null)?.dataset?.path ?? this.document_.view?.inside ?? "", to = this.document_.across(focused);
    if (!to) return this.session.say("there is no other side: m puts two modes side by side");
    await this.enter(to.side, () => {});
    this.focusOn(to.side, to.twin);
  }

  private heard(body: Documents): void {
    this.document_.heard(body);
    if (body.note) this.session.say(body.note);
    void this.waiting.look(this.on);
    if (!this.on) return;
    this.session.found(body.diagnostics);
    void this.diagram.refresh();
  }

  private decorate(): void {
    this.findings.show(this.on);
    if (this.on && this.document_.view) this.mark();
  }

  private shows(line: SVGElement, wire: { from: string; to: string }): boolean { return showsWire(line, wire, this.document_.view?.inside ?? ""); }

  private mark(): void {
    this.findings.markSelection();
    this.bar.show();
    this.sheet.show(this.selection.chosen?.path ?? null);
    if (this.on) void this.waiting.look(true);
  }

  select(path: string | null): void {
    if (path && !this.document_.element(path)) void this.enter(path, () => this.select(path));
    this.selection.only(path);
    this.diagram.choose(path);
    this.mark();
  }

  private take(paths: string[]): void {
    this.selection.take(paths);
    this.mark();
  }

  /** Into the level of a block that another one shows, or of the page; then what was meant there. */
  private async enter(path: string, then: () => void): Promise<void> {
    const found = this.diagram.symbols().find(({ node }) => node.dataset.path === path), level = this.document_.isSide(path) ? path : found?.level;
    if (level === undefined || level === this.document_.view?.inside || !(await this.document_.enter(level))) return;
    this.decorate();
    if (this.document_.element(path)) then();
  }

  private press(path: string, more: boolean): void {
    if (!this.document_.element(path)) return void this.enter(path, () => this.press(path, more));
    this.selection.press(path, more);
    this.mark();
    this.diagram.focus(path);
  }

  /** Clicks on wires and on the ground; blocks were taken when they were pressed. */
  private click(event: MouseEvent): void {
    if (!this.on || this.diagram.view.moved) return;
    const target = event.target as Element, node = target.closest<SVGElement>(".wire, .tag"), symbol = target.closest<SVGElement>(".symbol");
    if (event.shiftKey && (symbol || node) || target.closest(".knob, .area, .writing")) return event.stopPropagation();
    if (symbol || (node && (event.ctrlKey || event.metaKey))) return; // its signals go into the scope
    this.selection.onlyWire(node ? this.document_.view?.wires.find((each) => this.shows(node, each)) ?? null : null);
    if (node) event.stopPropagation();
    this.mark();
  }

  private key(event: KeyboardEvent): void {
    const focused = (document.activeElement as SVGElement | null)?.dataset.path;
    if (!this.on || !focused) return;
    const step = ({ ArrowLeft: [-6, 0], ArrowRight: [6, 0], ArrowUp: [0, -6], ArrowDown: [0, 6] } as Record<string, [number, number]>)[event.key];
    if (event.key === "Enter" && event.shiftKey) this.press(focused, true);
    else if (step && event.altKey) void this.nudge(focused, step);
    else if (event.key === "Enter" && !this.selection.paths.has(focused)) this.select(focused);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  private async nudge(path: string, [dx, dy]: [number, number]): Promise<void> {
    const each = this.diagram.symbols().find(({ symbol }) => symbol.path === path);
    if (each) await this.gestures.move([[path, each.symbol.x + dx, each.symbol.y + dy]]);
    this.diagram.focus(path);
  }

  /** From the palette, into the side onto which it was dropped. */
  private async add(type: string, at: { x: number; y: number } | null): Promise<void> {
    if (isAnnotation(type)) return this.annotations.add(type, at, this.selection.paths, this.sheet.unexpect());
    this.expect("");
    const symbols = at ? document.elementsFromPoint(at.x, at.y).flatMap((each) => each.closest<SVGElement>(".symbol.open") ?? []) : [];
    const side = symbols.map((each) => each.dataset.path ?? "").find((path) => this.document_.isSide(path));
    if (side !== undefined && side !== this.document_.view?.inside && !this.document_.view?.inside.startsWith(side + ".")) await this.document_.enter(side);
    await this.commands.add(type, at);
  }

  /** The elements in view under edit, for a search: the run may not know them yet. */
  found(): Found[] {
    return (this.on ? this.document_.view?.elements ?? [] : []).map((each) => ({ text: each.path, kind: "block", more: `${each.type || each.kind}${each.mode ? ` ${each.mode}` : ""}`, act: () => this.select(each.path) }));
  }

  /** Keys that are pressed before it is there write its name. */
  private expect(name: string | null): void {
    if (name === null) return void this.sheet.unexpect();
    this.shown(true);
    this.sheet.expect(name);
  }

  /** F2: the field has the focus before the next key. Starts editing if needed. Returns false if there is nothing to name. */
  nameChosen(): boolean {
    const path = this.diagram.chosen ?? (document.activeElement as SVGElement | null)?.dataset?.path;
    if (this.on) return this.commands.nameChosen();
    if (!path || !this.session.may("edit")) return false;
    this.expect(path.slice(path.lastIndexOf(".") + 1));
    void this.toggle().then(async () => {
      if (!this.document_.element(path)) await this.enter(path, () => {});
      if (!this.document_.element(path)) return void this.sheet.unexpect();
      this.select(path);
    });
    return true;
  }

  /** Selects the element at the line of a diagnostic, in view or elsewhere in the diagram. */
  lookAt(each: Diagnostic): void {
    const { file, line = 0 } = each;
    const name = file?.split("/").pop(), here = this.on ? this.document_.view?.elements.find((each) => file === this.document_.view?.document && each.line <= line && line <= each.last) : undefined;
    if (here) return this.openAt(here, each);
    const wire = this.on && file === this.document_.view?.document ? this.document_.view?.wires.find((each) => each.line === line) : undefined;
    if (wire) { this.selection.onlyWire(wire); return this.mark(); }
    const blocks = [...this.session.blocks.values()].filter((each) => each.file?.split("/").pop() === name && (each.line ?? 0) <= line).sort((a, b) => (b.line ?? 0) - (a.line ?? 0));
    if (blocks.length) void this.diagram.find(blocks[0].path).then(() => { this.diagram.centre(blocks[0].path); const found = this.document_.element(blocks[0].path); if (this.on && found) this.openAt(found, each); });
    else this.session.say(`${name ?? "the file"}, line ${line}: no block of the drawing is there`);
  }

  /** Shows its symbol in the middle, and its sheet at the attribute of the diagnostic. */
  private openAt(found: EditElement, each: Diagnostic): void {
    const known = this.document_.blocks.get(found.type)?.parameters.map(({ name }) => name) ?? [], attribute = attributeOf(found, each, known);
    this.select(found.path);
    this.diagram.centre(found.path);
    this.shown(true);
    if (attribute) this.sheet.focusAttribute(attribute);
  }

  /** Does what the help names, where that takes the diagnostic away. */
  async fix(each: Diagnostic): Promise<void> {
    const fix = fixOf(each), { document_: d, session } = this;
    if (!this.on) await this.toggle();
    if (each.file !== d.view?.document || !d.view) this.lookAt(each);
    if (!fix || !d.view) return;
    if ("through" in fix) return this.insert(fix.through);
    if ("input" in fix) return this.commands.drive(fix.input);
    for (const operations of rewordings(d.view, each, fix.word)) {
      const tried = await d.try(operations), left = tried.ok ? (tried.diagnostics as Diagnostic[]) : [each];
      if (!left.some(({ code, what }) => code === each.code && what === each.what)) return void (await d.edit(operations));
    }
    this.lookAt(each);
    session.say(`write '${fix.word}' there by hand: hilda does not see which word is meant`, true);
  }

  private async insert({ type, from, to, words }: Through): Promise<void> {
    const { document_: d, session } = this, level = from.split(".").slice(0, -2).join(".");
    if (d.view?.inside !== level) await this.diagram.go(level);
    const wire = d.view && wireBetween(d.view, from, to);
    return wire ? this.commands.insert(type, wire, words) : session.say(`no wire from ${from} to ${to} is in view: put the block there by hand`, true);
  }

  /** Writes the run's value into the file that sets the parameter. */
  async write(parameter: Parameter): Promise<void> {
    const { session } = this, { block, path, name, text } = parameter, owner = block || path, at = owner.lastIndexOf("."), inside = at < 0 ? "" : owner.slice(0, at);
    const reply = await session.ask("view", { inside, draw: false });
    if (!reply.ok) return;
    const view = reply as unknown as EditView, found = view.elements.filter((each) => each.name === owner.slice(at + 1)), element_ = found.find((each) => !each.mode || each.mode === view.mode) ?? found[0];
    if (!element_) return session.say(`${path} is not in a file that can be edited here: it was set by an overlay or '--set'`, true);
    const local = view.local + element_.name + (element_.mode ? `@${element_.mode}` : ""), words = block ? `${local}.${name}=${text}` : `parameter:${local}.value=${text}`;
    const done = await session.ask("edit", { document: view.document, revision: view.revision, operations: [["set", words]] });
    if (done.ok) session.say(`${view.document} has ${path} = ${text} now; it is not saved yet`);
  }

  /** Other names and values for all that contain a text. */
  async replace(text: string): Promise<void> {
    if (!this.on) await this.toggle();
    if (this.on && (await replaceInAll(this.document_, text))) await this.diagram.refresh();
  }

  openPalette(): void { void this.palette.open(); }
  save(): Promise<boolean> { return this.document_.save(); }
  /** For who pastes without asking for it here, as an event of the browser does. */
  paste(text: string | null): Promise<void> { return this.commands.paste(text); }
}
