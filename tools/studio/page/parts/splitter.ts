// SPDX-License-Identifier: BSD-3-Clause
// A border between two parts of the page that can be moved, by mouse and by keys; it is where it was the next time.
import { element } from "./dom";

/** @param name  of the CSS variable that holds the share, between 0 and 1 */
export function splitter(box: HTMLElement, name: string, upright: boolean, start: number, label: string): HTMLElement {
  const key = `hilda${name}`, kept = Number(localStorage.getItem(key) ?? start);
  let share = kept > 0 && kept < 1 ? kept : start;
  const bar = element("div", { className: `splitter ${upright ? "upright" : "level"}`, role: "separator", tabindex: 0, "aria-orientation": upright ? "vertical" : "horizontal", "aria-label": label, title: `${label}: drag, or arrow keys` });
  const place = (wanted: number) => {
    share = Math.min(0.85, Math.max(0.12, wanted));
    box.style.setProperty(name, `${(share * 100).toFixed(2)}%`);
    bar.setAttribute("aria-valuenow", (share * 100).toFixed(0));
    localStorage.setItem(key, String(share));
  };
  bar.addEventListener("pointerdown", (event) => {
    bar.setPointerCapture(event.pointerId);
    bar.onpointermove = (move) => {
      const { left, top, width, height } = box.getBoundingClientRect();
      place(upright ? (move.clientX - left) / width : (move.clientY - top) / height);
    };
  });
  bar.addEventListener("pointerup", () => (bar.onpointermove = null));
  bar.addEventListener("keydown", (event) => {
    const way = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 }[event.key];
    if (!way) return;
    event.preventDefault();
    event.stopPropagation();
    place(share + way * 0.02);
  });
  place(share);
  return bar;
}
