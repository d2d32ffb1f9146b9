// SPDX-License-Identifier: BSD-3-Clause
// Which line or tag lies at a place of the drawing: asked for at each move of the mouse, so that it is computed. To ask the browser
// would lay out and paint the drawing once more.
import type { Scene, Wire } from "../run/protocol";
import { tagPlace } from "../diagram/wires";

const reach = 5.5; // px of the drawing, as the grip of a wire

/** From a place to a piece that runs sideways or down. */
const distance = (x: number, y: number, [ax, ay]: [number, number], [bx, by]: [number, number]): number =>
  Math.hypot(x - Math.min(Math.max(x, Math.min(ax, bx)), Math.max(ax, bx)), y - Math.min(Math.max(y, Math.min(ay, by)), Math.max(ay, by)));

function away({ points, tag }: Wire, x: number, y: number): number {
  let least = Infinity;
  for (let i = 1; i < points.length; ++i) least = Math.min(least, distance(x, y, points[i - 1], points[i]));
  if (!tag) return least;
  const { left, top, width, height } = tagPlace(tag);
  return x >= left && x <= left + width && y >= top && y <= top + height ? 0 : least;
}

/** Those within reach, the nearest first. */
export function wiresNear(scene: Scene | null | undefined, x: number, y: number): Wire[] {
  return (scene?.wires ?? []).map((wire) => ({ wire, far: away(wire, x, y) })).filter(({ far }) => far <= reach).sort((a, b) => a.far - b.far).map(({ wire }) => wire);
}

const keyOf = (from = "", target = "", inputs = ""): string => `${from} > ${target} ${inputs}`;

/** What the drawing has for wires: by the ends of each. */
export class LineNodes {
  private nodes = new Map<string, SVGElement>();

  constructor(world: SVGGElement) {
    for (const each of world.querySelectorAll<SVGElement>(".wire, .tag")) this.nodes.set(keyOf(each.dataset.from, each.dataset.target, each.dataset.inputs), each);
  }

  of(wire: Wire): SVGElement | undefined { return this.nodes.get(keyOf(wire.from, wire.to, wire.taps.map((tap) => tap.input).join(" "))); }
}
