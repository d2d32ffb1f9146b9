// SPDX-License-Identifier: BSD-3-Clause
// Parameters of what is chosen: what they mean, and, where they may change, a field and a slider.
import { button, element } from "../parts/dom";
import { quantity, shown, valueText } from "../parts/number";
import { Entry } from "../parts/entry";
import { FileValue } from "./file_value";
import { arrange, typesIn } from "../parts/typing";
import { refusal, type Parameter } from "../run/protocol";
import type { Session } from "../run/session";

/** The span of a slider: what the parameter allows, or, where that is open, about its value. */
export function spanOf(p: Parameter): [number, number] {
  const v = typeof p.value === "number" ? p.value : 0, size = Math.abs(v) || 1;
  const low = p.minimum ?? (v >= 0 ? 0 : -4 * size), high = p.maximum ?? (v > 0 ? 4 * size : size);
  return high > low && high - low < 1e12 ? [low, high] : [Math.min(0, v), Math.max(v * 4, v + 1)];
}

export const rangeText = (p: Parameter): string =>
  p.minimum !== null || p.maximum !== null ? `${p.minimum === null ? "" : quantity(p.minimum, p.unit)} to ${p.maximum === null ? "\u221e" : quantity(p.maximum, p.unit)}` : "";

/** By the headings that the diagram gives; those without one come first. */
export function grouped<T extends { group?: string }>(all: T[]): [string, T[]][] {
  const groups = [...new Set(all.map((each) => each.group ?? ""))].sort((a, b) => Number(a !== "") - Number(b !== ""));
  return groups.map((group) => [group, all.filter((each) => (each.group ?? "") === group)]);
}

class Field {
  readonly box: HTMLElement;
  private entry: Entry | null = null;
  private choice: HTMLSelectElement | null = null;
  private slider: HTMLInputElement | null = null;
  private refused = element("p", { className: "refused", role: "alert", hidden: true });
  private value = element("span", { className: "si" });
  private differs = new FileValue();
  private sliding = false;
  private next: string | null = null;

  /** @param label  the parameter's name, with as much of its path as distinguishes it from others in sight */
  constructor(private session: Session, private p: Parameter, label: string, readonly form: string, private write: (p: Parameter) => void) {
    const open = p.change !== "fixed" && session.may("set"), id = `parameter-${p.path}`;
    const input = this.makeInput(id, open);
    const note = { live: "", paused: "taken while the run is paused: the diagram is rebuilt and keeps its states", fixed: p.why || "counts from the start: restart with --set" }[p.change];
    const range = rangeText(p);
    const rate = p.rate ? `at most ${shown(p.rate)} ${p.unit}/s` : "";
    this.box = element("div", { className: `parameter ${p.change}`, "data-path": p.path },
      element("label", { for: id, title: p.path }, label), element("span", { className: `kind ${p.change}`, title: note || "may change while it runs" }, { live: "live", paused: "paused", fixed: "fixed" }[p.change]),
      element("div", { className: "entry" }, input, this.value), this.slider, this.entry?.beside,
      element("p", { className: "doc" }, p.doc, range && element("span", { className: "range" }, ` ${range}`), rate && element("span", { className: "range" }, ` ${rate}`)),
      p.expression?.includes("${") && element("p", { className: "note" }, `in the file: ${p.expression}`),
      note && element("p", { className: "note" }, note), this.entry?.refused ?? this.refused, this.differs.box);
    this.show(p);
  }

  /** The user is in the field, or has left it with a refused value. */
  get held(): boolean { return typesIn(this.box) || (this.entry?.touched ?? false); }

  /** Shows the run's value; the text that the user is typing stays. */
  show(p: Parameter): void {
    this.p = p;
    this.entry?.offer(p.text || valueText(p.value));
    if (this.choice && document.activeElement !== this.choice) this.choice.value = p.text || valueText(p.value);
    if (this.slider && document.activeElement !== this.slider) this.slider.value = String(p.value);
    const si = typeof p.value === "number" ? quantity(p.value, p.unit) : p.type === "real" || p.type === "integer" ? valueText(p.value, p.unit) : "";
    this.differs.show(p.name, p.text, p.in_file ?? null, { back: () => void this.set(this.p.in_file ?? ""), write: this.session.may("edit") ? () => this.write(this.p) : null });
    this.value.title = si;
    this.value.textContent = si.replace(/\s/g, "") === (p.text ?? "").replace(/\s/g, "") ? "" : si;
  }

  private makeInput(id: string, open: boolean): HTMLElement {
    const { p } = this, known = p.type !== "boolean" ? p.choices ?? [] : ["on", "off"].includes(p.text) ? ["on", "off"] : ["true", "false"];
    const choices = known.length && !known.includes(p.text) ? [p.text, ...known] : known;
    if (choices.length) {
      const choice = (this.choice = element("select", { id, disabled: !open }, ...choices.map((each) => element("option", { value: each }, each))));
      choice.addEventListener("change", () => void this.send(choice.value).then((why) => { this.refused.textContent = why; this.refused.hidden = !why; choice.setAttribute("aria-invalid", String(!!why)); }));
      return choice;
    }
    this.entry = new Entry(p.text || valueText(p.value), { id, readonly: !open }, { send: (text) => this.send(text), elsewhere: (text) => `the run now has ${text}` });
    if (p.change === "live" && typeof p.value === "number" && (p.type === "real" || p.type === "integer")) this.makeSlider(this.entry);
    return this.entry.input;
  }

