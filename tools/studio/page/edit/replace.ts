// SPDX-License-Identifier: BSD-3-Clause
// Another text in names and values of all elements of a file that contain it: shown first, then done as one step.
import { button, element } from "../parts/dom";
import { refusal, type Diagnostic } from "../run/protocol";
import { ask } from "./dialogs";
import type { EditedDocument } from "./document";
import { ownerOf } from "./fixes";
import type { EditElement, EditView, Operation } from "./protocol";

/** One name or value, and the edit that changes it. */
interface Replacement { place: string; before: string; after: string; depth: number; operation: Operation }

/** What a person does not mean by a value: places on the drawing, and which file or mode it is. */
const kept = (key: string): boolean => key.startsWith("ui.") || key === "mode" || key === "src";

function ofElement(view: EditView, each: EditElement, from: string, to: string, names: boolean): Replacement[] {
  const owner = ownerOf(view, each), depth = owner.split(".").length, changed = (text: string) => text.split(from).join(to);
  if (names) return each.name.includes(from) ? [{ place: each.path, before: each.name, after: changed(each.name), depth, operation: ["rename", owner, changed(each.name)] }] : [];
  return Object.entries(each.attributes).filter(([key, value]) => !kept(key) && value.includes(from))
    .map(([key, value]) => ({ place: `${each.path}.${key}`, before: value, after: changed(value), depth, operation: ["set", `${owner}.${key}=${changed(value)}`] }));
}

/** The bodies of one file, each once: a file may be included several times. */
async function bodiesOf({ session, view }: EditedDocument): Promise<EditView[]> {
  const inner = new Set([...session.blocks.keys()].flatMap((path) => path.split(".").map((_, i, steps) => steps.slice(0, i).join("."))));
  const replies = await Promise.all([...inner].map((inside) => session.ask("view", { inside, draw: false }, true)));
  const bodies = replies.filter((each) => each.ok).map((each) => each as unknown as EditView).filter((each) => each.document === view?.document);
  return bodies.filter((each, i) => bodies.findIndex((other) => other.local === each.local) === i);
}

/** Values first, and inner names before outer ones: an edit names its element by the names that are there by then. */
const inOrder = (all: Replacement[]): Operation[] => [...all.filter((each) => each.operation[0] === "set"), ...all.filter((each) => each.operation[0] === "rename").sort((a, b) => b.depth - a.depth)].map((each) => each.operation);

class ReplaceForm {
  private from = element("input", { "aria-label": "Find", placeholder: "Find", spellcheck: "false", autocomplete: "off" });
  private to = element("input", { "aria-label": "Replace with", placeholder: "Replace with", spellcheck: "false", autocomplete: "off" });
  private names = element("input", { type: "checkbox", checked: true });
  private values = element("input", { type: "checkbox" });
  private list = element("ul", { className: "replacements", "aria-label": "What will change" });
  private said = element("p", { className: "quiet", role: "status" });
  private take = button("Replace", "Replace: make these changes as one step, which undo takes back", () => void this.replace(), { className: "primary", disabled: true });
  private found: Replacement[] = [];
  private left = new Set<string>();
  private turn = 0;

  constructor(private document_: EditedDocument, private bodies: EditView[], text: string, private close: (done: boolean) => void) {
    this.from.value = text;
    for (const each of [this.from, this.to, this.names, this.values]) each.addEventListener("input", () => { this.left.clear(); void this.show(); });
    this.list.addEventListener("change", (event) => {
      const box = event.target as HTMLInputElement;
      if (box.checked) this.left.delete(box.value); else this.left.add(box.value);
      void this.check();
    });
    void this.show();
  }

  get parts(): HTMLElement[] {
    const option = (box: HTMLInputElement, text: string) => element("label", { className: "row" }, box, text);
    return [element("div", { className: "row" }, this.from, this.to, this.take), element("div", { className: "row" }, option(this.names, "Names"), option(this.values, "Values")), this.said, this.list];
  }

  private get chosen(): Replacement[] { return this.found.filter((each) => !this.left.has(each.place)); }

  private async show(): Promise<void> {
    const { value: from } = this.from, { value: to } = this.to, kinds = [...(this.values.checked ? [false] : []), ...(this.names.checked ? [true] : [])];
    const all = from && from !== to ? this.bodies.flatMap((view) => view.elements.flatMap((each) => kinds.flatMap((names) => ofElement(view, each, from, to, names)))) : [];
    this.found = all.filter((each, i) => all.findIndex((other) => String(other.operation) === String(each.operation)) === i);
    this.list.replaceChildren(...this.found.map((each) => element("li", {}, element("label", {}, element("input", { type: "checkbox", checked: true, value: each.place, "aria-label": `${each.place}: ${each.after} instead of ${each.before}` }),
      element("span", { className: "quiet" }, each.place), " ", element("del", {}, each.before), " ", element("ins", {}, each.after)))));
    await this.check();
  }

  /** What the chosen changes would bring. */
  private async check(): Promise<void> {
    const turn = ++this.turn, { chosen } = this;
    this.take.disabled = !chosen.length;
    this.take.textContent = chosen.length ? `Replace ${chosen.length}` : "Replace";
    this.say(this.found.length ? "" : this.from.value ? "Nothing has this text." : "Write what to look for.");
    if (!chosen.length) return;
    const reply = await this.document_.try(inOrder(chosen));
    if (turn !== this.turn) return;
    const fresh = (reply.fresh ?? []) as Diagnostic[];
    this.take.disabled = !reply.ok;
    this.say(!reply.ok ? refusal(reply) : fresh.length ? `The diagram would have errors: ${fresh[0].what}` : `${chosen.length} of ${this.found.length} will change.`, !reply.ok || fresh.length > 0);
  }

  private say(text: string, wrong = false): void {
    this.said.textContent = text;
    this.said.classList.toggle("warning", wrong);
  }

  private async replace(): Promise<void> {
    const reply = await this.document_.edit(inOrder(this.chosen), true);
    if (reply.ok) this.close(true);
    else this.say(refusal(reply), true);
  }
}

/** Gives whether something has changed. */
export async function replaceInAll(document_: EditedDocument, text: string): Promise<boolean> {
  const bodies = await bodiesOf(document_), title = `Replace in ${document_.view?.document.split("/").pop() ?? "the diagram"}`;
  return (await ask<boolean>(title, (close) => new ReplaceForm(document_, bodies, text, close).parts, true)) ?? false;
}
