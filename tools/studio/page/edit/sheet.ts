// SPDX-License-Identifier: BSD-3-Clause
// What the file says of the chosen element: its name, parameters and wires; each keystroke is tried on the server.
import { button, element } from "../parts/dom";
import { refusal, type Diagnostic } from "../run/protocol";
import type { EditedDocument } from "./document";
import type { EditElement, EditPort, Operation, PaletteParameter } from "./protocol";

export interface SheetActions {
  choose(path: string | null): void;
  connect(port: string): void;
  rename(name: string, to: string): Promise<boolean>;
}

/** One attribute: as one types it is checked; Enter, or leaving it, writes it. */
class AttributeField {
  readonly box: HTMLElement;
  readonly input: HTMLInputElement | HTMLSelectElement;
  private told = element("p", { className: "refused", role: "alert", hidden: true });
  private turn = 0;

  constructor(private document_: EditedDocument, id: string, info: { name: string; doc: string; placeholder: string; choices?: string[]; unit?: string }, private value: string,
              private operation: (text: string) => Operation, timed: (ms: number) => void) {
    const { name, doc, placeholder, choices, unit } = info;
    this.input = choices?.length
      ? element("select", { id }, element("option", { value: "", selected: value === "" }, placeholder), ...choices.map((each) => element("option", { value: each, selected: each === value }, each)))
      : element("input", { id, value, placeholder, spellcheck: "false", autocomplete: "off" });
    this.input.addEventListener("input", () => {
      const begun = performance.now();
      void this.look().then((counts) => { if (counts) timed(performance.now() - begun); });
    });
    this.input.addEventListener("change", () => void this.take());
    this.input.addEventListener("keydown", (event) => {
      const { key } = event as KeyboardEvent;
      if (key === "Enter") void this.take();
      if (key === "Escape") { this.input.value = this.value; this.show([]); }
    });
    this.box = element("div", { className: "parameter", "data-attribute": name }, element("label", { for: id }, name), element("span", { className: "kind" }, unit ?? ""),
      element("div", { className: "entry" }, this.input), doc && element("p", { className: "doc" }, doc), this.told);
  }

  /** False: somebody has typed on meanwhile. */
  private async look(): Promise<boolean> {
    const turn = ++this.turn, text = this.input.value.trim();
    if (text === this.value) { this.show([]); return true; }
    const reply = await this.document_.try([this.operation(text)]);
    if (turn !== this.turn) return false;
    if (reply.ok) this.show(reply.fresh as Diagnostic[]);
    else this.tell(refusal(reply));
    return true;
  }

  private show(list: Diagnostic[]): void { this.tell(list.slice(0, 3).map((each) => each.what + (each.help ? `\n${each.help}` : "")).join("\n")); }

  private tell(text: string): void {
    this.told.textContent = text;
    this.told.hidden = !text;
    this.input.setAttribute("aria-invalid", String(!!text));
  }

  private async take(): Promise<void> {
    const text = this.input.value.trim();
    if (text === this.value) return;
    this.value = text;
    ++this.turn;
    const reply = await this.document_.edit([this.operation(text)], true);
    if (!reply.ok) this.tell(refusal(reply));
  }
}

export class Sheet {
  readonly box = element("div", { className: "inspector edit-sheet" });
  /** ms from a keystroke to its diagnostics, of the last ones. */
  readonly times: number[] = [];
  private path: string | null = null;
  private shown = "";

  constructor(private document_: EditedDocument, private actions: SheetActions) {}

  show(path: string | null): void {
    this.path = path;
    this.refresh();
  }

  /** What somebody is typing stays: what is shown is made anew only where it is another. */
  refresh(): void {
    const { view, state } = this.document_, chosen = this.document_.element(this.path);
    const wires = view?.wires.filter(({ from, to }) => [from, to].some((end) => end === chosen?.name || end.startsWith(`${chosen?.name ?? ""}.`)));
    const rows = view?.elements.filter((each) => !chosen || each.name === chosen.name).map((each) => [each.path, each.kind, each.type, each.mode]);
    const content = JSON.stringify([this.document_.differences, chosen, chosen && wires, rows, view?.document, view?.attributes, state?.obstacle, view?.read_only]);
    if (content === this.shown) return;
    const focus = document.activeElement as HTMLElement | null, id = this.box.contains(focus) ? focus?.id : "";
    this.shown = content;
    this.box.replaceChildren(...(chosen ? this.ofElement(chosen) : this.ofDiagram()));
    if (id) document.getElementById(id)?.focus();
  }

  focusName(): void {
    const field = this.box.querySelector<HTMLInputElement>("#edit-name");
    field?.focus();
    field?.select();
  }

  private set(path: string) { return (text: string): Operation => (text === "" ? ["unset", path] : ["set", `${path}=${text}`]); }

  private field(id: string, info: ConstructorParameters<typeof AttributeField>[2], value: string, operation: (text: string) => Operation): HTMLElement {
    return new AttributeField(this.document_, id, info, value, operation, (ms) => { this.times.push(ms); if (this.times.length > 1000) this.times.shift(); }).box;
  }

  private nameField(chosen: EditElement): HTMLElement {
    const input = element("input", { id: "edit-name", value: chosen.name, spellcheck: "false", autocomplete: "off" });
    const take = () => { const to = input.value.trim(); if (to && to !== chosen.name) void this.actions.rename(chosen.name, to).then((done) => { if (!done) input.setAttribute("aria-invalid", "true"); }); };
    input.addEventListener("change", take);
    input.addEventListener("keydown", (event) => { if (event.key === "Enter") take(); if (event.key === "Escape") input.value = chosen.name; });
    return element("div", { className: "parameter" }, element("label", { for: "edit-name" }, "name"), element("span", { className: "kind" }, "F2"), element("div", { className: "entry" }, input));
  }

