// SPDX-License-Identifier: BSD-3-Clause
// What can be chosen of one panel: the unit of its values, and a logarithmic axis.
import { button, element } from "../parts/dom";
import { unitsLike } from "./axes";

let last = 0;

export class PanelTools {
  readonly box = element("div", { className: "panel-tools" });
  private field: HTMLInputElement;
  private log: HTMLButtonElement;
  private written = "";

  /** @param choose  of a unit; false: it is a unit of another quantity, and a message says so */
  constructor(unit: string, choose: (unit: string) => Promise<boolean>, toggle: () => void) {
    const list = element("datalist", { id: `units-${++last}` }, ...unitsLike(unit).map((each) => element("option", { value: each })));
    this.field = element("input", { size: 5, list: list.id, placeholder: "unit", title: "The unit of the values: another one converts them", spellcheck: "false", autocomplete: "off" });
    this.log = button("log", "A logarithmic axis of the values", toggle, { "aria-pressed": "false" });
    this.box.append(this.field, list, this.log);
    let asked = ""; // by Enter: leaving the field does not ask it again
    const commit = async () => {
      const wanted = this.field.value.trim() || unit;
      if (wanted === asked) return;
      if (wanted === this.written) return void (this.field.value = this.written);
      asked = wanted;
      const taken = await choose(wanted);
      if (taken) asked = "";
      if (!taken && this.field.value.trim() === wanted) this.field.setAttribute("aria-invalid", "true");
    };
    this.field.addEventListener("keydown", (event) => {
      if (event.key === "Enter") void commit();
      else if (event.key === "Escape") this.show(this.written, this.log.ariaPressed === "true"), asked = "";
      else return;
      event.stopPropagation();
    });
    this.field.addEventListener("blur", () => void commit());
    this.show(unit, false);
  }

  /** Names for screen readers. */
  name(signals: string): void {
    this.field.setAttribute("aria-label", `Unit of ${signals}`);
    this.log.setAttribute("aria-label", `Logarithmic axis of ${signals}`);
  }

  show(unit: string, logarithmic: boolean): void {
    this.written = unit;
    this.field.removeAttribute("aria-invalid");
    this.field.value = unit;
    this.log.setAttribute("aria-pressed", String(logarithmic));
  }
}
