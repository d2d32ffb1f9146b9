// SPDX-License-Identifier: BSD-3-Clause
// Scopes with all that is in them, kept by name in a file next to the diagram; in this browser where the run writes none.
import { button, element } from "../parts/dom";
import { refusal, type Reply } from "../run/protocol";
import type { Session } from "../run/session";
import type { Alarm } from "./alarms";
import type { View } from "./charts";
import type { Limit } from "./limits";
import type { PanelLayout } from "./panel";

export interface ScopeLayout { names: string[]; limits: Limit[]; span: number; view: View; alarms?: Alarm[]; panels?: PanelLayout[] }
type Kept = Record<string, ScopeLayout[]>;

/** A file may be anyone's: an entry that is not a layout is left out. */
function scopesIn(all: unknown): ScopeLayout[] {
  const texts = (list: unknown) => (Array.isArray(list) ? list.filter((each): each is string => typeof each === "string") : []);
  const objects = (list: unknown) => (Array.isArray(list) ? list.filter((each): each is Record<string, unknown> => typeof each === "object" && each !== null) : []);
  const number = (v: unknown) => (typeof v === "number" && Number.isFinite(v) ? v : null);
  return objects(all).map((each) => ({
    names: texts(each.names), span: Math.max(1e-6, number(each.span) ?? 5), view: (["time", "spectrum", "XY"] as View[]).find((view) => view === each.view) ?? "time",
    limits: objects(each.limits).map((limit) => ({ signal: String(limit.signal), lower: number(limit.lower), upper: number(limit.upper), from: number(limit.from), to: number(limit.to) })),
    panels: objects(each.panels).map((panel) => ({ names: texts(panel.names), ...(typeof panel.unit === "string" ? { unit: panel.unit } : {}), ...(panel.log === true ? { log: true } : {}), ...(typeof panel.tall === "number" && Number.isFinite(panel.tall) ? { tall: panel.tall } : {}) })),
    alarms: objects(each.alarms).map((alarm) => ({ condition: String(alarm.condition), rings: alarm.rings !== false, pauses: alarm.pauses === true })),
  }));
}
const layoutsIn = (all: unknown): Kept => Object.fromEntries(Object.entries((all ?? {}) as Record<string, unknown>).map(([name, each]) => [name, scopesIn(each)]));

export class Layouts {
  private dialog = element("dialog", { className: "layouts ask", "aria-label": "Layouts of the scopes" });
  private list = element("ul", { className: "choices" });
  private name = element("input", { placeholder: "Name", "aria-label": "Name of the layout", autocomplete: "off", required: true });
  private place = element("p", { className: "quiet" });
  private refused = element("p", { className: "refused", role: "alert", hidden: true });
  /** As the file has them. */
  private filed: Kept = {};
  private writable = false;
  private asked = "";

  constructor(private session: Session, private now: () => ScopeLayout[], private show: (all: ScopeLayout[]) => void) {
    const submit = (event: Event) => { event.preventDefault(); void this.save(this.name.value.trim()); };
    this.dialog.append(element("header", {}, element("h2", {}, "Layouts"), button("\u00d7", "Close (Esc)", () => this.dialog.close(), { className: "plain" })),
      this.list, element("form", { className: "other", onsubmit: submit }, this.name, " ", element("button", { type: "submit" }, "Save the scopes as they are")), this.refused, this.place);
    document.body.append(this.dialog);
    session.on("hello", () => { if (this.asked !== this.key) void this.begin(); });
    session.on("layouts", (reply) => this.take(reply));
  }

  private get key(): string { return `hilda layouts ${this.session.hello?.diagram.file ?? ""}`; }
  private get here(): Kept { return layoutsIn(JSON.parse(localStorage.getItem(this.key) ?? "{}")); }
  private set here(all: Kept) { if (Object.keys(all).length) localStorage.setItem(this.key, JSON.stringify(all)); else localStorage.removeItem(this.key); }
  private get all(): Kept { return { ...this.here, ...this.filed }; }

  /** Those of this browser go into the file, once there is one to write; one of the same name in the file stays there. */
  private async begin(): Promise<void> {
    this.asked = this.key;
    this.take(await this.session.ask("layouts", {}, true));
    if (!this.writable) return;
    for (const [name, scopes] of Object.entries(this.here)) {
      const free = name in this.filed && JSON.stringify(this.filed[name]) !== JSON.stringify(scopes) ? `${name} (of a browser)` : name;
      const reply = await this.session.ask("keep_layout", { name: free, scopes }, true);
      if (!this.take(reply)) return;
      const { [name]: _, ...others } = this.here;
      this.here = others;
    }
  }

  private take(reply: Reply): boolean {
    if (reply.ok) this.filed = layoutsIn(reply.layouts), this.writable = reply.writable === true;
    this.refused.hidden = reply.ok;
    this.refused.textContent = reply.ok ? "" : refusal(reply);
    this.place.textContent = `Signals, expressions, limits, alarms, spans and views of all scopes. ${this.writable ? `They are kept in ${String(reply.file ?? "")}, next to the diagram.` : "They are kept in this browser, for this diagram; 'hilda studio' writes them next to it."}`;
    if (this.dialog.open) this.fill();
    return reply.ok;
  }

  open(): void {
    this.fill();
    if (!this.dialog.open) this.dialog.showModal();
    this.name.focus();
    void this.session.ask("layouts", {}, true).then((reply) => this.take(reply)); // another program may have changed the file
  }

  private async save(name: string): Promise<void> {
    if (!name) return;
    if (!this.writable) this.here = { ...this.here, [name]: this.now() };
    else if (!this.take(await this.session.ask("keep_layout", { name, scopes: this.now() }, true))) return;
    this.name.value = "";
    this.fill();
  }

  private async remove(name: string): Promise<void> {
    if (name in this.filed) this.take(await this.session.ask("drop_layout", { name }, true));
    else { const { [name]: _, ...others } = this.here; this.here = others; }
    this.fill();
  }

  private fill(): void {
    const all = Object.entries(this.all);
    this.list.replaceChildren(...(all.length ? all.map(([name, layout]) => element("li", { "data-layout": name },
      button(name, `Show the scopes of '${name}'`, () => { this.dialog.close(); this.show(layout); }), element("span", { className: "quiet" }, layout.map((each) => each.names.join(", ")).join("; ")),
      (this.writable || !(name in this.filed)) && button("\u00d7", `Remove the layout '${name}'`, () => void this.remove(name), { className: "plain" }))) : [element("li", { className: "quiet" }, "None yet.")]));
  }
}
