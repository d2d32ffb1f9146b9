// SPDX-License-Identifier: BSD-3-Clause
// Buttons next to a value that differs between run and file: back to the file's value, or write it into the file.
import { button, element } from "../parts/dom";

export interface FileValueActions { back(): void; write: (() => void) | null }

export class FileValue {
  readonly box = element("div", {});
  private shown = "";
  private actions: FileValueActions | null = null;

  /** Shows both values; nothing if they are the same. A button that is being pressed stays the same element. */
  show(name: string, used: string, file: string | null, actions: FileValueActions): void {
    this.actions = actions;
    const content = file ? JSON.stringify([name, used, file, actions.write !== null]) : "";
    if (content === this.shown) return;
    this.shown = content;
    this.box.replaceChildren(...(file ? [element("div", { className: "file-value" }, element("span", {}, element("b", {}, used), ` in use, the file has `, element("b", {}, file)),
      element("span", { className: "ways" }, button("Back to the file's", `Back to the file's ${name}`, () => this.actions?.back()),
        actions.write && button("Write into the file", `Write into the file: ${name} ${used}`, () => this.actions?.write?.())))] : []));
  }
}
