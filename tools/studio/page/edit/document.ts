// SPDX-License-Identifier: BSD-3-Clause
// A diagram under edit, as the server has it: the view, and the requested edits, one after the other.
import { refusal, type Diagnostic, type Reply, type Scene } from "../run/protocol";
import type { Session } from "../run/session";
import { composed, differencesOf, ofSide, placeOf, sidePath, type Difference, type Side } from "./beside";
import { looseSymbols } from "./ports";
import { SeenViews } from "./seen_views";
import type { DocumentState, Documents, EditElement, EditView, Fit, Operation, PaletteBlock } from "./protocol";

/** A name that nothing here has: gain, gain2, gain3. */
export function freeName(wanted: string, taken: Set<string>): string {
  for (let i = 1; ; ++i) {
    const name = i === 1 ? wanted : `${wanted}${i}`;
    if (!taken.has(name)) return name;
  }
}

/** "phase_lead" for "contact/PhaseLead". */
export const plainName = (type: string): string =>
  (type.split("/").pop() ?? type).replace(/([a-z0-9])([A-Z])/g, "$1_$2").toLowerCase();

/** The drawing of a level: the page's, or, within it, that of a subsystem which is open in place. */
function sceneAt(scene: Scene | null, path: string): Scene | null {
  if (!scene || scene.inside === path) return scene;
  for (const { scene: inner } of scene.symbols) {
    const found = inner ? sceneAt(inner, path) : null;
    if (found) return found;
  }
  return null;
}

/** The drawing of a view, and below it what it does not hold yet. */
function whole(view: EditView): Scene {
  const loose = looseSymbols(view.elements, view.scene, view.mode), below = Math.max(0, ...loose.map((each) => each.y + each.height + 20)), right = Math.max(0, ...loose.map((each) => each.x + each.width + 30));
  const scene = view.scene ?? { inside: view.inside, title: "", remark: "", doc: "", width: 600, height: 300, rates: [], symbols: [], wires: [], flags: [], areas: [], origin: { x: 0, y: 0 } };
  return loose.length ? { ...scene, width: Math.max(scene.width, right), height: Math.max(scene.height, below), symbols: [...scene.symbols, ...loose] } : scene;
}

export class EditedDocument {
  /** The body in which one edits: that of the page, or of a subsystem that is open in place there. */
  view: EditView | null = null;
  /** That of the page, with the whole drawing. */
  page: EditView | null = null;
  /** Path of the open subsystem that was entered; null: the page itself. */
  private entered: string | null = null;
  /** Modes of the page's drawing that are shown side by side; null: only that of the run. */
  beside: [string, string] | null = null;
  differences: Difference[] = [];
  private sides: Side[] = [];
  private seen = new SeenViews();
  states: DocumentState[] = [];
  diagnostics: Diagnostic[] = [];
  sound = true;
  blocks = new Map<string, PaletteBlock>();
  private waiting: Promise<unknown> = Promise.resolve();
  private listeners: (() => void)[] = [];

  constructor(readonly session: Session) {}

  on(listener: () => void): void { this.listeners.push(listener); }
  private tell(): void { for (const each of this.listeners) each(); }

  get state(): DocumentState | undefined { return this.states.find((each) => each.document === this.view?.document) ?? this.states[0]; }
  get unsaved(): boolean { return this.states.some((each) => each.unsaved); }
  element(path: string | null): EditElement | undefined { return path === null ? undefined : this.view?.elements.find((each) => each.path === path); }
  called(name: string): EditElement | undefined { return this.view?.elements.find((each) => each.name === name); }
  names(): Set<string> { return new Set(this.view?.elements.map((each) => each.name)); }
  /** Where one edits, as requests name it. */
  get where(): { inside: string; mode?: string } { return placeOf(this.view?.inside ?? ""); }
  /** As the document calls what is called so in view. */
  at(name: string): string { return (this.view?.local ?? "") + name; }

  heard(body: Documents): void {
    this.states = body.documents;
    this.diagnostics = body.diagnostics;
    this.sound = body.sound;
    this.tell();
  }

  async begin(): Promise<void> {
    const [states, palette] = await Promise.all([this.session.ask("documents"), this.blocks.size ? null : this.session.ask("palette")]);
    if (palette?.ok) this.blocks = new Map((palette.blocks as PaletteBlock[]).map((each) => [each.type, each]));
    if (states.ok) this.heard(states as unknown as Documents);
  }

  /** The page's drawing, with what no drawing holds yet; null where there is none of that place. */
  async look(inside: string, open: string[], box: { width: number; height: number }): Promise<Scene | null> {
    const page = this.beside ? await this.lookBeside(inside, open, this.beside, box) : await this.ask(inside, { open });
    if (!page) return null;
    this.page = this.view = page;
    const within = this.entered ?? this.sides[0]?.path ?? null;
    if (within !== null && !(await this.enter(within)) && !(this.sides[0] && (await this.enter(this.sides[0].path)))) this.entered = null;
    this.tell();
    return page.scene;
  }

