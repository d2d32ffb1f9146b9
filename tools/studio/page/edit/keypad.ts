// SPDX-License-Identifier: BSD-3-Clause
// Letters, digits and units to click: users who have only a mouse can write, too.
import { button, element } from "../parts/dom";

const rows = ["1234567890.-", "abcdefghijklm", "nopqrstuvwxyz", "_+*/()[]${};"];
const units = [" ms", " s", " mm", " m", " N", " N/mm", " N/m", " kg", " 1/kg", " Hz", " deg", " rad", " %"];

export class Keypad {
  readonly box = element("section", { className: "keypad", "aria-label": "Keys to click", hidden: true });
  private field: HTMLInputElement | null = null;

  constructor() {
    const key = (text: string, label = text) => button(label, `Write ${text === label ? label : "the unit " + label}`, () => this.write(text));
    const shift = button("\u21e7", "Capital letters", () => this.box.classList.toggle("capital"));
    this.box.append(...rows.map((row) => element("div", {}, ...[...row].map((each) => key(each)))), element("div", {}, ...units.map((each) => key(each, each.trim()))),
      element("div", {}, shift, button("space", "Write a blank", () => this.write(" ")), button("\u232b", "Take the last character away", () => this.erase(false)), button("clear", "Empty the field", () => this.erase(true)), button("\u23ce", "Enter", () => this.press("Enter"), { className: "primary" })));
    // the field that is written into keeps the focus
    this.box.addEventListener("pointerdown", (event) => event.preventDefault());
    this.box.addEventListener("mousedown", (event) => event.preventDefault());
    document.addEventListener("focusin", (event) => { if (event.target instanceof HTMLInputElement && event.target.type !== "range") this.field = event.target; });
  }

  toggle(): boolean {
    this.box.hidden = !this.box.hidden;
    return !this.box.hidden;
  }

  private write(text: string): void {
    const { field } = this;
    if (!field?.isConnected) return;
    const [from, to] = [field.selectionStart ?? field.value.length, field.selectionEnd ?? field.value.length];
    field.setRangeText(this.box.classList.contains("capital") ? text.toUpperCase() : text, from, to, "end");
    field.dispatchEvent(new Event("input", { bubbles: true }));
  }

  private erase(all: boolean): void {
    const { field } = this;
    if (!field?.isConnected) return;
    const end = field.selectionEnd ?? field.value.length, begin = field.selectionStart ?? end;
    if (all) field.value = "";
    else field.setRangeText("", begin === end ? Math.max(0, end - 1) : begin, end, "end");
    field.dispatchEvent(new Event("input", { bubbles: true }));
  }

  private press(key: string): void { this.field?.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true })); }
}
