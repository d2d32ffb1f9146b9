// SPDX-License-Identifier: BSD-3-Clause
// The model as a tree of subsystems and blocks, with a search: a row that is chosen is shown in the drawing.
import { button, element } from "./dom";
import type { Session } from "../run/session";

interface Row { path: string; name: string; type: string; level: number; inner: boolean }

export class ModelTree {
  readonly box = element("section", { className: "model-tree", "aria-label": "Model", hidden: true });
  readonly toggleButton = button("Tree", "Tree of the model (o)", () => this.toggle(), { "aria-pressed": "false" });
  private input = element("input", { type: "search", placeholder: "Search the tree", "aria-label": "Search the tree", spellcheck: "false", autocomplete: "off" });
  private list = element("ul", { role: "tree", "aria-label": "Subsystems and blocks" });
  private opened = new Set<string>();
  private rows: Row[] = [];
  /** The row that Tab leads to. */
  private at = "";

  constructor(private session: Session, private actions: { look(path: string): void; open(path: string): void; replace(text: string): void }) {
    const replace = button("Replace", "Replace in names and values of all that contain a text", () => actions.replace(this.input.value.trim()), { className: "outline-button" });
    this.box.append(element("div", { className: "row" }, this.input, replace), this.list);
    session.on("state", () => { replace.hidden = !session.may("edit"); });
    this.input.addEventListener("input", () => this.show());
    this.input.addEventListener("keydown", (event) => {
      if (event.key === "ArrowDown" || event.key === "Enter") event.preventDefault(), this.focus(this.rows[0]?.path);
    });
    this.list.addEventListener("keydown", (event) => this.key(event));
    this.list.addEventListener("click", (event) => this.click(event));
    this.list.addEventListener("dblclick", (event) => { const row = this.rowOf(event); if (row?.inner) this.actions.open(row.path); });
    session.on("hello", () => this.show());
  }

  toggle(): void {
    this.box.hidden = !this.box.hidden;
    this.toggleButton.setAttribute("aria-pressed", String(!this.box.hidden));
    this.show();
    if (this.box.hidden) this.toggleButton.focus();
    else this.input.focus();
  }

  /** All paths, of subsystems too, in the order of the diagram: a subsystem comes before its blocks. */
  private all(): Row[] {
    const inside = new Map<string, Set<string>>([["", new Set()]]);
    for (const path of this.session.blocks.keys()) {
      const steps = path.split(".");
      steps.forEach((_, i) => {
        const owner = steps.slice(0, i).join(".");
        (inside.get(owner) ?? inside.set(owner, new Set()).get(owner)!).add(steps.slice(0, i + 1).join("."));
      });
    }
    const rows = (owner: string, level: number): Row[] => [...(inside.get(owner) ?? [])].flatMap((path) => {
      const inner = inside.has(path), row = { path, name: path.slice(path.lastIndexOf(".") + 1), type: inner ? "subsystem" : this.session.blocks.get(path)?.type ?? "", level, inner };
      return [row, ...(inner ? rows(path, level + 1) : [])];
    });
    return rows("", 1);
  }

  private show(): void {
    if (this.box.hidden) return;
    const words = this.input.value.toLowerCase().split(/\s+/).filter(Boolean), all = this.all();
    const found = words.length ? all.filter((each) => words.every((word) => `${each.path} ${each.type}`.toLowerCase().includes(word))) : all;
    const leads = new Set(found.flatMap((each) => each.path.split(".").map((_, i, steps) => steps.slice(0, i + 1).join("."))));
    const owners = (path: string) => path.split(".").slice(0, -1).map((_, i, steps) => steps.slice(0, i + 1).join("."));
    this.rows = all.filter((each) => (words.length ? leads.has(each.path) : owners(each.path).every((owner) => this.opened.has(owner))));
    if (!this.rows.some((each) => each.path === this.at)) this.at = this.rows[0]?.path ?? "";
    this.list.replaceChildren(...this.rows.map((each) => this.item(each, words.length > 0)));
    if (!this.rows.length) this.list.append(element("li", { className: "quiet", role: "none" }, words.length ? "Nothing has such a name." : "The diagram has no blocks."));
  }

  private item({ path, name, type, level, inner }: Row, searched: boolean): HTMLElement {
    const made = element("li", { role: "treeitem", "data-path": path, "aria-level": level, "aria-expanded": inner ? String(searched || this.opened.has(path)) : undefined, "aria-selected": "false", tabindex: path === this.at ? 0 : -1, title: path },
      element("span", { className: "twist", "aria-hidden": "true" }, inner ? "\u25b8" : ""), element("span", { className: "name" }, name), element("span", { className: "quiet" }, type.split("/").pop() ?? ""));
    made.style.setProperty("--level", String(level - 1));
    return made;
  }

  private rowOf(event: Event): Row | undefined {
    const path = (event.target as Element).closest<HTMLElement>("[role=treeitem]")?.dataset.path;
    return this.rows.find((each) => each.path === path);
  }

  private focus(path: string | undefined): void {
    if (path === undefined) return;
    this.at = path;
    for (const each of this.list.querySelectorAll<HTMLElement>("[role=treeitem]")) {
      each.tabIndex = each.dataset.path === path ? 0 : -1;
      if (each.dataset.path === path) each.focus();
    }
  }

  /** Takes the focus back from the drawing, so that arrow keys work in the tree. */
  keep(): void { if (!this.box.hidden) this.focus(this.at); }

  private open(row: Row, open: boolean): void {
    if (open) this.opened.add(row.path); else this.opened.delete(row.path);
    this.show();
    this.focus(row.path);
  }

  private choose(row: Row): void {
    for (const each of this.list.querySelectorAll<HTMLElement>("[role=treeitem]")) each.setAttribute("aria-selected", String(each.dataset.path === row.path));
    this.actions.look(row.path);
  }

  private click(event: Event): void {
    const row = this.rowOf(event);
    if (!row) return;
    this.focus(row.path);
    if ((event.target as Element).closest(".twist") && row.inner) this.open(row, !this.opened.has(row.path));
    else this.choose(row);
  }

  private key(event: KeyboardEvent): void {
    const i = this.rows.findIndex((each) => each.path === this.at), row = this.rows[i];
    if (!row || event.ctrlKey || event.altKey || event.metaKey) return;
    const act = {
      ArrowDown: () => this.focus(this.rows[i + 1]?.path), ArrowUp: () => (i ? this.focus(this.rows[i - 1].path) : this.input.focus()),
      Home: () => this.focus(this.rows[0].path), End: () => this.focus(this.rows[this.rows.length - 1].path),
      ArrowRight: () => { if (row.inner) this.opened.has(row.path) ? this.focus(this.rows[i + 1]?.path) : this.open(row, true); },
      ArrowLeft: () => { if (row.inner && this.opened.has(row.path)) this.open(row, false); else this.focus(row.path.split(".").slice(0, -1).join(".") || undefined); },
      Enter: () => this.choose(row),
    }[event.key];
    if (!act) return;
    event.preventDefault();
    event.stopPropagation();
    act();
  }
}
