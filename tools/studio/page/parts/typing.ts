// SPDX-License-Identifier: BSD-3-Clause
// The field in use stays in the page: a browser treats a field that is removed from the page as one that was left.

/** Does it take letters, or a choice? */
export const takesText = (node: Element | null): boolean => node?.matches("input:not([type=range]), textarea, select") ?? false;
/** The field that has the focus. */
export const fieldInUse = (): HTMLElement | null => (takesText(document.activeElement) ? (document.activeElement as HTMLElement) : null);
export const typesIn = (box: Element): boolean => box.contains(fieldInUse());

/** As replaceChildren; but the child with the field in use is not moved, and stays even if it is no longer in the list. */
export function arrange(box: Element, wanted: Node[]): void {
  const held = [...box.children].find((each) => typesIn(each));
  if (!held) return box.replaceChildren(...wanted);
  for (const each of [...box.childNodes]) if (each !== held && !wanted.includes(each)) each.remove();
  const at = wanted.indexOf(held);
  held.before(...wanted.slice(0, Math.max(0, at)));
  held.after(...wanted.slice(at + 1));
}
