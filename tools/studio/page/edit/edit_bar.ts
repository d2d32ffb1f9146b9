// SPDX-License-Identifier: BSD-3-Clause
// The editor's buttons: what each does, and when it can.
import { button, element } from "../parts/dom";
import type { Commands } from "./commands";
import type { EditedDocument } from "./document";
import type { Selection } from "./selection";

export interface EditBarActions {
  modes(): void;
  /** Shows or hides the keys to click; returns whether they are shown then. */
  keypad(): boolean;
}

export class EditBar {
  readonly box = element("div", { className: "edit-bar", role: "toolbar", "aria-label": "Edit", hidden: true });
  private buttons: Record<string, HTMLButtonElement> = {};
  private told = element("span", { className: "saved-as quiet" });

  constructor(private document_: EditedDocument, private selection: Selection, private commands: Commands, actions: EditBarActions) {
    const add = (name: string, label: string, title: string, act: () => unknown) => (this.buttons[name] = button(label, title, () => void act()));
    const gap = () => element("span", { className: "gap" });
    this.box.append(add("save", "Save", "Save the diagram's files (Ctrl S)", () => document_.save()), add("undo", "Undo", "Undo the last edit (Ctrl Z)", () => document_.undo()), add("redo", "Redo", "Redo the edit (Ctrl Y)", () => document_.redo()),
      add("diff", "Diff", "The edits, as lines", () => commands.difference()), add("modes", "Modes", "Two modes side by side (m)", () => actions.modes()), gap(),
      add("connect", "Connect", "Connect a port of the block (c)", () => commands.connect()), add("rename", "Rename", "Rename (F2)", () => commands.nameChosen()), add("duplicate", "Duplicate", "A copy of the selection (Ctrl D)", () => commands.duplicate()),
      add("copy", "Copy", "Copy the selection to the clipboard (Ctrl C)", () => commands.copy()), add("paste", "Paste", "Paste from the clipboard into this diagram (Ctrl V)", () => commands.paste(null)),
      add("remove", "Delete", "Delete the selection (Delete)", () => commands.remove()), add("group", "Group", "Group the selection into a subsystem (Ctrl G)", () => commands.group()), add("extract", "Extract", "Move the subsystem into a file, to use it again", () => commands.extract()),
      add("alignX", "\u2502", "Align the selection in a column", () => commands.align("x")), add("alignY", "\u2500", "Align the selection in a row", () => commands.align("y")), add("spreadX", "\u2194", "Equal gaps from left to right in the selection", () => commands.distribute("x")), add("spreadY", "\u2195", "Equal gaps from top to bottom in the selection", () => commands.distribute("y")),
      add("tidy", "Tidy", "Tidy up: lay out the selection, or all, along the flow (y)", () => commands.tidy()), add("loose", "Unpin", "Place the selection where it looks best", () => commands.unpin()), add("tag", "Tag", "Draw the selected wire as a tag at both ends, or as a line again", () => commands.tag()),
      gap(), add("keys", "\u2328", "Letters and digits to click", () => this.buttons.keys.setAttribute("aria-pressed", String(actions.keypad()))), this.told);
  }

  show(): void {
    const { state, view, beside } = this.document_, one = this.selection.chosen, many = this.selection.paths.size;
    const may = { save: this.document_.unsaved, undo: !!state?.undo, redo: !!state?.redo, modes: !!view && view.modes.length > 1, connect: !!view?.elements.length, rename: !!one, duplicate: !!one && (one.kind === "block" || one.kind === "subsystem"), copy: many > 0, paste: !!view && !view.read_only, remove: many > 0 || !!this.selection.wire, group: many > 0, extract: one?.kind === "subsystem" && one.document === undefined, alignX: many > 1, alignY: many > 1, spreadX: many > 2, spreadY: many > 2, tidy: !!view?.elements.length && !view.read_only, loose: many > 0 || !!this.selection.wire?.bend, tag: !!this.selection.wire && !view?.read_only };
    for (const [name, possible] of Object.entries(may)) this.buttons[name].disabled = !possible;
    this.buttons.tag.setAttribute("aria-pressed", String(this.commands.tagged));
    this.buttons.modes.setAttribute("aria-pressed", String(beside !== null));
    this.told.textContent = this.told.title = view?.read_only || `${view?.document.split("/").pop() ?? ""}${state?.unsaved ? ", not saved" : ""}${state?.gone ? ", gone from the disk" : ""}${state && !state.journal ? ", no journal can be written" : ""}`;
  }
}
