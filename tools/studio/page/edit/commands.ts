// SPDX-License-Identifier: BSD-3-Clause
// What can be done with what is selected.
import type { Diagram } from "../diagram/diagram";
import { Clipboard } from "./clipboard";
import { askName, choose, showDifference } from "./dialogs";
import { freeName, plainName, type EditedDocument } from "./document";
import { bendEdits } from "./bends";
import { around, freePlace, onGrid, sizeOf } from "./free_place";
import type { Gestures } from "./gestures";
import { Insertion, throughPorts } from "./insertion";
import type { EditPort, EditWire, Operation } from "./protocol";
import type { Selection } from "./selection";
import { tidied } from "./tidy";
import { refusal } from "../run/protocol";

export interface CommandActions {
  select(path: string | null): void;
  /** Selects what was pasted. */
  take(paths: string[]): void;
  /** The name of the chosen one is to be written. */
  name(): void;
  /** One of that name is on its way, and its name can be written already; null: it does not come. */
  expect(name: string | null): void;
  renamed(from: string, to: string): void;
}

export class Commands {
  private clipboard: Clipboard;
  private insertion: Insertion;

  constructor(private document_: EditedDocument, private diagram: Diagram, private gestures: Gestures, private selection: Selection, private actions: CommandActions) {
    this.clipboard = new Clipboard(document_);
    this.insertion = new Insertion(document_);
  }

  async add(type: string, at: { x: number; y: number } | null): Promise<void> {
    const { document_: d } = this, name = freeName(plainName(type), d.names()), origin = d.view?.scene?.origin ?? { x: 0, y: 0 };
    this.actions.expect(name);
    const words: Operation = ["add", type, d.at(name)];
    if (type === "parameter") words.push("value=0");
    if (at && (type.includes("/") || type === "subsystem")) {
      const [left, top] = this.gestures.place(at.x, at.y), size = sizeOf(type, name, d.blocks.get(type)), [x, y] = this.free({ ...size, x: left - 40, y: top - 20 });
      words.push(`ui.x=${x - onGrid(origin.x)}`, `ui.y=${y - onGrid(origin.y)}`);
      this.diagram.view.hold();
    }
    const reply = await d.edit(at ? await this.onto(type, name, at, [words]) : [words]);
    if (!reply.ok) return this.actions.expect(null);
    await this.diagram.refresh();
    this.actions.select(d.called(name)?.path ?? null);
    if (!at) this.diagram.reveal(this.selection.chosen?.path ?? "");
  }

  /** A new block, put into the wire onto which it was dropped. */
  private async onto(type: string, name: string, at: { x: number; y: number }, made: Operation[]): Promise<Operation[]> {
    const wire = this.gestures.wireAt(at.x, at.y), through = wire && this.through(type, name);
    return through ? this.insertion.into(wire, through, made) : made;
  }

  /** The ports of a new block by which a wire could go through it. */
  private through(type: string, name: string) {
    const block = this.document_.blocks.get(type);
    const port = (input: boolean) => (each: { name: string; repeated: boolean; optional: boolean }): EditPort => ({ name: `${name}.${each.name}${each.repeated ? "[0]" : ""}`, input, type: "", optional: each.optional, driver: "" });
    return block && throughPorts([...block.inputs.map(port(true)), ...block.outputs.map(port(false))]);
  }

  /** A new block in a wire, such as a delay of one tick. */
  async insert(type: string, wire: EditWire, words: string[]): Promise<void> {
    const { document_: d } = this, name = freeName(plainName(type), d.names()), through = this.through(type, name);
    if (!through || !(await d.edit(await this.insertion.into(wire, through, [["add", type, d.at(name), ...words]]))).ok) return;
    await this.diagram.refresh();
    this.actions.select(d.called(name)?.path ?? null);
    this.follow([name]);
  }

