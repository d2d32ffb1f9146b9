// SPDX-License-Identifier: BSD-3-Clause
// Files that are dragged onto the page from elsewhere.
import { element } from "./dom";

/** The whole page takes them; while they are above it, it says what will become of them. */
export function takeDroppedFiles(what: string, take: (files: File[]) => void): void {
  const sign = element("div", { className: "dropping", hidden: true }, element("p", {}, what)), holds = (event: DragEvent) => event.dataTransfer?.types.includes("Files") ?? false;
  document.body.append(sign);
  document.addEventListener("dragover", (event) => {
    if (!holds(event)) return;
    event.preventDefault();
    if (event.dataTransfer) event.dataTransfer.dropEffect = "copy";
    sign.hidden = false;
  });
  document.addEventListener("dragleave", (event) => { if (event.relatedTarget === null) sign.hidden = true; });
  document.addEventListener("drop", (event) => {
    if (!holds(event)) return;
    event.preventDefault();
    sign.hidden = true;
    take([...(event.dataTransfer?.files ?? [])]);
  });
}
