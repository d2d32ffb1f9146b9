// SPDX-License-Identifier: BSD-3-Clause
// The field in use stays in the page: a browser treats a field that is removed from the page as one that was left.

/** Does it take letters, or a choice? */
export const takesText = (node: Element | null): boolean => node?.matches("input:not([type=range]), textarea, select") ?? false;
/** The field that has the focus. */
export const fieldInUse = (): HTMLElement | null => (takesText(document.activeElement) ? (document.activeElement as HTMLElement) : null);
export const typesIn = (box: Element): boolean => box.contains(fieldInUse());

/** As replaceChildren; but a child that is in its place is not moved, for a moved button forgets that it is being pressed. The child
    with the field in use is never moved, and stays even if it is no longer in the list. */
export function arrange(box: Element, wanted: Node[]): void {
  const held = [...box.children].find((each) => typesIn(each)), extra = held && !wanted.includes(held) ? held : null;
  for (const each of [...box.childNodes]) if (each !== held && !wanted.includes(each)) each.remove();
  let at = box.firstChild;
  for (const each of wanted) {
    if (at && at === extra) at = at.nextSibling;
    while (each === held && at && at !== held) { // it comes later in the list
      const next = at.nextSibling;
      (at as ChildNode).remove();
      at = next;
    }
    if (each === at) at = at.nextSibling;
    else box.insertBefore(each, at);
  }
}
