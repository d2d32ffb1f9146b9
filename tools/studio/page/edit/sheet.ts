// SPDX-License-Identifier: BSD-3-Clause
// What the file says of the chosen element: its name, parameters and wires; each keystroke is tried on the server.
import { button, element } from "../parts/dom";
import { Entry } from "../parts/entry";
import { arrange, typesIn } from "../parts/typing";
import { FileValue } from "../side/file_value";
import { grouped, rangeText } from "../side/inspector";
import { refusal, type Diagnostic, type Parameter } from "../run/protocol";
import type { EditedDocument } from "./document";
import { NameField } from "./name_field";
import type { EditElement, EditPort, Operation, PaletteParameter } from "./protocol";

export interface SheetActions {
  choose(path: string | null): void;
  connect(port: string): void;
  /** Gives why it was refused, or "". */
  rename(path: string, to: string): Promise<string>;
}

/** One attribute: as one types it is checked; Enter, or leaving it, writes it. */
class AttributeField {
  readonly box: HTMLElement;
  private entry: Entry | null = null;
  private choice: HTMLSelectElement | null = null;
  private refused = element("p", { className: "refused", role: "alert", hidden: true });
  private differs = new FileValue();
  private turn = 0;

  constructor(private document_: EditedDocument, id: string, info: AttributeInfo, private value: string, private operation: (text: string) => Operation,
              readonly form: string, private actions: { timed(ms: number): void; settled(): Promise<void> }) {
    const { name, doc, placeholder, choices, unit } = info;
    if (choices?.length) {
      const choice = (this.choice = element("select", { id }, element("option", { value: "", selected: value === "" }, placeholder), ...choices.map((each) => element("option", { value: each, selected: each === value }, each))));
      choice.addEventListener("change", () => { if (choice.value !== this.value) void this.take((this.value = choice.value)).then((why) => this.tell(why)); });
    } else {
      this.entry = new Entry(value, { id, placeholder }, { send: (text) => this.take(text), elsewhere: (text) => (text ? `the file now says ${text}` : "the file no longer says it"), empty: true, long: info.long });
      this.entry.input.addEventListener("input", () => {
        const begun = performance.now();
        void this.look().then((counts) => { if (counts) actions.timed(performance.now() - begun); });
      });
    }
    this.box = element("div", { className: "parameter", "data-attribute": name }, element("label", { for: id }, name), element("span", { className: "kind" }, unit ?? ""),
      element("div", { className: "entry" }, this.entry?.input ?? this.choice), this.entry?.beside, this.differs.box, doc && element("p", { className: "doc" }, doc), this.entry?.refused ?? this.refused);
  }

  /** The user is in the field, or has left it with a refused value. */
  get held(): boolean { return typesIn(this.box) || (this.entry?.touched ?? false); }

  /** What the file says now, and the edit that writes another value there. */
  offer(value: string, operation: (text: string) => Operation): void {
    this.value = value;
    this.operation = operation;
    this.entry?.offer(value);
    if (this.choice && document.activeElement !== this.choice) this.choice.value = value;
  }

  /** The run has another value, which was set while it ran. */
  inUse(parameter: Parameter | undefined): void {
    const { session } = this.document_, file = this.value || parameter?.in_file || "";
    const set = async () => { const reply = await session.ask("set", { settings: [{ path: parameter?.path, text: file }] }, true); if (!reply.ok) this.tell(refusal(reply)); };
    const write = () => void this.take(parameter?.text ?? "").then((why) => this.tell(why));
    this.differs.show(parameter?.name ?? "", parameter?.text ?? "", parameter?.in_file ? file : null, { back: () => void set(), write });
  }

