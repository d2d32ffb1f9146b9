// SPDX-License-Identifier: BSD-3-Clause
// Wires of a scene: lines with arrowheads, tags where no line is drawn, dots where lines part.
import { drawn } from "../parts/dom";
import type { Flag, Scene, Tag, Wire } from "../run/protocol";
import { Texts, type Item } from "./layer";

const arrowLength = 7, arrowHalf = 3, grid = 6, portLine = 12, deepest = 7;
type Point = [number, number];
const texts = new Texts<Wire>();

/** The signals of wires, as the log names them: of blocks, with the part that is taken. */
export const carriedBy = (wires: Wire[]): string[] => [...new Set(wires.flatMap((wire) => wire.taps.map((tap) => tap.signal)))];

function head(points: Point[]): { corners: string; end: Point } {
  const [[fx, fy], [tx, ty]] = points.slice(-2), dx = tx - fx, dy = ty - fy, length = Math.max(1e-9, Math.hypot(dx, dy));
  const ux = dx / length, uy = dy / length, bx = tx - arrowLength * ux, by = ty - arrowLength * uy;
  return { corners: `${tx},${ty} ${bx - arrowHalf * uy},${by + arrowHalf * ux} ${bx + arrowHalf * uy},${by - arrowHalf * ux}`, end: [bx, by] };
}

const pathOf = (points: Point[], end: Point): string => "M" + [...points.slice(0, -1), end].map(([x, y]) => `${x} ${y}`).join("L");

function pointer(tip: number, y: number, width: number, height: number, right: boolean): string {
  const depth = Math.min(height / 2.6, deepest), back = right ? tip - width : tip + width, neck = right ? tip - depth : tip + depth;
  return `${back},${y - height / 2} ${neck},${y - height / 2} ${tip},${y} ${neck},${y + height / 2} ${back},${y + height / 2}`;
}

const endsOf = (wire: Wire) => ({ "data-from": wire.from, "data-target": wire.to, "data-inputs": wire.taps.map((tap) => tap.input).join(" ") });

function paintWire(wire: Wire): SVGGElement {
  const { corners, end } = head(wire.points), d = pathOf(wire.points, end);
  const group = drawn("g", { className: `wire${wire.in_loop ? " loop" : ""}${wire.taps.length > 1 || wire.bus ? " bundle" : ""}`, "data-signals": carriedBy([wire]).join(" "), ...endsOf(wire) },
    drawn("path", { d, className: "grip" }), drawn("path", { d, className: "line" }), drawn("polygon", { points: corners, className: "head" }));
  const part = wire.taps[0]?.part ?? "", [[fx], [tx, ty]] = wire.points.slice(-2), dx = tx - fx;
  if (wire.taps.length === 1 && !wire.bus && part && part !== "." + wire.taps[0].input && Math.abs(dx) > part.length * 5 + 16)
    group.append(drawn("text", { x: tx + (dx > 0 ? -9 : 9), y: ty - 3, "text-anchor": dx > 0 ? "end" : "start", "font-size": 8, className: "part", text: part }));
  return group;
}

/** Points where more than two pieces of a net's lines meet. */
function junctions(wires: Wire[]): Point[] {
  const ways = new Map<string, Set<string>>();
  const add = (x: number, y: number, way: string) => {
    const key = `${x},${y}`, known = ways.get(key);
    if (known) known.add(way); else ways.set(key, new Set([way]));
  };
  for (const { points } of wires)
    for (let i = 0; i + 1 < points.length; ++i) {
      const [[x0, y0], [x1, y1]] = [points[i], points[i + 1]], steps = Math.round(Math.hypot(x1 - x0, y1 - y0) / grid);
      const sx = Math.sign(x1 - x0), sy = Math.sign(y1 - y0);
      for (let k = 0; k < steps; ++k) {
        add(x0 + k * sx * grid, y0 + k * sy * grid, `${sx},${sy}`);
        add(x0 + (k + 1) * sx * grid, y0 + (k + 1) * sy * grid, `${-sx},${-sy}`);
      }
    }
  return [...ways].filter(([, set]) => set.size > 2).map(([key]) => key.split(",").map(Number) as Point);
}

