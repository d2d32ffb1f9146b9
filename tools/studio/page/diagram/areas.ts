// SPDX-License-Identifier: BSD-3-Clause
// Areas of a scene: rectangles behind the symbols, with a title. Only border and title can be gripped: what lies inside is the ground.
import { drawn } from "../parts/dom";
import type { Area, Scene } from "../run/protocol";
import { Texts, type Item } from "./layer";

const texts = new Texts<Area>();
const titleSize = 10;

function paintArea(area: Area): SVGGElement {
  const { width, height } = area, handle = 12;
  return drawn("g", { className: "area", "data-path": area.path, transform: `translate(${area.x} ${area.y})`, role: "group", "aria-label": `area ${area.title}` },
    drawn("rect", { width, height, rx: 4, className: "ground" }), drawn("rect", { width, height, rx: 4, className: "border" }),
    drawn("rect", { width: Math.max(24, area.title.length * titleSize * 0.68 + 16), height: 20, className: "hold" }),
    drawn("text", { x: 8, y: 14, "font-size": titleSize, className: "title", text: area.title }),
    drawn("path", { d: `M${width} ${height - handle}V${height}H${width - handle}z`, className: "handle" }));
}

export function areaItems(scene: Scene): Item[] {
  return scene.areas.map((area) => ({ key: `area ${scene.inside} ${area.path}`, content: texts.of(area, [], () => JSON.stringify(area)), paint: () => paintArea(area) }));
}
