// SPDX-License-Identifier: BSD-3-Clause
// Buttons next to a value that differs between run and file: back to the file's value, or write it into the file.
import { button, element } from "../parts/dom";

export interface FileValueActions { back(): void; write: (() => void) | null }

export function fileValue(name: string, used: string, file: string, actions: FileValueActions): HTMLElement {
  return element("div", { className: "file-value" }, element("span", {}, element("b", {}, used), ` in use, the file has `, element("b", {}, file)),
    element("span", { className: "ways" }, button("Back to the file's", `Back to the file's ${name}`, () => actions.back()),
      actions.write && button("Write into the file", `Write into the file: ${name} ${used}`, actions.write)));
}