  /** Returns false if the user has typed more meanwhile. */
  private async look(): Promise<boolean> {
    const turn = ++this.turn, text = this.entry?.text ?? "";
    if (text === this.value) { this.tell(""); return true; }
    await this.actions.settled();
    const reply = await this.document_.try([this.operation(text)]);
    if (turn !== this.turn) return false;
    const list = (reply.fresh ?? []) as Diagnostic[];
    this.tell(reply.ok ? list.slice(0, 3).map((each) => each.what + (each.help ? `\n${each.help}` : "")).join("\n") : refusal(reply));
    return true;
  }

  private tell(text: string): void {
    if (this.entry) return this.entry.refuse(text);
    this.refused.textContent = text;
    this.refused.hidden = !text;
    this.choice?.setAttribute("aria-invalid", String(!!text));
  }

  private async take(text: string): Promise<string> {
    ++this.turn;
    await this.actions.settled();
    const reply = await this.document_.edit([this.operation(text)], true);
    return reply.ok ? "" : refusal(reply);
  }
}

interface AttributeInfo { name: string; doc: string; placeholder: string; choices?: string[]; unit?: string; long?: boolean }

export class Sheet {
  readonly box = element("div", { className: "inspector edit-sheet" });
  /** ms from a keystroke to its diagnostics, of the last ones. */
  readonly times: number[] = [];
  private path: string | null = null;
  private shown = "";
  private fields = new Map<string, AttributeField>();
  private name = new NameField((to) => this.rename(to));
  private more = element("details", {});
  /** The sheet to show once the user leaves the field in use. */
  private waiting: { path: string | null } | null = null;
  /** Requested renamings: a value typed after them is meant for the new name. */
  private naming: Promise<unknown> = Promise.resolve();

  constructor(private document_: EditedDocument, private actions: SheetActions) {
    document_.session.on("parameters", () => this.refresh());
    this.box.addEventListener("focusout", () => setTimeout(() => { if (this.waiting && !typesIn(this.box)) this.show(this.waiting.path); }));
  }

  /** Keeps the field in use, with all that is typed. */
  show(path: string | null): void {
    const typed = typesIn(this.box), name = this.document_.element(path)?.name, expected = path !== null && this.name.expects(name);
    this.waiting = typed ? { path } : null;
    if (typed && !expected && (path !== this.path || this.name.expecting !== null)) return;
    if (path !== this.path && !expected) {
      this.fields.clear();
      this.name.entry.begin(name ?? "");
    }
    this.path = path;
    this.refresh();
    if (expected) this.name.arrived();
  }

  /** Keeps the text that the user is typing: only fields that changed are created again. */
  refresh(): void {
    const { view, state } = this.document_, chosen = this.document_.element(this.path);
    if (this.path !== null && !chosen && typesIn(this.box)) return; // it is gone, which the answer to the field will report
    const wires = view?.wires.filter(({ from, to }) => [from, to].some((end) => end === chosen?.name || end.startsWith(`${chosen?.name ?? ""}.`)));
    const rows = view?.elements.filter((each) => !chosen || each.name === chosen.name).map((each) => [each.path, each.kind, each.type, each.mode]);
    const used = chosen ? [...this.document_.session.parameters.values()].filter((each) => each.block === chosen.path || (!each.block && each.path === chosen.path)) : [];
    const content = JSON.stringify([this.path, chosen?.kind === "subsystem" && this.promoted(chosen), used.map((each) => [each.text, each.in_file]), this.document_.differences, chosen, chosen && wires, rows, view?.document, view?.attributes, state?.obstacle, view?.read_only]);
    if (content === this.shown) return;
    const focus = document.activeElement as HTMLElement | null, id = this.box.contains(focus) ? focus?.id : "";
    this.shown = content;
    arrange(this.box, chosen ? this.ofElement(chosen) : this.ofDiagram());
    for (const each of used) this.fields.get(`edit-${each.block ? each.name : "value"}`)?.inUse(each);
    if (id && document.activeElement?.id !== id) document.getElementById(id)?.focus();
  }

