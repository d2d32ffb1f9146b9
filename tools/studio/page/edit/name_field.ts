// SPDX-License-Identifier: BSD-3-Clause
// The name of the chosen element, or of one that is on its way: it can be written before the element is there.
import { element } from "../parts/dom";
import { Entry } from "../parts/entry";

export class NameField {
  readonly entry: Entry;
  readonly box: HTMLElement;
  /** What the element that is on its way is called, as far as that is known. */
  expecting: string | null = null;
  arrival: Promise<void> = Promise.resolve();
  private come = () => {};

  constructor(rename: (to: string) => Promise<string>) {
    this.entry = new Entry("", { id: "edit-name" }, { send: rename, elsewhere: (text) => `it is now called ${text}` });
    this.box = element("div", { className: "parameter" }, element("label", { for: "edit-name" }, "name"), element("span", { className: "kind" }, "F2"), element("div", { className: "entry" }, this.entry.input), this.entry.beside, this.entry.refused);
  }

  of(name: string): HTMLElement {
    this.entry.offer(name);
    return this.box;
  }

  enter(): void {
    this.entry.input.focus();
    this.entry.input.select();
  }

  expects(name: string | undefined): boolean { return this.expecting !== null && name === this.expecting; }

  expect(name: string): void {
    const before = this.expecting !== null;
    this.expecting = name;
    if (!before) this.arrival = new Promise((done) => (this.come = done));
    this.entry.begin(name, before);
  }

  /** It is there, or it will not come. */
  arrived(): void {
    this.expecting = null;
    this.come();
  }
}
