// SPDX-License-Identifier: BSD-3-Clause
// Sheets of which one is in sight.
import { element } from "../parts/dom";

export class Tabs {
  readonly box = element("div", { className: "tabs" });
  private row = element("div", { role: "tablist" });
  private sheets = new Map<string, { tab: HTMLButtonElement; sheet: HTMLElement }>();

  constructor(label: string) {
    this.row.setAttribute("aria-label", label);
    this.box.append(this.row);
    this.row.addEventListener("keydown", (event) => {
      const names = [...this.sheets.keys()], at = names.findIndex((each) => this.sheets.get(each)?.tab === document.activeElement);
      const way = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
      if (!way || at < 0) return;
      event.preventDefault();
      event.stopPropagation();
      this.show(names[(at + way + names.length) % names.length], true);
    });
  }

  add(name: string, title: string, content: HTMLElement): void {
    const tab = element("button", { type: "button", role: "tab", id: `tab-${name}`, "aria-controls": `sheet-${name}`, onclick: () => this.show(name) }, title);
    const sheet = element("div", { role: "tabpanel", id: `sheet-${name}`, "aria-labelledby": `tab-${name}`, className: "sheet-body" }, content);
    this.sheets.set(name, { tab, sheet });
    this.row.append(tab);
    this.box.append(sheet);
    this.show(this.sheets.keys().next().value as string);
  }

  show(name: string, focus = false): void {
    for (const [each, { tab, sheet }] of this.sheets) {
      const on = each === name;
      tab.setAttribute("aria-selected", String(on));
      tab.tabIndex = on ? 0 : -1;
      sheet.hidden = !on;
      if (on && focus) tab.focus();
    }
  }

  /** Shows the number of diagnostics next to the title. */
  count(name: string, n: number, bad: boolean): void {
    const tab = this.sheets.get(name)?.tab;
    if (!tab) return;
    if (n) tab.dataset.count = String(n); else delete tab.dataset.count;
    tab.classList.toggle("bad", bad);
  }
}
