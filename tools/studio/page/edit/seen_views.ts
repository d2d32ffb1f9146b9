// SPDX-License-Identifier: BSD-3-Clause
// Views as the server sent them last, by place: after the first it sends only changes.
import { changedList, changedScene } from "../run/changes";
import type { EditView, ViewChanges } from "./protocol";

export class SeenViews {
  private seen = new Map<string, EditView>();

  of(place: string): EditView | undefined { return this.seen.get(place); }

  /** The whole view, out of a reply to a request that named the number of `before`. */
  take(place: string, before: EditView | undefined, reply: EditView & { changes?: ViewChanges }): EditView {
    const { changes, ...rest } = reply;
    const view = changes && before ? { ...rest, scene: changedScene(before.scene, changes.scene), elements: changedList(before.elements, changes.elements), wires: changedList(before.wires, changes.wires) } : rest;
    if (this.seen.size > 16) this.seen.clear();
    this.seen.set(place, view);
    return view;
  }
}
