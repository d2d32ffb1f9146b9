// SPDX-License-Identifier: BSD-3-Clause
// A search over blocks, signals and parameters: a result is shown, or added to the scope.
import { element } from "./dom";
import type { Session } from "../run/session";

export interface Found { text: string; kind: "signal" | "block" | "parameter"; more: string; act(): void }
const most = 60;

export class Finder {
  private dialog = element("dialog", { className: "finder", "aria-label": "Search" });
  private input = element("input", { type: "search", placeholder: "Signal, block or parameter: part of its name", "aria-label": "Search", role: "combobox", "aria-controls": "found", "aria-expanded": "true", spellcheck: "false" });
  private list = element("ul", { id: "found", role: "listbox" });
  private found: Found[] = [];
  private at = 0;

  constructor(private session: Session, private actions: { scope(names: string[]): void; look(path: string, parameter?: string): void; edited(): Found[] }) {
    this.dialog.append(this.input, this.list, element("p", { className: "quiet" }, "Enter: a signal goes into the scope or out of it, a block or parameter is shown. Esc closes."));
    document.body.append(this.dialog);
    this.input.addEventListener("input", () => this.search());
    this.input.addEventListener("keydown", (event) => this.key(event));
    this.dialog.addEventListener("click", (event) => { if (event.target === this.dialog) this.dialog.close(); });
  }

  open(): void {
    if (this.dialog.open) return;
    this.dialog.showModal();
    this.input.select();
    this.search();
  }

  private search(): void {
    const words = this.input.value.toLowerCase().split(/\s+/).filter(Boolean), { session } = this;
    const fits = (text: string) => words.every((each) => text.toLowerCase().includes(each));
    const signals = [...session.scalars.values()].filter((each) => fits(each.name)).map((each): Found => ({ text: each.name, kind: "signal", more: each.unit, act: () => this.actions.scope([each.name]) }));
    const blocks = [...session.blocks.values()].filter((each) => fits(`${each.path} ${each.type}`)).map((each): Found => ({ text: each.path, kind: "block", more: each.type, act: () => this.actions.look(each.path) }));
    const parameters = [...session.parameters.values()].filter((each) => fits(each.path)).map((each): Found => ({ text: each.path, kind: "parameter", more: each.text, act: () => this.actions.look(each.block, each.path) }));
    const edited = this.actions.edited().filter((each) => fits(`${each.text} ${each.more}`) && !blocks.some((block) => block.text === each.text));
    const third = Math.floor(most / 3), share = (list: Found[]) => list.sort((a, b) => a.text.length - b.text.length).slice(0, words.length ? third : 8);
    this.found = [...share(signals), ...share([...blocks, ...edited]), ...share(parameters)];
    this.at = 0;
    this.show();
  }

  private show(): void {
    this.list.replaceChildren(...(this.found.length ? this.found.map((each, i) => element("li", { id: `found-${i}`, role: "option", "aria-selected": String(i === this.at), onclick: () => this.take(i) },
      element("span", { className: `what ${each.kind}` }, each.kind), element("span", { className: "name" }, each.text), element("span", { className: "quiet" }, each.more))) : [element("li", { className: "quiet" }, "Nothing has such a name.")]));
    this.input.setAttribute("aria-activedescendant", `found-${this.at}`);
    this.list.children[this.at]?.scrollIntoView({ block: "nearest" });
  }

  private take(i: number): void {
    const found = this.found[i];
    if (!found) return;
    this.dialog.close();
    found.act();
  }

  private key(event: KeyboardEvent): void {
    const way = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (event.key === "Enter") this.take(this.at);
    else if (event.key === "Escape") this.dialog.close(); // else the first one would only empty the field
    else if (way) this.at = Math.max(0, Math.min(this.found.length - 1, this.at + way)), this.show();
    else return;
    event.preventDefault();
  }
}