  /** Focuses the field of an attribute, for a click on a diagnostic. */
  focusAttribute(name: string): void {
    const field = document.getElementById(`edit-${name}`), folded = field?.closest("details");
    if (folded) folded.open = true;
    field?.focus();
    field?.scrollIntoView({ block: "nearest" });
  }

  focusName(): void {
    if (this.document_.element(this.path) || this.name.expecting) this.name.enter();
  }

  /** An element of that name is on its way: its name can be written already. */
  expect(name: string): void {
    const again = this.name.expecting !== null;
    this.name.expect(name);
    this.path = null;
    this.shown = "";
    this.fields.clear();
    if (!again) this.box.replaceChildren();
    arrange(this.box, [element("h2", {}, name), this.name.box]);
    if (!again || !this.name.entry.touched) this.name.enter();
  }

  /** It does not come. Gives what was written for it. */
  unexpect(): string {
    const { entry } = this.name, typed = this.name.expecting !== null && entry.touched ? entry.text : "";
    if (typed) entry.settle();
    this.name.arrived();
    if (typesIn(this.box)) entry.input.blur();
    return typed;
  }

  /** The chosen one has another name: its fields are the same. */
  renamed(from: string, to: string): void { if (this.path === from) this.path = to; }

  private rename(to: string): Promise<string> {
    const done = this.naming.then(async () => {
      await this.name.arrival;
      return this.actions.rename(this.path ?? "", to);
    });
    this.naming = done;
    return done;
  }

  private set(path: string) { return (text: string): Operation => (text === "" ? ["unset", path] : ["set", `${path}=${text}`]); }

  /** Returns the existing field, unless it has become another kind of field and is not in use. */
  private field(id: string, info: AttributeInfo, value: string, operation: (text: string) => Operation): HTMLElement {
    const form = JSON.stringify(info), known = this.fields.get(id);
    if (known && (known.form === form || known.held)) { known.offer(value, operation); return known.box; }
    const field = new AttributeField(this.document_, id, info, value, operation, form, {
      timed: (ms) => { this.times.push(ms); if (this.times.length > 1000) this.times.shift(); }, settled: async () => void (await this.naming) });
    this.fields.set(id, field);
    return field.box;
  }

  private ofElement(chosen: EditElement): HTMLElement[] {
    const type = this.document_.blocks.get(chosen.type), path = this.document_.at(chosen.name) + (chosen.mode ? `@${chosen.mode}` : "");
    const twins = this.document_.view?.elements.filter((each) => each.kind === chosen.kind && each.name === chosen.name) ?? [];
    const parts = [element("h2", {}, chosen.name), element("p", { className: "quiet" }, [chosen.type || chosen.kind, chosen.mode && `mode ${chosen.mode}`, chosen.document, `line ${chosen.line}`].filter(Boolean).join(", ")), this.name.of(chosen.name)];
    if (twins.length > 1) parts.push(element("p", { className: "warning" }, `There is one for each mode: ${twins.map((each) => each.mode || "all").join(", ")}. This one is shown; the list of the diagram has the others.`));
    if (type?.doc) parts.push(element("p", { className: "equation" }, type.doc));
    parts.push(...this.attributes(chosen, chosen.kind === "subsystem" ? this.promoted(chosen) : type?.parameters ?? [], path));
    if (chosen.ports.length) parts.push(element("h3", {}, "Wires"), ...chosen.ports.map((port) => this.port(port)));
    return parts;
  }