  private ofElement(chosen: EditElement): HTMLElement[] {
    const type = this.document_.blocks.get(chosen.type), path = this.document_.at(chosen.name) + (chosen.mode ? `@${chosen.mode}` : "");
    const twins = this.document_.view?.elements.filter((each) => each.kind === chosen.kind && each.name === chosen.name) ?? [];
    const parts = [element("h2", {}, chosen.name), element("p", { className: "quiet" }, [chosen.type || chosen.kind, chosen.mode && `mode ${chosen.mode}`, chosen.document, `line ${chosen.line}`].filter(Boolean).join(", ")), this.nameField(chosen)];
    if (twins.length > 1) parts.push(element("p", { className: "warning" }, `There is one for each mode: ${twins.map((each) => each.mode || "all").join(", ")}. This one is shown; the list of the diagram has the others.`));
    if (type?.doc) parts.push(element("p", { className: "equation" }, type.doc));
    parts.push(...this.attributes(chosen, type?.parameters ?? [], path));
    if (chosen.ports.length) parts.push(element("h3", {}, "Wires"), ...chosen.ports.map((port) => this.port(port)));
    return parts;
  }

  private attributes(chosen: EditElement, parameters: PaletteParameter[], path: string): HTMLElement[] {
    const known = new Set(parameters.map((each) => each.name));
    const usual: Record<string, string[]> = { block: ["sample_time", "enable", "reset", "doc"], subsystem: ["src", "doc"], input: ["unit", "shape", "optional", "default", "doc"], output: ["unit", "shape", "doc"], parameter: ["value", "doc"] };
    const others = [...new Set([...Object.keys(chosen.attributes), ...(usual[chosen.kind] ?? [])])].filter((each) => !known.has(each) && each !== "mode");
    const owner = chosen.kind === "block" || chosen.kind === "subsystem" ? path : `${chosen.kind}:${path}`;
    const one = (name: string, doc: string, placeholder: string, choices?: string[], unit?: string) =>
      this.field(`edit-${name}`, { name, doc, placeholder, choices, unit }, chosen.attributes[name] ?? "", this.set(`${owner}.${name}`));
    const made = parameters.map((each) => one(each.name, each.doc, each.default ?? "must be given", each.type === "boolean" ? ["true", "false"] : each.choices, each.unit === "1" || each.unit.startsWith("@") ? "" : each.unit));
    const more = element("details", { open: chosen.kind !== "block" }, element("summary", {}, "More"), ...others.map((each) => one(each, "", "")));
    return [...(made.length ? [element("h3", {}, "Parameters"), ...made] : []), more];
  }

  private port(port: EditPort): HTMLElement {
    const to = this.document_.view?.wires.filter((each) => each.from === port.name || each.from.startsWith(port.name + ".")) ?? [];
    const cut = (wire: string, label: string) => button("\u00d7", `Disconnect ${label}`, () => void this.document_.edit([["disconnect", this.document_.at(wire)]]), { className: "plain" });
    const driver = port.driver ? this.document_.view?.wires.find((each) => each.to === port.name || each.to.startsWith(port.name + ".") || each.to.startsWith(port.name + "[")) : undefined;
    return element("div", { className: "port-row", "data-port-row": port.name }, element("span", {}, port.input ? "\u2192 " : "", element("b", {}, port.name.slice(port.name.indexOf(".") + 1)), port.input ? "" : " \u2192", element("span", { className: "quiet" }, ` ${port.type}${port.optional ? ", optional" : ""}`)),
      element("span", { className: "ends" }, ...(driver ? [element("span", {}, driver.from), cut(driver.to, `${driver.from} from ${driver.to}`)] : []), ...to.flatMap((each) => [element("span", {}, each.to), cut(each.to, `${each.from} from ${each.to}`)]),
        (!port.input || !driver) && button("Connect", `Connect ${port.name}`, () => this.actions.connect(port.name))));
  }

  /** What two modes that stand side by side have otherwise. */
  private ofDifferences(): HTMLElement[] {
    const { beside, differences, view } = this.document_;
    if (!beside || !view) return [];
    const rows = differences.map((each) => element("button", { type: "button", className: "outline difference-row", "data-path": each.path, "data-mode": each.mode, onclick: () => this.actions.choose(each.path) },
      element("span", {}, each.name, element("span", { className: "doc" }, each.what)), element("span", { className: "kind" }, each.mode)));
    return [element("h3", {}, differences.length ? `${differences.length} differences of ${beside.join(" and ")}` : `${beside.join(" and ")} do not differ here`), ...rows];
  }

  private ofDiagram(): HTMLElement[] {
    const { view } = this.document_;
    if (!view) return [];
    const head = [element("h2", {}, view.inside || view.document), element("p", { className: "quiet" }, view.read_only || [view.document, view.mode && `mode ${view.mode}`].filter(Boolean).join(", "))];
    const modes = (each: EditElement) => (each.mode ? element("span", { className: `kind ${each.mode === view.mode ? "live" : ""}` }, each.mode) : null);
    const rows = view.elements.map((each) => element("button", { type: "button", className: "outline", "data-path": each.path, onclick: () => this.actions.choose(each.path) },
      element("span", {}, each.name), modes(each), element("span", { className: "quiet" }, each.type || each.kind)));
    const own = (name: string, doc: string) => this.field(`edit-diagram-${name}`, { name, doc, placeholder: "" }, view.attributes[name] ?? "", this.set(name));
    const fields = view.local ? [] : [own("period", "The tick: how often blocks run"), own("doc", "")];
    return [...head, ...this.ofDifferences(), ...fields, element("h3", {}, `${view.elements.length} elements`), ...rows];
  }
}