  private async ask(path: string, more: Record<string, unknown>): Promise<EditView | null> {
    const place = placeOf(path), request = { ...place, ...more }, key = JSON.stringify(request), before = this.seen.of(key);
    const reply = await this.session.ask("view", { ...request, since: before?.number ?? 0 }, true);
    if (!reply.ok) return null;
    const told = this.seen.take(key, before, reply as unknown as EditView), view = more.draw === false ? told : { ...told, scene: whole(told) };
    return place.mode === undefined ? view : ofSide(view, path);
  }

  /** The drawing of one mode from now on. */
  alone(): void {
    this.beside = this.entered = null;
    this.sides = [];
    this.differences = [];
  }

  private async lookBeside(inside: string, open: string[], modes: [string, string], box: { width: number; height: number }): Promise<EditView | null> {
    const views = await Promise.all(modes.map((mode) => {
      const path = sidePath(inside, mode);
      return this.ask(path, { open: open.filter((each) => each.startsWith(path + ".")).map((each) => placeOf(each).inside) });
    }));
    const [one] = views.filter((each): each is EditView => each !== null);
    if (!one) return null;
    this.sides = views.map((view, i) => {
      const path = sidePath(inside, modes[i]);
      return { path, mode: modes[i], view: view ?? { ...one, inside: path, mode: modes[i], read_only: `there is none in mode ${modes[i]}`, scene: null, elements: [], wires: [] } };
    });
    this.differences = differencesOf(this.sides);
    return { ...one, inside: `${inside}@`, elements: [], wires: [], scene: composed(inside, this.sides, this.session.hello?.diagram.mode ?? "", box) };
  }

  /** From now on one edits in that body: the page's, or that of a subsystem or a side that is open in place. */
  async enter(path: string): Promise<boolean> {
    const { page } = this, scene = page && sceneAt(page.scene, path);
    if (!page || !scene || (this.beside && path === page.inside)) return false;
    const side = this.sides.find((each) => each.path === path)?.view, view = path === page.inside ? page : side ?? (await this.ask(path, { draw: false }));
    if (page !== this.page || !view) return false;
    this.entered = view === page ? null : path;
    this.view = { ...view, scene };
    return true;
  }
  /** The element with this name on the other side, and that side; null if only one mode is shown. */
  across(path: string): { side: string; twin: string } | null {
    const [one, other] = this.sides.map((each) => each.path);
    if (!one || !other) return null;
    const here = path === other || path.startsWith(other + ".") ? other : one, side = here === one ? other : one;
    return { side, twin: side + path.slice(here.length) };
  }
  isSide(path: string): boolean { return this.sides.some((each) => each.path === path); }

  /** One step; the next one waits for the answer, since it depends on its revision. A refusal is shown. */
  edit(operations: Operation[], quiet = false): Promise<Reply> { return this.step("edit", { operations }, quiet); }
  /** XML from any source: the server turns it into edits, or refuses it. */
  paste(text: string): Promise<Reply> { return this.step("paste", { ...this.where, text }, true); }
  undo(): Promise<Reply> { return this.step("undo", {}); }
  redo(): Promise<Reply> { return this.step("redo", {}); }

  private step(op: string, body: Record<string, unknown>, quiet = false): Promise<Reply> {
    const { document, revision } = this.view ?? this.states[0] ?? {};
    const made = this.waiting.then(async () => {
      const state = this.states.find((each) => each.document === document); // none yet: a file that was opened by looking at it
      const reply = await this.session.ask(op, { document, revision: state?.revision ?? revision, ...body }, true);
      if (reply.ok && state) state.revision = reply.revision as number;
      if (!reply.ok && !quiet) this.session.say(refusal(reply), true);
      for (const remark of (reply.remarks as string[] | undefined) ?? []) this.session.say(remark);
      return reply;
    });
    this.waiting = made;
    return made;
  }

  /** When all that was asked for so far is answered. */
  async settled(): Promise<void> { await this.waiting; }

  try(operations: Operation[]): Promise<Reply> { return this.session.ask("try", { document: this.view?.document, mode: this.where.mode, operations }, true); }

  async fits(port: string): Promise<Fit[]> {
    const reply = await this.session.ask("fits", { ...this.where, port }, true);
    return reply.ok ? (reply.ports as Fit[]) : [];
  }

  connect(one: string, other: string): Promise<Reply> {
    const from = this.port(one)?.input ? other : one, to = from === one ? other : one;
    return this.edit([["connect", this.at(from), this.at(to)]]);
  }

  port(name: string) { return this.view?.elements.flatMap((each) => each.ports).find((each) => each.name === name); }

  async save(): Promise<boolean> {
    await this.waiting; // what was asked for before is in the file
    const reply = await this.session.ask("write");
    const written = (reply.written as string[] | undefined) ?? [];
    if (reply.ok) this.session.say(written.length ? `saved ${written.join(", ")}` : "nothing has changed since it was saved");
    return reply.ok;
  }

  /** The diagnostics of an element or wire of the view, by its lines. */
  wrong(line: number, last: number, included?: string | null): Diagnostic[] {
    return this.diagnostics.filter((each) => (each.file === this.view?.document && (each.line ?? 0) >= line && (each.line ?? 0) <= last) || (included && each.file === included));
  }
}