  private attributes(chosen: EditElement, parameters: PaletteParameter[], path: string): HTMLElement[] {
    const known = new Set(parameters.map((each) => each.name));
    const usual: Record<string, string[]> = { block: ["sample_time", "enable", "reset", "doc"], subsystem: ["src", "doc"], input: ["unit", "shape", "optional", "default", "doc"], output: ["unit", "shape", "doc"], parameter: ["value", "group", "doc"], note: ["text"], area: ["title"] };
    const others = [...new Set([...Object.keys(chosen.attributes), ...(usual[chosen.kind] ?? [])])].filter((each) => !known.has(each) && each !== "mode");
    const owner = chosen.kind === "block" || chosen.kind === "subsystem" ? path : `${chosen.kind}:${path}`;
    const one = (name: string, doc: string, placeholder: string, choices?: string[], unit?: string, otherwise = "") =>
      this.field(`edit-${name}`, { name, doc, placeholder, choices, unit }, chosen.attributes[name] ?? otherwise, this.set(`${owner}.${name}`));
    const own_ = chosen.kind === "subsystem" && !chosen.document; // its body is here: an edit changes what it declares
    const field = (each: PaletteParameter) => one(each.name, each.doc, each.default ?? "must be given", each.type === "boolean" ? ["true", "false"] : each.choices, each.unit === "1" || each.unit.startsWith("@") ? "" : each.unit, own_ ? each.default ?? "" : "");
    const groups = grouped(parameters).map(([group, some]): [string, HTMLElement[]] => [group || "Parameters", some.map(field)]), made = groups.flatMap(([, fields]) => fields);
    const written = { note: "text", area: "title" } as Record<string, string>, own = written[chosen.kind];
    if (own) made.push(this.field(`edit-${own}`, { name: own, doc: own === "text" ? "**bold**, [words](https://...), and lines that begin with '- '; Shift Enter begins a line" : "Shown above the area", placeholder: "", long: own === "text" }, chosen.attributes[own] ?? "", this.set(`${owner}.${own}`)));
    if (this.fields.size === made.length) this.more.open = chosen.kind !== "block" && !own; // another element than before
    arrange(this.more, [element("summary", {}, "More"), ...others.filter((each) => each !== own).map((each) => one(each, "", ""))]);
    const sections = own ? [["Words", made] as const] : groups;
    return [...sections.flatMap(([title, fields]) => [element("h3", {}, title), ...fields]), this.more];
  }

  /** The parameters that a subsystem's diagram declares: an attribute of the subsystem sets one. */
  private promoted(chosen: EditElement): PaletteParameter[] {
    const prefix = `${chosen.path}.`;
    return [...this.document_.session.parameters.values()].filter((each) => each.block === "" && each.path.startsWith(prefix) && each.path === prefix + each.name)
      .map((each) => ({ name: each.name, doc: [each.doc, rangeText(each)].filter(Boolean).join(" "), type: each.type, unit: each.unit, default: each.in_file || each.text, choices: each.choices, minimum: each.minimum, maximum: each.maximum, group: each.group }));
  }

  private port(port: EditPort): HTMLElement {
    const to = this.document_.view?.wires.filter((each) => each.from === port.name || each.from.startsWith(port.name + ".")) ?? [];
    const cut = (wire: string, label: string) => button("\u00d7", `Disconnect ${label}`, () => void this.document_.edit([["disconnect", this.document_.at(wire)]]), { className: "plain" });
    const driver = port.driver ? this.document_.view?.wires.find((each) => each.to === port.name || each.to.startsWith(port.name + ".") || each.to.startsWith(port.name + "[")) : undefined;
    return element("div", { className: "port-row", "data-port-row": port.name }, element("span", {}, port.input ? "\u2192 " : "", element("b", {}, port.name.slice(port.name.indexOf(".") + 1)), port.input ? "" : " \u2192", element("span", { className: "quiet" }, ` ${port.type}${port.optional ? ", optional" : ""}`)),
      element("span", { className: "ends" }, ...(driver ? [element("span", {}, driver.from), cut(driver.to, `${driver.from} from ${driver.to}`)] : []), ...to.flatMap((each) => [element("span", {}, each.to), cut(each.to, `${each.from} from ${each.to}`)]),
        (!port.input || !driver) && button("Connect", `Connect ${port.name}`, () => this.actions.connect(port.name))));
  }

  /** The differences between two modes that are shown side by side. */
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
