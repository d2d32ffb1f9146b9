// SPDX-License-Identifier: BSD-3-Clause
// Cache of drawn nodes: a node is created again only if its content has changed, since a thousand of them take their time.
import { drawn } from "../parts/dom";

export interface Item {
  key: string;
  /** All that the node shows, as text. */
  content: string;
  paint(): SVGElement;
}

/** Texts of objects that stay the same from drawing to drawing: made once. */
export class Texts<T extends object> {
  private known = new WeakMap<T, { with: unknown[]; text: string }>();

  /** @param also  what else the text depends on, compared by identity */
  of(what: T, also: unknown[], make: () => string): string {
    const before = this.known.get(what);
    if (before && before.with.length === also.length && before.with.every((each, i) => each === also[i])) return before.text;
    const text = make();
    this.known.set(what, { with: also, text });
    return text;
  }
}

interface Kept { content: string; node: SVGElement; slot: SVGGElement }

/** Each node has a slot: a browser lays out a whole group again if a child is added or removed, and so only the slot. */
export class Layer {
  private kept = new Map<string, Kept>();

  constructor(readonly group: SVGGElement) {}

  /** From the back to the front; returns the node of each. One that the mouse has dragged (`data-carried`) is created again. */
  show(items: Item[]): SVGElement[] {
    const next = new Map<string, Kept>();
    for (const item of items) {
      let key = item.key;
      while (next.has(key)) key += "+";
      next.set(key, this.keep(this.kept.get(key), item));
    }
    this.kept = next;
    const all = [...next.values()], wanted = new Set<Node>(all.map((each) => each.slot));
    for (const each of [...this.group.childNodes]) if (!wanted.has(each)) each.remove();
    let at = this.group.firstChild;
    for (const { slot } of all)
      if (slot === at) at = at.nextSibling;
      else this.group.insertBefore(slot, at);
    return all.map((each) => each.node);
  }

  private keep(before: Kept | undefined, { content, paint }: Item): Kept {
    if (before?.content === content && before.node.dataset.carried === undefined) return before;
    const node = paint(), slot = before?.slot ?? drawn("g");
    slot.replaceChildren(node);
    return { content, node, slot };
  }
}
