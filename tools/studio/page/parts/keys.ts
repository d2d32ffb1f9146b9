// SPDX-License-Identifier: BSD-3-Clause
// Keys that work everywhere, and the sheet that lists them all.
import { button, element } from "./dom";
import { takesText } from "./typing";

export interface Key { keys: string; what: string; act?(event: KeyboardEvent): void; matches?(event: KeyboardEvent): boolean }

export const elsewhere: [string, [string, string][]][] = [
  ["Diagram", [["\u2190 \u2191 \u2192 \u2193", "to the next block"], ["Enter", "select a block; once more: into a subsystem"], ["o", "open a subsystem in place, or close it"], ["w", "write a plugin that replaces a subsystem; right click"], ["Backspace", "out of a subsystem"],
               ["s", "outputs of the block into the scope"], ["p", "their values pinned on the wires; Shift click pins one"], ["f", "the whole diagram"], ["+ -", "larger, smaller"]]],
  ["Edit", [["Shift Enter", "select one more; Shift click"], ["Alt \u2190 \u2191 \u2192 \u2193", "move the block"], ["drag", "a block: moves it, and snaps to others unless Alt is held; onto a wire: into that; from port to port: connects; with Shift: selects"]]],
  ["Scope", [["\u2190 \u2192", "earlier, later"], ["+ -", "zoom in time"], ["\u2191 \u2193", "zoom the values"], ["l", "follow the run"], ["w", "the whole run"], ["c", "two cursors: Tab to one, \u2190 \u2192 moves it"], ["f", "statistics"], ["d", "the difference to an earlier run"],
             ["e", "trigger"], ["x", "a signal computed from others"], ["b", "limits of a signal"], ["Alt \u2190 \u2191 \u2192 \u2193", "at the button of a signal: into the next panel or scope"], ["drag", "zoom in time; up and down: values"], ["wheel", "zoom in time; with Shift: values"], ["double click", "the whole run"]]],
];

/** Parts whose fields come and go: letters that miss one of them are not commands. */
const ofFields = (node: EventTarget | null): boolean => node instanceof Element && node.closest("aside, .palette, .keypad, .banner, .new-plugin, dialog") !== null;

export class Keys {
  private sheet = element("dialog", { className: "sheet", "aria-label": "Keys" });

  constructor(private all: Key[]) {
    const table = (rows: [string, string][]) => element("dl", {}, ...rows.flatMap(([keys, what]) => [element("dt", {}, ...keys.split(" ").map((each) => element("kbd", {}, each))), element("dd", {}, what)]));
    const part = (title: string, rows: [string, string][]) => element("section", {}, element("h3", {}, title), table(rows));
    this.sheet.append(element("header", {}, element("h2", {}, "Keys"), button("\u00d7", "Close (Esc)", () => this.sheet.close(), { className: "plain" })),
      element("div", { className: "parts" }, part("Everywhere", all.map((each) => [each.keys, each.what])), ...elsewhere.map(([title, rows]) => part(title, rows))),
      element("p", { className: "quiet" }, element("a", { href: "licences.txt", target: "_blank", rel: "noopener" }, "Licences of other software in this page")));
    document.body.append(this.sheet);
    document.addEventListener("keydown", (event) => this.press(event));
    document.addEventListener("keydown", () => (this.byKeys = true), { capture: true });
    document.addEventListener("pointerdown", ({ target }) => { this.byKeys = false; this.commands = !ofFields(target); }, { capture: true });
    document.addEventListener("focusin", ({ target }) => {
      if (takesText(target as Element)) this.commands = !ofFields(target);
      else if (this.byKeys) this.commands = true;
    });
    document.addEventListener("close", () => (this.commands = true), { capture: true }); // a question that was answered takes no letters any more
  }

  /** Ignores letters until the user clicks on the drawing or presses Escape: they were meant for a field. */
  rest(): void { this.commands = false; }
  private commands = true;
  private byKeys = false;

  help(): void { if (this.sheet.open) this.sheet.close(); else this.sheet.showModal(); }

  private press(event: KeyboardEvent): void {
    const target = event.target as Element, typing = takesText(target), plain = !event.ctrlKey && !event.metaKey && !event.altKey;
    if (document.querySelector("dialog[open]") && event.key !== "?") return;
    if (typing && plain) { if (event.key === "Escape") { (target as HTMLElement).blur(); this.commands = true; } return; }
    if (event.key === "Escape") this.commands = true;
    if (!this.commands && plain && (event.key.length === 1 || ["Delete", "Backspace", "Home"].includes(event.key))) return;
    if (event.key === " " && target.matches("button, summary, [role=tab]")) return;
    const found = this.all.find((each) => each.matches?.(event) ?? (plain && each.keys === event.key));
    if (!found?.act) return;
    event.preventDefault();
    found.act(event);
  }
}
