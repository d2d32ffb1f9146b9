// SPDX-License-Identifier: BSD-3-Clause
// What is selected: elements of the body under edit, or one of its wires.
import type { EditedDocument } from "./document";
import type { EditElement, EditWire } from "./protocol";

export class Selection {
  readonly paths = new Set<string>();
  wire: EditWire | null = null;

  constructor(private document_: EditedDocument) {}

  /** The only one, where there is just one. */
  get chosen(): EditElement | undefined { return this.paths.size === 1 ? this.document_.element([...this.paths][0]) : undefined; }
  get elements(): EditElement[] { return [...this.paths].flatMap((path) => this.document_.element(path) ?? []); }

  only(path: string | null): void {
    this.paths.clear();
    this.wire = null;
    if (path) this.paths.add(path);
  }

  onlyWire(wire: EditWire | null): void {
    this.paths.clear();
    this.wire = wire;
  }

  /** More of the view's elements. */
  take(paths: string[]): void {
    this.wire = null;
    for (const path of paths) if (this.document_.element(path)) this.paths.add(path);
  }

  /** Pressed: alone, or, with `more`, into the selection and out of it. */
  press(path: string, more: boolean): void {
    this.wire = null;
    if (more && !this.paths.delete(path)) this.paths.add(path);
    else if (!more && !this.paths.has(path)) this.only(path);
  }

  /** Removes elements that no longer exist from the selection. */
  forgetGone(): void {
    for (const path of [...this.paths]) if (!this.document_.element(path)) this.paths.delete(path);
    const wire = this.wire;
    if (wire && !this.document_.view?.wires.some((each) => each.from === wire.from && each.to === wire.to)) this.wire = null;
  }

  /** Names that the keys act on: the selection, or else the block that has the focus. */
  acting(): string[] {
    const focused = (document.activeElement as SVGElement | null)?.dataset?.path;
    if (this.paths.size === 0 && focused && this.document_.element(focused) && !this.wire) this.paths.add(focused);
    return this.elements.map((each) => each.name);
  }
}
