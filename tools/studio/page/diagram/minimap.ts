// SPDX-License-Identifier: BSD-3-Clause
// A small picture of all of a large drawing, with a frame about what is in sight: who drags the frame moves the drawing.
import { drawn, element } from "../parts/dom";
import type { Scene } from "../run/protocol";
import type { View } from "./view";

const widest = 200, highest = 130; // px
const screens = 2; // from here on it is shown
const stride = 0.25; // of what is in sight, for an arrow key

export class Minimap {
  private all = drawn("path", { className: "all" });
  private frame = drawn("rect", { className: "frame" });
  private picture = drawn("svg", { "aria-hidden": "true" }, this.all, this.frame);
  readonly box = element("button", { type: "button", className: "minimap", hidden: true, title: "Overview: drag the frame", "aria-label": "Overview: arrow keys move what is in sight" }, this.picture);
  private scene: Scene | null = null;
  /** Of what is around it: to ask for it behind a change of the drawing would lay all of that out once more. */
  private size = { w: 0, h: 0 };

  constructor(private around: HTMLElement, private view: View) {
    this.box.addEventListener("pointerdown", (event) => {
      event.stopPropagation(); // the drawing below is not dragged
      this.box.setPointerCapture(event.pointerId);
      this.go(event);
    });
    this.box.addEventListener("pointermove", (event) => { if (this.box.hasPointerCapture(event.pointerId)) this.go(event); });
    this.box.addEventListener("wheel", (event) => event.preventDefault(), { passive: false });
    this.box.addEventListener("keydown", (event) => this.key(event));
    new ResizeObserver(() => {
      this.size = { w: around.clientWidth, h: around.clientHeight };
      this.follow();
    }).observe(around);
  }

  show(scene: Scene | null): void {
    this.scene = scene;
    if (scene) {
      const scale = Math.min(widest / scene.width, highest / scene.height);
      this.picture.setAttribute("viewBox", `0 0 ${scene.width} ${scene.height}`);
      this.picture.setAttribute("width", String(scene.width * scale));
      this.picture.setAttribute("height", String(scene.height * scale));
      this.all.setAttribute("d", scene.symbols.map(({ x, y, width, height }) => `M${x} ${y}h${width}v${height}h${-width}z`).join(""));
    }
    this.follow();
  }

  /** The view was moved, or has another size. */
  follow(): void {
    const { scene, view: { x, y, scale }, size: { w, h } } = this;
    this.box.hidden = !scene || w === 0 || scene.width * scene.height * scale * scale <= screens * w * h;
    if (this.box.hidden) return;
    for (const [name, value] of Object.entries({ x: -x / scale, y: -y / scale, width: w / scale, height: h / scale })) this.frame.setAttribute(name, String(value));
  }

  /** The middle of what is in sight goes where the mouse is. */
  private go(event: PointerEvent): void {
    const { scene, view } = this, { left, top, width, height } = this.picture.getBoundingClientRect(), { clientWidth: w, clientHeight: h } = this.around;
    if (!scene || event.buttons === 0) return;
    const share = (at: number, from: number, size: number) => Math.max(0, Math.min(1, (at - from) / size));
    view.move(w / 2 - view.x - share(event.clientX, left, width) * scene.width * view.scale, h / 2 - view.y - share(event.clientY, top, height) * scene.height * view.scale);
  }

  private key(event: KeyboardEvent): void {
    const step = ({ ArrowLeft: [1, 0], ArrowRight: [-1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] } as Record<string, [number, number]>)[event.key];
    if (!step) return;
    this.view.move(step[0] * stride * this.around.clientWidth, step[1] * stride * this.around.clientHeight);
    event.preventDefault();
    event.stopPropagation();
  }
}
