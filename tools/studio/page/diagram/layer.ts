// SPDX-License-Identifier: BSD-3-Clause
// Cache of drawn nodes: a node is created again only if its content has changed, since a thousand of them take their time.
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

export class Layer {
  private kept = new Map<string, { content: string; node: SVGElement }>();

  constructor(readonly group: SVGGElement) {}

  /** From the back to the front; returns the node of each. One that the mouse has dragged (`data-carried`) is created again. */
  show(items: Item[]): SVGElement[] {
    const next = new Map<string, { content: string; node: SVGElement }>();
    for (const item of items) {
      let key = item.key;
      while (next.has(key)) key += "+";
      const before = this.kept.get(key), same = before?.content === item.content && before.node.dataset.carried === undefined;
      next.set(key, same ? before : { content: item.content, node: item.paint() });
    }
    this.kept = next;
    const nodes = [...next.values()].map((each) => each.node), wanted = new Set<Node>(nodes);
    for (const each of [...this.group.childNodes]) if (!wanted.has(each)) each.remove();
    let at = this.group.firstChild;
    for (const node of nodes)
      if (node === at) at = at.nextSibling;
      else this.group.insertBefore(node, at);
    return nodes;
  }
}
