// SPDX-License-Identifier: BSD-3-Clause
// All blocks that there are: searched, dragged into the diagram, or added by Enter.
import { button, element } from "../parts/dom";
import type { EditedDocument } from "./document";
import type { PaletteBlock } from "./protocol";
import { UsedBlocks } from "./used_blocks";

export interface PaletteActions {
  /** One was chosen, though the search for it may not be over. */
  expect(): void;
  /** Where it was dropped, px of the window; null: wherever it fits. Type "": there is none. */
  add(type: string, at: { x: number; y: number } | null): void;
}
const most = 120;
const extras: PaletteBlock[] = ([["subsystem", "A diagram within the diagram"], ["input", "An input of this diagram"], ["output", "An output of this diagram"], ["parameter", "A value with a name, for ${name}"], ["note", "Words on the drawing"], ["area", "A titled rectangle behind symbols, which move with it; made around what is selected"]] as const)
  .map(([type, doc]) => ({ type, doc, inputs: [], outputs: [], parameters: [] }));

/** What most diagrams begin with comes first; arms and their like last. */
const order = ["sources", "math", "continuous", "discrete", "routing", "sinks"], late = ["emulation", "kinematics", "dynamics", "arm"];
const rank = (type: string): number => {
  const room = type.split("/")[0], at = order.indexOf(room);
  return at >= 0 ? at : order.length + 1 + late.indexOf(room);
};

/** A name that may be broken before its capitals. */
const syllables = (name: string): Node[] => name.split(/(?=[A-Z][a-z])/).flatMap((each, i) => [...(i ? [element("wbr")] : []), document.createTextNode(each)]);

/** Under a heading; "" where results of a search are listed. */
interface Listed extends PaletteBlock { group: string }
const under = (group: string) => (each: PaletteBlock): Listed => ({ ...each, group });
const roomOf = (each: PaletteBlock): Listed => under(each.type.includes("/") ? each.type.split("/")[0] : "diagram")(each);

export class Palette {
  readonly box = element("section", { className: "palette", "aria-label": "Blocks" });
  private input = element("input", { type: "search", placeholder: "Search blocks", title: "Name, doc, or Simulink's name", "aria-label": "Search blocks", role: "combobox", "aria-controls": "palette-list", "aria-expanded": "true", spellcheck: "false", autocomplete: "off" });
  private list = element("ul", { id: "palette-list", role: "listbox", "aria-label": "Blocks" });
  private used = new UsedBlocks();
  private favour = button("Favourite", "Favourite: the chosen block is listed first, or no longer", () => this.toggleFavourite(), { "aria-pressed": "false" });
  private shown: Listed[] = [];
  private at = 0;
  private asked = 0;
  /** An arrow was pressed since the last letter: what it chose stays chosen. */
  private moved = false;
  private answered: Promise<void> = Promise.resolve();

  constructor(private document_: EditedDocument, private actions: PaletteActions) {
    this.box.append(this.input, this.list, element("footer", {}, element("p", { className: "quiet" }, "Drag one, or press Enter."), this.favour));
    this.input.addEventListener("input", () => { this.moved = false; this.answered = this.search(); });
    this.input.addEventListener("keydown", (event) => this.key(event));
  }

  async open(): Promise<void> {
    await this.search();
    this.input.focus();
    this.input.select();
  }

  async search(): Promise<void> {
    const words = this.input.value.trim(), turn = ++this.asked, { blocks, session } = this.document_;
    const fits = (each: PaletteBlock) => words.toLowerCase().split(/\s+/).every((word) => each.type.includes(word));
    let types = [...blocks.keys()].sort((a, b) => rank(a) - rank(b));
    if (words) {
      const reply = await session.ask("palette", { words }, true);
      if (turn !== this.asked) return; // the user has typed more
      types = reply.ok ? (reply.types as string[]) : [];
    }
    const found = types.flatMap((type) => blocks.get(type) ?? []), chosen = this.shown[this.at]?.type;
    const known = (all: string[], group: string) => all.flatMap((type) => blocks.get(type) ?? []).map(under(group));
    this.shown = words ? [...found.slice(0, most), ...extras.filter(fits)].map(under("")) : [...known(this.used.favourites, "favourites"), ...known(this.used.recent, "used last"), ...[...extras, ...found].map(roomOf)];
    this.at = this.moved ? Math.max(0, this.shown.findIndex((each) => each.type === chosen)) : 0;
    this.show();
  }

