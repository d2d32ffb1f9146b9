// SPDX-License-Identifier: BSD-3-Clause
// The dragged symbols are in a separate picture above the drawing: the drawing, which may have a thousand symbols, is not
// painted again at each move.
import { drawn } from "../parts/dom";
import type { Diagram } from "../diagram/diagram";

export class Above {
  private group = drawn("g");
  private ground = drawn("rect", { width: "100%", height: "100%", className: "veil", hidden: true });
  private picture = drawn("svg", { className: "above", "aria-hidden": "true" }, this.ground, this.group);
  private aimed: SVGElement | null = null;
  private line: SVGElement | null = null;

  /** It is there from the beginning: where it came and went, a browser would lay out all texts of the drawing. */
  constructor(private diagram: Diagram) { diagram.picture.after(this.picture); }

  /** @param veiled  the drawing below is faint meanwhile */
  show(nodes: SVGElement[], veiled: boolean): void {
    this.end();
    this.ground.toggleAttribute("hidden", !veiled);
    this.group.setAttribute("class", this.diagram.world.getAttribute("class") ?? "");
    this.group.replaceChildren(...nodes);
    this.follow();
  }

  /** The drawing may have been moved or scaled. */
  follow(): void {
    const transform = this.diagram.world.getAttribute("transform") ?? "";
    if (this.group.getAttribute("transform") !== transform) this.group.setAttribute("transform", transform);
  }

  /** Shows a line or tag of the drawing, marked: a block would be put into it. */
  aim(line: SVGElement | null): void {
    if (line === this.aimed) return;
    this.aimed = line;
    this.line?.remove();
    this.line = line && pictureOf(line);
    this.line?.classList.add("aimed");
    if (this.line) this.group.prepend(this.line);
  }

  end(): void {
    this.aim(null);
    this.ground.toggleAttribute("hidden", true);
    this.group.replaceChildren();
  }
}

/** A copy for the eye alone. */
export function pictureOf<T extends SVGElement>(node: T): T {
  const copy = node.cloneNode(true) as T;
  for (const each of ["data-path", "data-carried", "data-signals", "tabindex", "role", "aria-label"]) copy.removeAttribute(each);
  return copy;
}
