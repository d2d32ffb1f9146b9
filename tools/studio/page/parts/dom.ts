// SPDX-License-Identifier: BSD-3-Clause
// Elements by script: no text of a diagram is ever read as HTML.
type Child = Node | string | null | undefined | false;
type Attributes = Record<string, unknown>;

const svgSpace = "http://www.w3.org/2000/svg";

function fill<E extends Element>(made: E, attributes: Attributes, children: Child[]): E {
  for (const [key, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    if (key.startsWith("on")) made.addEventListener(key.slice(2), value as EventListener);
    else if (key === "text") made.textContent = String(value);
    else made.setAttribute(key === "className" ? "class" : key, value === true ? "" : String(value));
  }
  for (const child of children) if (child !== null && child !== undefined && child !== false) made.append(child);
  return made;
}

export function element<K extends keyof HTMLElementTagNameMap>(
  name: K, attributes: Attributes = {}, ...children: Child[]): HTMLElementTagNameMap[K] {
  return fill(document.createElement(name), attributes, children);
}

export function drawn<K extends keyof SVGElementTagNameMap>(
  name: K, attributes: Attributes = {}, ...children: Child[]): SVGElementTagNameMap[K] {
  return fill(document.createElementNS(svgSpace, name), attributes, children);
}

/** Who speaks to a page says what he sees: a name that is written on a button is in its accessible name. */
const spoken = (label: string | Node, title: string): string =>
  typeof label === "string" && /\p{L}{2}/u.test(label) && !title.toLowerCase().includes(label.toLowerCase()) ? `${label}: ${title}` : title;

export function button(label: string | Node, title: string, act: () => void, more: Attributes = {}): HTMLButtonElement {
  return element("button", { type: "button", title, "aria-label": spoken(label, title), onclick: act, ...more }, label);
}

/** Saves a file on the user's computer. */
export function download(name: string, data: Blob): void {
  const link = element("a", { href: URL.createObjectURL(data), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