  private show(): void {
    let group = "";
    this.list.replaceChildren(...(this.shown.length ? this.shown.flatMap((each, i) => {
      const [room, name] = each.type.includes("/") ? each.type.split("/") : ["diagram", each.type], head = each.group !== group;
      group = each.group;
      const item = element("li", { id: `palette-${i}`, role: "option", "aria-selected": String(i === this.at), "data-type": each.type, title: each.doc },
        element("span", { className: "name" }, ...syllables(name)), element("span", { className: "quiet" }, room === each.group ? "" : room), element("span", { className: "doc" }, each.doc.split(/[.:;]/)[0]));
      item.addEventListener("pointerdown", (event) => this.drag(event, each.type, i));
      return head ? [element("li", { className: "group", role: "presentation" }, group), item] : [item];
    }) : [element("li", { className: "quiet" }, "No block fits.")]));
    this.mark();
  }

  private mark(): void {
    for (const each of this.list.querySelectorAll("[role=option]")) each.setAttribute("aria-selected", String(each.id === `palette-${this.at}`));
    this.input.setAttribute("aria-activedescendant", `palette-${this.at}`);
    const type = this.shown[this.at]?.type ?? "";
    this.favour.disabled = !type.includes("/"); // the diagram's own parts are always first
    this.favour.setAttribute("aria-pressed", String(this.used.favourites.includes(type)));
    if (document.activeElement === this.input) document.getElementById(`palette-${this.at}`)?.scrollIntoView({ block: "nearest" });
  }

  private key(event: KeyboardEvent): void {
    const way = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    // what was typed is searched first: Enter means its first block, and not that of the letters before
    if (event.key === "Enter") this.enter();
    else if (way) this.moved = true, this.at = Math.max(0, Math.min(this.shown.length - 1, this.at + way)), this.mark();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  private enter(): void {
    this.actions.expect();
    void this.answered.then(() => this.add(this.shown[this.at]?.type ?? "", null));
  }

  private add(type: string, at: { x: number; y: number } | null): void {
    this.used.used(type);
    this.actions.add(type, at);
  }

  private toggleFavourite(): void {
    const type = this.shown[this.at]?.type ?? "";
    this.used.toggle(type);
    this.mark();
    this.moved = true; // it stays chosen
    this.answered = this.search();
  }

  private drag(event: PointerEvent, type: string, i: number): void {
    if (event.button !== 0) return;
    this.at = i;
    this.mark();
    const ghost = element("div", { className: "ghost" }, type.split("/").pop()), start = [event.clientX, event.clientY];
    const move = (at: PointerEvent) => {
      if (!ghost.isConnected && Math.hypot(at.clientX - start[0], at.clientY - start[1]) > 4) document.body.append(ghost);
      ghost.style.transform = `translate(${at.clientX}px, ${at.clientY}px)`;
    };
    const drop = (at: PointerEvent) => {
      for (const [what, listener] of [["pointermove", move], ["pointerup", drop], ["pointercancel", drop]] as const) removeEventListener(what, listener);
      const moved = ghost.isConnected;
      ghost.remove();
      if (at.type === "pointerup" && moved && document.elementFromPoint(at.clientX, at.clientY)?.closest(".diagram")) this.add(type, { x: at.clientX, y: at.clientY });
    };
    for (const [what, listener] of [["pointermove", move], ["pointerup", drop], ["pointercancel", drop]] as const) addEventListener(what, listener);
    event.preventDefault();
    this.input.focus({ preventScroll: true });
  }
}
