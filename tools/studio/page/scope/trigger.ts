// SPDX-License-Identifier: BSD-3-Clause
// What a scope waits for: an edge of a signal, as the server finds it at the full rate.
import { fieldInUse } from "../parts/typing";
import { button, element } from "../parts/dom";
import type { Trigger } from "../run/protocol";

let last = 0;

export class TriggerForm {
  readonly box: HTMLFormElement;
  private fields: { signal: HTMLSelectElement; edge: HTMLSelectElement; mode: HTMLSelectElement; level: HTMLInputElement; pre: HTMLInputElement; span: HTMLInputElement };

  constructor(private apply: (trigger: Trigger | null, window?: number) => void, private names: () => string[]) {
    const options = (all: string[]) => all.map((each) => element("option", { value: each }, each));
    const number = (value: string, label: string) => element("input", { value, inputmode: "decimal", "aria-label": label, size: 7, required: true });
    this.fields = {
      signal: element("select", { "aria-label": "Signal" }), level: number("0", "Level, SI"),
      edge: element("select", { "aria-label": "Edge" }, ...options(["rising", "falling", "either"])),
      mode: element("select", { "aria-label": "Mode" }, ...options(["normal", "single", "auto"])),
      pre: number("0.05", "Seconds before"), span: number("0.5", "Seconds in all"),
    };
    const label = (text: string, field: HTMLElement) => {
      field.id = `trigger-${++last}`;
      return element("label", { for: field.id }, text, field);
    };
    const f = this.fields;
    this.box = element("form", { className: "trigger", hidden: true, onsubmit: (event: Event) => { event.preventDefault(); this.submit(); } },
      label("when ", f.signal), label("is ", f.edge), label("through ", f.level), label("show ", f.pre), label("s before, of ", f.span), element("span", {}, "s in all,"), label("mode ", f.mode),
      element("button", { type: "submit" }, "Set"), button("Off", "No trigger", () => { this.apply(null); this.toggle(); }));
  }

  fill(): void {
    const names = this.names(), { signal } = this.fields, chosen = signal.value;
    if (signal === fieldInUse()) return;
    signal.replaceChildren(...names.map((each) => element("option", { value: each }, each)));
    if (names.includes(chosen)) signal.value = chosen;
  }

  toggle(): void {
    this.box.hidden = !this.box.hidden;
    this.fill();
    if (!this.box.hidden) this.fields.signal.focus();
  }

  private submit(): void {
    const { signal, edge, mode, level, pre, span } = this.fields, values = [level, pre, span].map((each) => Number(each.value));
    [level, pre, span].forEach((field, i) => field.setCustomValidity(Number.isFinite(values[i]) && field.value.trim() && (i === 0 || values[i] > 0 || (i === 1 && values[i] === 0)) ? "" : "a number, SI"));
    if (!this.box.reportValidity() || !signal.value) return;
    this.apply({ signal: signal.value, edge: edge.value as Trigger["edge"], mode: mode.value as Trigger["mode"], level: values[0], pre: values[1] }, values[2]);
  }
}