  /** A block of the drawing was dropped onto a wire. */
  async drop(path: string, wire: EditWire, moves: Operation[]): Promise<void> {
    const { document_: d } = this, found = d.element(path), through = throughPorts(found?.ports ?? []);
    const own = [wire.from, wire.to].some((end) => end.split(/[.[]/)[0] === found?.name);
    if (!through && !own) d.session.say(`not put into the wire: ${found?.name ?? ""} has no free input, or no output`, true);
    const made = through && !own ? await this.insertion.into(wire, through, moves) : moves;
    if (!(await d.edit(made)).ok) await this.diagram.refresh();
  }

  /** The nearest free place of the body in view. */
  private free(wanted: { x: number; y: number; width: number; height: number }, without: string[] = []): [number, number] {
    const inside = this.document_.view?.inside, taken = this.diagram.symbols().filter(({ level, symbol }) => level === inside && !without.includes(symbol.path));
    return freePlace(wanted, taken.map(({ symbol }) => symbol));
  }

  private drawn(names: string[]) { return this.diagram.symbols().map(({ symbol }) => symbol).filter((each) => names.some((name) => each.path === this.document_.called(name)?.path)); }

  /** Those of the selection that are blocks or subsystems. */
  private blocks(): string[] { return this.selection.acting().filter((name) => ["block", "subsystem"].includes(this.document_.called(name)?.kind ?? "")); }

  copy(): Promise<boolean> { return this.clipboard.copy(this.blocks()); }
  async cut(): Promise<void> { if (await this.copy()) await this.remove(); }
  async paste(text: string | null): Promise<void> {
    const reply = await this.clipboard.paste(text);
    if (!reply.ok) return;
    await this.diagram.refresh();
    this.selection.only(null);
    this.follow(reply.names as string[]);
    this.actions.take((reply.names as string[]).flatMap((name) => this.document_.called(name)?.path ?? []));
  }

  /** False: there is not one that could be named. */
  nameChosen(): boolean {
    const one = this.selection.acting().length === 1;
    if (one) this.actions.name();
    else this.document_.session.say("choose one block, and F2 renames it");
    return one;
  }

  /** Gives why it was refused, or "". */
  async rename(path: string, to: string): Promise<string> {
    const { document_: d } = this, name = d.element(path)?.name;
    if (name === undefined) return "the element with this name is gone";
    const reply = await d.edit([["rename", d.at(name), to]], true);
    if (!reply.ok) return refusal(reply);
    const renamed = path.slice(0, path.length - name.length) + to, others = [...this.selection.paths].filter((each) => each !== path);
    this.actions.renamed(path, renamed);
    await this.diagram.refresh();
    if (others.length === 0) this.actions.select(renamed); // the user has not chosen another one meanwhile
    return "";
  }

  async remove(): Promise<void> {
    const names = this.selection.acting(), { document_: d } = this, { wire } = this.selection;
    if (wire) await d.edit([["disconnect", d.at(wire.from), d.at(wire.to), ...(wire.mode ? [`mode=${wire.mode}`] : [])]]);
    else if (names.length) await d.edit([["remove", ...names.map((each) => d.at(each))]]);
  }

  async duplicate(): Promise<void> {
    const { document_: d } = this, taken = d.names(), made: Operation[] = [];
    for (const name of this.blocks()) {
      const copy = freeName(name.replace(/\d+$/, ""), taken);
      taken.add(copy);
      made.push(["duplicate", d.at(name), "as", copy], ...this.beside(name, copy));
    }
    if (!made.length || !(await d.edit(made)).ok) return;
    await this.diagram.refresh();
    this.follow(made.filter(([what]) => what === "duplicate").map((each) => each[3]));
    this.actions.select(d.called(made[0][3])?.path ?? null);
  }

  async group(): Promise<void> {
    const names = this.blocks(), { document_: d } = this;
    const name = names.length ? await askName("Name of the subsystem", freeName("part", d.names())) : null;
    if (!name) return;
    const members = this.drawn(names), { width, height } = sizeOf("subsystem", name, undefined), room = around(members), origin = d.view?.scene?.origin ?? { x: 0, y: 0 };
    const made: Operation[] = [["group", ...names.map((each) => d.at(each)), "as", name]];
    if (members.length) {
      const [x, y] = this.free({ x: room.x + (room.width - width) / 2, y: room.y + (room.height - height) / 2, width, height }, members.map((each) => each.path));
      made.push(["set", `${d.at(name)}.ui.x=${x - onGrid(origin.x)}`], ["set", `${d.at(name)}.ui.y=${y - onGrid(origin.y)}`]);
    }
    if (!(await d.edit(made)).ok) return;
    await this.diagram.refresh();
    this.follow([name]);
    this.actions.select(d.called(name)?.path ?? null);
  }

  /** A copy of a symbol with a given place gets the nearest free one. */
  private beside(name: string, copy: string): Operation[] {
    const { document_: d } = this, [symbol] = this.drawn([name]), origin = d.view?.scene?.origin ?? { x: 0, y: 0 };
    if (!symbol || !("ui.x" in (d.called(name)?.attributes ?? {}))) return [];
    const [x, y] = this.free({ ...symbol, x: symbol.x + 12, y: symbol.y + symbol.height + 24 });
    return [["set", `${d.at(copy)}.ui.x=${x - onGrid(origin.x)}`], ["set", `${d.at(copy)}.ui.y=${y - onGrid(origin.y)}`]];
  }

  /** Moves the view to new symbols. */
  private follow(names: string[]): void { for (const each of this.drawn(names)) this.diagram.reveal(each.path); }

  async extract(): Promise<void> {
    const [name] = this.selection.acting(), { document_: d } = this;
    const file = name ? await askName("File of the subsystem", `${name}.xml`, "The file is next to the diagram, and is written when you save.") : null;
    if (file) await d.edit([["extract", d.at(name), "to", file]]);
  }

  async align(along: "x" | "y"): Promise<void> {
    const placed = this.diagram.symbols().filter(({ symbol }) => this.selection.paths.has(symbol.path) && symbol.kind !== "port");
    const middle = Math.min(...placed.map(({ symbol }) => symbol[along] + symbol[along === "x" ? "width" : "height"] / 2));
    await this.gestures.move(placed.map(({ symbol: s }): [string, number, number] => [s.path, along === "x" ? middle - s.width / 2 : s.x, along === "y" ? middle - s.height / 2 : s.y]));
  }

  /** Equal gaps between those that are selected; the first and the last one stay. */
  async distribute(along: "x" | "y"): Promise<void> {
    const extent = along === "x" ? "width" : "height", placed = this.chosenSymbols().sort((a, b) => a[along] - b[along]), last = placed.at(-1);
    if (placed.length < 3 || !last) return;
    const free = last[along] - placed[0][along] - placed.slice(0, -1).reduce((sum, each) => sum + each[extent], 0), gap = Math.max(24, free / (placed.length - 1));
    let at = placed[0][along];
    await this.gestures.move(placed.map((each): [string, number, number] => {
      const here = at;
      at += each[extent] + gap;
      return [each.path, along === "x" ? here : each.x, along === "y" ? here : each.y];
    }));
  }

  private chosenSymbols() { return this.diagram.symbols().map(({ symbol }) => symbol).filter((each) => this.selection.paths.has(each.path) && each.kind !== "port"); }

  /** Lays out the selection again, or all of the body: one step for undo. */
  async tidy(): Promise<void> {
    const { document_: d } = this, scene = d.view?.scene, some = this.chosenSymbols();
    if (!scene) return;
    const placed = this.diagram.symbols().filter(({ symbol, level }) => level === d.view?.inside && symbol.kind !== "port" && symbol.kind !== "note" && d.element(symbol.path) && (some.length < 2 || this.selection.paths.has(symbol.path)));
    const before = around(placed.map(({ symbol }) => symbol)), places = tidied(placed.map(({ symbol }) => symbol), scene.wires);
    const after = around(placed.map(({ symbol }, i) => ({ ...symbol, ...places[i] }))), part = some.length >= 2;
    // a part keeps its middle, since it has others around it
    const dx = part ? before.x + before.width / 2 - after.x - after.width / 2 : 0, dy = part ? before.y + before.height / 2 - after.y - after.height / 2 : 0;
    await this.gestures.settle(placed, placed.map(({ symbol }, i): [string, number, number] => [symbol.path, onGrid(places[i].x + dx), onGrid(places[i].y + dy)]), this.straightened(placed.map(({ symbol }) => symbol.path)));
    await this.diagram.refresh();
    if (!part) this.diagram.view.fit("first");
  }

  /** Bends among blocks that get other places mean nothing any more. */
  private straightened(paths: string[]): Operation[] {
    const { document_: d } = this, moved = new Set(paths.map((path) => d.element(path)?.name));
    return bendEdits(d, d.view?.wires.filter((each) => [each.from, each.to].every((end) => moved.has(end.split(/[.[]/)[0]))) ?? [], []);
  }

  async unpin(): Promise<void> {
    const { document_: d } = this;
    const made = this.selection.elements.flatMap((each) => ["ui.x", "ui.y"].filter((key) => key in each.attributes).map((key): Operation => ["unset", `${d.at(each.name)}.${key}`]));
    const { wire } = this.selection, loose = wire ? bendEdits(d, [wire], []) : [];
    if (made.length + loose.length) await d.edit([...made, ...loose]);
  }

  /** Is the chosen wire drawn as tags? */
  get tagged(): boolean {
    const { view } = this.document_, { wire } = this.selection, to = wire && (view?.inside ? `${view.inside}.` : "") + wire.to.split(/[.[]/)[0];
    return !!wire && !!view?.scene?.wires.some((each) => each.tag && each.to === to && each.taps.some(({ input }) => wire.to.endsWith(input)));
  }

  /** Draws the chosen wire as a tag at each end, or as a line again. */
  async tag(): Promise<void> {
    const { document_: d } = this, { wire } = this.selection;
    if (wire) await d.edit([["set", `connect:${d.at(wire.to)}${wire.mode ? `@${wire.mode}` : ""}.ui.draw=${this.tagged ? "wire" : "tag"}`]]);
  }

  /** By keys: a port of the block, then one that fits. */
  async connect(): Promise<void> {
    const [name] = this.selection.acting(), rank = (each: { owner: string; more: string }) => (each.owner === name ? 0 : 2) + (each.more === "output" ? 0 : 1);
    const ports = (this.document_.view?.elements ?? []).flatMap((element_) => element_.ports.map((each) => ({ owner: element_.name, text: each.name, more: each.input ? (each.driver ? `input, driven by ${each.driver}` : "input") : "output", disabled: !!each.driver, value: each.name })));
    const port = await choose("Connect: one end", ports.sort((a, b) => rank(a) - rank(b)), "Type a part of its name; Enter takes it. An input that is driven already is disconnected in its sheet, or by Delete on its wire.");
    if (port) await this.connectFrom(port);
  }

  /** A wire to an input that needs one: from the only output that fits, or from one that the user chooses. */
  async drive(input: string): Promise<void> {
    if (!this.document_.port(input)) return this.document_.session.say(`${input} is not in this view: open its subsystem, and connect it there`, true);
    const fits = (await this.document_.fits(input)).filter((each) => each.fits !== false);
    if (fits.length === 1) await this.document_.connect(input, fits[0].name);
    else await this.connectFrom(input);
  }

  async connectFrom(port: string): Promise<void> {
    const fits = (await this.document_.fits(port)).sort((a, b) => Number(a.fits === false) - Number(b.fits === false));
    const other = await choose(`Connect ${port} with`, fits.map((each) => ({ text: each.name, more: each.fits === false ? each.why : this.document_.port(each.name)?.type ?? "", disabled: each.fits === false, value: each.name })), "Ports that cannot fit are grey.");
    if (other) await this.document_.connect(port, other);
  }

  difference(): void {
    const { session, view } = this.document_;
    void showDifference(async (against) => { const reply = await session.ask("diff", { document: view?.document, against }); return String(reply.diff ?? reply.error ?? ""); });
  }
}
