// SPDX-License-Identifier: BSD-3-Clause
// Words that are written on the drawing itself, at their place; Enter or leaving them sends, Esc does not.
import type { Diagram } from "../diagram/diagram";
import { drawn, element } from "../parts/dom";
import { Entry } from "../parts/entry";

export interface Words {
  text: string;
  /** Nothing is there yet: the text is a proposal. */
  fresh: boolean;
  /** What the file says now. */
  now(): string;
  /** Gives why it was refused, or "". */
  send(text: string): Promise<string>;
}
const room = { width: 130, more: 64 }; // px of the drawing: the least width, and what the note below explains

export function writeThere(diagram: Diagram, at: { x: number; y: number; width: number; height: number }, kind: "note" | "area", words: Words): void {
  const long = kind === "note", width = Math.max(room.width, at.width), height = Math.max(long ? 48 : 24, at.height);
  const holder = drawn("foreignObject", { x: at.x, y: at.y, width, height: height + room.more, className: "writing" });
  const close = () => { diagram.box.removeEventListener("drawn", again); holder.remove(); };
  const entry = new Entry(words.fresh ? "" : words.text, { "aria-label": long ? "Words of the note" : "Title of the area" },
    { long, empty: true, elsewhere: (text) => `the file now says ${text}`, send: async (text) => { const why = await words.send(text); if (!why) close(); return why; } });
  entry.input.style.height = `${height}px`; // by script: the page forbids styles in attributes
  const again = () => { if (!words.fresh) entry.offer(words.now()); };
  if (words.fresh && words.text) { entry.input.value = words.text; entry.touched = true; }
  const unless = () => setTimeout(() => { if (!entry.touched) close(); });
  entry.input.addEventListener("keydown", (event) => {
    const { key, shiftKey } = event as KeyboardEvent;
    if (key === "Escape") close();
    if (key === "Enter" && !shiftKey) unless();
  });
  entry.input.addEventListener("blur", unless);
  holder.append(element("div", { className: "write" }, entry.input, entry.beside, entry.refused));
  holder.addEventListener("pointerdown", (event) => event.stopPropagation());
  diagram.world.append(holder);
  diagram.box.addEventListener("drawn", again);
  entry.input.focus({ preventScroll: true });
  if (words.fresh) entry.input.select(); else entry.input.setSelectionRange(entry.input.value.length, entry.input.value.length);
}