/** The lines of each net, and, over all of them, those of algebraic loops. */
export function wireItems(scene: Scene): Item[] {
  const nets = new Map<number, Wire[]>(), lines: Item[] = [], red: Item[] = [];
  for (const wire of scene.wires) if (wire.points.length > 1) { const known = nets.get(wire.net); if (known) known.push(wire); else nets.set(wire.net, [wire]); }
  for (const wires of nets.values()) {
    const key = `${scene.inside} ${wires[0].from} ${wires[0].taps[0]?.output ?? ""}`, content = texts.of(wires[0], wires, () => JSON.stringify(wires.map((each) => ({ ...each, net: 0 }))));
    lines.push({ key: `net ${key}`, content, paint: () => drawn("g", { className: "net" },
      // every line first in the colour of the ground, so that a crossing shows which one goes over
      ...wires.map((wire) => drawn("path", { d: pathOf(wire.points, head(wire.points).end), className: "halo" })),
      ...wires.filter((wire) => !wire.in_loop).map(paintWire),
      ...(wires.length > 1 ? junctions(wires) : []).map(([cx, cy]) => drawn("circle", { cx, cy, r: 2.5, className: "junction" }))) });
    const loops = wires.filter((wire) => wire.in_loop);
    if (loops.length) red.push({ key: `loop ${key}`, content, paint: () => drawn("g", { className: "net" }, ...loops.map(paintWire)) });
  }
  return [...lines, ...red];
}

/** Its tip, and the rectangle about it. */
export function tagPlace(tag: Tag) {
  const left = tag.side !== "right", upright = tag.side === "top" || tag.side === "bottom", width = tag.width - 4, height = portLine * tag.lines.length + 1;
  const tip = upright ? tag.x : tag.x + (left ? -grid : grid), middle = upright ? tag.y + (tag.side === "top" ? -portLine : portLine) : tag.y;
  return { tip, middle, width, height, left: left ? tip - width : tip, top: middle - height / 2 };
}

function paintTag(wire: Wire, tag: Tag): SVGGElement {
  const left = tag.side !== "right", n = tag.lines.length, { tip, middle, width, height } = tagPlace(tag), inset = n > 1 ? deepest + 2 * (n - 1) : 5 + (0.6 * height) / 2.6;
  return drawn("g", { className: "tag", "data-signals": carriedBy([wire]).join(" "), ...endsOf(wire) },
    drawn("line", { x1: tag.x, y1: tag.y, x2: tip, y2: middle }),
    drawn("polygon", { points: pointer(tip, middle, width, height, left) }),
    ...tag.lines.map((line, i) => drawn("text", { x: tip + (left ? -inset : inset), y: middle + portLine * (i - (n - 1) / 2) + 3, "font-size": 8.5,
                                                  "text-anchor": left ? "end" : "start", text: line })));
}

function paintFlag(flag: Flag, signals: string[]): SVGGElement {
  const right = flag.side !== "left", start = flag.x + (right ? 3 : -3), middle = flag.y - (flag.alone ? 0 : 8);
  return drawn("g", { className: "tag", "data-signals": signals.join(" "), "data-to": flag.to.join(", ") },
    flag.alone && drawn("line", { x1: flag.x, y1: flag.y, x2: start, y2: middle }),
    drawn("polygon", { points: pointer(start + (right ? 11 : -11), middle, 11, 8, right) }));
}

/** The tags at inputs, and flags at the outputs whose signals continue there. */
export function tagItems(scene: Scene): Item[] {
  const tags = scene.wires.flatMap((wire): Item[] => {
    const { tag } = wire;
    return tag ? [{ key: `tag ${wire.to} ${wire.taps[0]?.input ?? ""}`, content: JSON.stringify({ ...wire, net: 0 }), paint: () => paintTag(wire, tag) }] : [];
  });
  const flags = scene.flags.map((flag): Item => {
    const signals = carriedBy(scene.wires.filter((wire) => wire.net === flag.net));
    return { key: `flag ${signals.join(" ")}`, content: JSON.stringify([{ ...flag, net: 0 }, signals]), paint: () => paintFlag(flag, signals) };
  });
  return [...tags, ...flags];
}
