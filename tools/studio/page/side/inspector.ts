// SPDX-License-Identifier: BSD-3-Clause
// Parameters of what is chosen: what they mean, and, where they may change, a field and a slider.
import { button, element } from "../parts/dom";
import { quantity, shown, valueText } from "../parts/number";
import { refusal, type Parameter } from "../run/protocol";
import type { Session } from "../run/session";

/** The span of a slider: what the parameter allows, or, where that is open, about its value. */
export function spanOf(p: Parameter): [number, number] {
  const v = typeof p.value === "number" ? p.value : 0, size = Math.abs(v) || 1;
  const low = p.minimum ?? (v >= 0 ? 0 : -4 * size), high = p.maximum ?? (v > 0 ? 4 * size : size);
  return high > low && high - low < 1e12 ? [low, high] : [Math.min(0, v), Math.max(v * 4, v + 1)];
}

class Field {
  readonly box: HTMLElement;
  private input!: HTMLInputElement | HTMLSelectElement;
  private slider: HTMLInputElement | null = null;
  private refused = element("p", { className: "refused", role: "alert", hidden: true });
  private value = element("span", { className: "si" });
  private undo: string | null = null;
  private sending = false;
  private next: string | null = null;

  /** @param label  the parameter's name, with as much of its path as tells it from others in sight */
  constructor(private session: Session, private p: Parameter, label: string) {
    const open = p.change !== "fixed" && session.may("set"), id = `parameter-${p.path}`;
    this.makeInput(id, open);
    const note = { live: "", paused: "taken while the run is paused: the diagram is built anew and keeps its states", fixed: p.why || "counts from the start: restart with --set" }[p.change];
    const range = p.minimum !== null || p.maximum !== null ? `${p.minimum === null ? "" : quantity(p.minimum, p.unit)} to ${p.maximum === null ? "\u221e" : quantity(p.maximum, p.unit)}` : "";
    const rate = p.rate ? `at most ${shown(p.rate)} ${p.unit}/s` : "";
    this.box = element("div", { className: `parameter ${p.change}`, "data-path": p.path },
      element("label", { for: id, title: p.path }, label), element("span", { className: `kind ${p.change}`, title: note || "may change while it runs" }, { live: "live", paused: "paused", fixed: "fixed" }[p.change]),
      element("div", { className: "entry" }, this.input, this.value), this.slider,
      element("p", { className: "doc" }, p.doc, range && element("span", { className: "range" }, ` ${range}`), rate && element("span", { className: "range" }, ` ${rate}`)),
      p.expression?.includes("${") && element("p", { className: "note" }, `in the file: ${p.expression}`),
      note && element("p", { className: "note" }, note), this.refused);
    this.show();
  }

  /** As the run has it now; what somebody is typing stays. */
  show(): void {
    const { p } = this;
    if (document.activeElement !== this.input) this.input.value = p.text || valueText(p.value);
    if (this.slider && document.activeElement !== this.slider) this.slider.value = String(p.value);
    const si = typeof p.value === "number" ? quantity(p.value, p.unit) : p.type === "real" || p.type === "integer" ? valueText(p.value, p.unit) : "";
    this.value.title = si;
    this.value.textContent = si.replace(/\s/g, "") === (p.text ?? "").replace(/\s/g, "") ? "" : si;
  }

  private makeInput(id: string, open: boolean): void {
    const { p } = this, known = p.type !== "boolean" ? p.choices ?? [] : ["on", "off"].includes(p.text) ? ["on", "off"] : ["true", "false"];
    const choices = known.length && !known.includes(p.text) ? [p.text, ...known] : known;
    if (choices.length) {
      this.input = element("select", { id, disabled: !open }, ...choices.map((each) => element("option", { value: each }, each)));
      this.input.addEventListener("change", () => void this.send(this.input.value));
      return;
    }
    this.input = element("input", { id, readonly: !open, spellcheck: "false", autocomplete: "off" });
    this.input.addEventListener("keydown", (event) => {
      const { key } = event as KeyboardEvent;
      if (key === "Enter") void this.send(this.input.value);
      if (key === "Escape") { this.input.value = p.text; this.refuse(""); }
    });
    this.input.addEventListener("blur", () => { if (open && this.input.value.trim() !== p.text && this.input.value.trim()) void this.send(this.input.value); });
    if (p.change !== "live" || typeof p.value !== "number" || p.type !== "real" && p.type !== "integer") return;
    const [min, max] = spanOf(p);
    this.slider = element("input", { type: "range", min, max, step: p.type === "integer" ? 1 : (max - min) / 1000, "aria-label": `${p.name}, slider` });
    this.slider.addEventListener("input", () => {
      const value = Number(Number(this.slider?.value).toPrecision(5)), text = p.unit && p.unit !== "1" ? `${value} ${p.unit}` : String(value);
      this.input.value = text;
      void this.send(text);
    });
  }

  /** One request at a time: of what is asked for meanwhile the last one counts. */
  private async send(text: string): Promise<void> {
    if (this.sending) { this.next = text; return; }
    this.sending = true;
    this.undo ??= this.p.text;
    const reply = await this.session.ask("set", { settings: [{ path: this.p.path, text: text.trim() }] }, true);
    this.refuse(reply.ok ? "" : refusal(reply));
    this.box.classList.toggle("taken", reply.ok);
    setTimeout(() => this.box.classList.remove("taken"), 700);
    const anew = (reply.anew ?? []) as string[];
    if (anew.length) this.session.say(`begins anew: ${anew.join(", ")}`);
    this.sending = false;
    const next = this.next;
    this.next = null;
    if (next !== null) await this.send(next);
  }

  private refuse(why: string): void {
    this.refused.textContent = why;
    this.refused.hidden = !why;
    this.input.setAttribute("aria-invalid", String(!!why));
  }
}

export class Inspector {
  readonly box = element("div", { className: "inspector" });
  private fields = new Map<string, Field>();
  private path: string | null = null;

  constructor(private session: Session, private actions: { scope(signals: string[]): void; open(path: string): void }) {
    session.on("hello", () => this.show(this.path));
    session.on("parameters", (list) => { for (const each of list) this.fields.get(each.path)?.show(); });
  }

  show(path: string | null): void {
    this.path = path;
    this.fields.clear();
    const { session } = this, block = path ? session.blocks.get(path) : undefined;
    this.box.replaceChildren(...(path ? this.head(path) : this.diagramHead()), ...this.parameters(path, block !== undefined));
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
    const all = [...this.session.parameters.values()].filter((each) => (block || !path ? each.block === (path ?? "") : each.path.startsWith(prefix) && each.block === path));
    if (all.length === 0) return path ? [element("p", { className: "quiet" }, "No parameters.")] : [];
    all.sort((a, b) => order[a.change] - order[b.change]);
    const twice = (name: string) => all.filter((each) => each.name === name).length > 1;
    return [element("h3", {}, "Parameters"), ...all.map((each) => {
      const field = new Field(this.session, each, twice(each.name) ? each.path.slice(prefix.length) : each.name);
      this.fields.set(each.path, field);
      return field.box;
    })];
  }
}
