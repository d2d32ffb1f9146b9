// SPDX-License-Identifier: BSD-3-Clause
// A drawing that is moved and scaled: by mouse, by touch, by keys.
const least = 0.05, greatest = 8;
const legible = 9 / 8; // the smallest texts of a drawing have 8, and are read from 9 px on

export class View {
  x = 0;
  y = 0;
  scale = 1;
  private width = 1;
  private height = 1;
  private origin: { x: number; y: number } | null = null;
  private part = "";
  /** The first view of a part is readable, even if not all of it is in sight; `whole`: all of it. Null once the user moves the view. */
  private fitted: "first" | "whole" | null = "first";
  private held: { x: number; y: number; moved: boolean } | null = null;

  constructor(private box: HTMLElement, private group: SVGGElement, private changed: (scale: number) => void) {
    box.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
    box.addEventListener("pointerdown", (event) => this.grip(event));
    box.addEventListener("pointermove", (event) => this.drag(event));
    for (const end of ["pointerup", "pointercancel"] as const) box.addEventListener(end, () => this.drop());
    new ResizeObserver(() => this.fitted && this.fit(this.fitted)).observe(box);
  }

  /** From now on the drawing is not fitted by itself. */
  hold(): void { this.fitted = null; }

  /** Was the last press of the mouse a move of the drawing? */
  moved = false;

  /** What the drawing is now. For the same part of the diagram the view stays where the user moved it: its origin keeps its place. */
  content(width: number, height: number, origin: { x: number; y: number } | null, part: string): void {
    const before = this.part === part ? this.origin : null;
    if (before && origin && width === this.width && height === this.height && before.x === origin.x && before.y === origin.y) return;
    Object.assign(this, { width, height, origin, part });
    if (this.fitted || !before || !origin) return this.fit(before ? this.fitted ?? "first" : "first");
    this.x += (before.x - origin.x) * this.scale;
    this.y += (before.y - origin.y) * this.scale;
    this.place();
  }

  fit(how: "first" | "whole" = "whole"): void {
    const { clientWidth, clientHeight } = this.box, edge = 22, side = this.box.classList.contains("editing") ? 64 : edge; // names of free ports stand outside
    if (clientWidth < 10 || clientHeight < 10) return;
    const most = 1.6 * Math.max(1, clientWidth / 1600);
    const whole = Math.max(least, Math.min(most, (clientWidth - 2 * side) / this.width, (clientHeight - 2 * edge) / this.height));
    this.scale = how === "first" ? Math.max(whole, Math.min(most, legible)) : whole;
    this.x = Math.max((clientWidth - this.width * this.scale) / 2, how === "first" ? side : -Infinity);
    this.y = Math.max((clientHeight - this.height * this.scale) / 2, how === "first" ? edge : -Infinity);
    this.fitted = how;
    this.place();
  }

  zoom(by: number, x = this.box.clientWidth / 2, y = this.box.clientHeight / 2): void {
    const scale = Math.min(greatest, Math.max(least, this.scale * by)), real = scale / this.scale;
    this.x = x - (x - this.x) * real;
    this.y = y - (y - this.y) * real;
    this.scale = scale;
    this.fitted = null;
    this.place();
  }

  move(dx: number, dy: number): void {
    this.x += dx;
    this.y += dy;
    this.fitted = null;
    this.place();
  }

  /** Brings a rectangle of the drawing into sight, where it is not. */
  reveal(x: number, y: number, width: number, height: number): void {
    const left = x * this.scale + this.x, top = y * this.scale + this.y, edge = 30;
    const w = width * this.scale, h = height * this.scale;
    const dx = left < edge ? edge - left : Math.min(0, this.box.clientWidth - edge - left - w);
    const dy = top < edge ? edge - top : Math.min(0, this.box.clientHeight - edge - top - h);
    if (dx || dy) this.move(dx, dy);
  }

  /** Brings a point of the drawing into the middle. */
  centre(x: number, y: number): void { this.move(this.box.clientWidth / 2 - x * this.scale - this.x, this.box.clientHeight / 2 - y * this.scale - this.y); }

  private place(): void {
    const transform = `translate(${this.x} ${this.y}) scale(${this.scale})`;
    if (transform === this.group.getAttribute("transform")) return; // or all would be painted again
    this.group.setAttribute("transform", transform);
    this.changed(this.scale);
  }

  private wheel(event: WheelEvent): void {
    event.preventDefault();
    const box = this.box.getBoundingClientRect();
    if (event.shiftKey) this.move(-event.deltaY - event.deltaX, 0);
    else this.zoom(Math.exp(-event.deltaY * (event.ctrlKey ? 0.01 : 0.0015)), event.clientX - box.left, event.clientY - box.top);
  }

  private grip(event: PointerEvent): void {
    this.moved = false;
    if (event.button === 0 || event.button === 1) this.held = { x: event.clientX, y: event.clientY, moved: false };
  }

  private drag(event: PointerEvent): void {
    const held = this.held;
    if (!held) return;
    const dx = event.clientX - held.x, dy = event.clientY - held.y;
    if (!held.moved && Math.hypot(dx, dy) < 4) return;
    if (!held.moved) {
      this.box.setPointerCapture(event.pointerId);
      this.box.classList.add("moving");
    }
    held.moved = this.moved = true;
    [held.x, held.y] = [event.clientX, event.clientY];
    this.move(dx, dy);
  }

  private drop(): void {
    this.held = null;
    this.box.classList.remove("moving");
  }
}
