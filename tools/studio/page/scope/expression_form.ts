// SPDX-License-Identifier: BSD-3-Clause
// Where a signal is written that is computed of others.
import { button, element } from "../parts/dom";

let last = 0;

export class ExpressionForm {
  readonly box: HTMLFormElement;
  private input = element("input", { size: 34, placeholder: "a.y - b.y, abs(a.y), a.y > 2 [N]", spellcheck: "false", autocomplete: "off" });
  private refused = element("p", { className: "refused", role: "alert", hidden: true });

  /** @param add  gives why it means nothing, or "" */
  constructor(add: (text: string) => string) {
    this.input.id = `expression-${++last}`;
    const submit = (event: Event) => {
      event.preventDefault();
      const why = this.input.value.trim() ? add(this.input.value.trim()) : "write signals with + - * / ^ ( ) and functions";
      this.refused.textContent = why;
      this.refused.hidden = !why;
      this.input.setAttribute("aria-invalid", String(!!why));
      if (!why) this.input.value = "";
    };
    this.box = element("form", { className: "trigger expression", hidden: true, onsubmit: submit }, element("label", { for: this.input.id }, "show ", this.input), element("button", { type: "submit" }, "Add"), button("Close", "Close this line (x)", () => this.toggle()), this.refused);
  }

  toggle(): void {
    this.box.hidden = !this.box.hidden;
    if (!this.box.hidden) this.input.focus();
  }
}
