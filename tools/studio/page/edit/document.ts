// A diagram under edit, as the server has it: what is in view, and the edits that are asked for, one after the other.
import { refusal, type Diagnostic, type Reply, type Scene } from "../run/protocol";
import type { Session } from "../run/session";
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

export class EditedDocument {
  /** The body in which one edits: that of the page, or of a subsystem that is open in place there. */
  view: EditView | null = null;
  /** That of the page, with the whole drawing. */
  page: EditView | null = null;
  /** Path of the open subsystem that was entered; null: the page itself. */
  private entered: string | null = null;
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
  names(): Set<string> { return new Set(this.view?.elements.map((each) => each.name)); }
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

  async look(inside: string, open: string[]): Promise<EditView | null> {
    const reply = await this.session.ask("view", { inside, open }, true);
    if (!reply.ok) return null;
    this.page = this.view = reply as unknown as EditView;
    if (this.entered !== null && !(await this.enter(this.entered))) this.entered = null;
    this.tell();
    return this.page;
  }

  /** From now on one edits in that body: the page's, or that of a subsystem that is open in place. */
  async enter(path: string): Promise<boolean> {
    const { page } = this, scene = page && sceneAt(page.scene, path);
    if (!page || !scene) return false;
    const reply = path === page.inside ? null : await this.session.ask("view", { inside: path, draw: false }, true);
    if (page !== this.page || reply?.ok === false) return false;
    this.entered = reply ? path : null;
    this.view = reply ? { ...(reply as unknown as EditView), scene } : page;
    return true;
  }

  /** One step; the next one waits until it is answered, for it counts on its revision. What is refused is said. */
  edit(operations: Operation[], quiet = false): Promise<Reply> { return this.step("edit", { operations }, quiet); }
  /** XML of whoever copied it: the server makes edits of it, or refuses. */
  paste(text: string): Promise<Reply> { return this.step("paste", { inside: this.view?.inside, text }, true); }
  undo(): Promise<Reply> { return this.step("undo", {}); }
  redo(): Promise<Reply> { return this.step("redo", {}); }

  private step(op: string, body: Record<string, unknown>, quiet = false): Promise<Reply> {
    const document = this.view?.document;
    const made = this.waiting.then(async () => {
      const state = this.states.find((each) => each.document === document) ?? this.states[0];
      const reply = await this.session.ask(op, { document: state?.document, revision: state?.revision, ...body }, true);
      if (reply.ok && state) state.revision = reply.revision as number;
      if (!reply.ok && !quiet) this.session.say(refusal(reply), true);
      for (const remark of (reply.remarks as string[] | undefined) ?? []) this.session.say(remark);
      return reply;
    });
    this.waiting = made;
    return made;
  }

  try(operations: Operation[]): Promise<Reply> { return this.session.ask("try", { document: this.view?.document, operations }, true); }

  async fits(port: string): Promise<Fit[]> {
    const reply = await this.session.ask("fits", { inside: this.view?.inside, port }, true);
    return reply.ok ? (reply.ports as Fit[]) : [];
  }

  connect(one: string, other: string): Promise<Reply> {
    const from = this.port(one)?.input ? other : one, to = from === one ? other : one;
    return this.edit([["connect", this.at(from), this.at(to)]]);
  }

  port(name: string) { return this.view?.elements.flatMap((each) => each.ports).find((each) => each.name === name); }

  async save(): Promise<boolean> {
    const reply = await this.session.ask("write");
    const written = (reply.written as string[] | undefined) ?? [];
    if (reply.ok) this.session.say(written.length ? `saved ${written.join(", ")}` : "nothing has changed since it was saved");
    return reply.ok;
  }

  /** What is wrong with an element or wire of the view, by its lines. */
  wrong(line: number, last: number, included?: string | null): Diagnostic[] {
    return this.diagnostics.filter((each) => (each.file === this.view?.document && (each.line ?? 0) >= line && (each.line ?? 0) <= last) || (included && each.file === included));
  }
}
