// SPDX-License-Identifier: BSD-3-Clause
// Buttons and choices in one line: those that do not fit are in a menu at its end. The last ones go there first.
import { button, element } from "./dom";

const gap = 6, edge = 4, least_text = 80; // px

export class OverflowMenu {
  /** It holds the buttons that fit, and the one that opens the menu. */
  readonly box = element("span", { className: "in-line" });
  private list = element("div", { className: "overflow-menu", popover: "auto", role: "group" });
  private opener: HTMLButtonElement;
  private widths: number[] = [];
  private inside = -1;

  /** @param line  the line whose width counts; its other elements stay in it
   *  @param text  of the line: it may be cut off, but for its beginning */
  constructor(private line: HTMLElement, private text: HTMLElement, name: string, private buttons: HTMLElement[]) {
    this.opener = button("\u22ef", `More: ${name} that have no room here`, () => undefined, { "aria-haspopup": "true", "aria-expanded": "false", className: "plain" });
    this.opener.popoverTargetElement = this.list;
    this.list.setAttribute("aria-label", name);
    this.box.append(...buttons, this.opener, this.list);
    this.list.addEventListener("toggle", () => this.toggled());
    this.list.addEventListener("keydown", (event) => this.key(event));
    this.list.addEventListener("click", (event) => { if ((event.target as Element).closest("button")) this.close(); });
    new ResizeObserver(() => this.fit()).observe(line);
  }

  /** The line has another width, or something else in it. */
  fit(): void {
    if (this.line.clientWidth < 10) return;
    if (!this.widths.length) this.widths = this.measured();
    const style = getComputedStyle(this.line), others = [...this.line.children].filter((each) => each !== this.box && each !== this.text && !each.classList.contains("grow")) as HTMLElement[];
    const taken = others.reduce((sum, each) => sum + Math.max(each.offsetWidth, each.scrollWidth) + gap, 0) + Math.min(least_text, this.text.scrollWidth) + gap, room = this.line.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight) - taken - 2 * gap;
    const all = this.widths.slice(0, -1), opener = this.widths[all.length], whole = all.reduce((sum, each) => sum + each + gap, 0);
    let fits = all.length, used = whole;
    while (fits > 0 && used + (fits < all.length ? opener + gap : 0) > room) used -= all[--fits] + gap;
    this.show(fits);
  }

  /** Of each button, and of the one that opens the menu. */
  private measured(): number[] {
    this.show(this.buttons.length);
    this.opener.hidden = false;
    const widths = [...this.buttons, this.opener].map((each) => each.offsetWidth);
    this.inside = -1;
    return widths;
  }

  private show(fits: number): void {
    if (fits === this.inside) return;
    this.inside = fits;
    const focused = document.activeElement;
    this.buttons.forEach((each, i) => { if (i < fits) this.opener.before(each); else this.list.append(each); });
    this.opener.hidden = fits === this.buttons.length;
    if (this.opener.hidden) this.close();
    if (focused instanceof HTMLElement && this.buttons.includes(focused)) (this.list.contains(focused) && !this.open ? this.opener : focused).focus();
  }

  private get open(): boolean { return this.list.matches(":popover-open"); }
  private close(): void {
    if (!this.open) return;
    const within = this.list.contains(document.activeElement);
    this.list.hidePopover();
    if (within && !this.opener.hidden) this.opener.focus();
  }

  private toggled(): void {
    const { open } = this;
    this.opener.setAttribute("aria-expanded", String(open));
    if (!open) return;
    const { left, right, top, bottom } = this.opener.getBoundingClientRect(), { offsetWidth: width, offsetHeight: height } = this.list;
    const below = bottom + edge + height <= innerHeight - edge || bottom < innerHeight - bottom;
    this.list.style.left = `${Math.max(edge, Math.min(left, right - width, innerWidth - width - edge))}px`;
    this.list.style.top = `${below ? bottom + edge : Math.max(edge, top - edge - height)}px`;
    this.entries[0]?.focus();
  }

  private get entries(): HTMLElement[] { return [...this.list.children] as HTMLElement[]; }

  private key(event: KeyboardEvent): void {
    if (event.target instanceof HTMLSelectElement && event.key !== "Escape") return event.stopPropagation(); // arrows choose
    const all = this.entries, at = all.indexOf(document.activeElement as HTMLElement), last = all.length - 1;
    const to = ({ ArrowDown: at === last ? 0 : at + 1, ArrowUp: at <= 0 ? last : at - 1, Home: 0, End: last } as Record<string, number>)[event.key];
    if (to === undefined) return;
    all[to]?.focus();
    event.preventDefault();
    event.stopPropagation();
  }
}
