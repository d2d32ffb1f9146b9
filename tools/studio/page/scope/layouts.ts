// SPDX-License-Identifier: BSD-3-Clause
// Scopes with all that is in them, kept by name for this diagram in this browser.
import { button, element } from "../parts/dom";
import type { Session } from "../run/session";
import type { View } from "./charts";
import type { Limit } from "./limits";

export interface ScopeLayout { names: string[]; limits: Limit[]; span: number; view: View }
type Kept = Record<string, ScopeLayout[]>;

export class Layouts {
  private dialog = element("dialog", { className: "layouts ask", "aria-label": "Layouts of the scopes" });
  private list = element("ul", { className: "choices" });
  private name = element("input", { placeholder: "Name", "aria-label": "Name of the layout", autocomplete: "off", required: true });

  constructor(private session: Session, private now: () => ScopeLayout[], private show: (all: ScopeLayout[]) => void) {
    const submit = (event: Event) => { event.preventDefault(); this.save(this.name.value.trim()); };
    this.dialog.append(element("header", {}, element("h2", {}, "Layouts"), button("\u00d7", "Close (Esc)", () => this.dialog.close(), { className: "plain" })),
      this.list, element("form", { className: "other", onsubmit: submit }, this.name, " ", element("button", { type: "submit" }, "Save the scopes as they are")),
      element("p", { className: "quiet" }, "Signals, expressions, limits, spans and views of all scopes. They are kept in this browser, for this diagram."));
    document.body.append(this.dialog);
  }

  private get key(): string { return `hilda layouts ${this.session.hello?.diagram.file ?? ""}`; }
  private get kept(): Kept { return JSON.parse(localStorage.getItem(this.key) ?? "{}") as Kept; }
  private set kept(all: Kept) { localStorage.setItem(this.key, JSON.stringify(all)); }

  open(): void {
    this.fill();
    if (!this.dialog.open) this.dialog.showModal();
    this.name.focus();
  }

  private save(name: string): void {
    if (!name) return;
    this.kept = { ...this.kept, [name]: this.now() };
    this.name.value = "";
    this.fill();
  }

  private fill(): void {
    const all = Object.entries(this.kept);
    this.list.replaceChildren(...(all.length ? all.map(([name, layout]) => element("li", { "data-layout": name },
      button(name, `Show the scopes of '${name}'`, () => { this.dialog.close(); this.show(layout); }), element("span", { className: "quiet" }, layout.map((each) => each.names.join(", ")).join("; ")),
      button("\u00d7", `Remove the layout '${name}'`, () => { const { [name]: _, ...others } = this.kept; this.kept = others; this.fill(); }, { className: "plain" }))) : [element("li", { className: "quiet" }, "None yet.")]));
  }
}