  private makeSlider(entry: Entry): void {
    const { p } = this, [min, max] = spanOf(p);
    this.slider = element("input", { type: "range", min, max, step: p.type === "integer" ? 1 : (max - min) / 1000, "aria-label": `${p.name}, slider` });
    this.slider.addEventListener("input", () => {
      const value = Number(Number(this.slider?.value).toPrecision(5)), text = p.unit && p.unit !== "1" ? `${value} ${p.unit}` : String(value);
      entry.settle();
      entry.input.value = text;
      void this.slide(text, entry);
    });
  }

  private async set(text: string): Promise<void> {
    const why = await this.send(text);
    if (why) this.session.say(why, true);
  }

  /** One request at a time: of what is asked for meanwhile the last one counts. */
  private async slide(text: string, entry: Entry): Promise<void> {
    if (this.sliding) { this.next = text; return; }
    this.sliding = true;
    entry.refuse(await this.send(text));
    this.sliding = false;
    const next = this.next;
    this.next = null;
    if (next !== null) await this.slide(next, entry);
  }

  /** Gives why it was refused, or "". */
  private async send(text: string): Promise<string> {
    const reply = await this.session.ask("set", { settings: [{ path: this.p.path, text: text.trim() }] }, true);
    this.box.classList.toggle("taken", reply.ok);
    setTimeout(() => this.box.classList.remove("taken"), 700);
    const reset = (reply.reset ?? []) as string[];
    if (reset.length) this.session.say(`restarts: ${reset.join(", ")}`);
    return reply.ok ? "" : refusal(reply);
  }
}

export class Inspector {
  readonly box = element("div", { className: "inspector" });
  private fields = new Map<string, Field>();
  private path: string | null = null;
  /** The block to show once the user leaves the field in use. */
  private waiting: { path: string | null } | null = null;

  constructor(private session: Session, private actions: { scope(signals: string[]): void; open(path: string): void; write(parameter: Parameter): void }) {
    session.on("hello", () => this.show(this.path));
    session.on("parameters", (list) => { for (const each of list) this.fields.get(each.path)?.show(each); });
    this.box.addEventListener("focusout", () => setTimeout(() => { if (this.waiting && !typesIn(this.box)) this.show(this.waiting.path); }));
  }

  /** Keeps the field in use, with all that is typed. */
  show(path: string | null): void {
    const { session } = this, block = path ? session.blocks.get(path) : undefined, typed = typesIn(this.box);
    this.waiting = typed ? { path } : null;
    if (typed && path !== this.path) return;
    if (path !== this.path) this.fields.clear();
    this.path = path;
    arrange(this.box, [...(path ? this.head(path) : this.diagramHead()), ...this.parameters(path, block !== undefined)]);
  }

  private diagramHead(): HTMLElement[] {
    const hello = this.session.hello;
    if (!hello) return [];
    return [element("h2", {}, hello.diagram.name), element("p", { className: "quiet" }, [hello.diagram.file, hello.diagram.mode && `mode ${hello.diagram.mode}`, `every ${quantity(this.session.period, "s")}`].filter(Boolean).join(", ")),
            element("p", {}, hello.diagram.doc)];
  }

  private head(path: string): HTMLElement[] {
    const { session } = this, block = session.blocks.get(path), type = block ? session.hello?.types?.[block.type] : undefined;
    const signals = [...new Set([...session.scalars.values()].map((each) => each.signal))].filter((each) => each.block === path || (!block && each.path.startsWith(path + ".")));
    const rows = [element("h2", {}, path), element("p", { className: "quiet" }, [block?.type ?? "subsystem", block?.rate, block?.file && `${block.file.split("/").pop() ?? ""}:${block.line ?? ""}`].filter(Boolean).join(", "))];
    if (!block) rows.push(element("p", {}, button("Open", "Show what is inside (Enter)", () => this.actions.open(path))));
    if (block?.doc) rows.push(element("p", {}, block.doc));
    // what a type does: its doc has the equation, and where it comes from
    if (type?.doc) rows.push(element("p", { className: "equation" }, type.doc));
    if (signals.length) rows.push(element("h3", {}, "Outputs"), element("div", { className: "outputs" }, ...signals.slice(0, 24).map((each) =>
      element("button", { type: "button", title: `${each.doc || each.path}: into the scope`, onclick: () => this.actions.scope([each.path]) }, each.path.slice(path.length + 1) || each.path, element("span", { className: "quiet" }, ` ${each.kind && each.kind !== "real" ? each.kind : each.unit}`)))));
    return rows;
  }

  private parameters(path: string | null, block: boolean): HTMLElement[] {
    const order = { live: 0, paused: 1, fixed: 2 }, prefix = path ? path + "." : "";
    const all = [...this.session.parameters.values()].filter((each) => (block || !path ? (path ? each.block === path : each.block === "" && !each.path.includes(".")) : each.block === "" && each.path.startsWith(prefix) && !each.path.slice(prefix.length).includes(".")));
    if (all.length === 0) return path ? [element("p", { className: "quiet" }, "No parameters.")] : [];
    all.sort((a, b) => order[a.change] - order[b.change]);
    const twice = (name: string) => all.filter((each) => each.name === name).length > 1;
    return grouped(all).flatMap(([group, some]) => [element("h3", {}, group || "Parameters"), ...some.map((each) => this.field(each, twice(each.name) ? each.path.slice(prefix.length) : each.name).box)]);
  }

  /** Returns the existing field, unless it has become another kind of field and is not in use. */
  private field(p: Parameter, label: string): Field {
    const form = JSON.stringify([label, p.type, p.choices, p.unit, p.minimum, p.maximum, p.doc, p.change, p.why, p.rate, p.expression, this.session.may("set")]), known = this.fields.get(p.path);
    if (known && (known.form === form || known.held)) { known.show(p); return known; }
    const field = new Field(this.session, p, label, form, (each) => this.actions.write(each));
    this.fields.set(p.path, field);
    return field;
  }
}
