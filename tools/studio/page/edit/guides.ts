// SPDX-License-Identifier: BSD-3-Clause
// Guides for symbols that are dragged: where a wire would become straight, or borders and middles nearly line up with those of
// another symbol, the drag snaps to it, and a line shows it.
import type { SceneSymbol, Wire } from "../run/protocol";

/** `from` and `to`: what the line reaches over, across the axis. */
interface Mark { at: number; from: number; to: number }
/** A mark of a dragged symbol, and those that it may meet. */
interface Meeting { mine: Mark; others: Mark[]; wire: boolean }
interface Snap { by: number; line: Mark | null }
export interface Snapped { dx: number; dy: number; lines: string }

const reach = 7, beyond = 12, cell = 6; // px of the screen; px of the drawing; the drawing's grid

const columns = ({ x, y, width, height }: SceneSymbol): Mark[] => [x, x + width / 2, x + width].map((at) => ({ at, from: y, to: y + height }));
const rows = ({ x, y, width, height }: SceneSymbol): Mark[] => [y, y + height / 2, y + height].map((at) => ({ at, from: x, to: x + width }));

export class Guides {
  private across: Meeting[] = [];
  private upright: Meeting[] = [];

  constructor(carried: SceneSymbol[], others: SceneSymbol[], wires: Wire[]) {
    const mine = new Set(carried.map((each) => each.path)), pair = (own: Mark[], foreign: Mark[][]) => own.map((each, i): Meeting => ({ mine: each, others: foreign.map((all) => all[i]), wire: false }));
    for (const each of carried) {
      this.upright.push(...pair(columns(each), others.map(columns)));
      this.across.push(...pair(rows(each), others.map(rows)));
    }
    for (const wire of wires) if (wire.points.length > 1 && mine.has(wire.from) !== mine.has(wire.to)) this.join(wire, mine.has(wire.from));
  }

  /** A wire between a dragged symbol and another one is straight where its ends are level. */
  private join({ points }: Wire, outward: boolean): void {
    const ends = outward ? [points[0], points[points.length - 1]] : [points[points.length - 1], points[0]], level = (a: number[], b: number[]) => a[1] === b[1];
    const [first, last] = [level(points[0], points[1]), level(points[points.length - 1], points[points.length - 2])];
    if (first !== last) return;
    const mark = ([x, y]: [number, number]): Mark => (first ? { at: y, from: x, to: x } : { at: x, from: y, to: y });
    (first ? this.across : this.upright).push({ mine: mark(ends[0]), others: [mark(ends[1])], wire: true });
  }

  /** What to add to `by`; a straight wire counts more than a border. Places are cells of the grid: others are not met. */
  private snap(meetings: Meeting[], by: number, aside: number, scale: number): Snap {
    let best = { away: reach / scale, by, line: null as Mark | null };
    for (const { mine, others, wire } of meetings)
      for (const other of others) {
        const exact = other.at - mine.at, away = Math.abs(exact - by) * (wire ? 0.5 : 1);
        if (away >= best.away || exact % cell !== 0) continue;
        best = { away, by: exact, line: { at: other.at, from: Math.min(mine.from + aside, other.from), to: Math.max(mine.to + aside, other.to) } };
      }
    return best;
  }

  snapped(dx: number, dy: number, scale: number): Snapped {
    const across = this.snap(this.across, dy, dx, scale), upright = this.snap(this.upright, dx, dy, scale), lines: string[] = [];
    if (across.line) lines.push(`M${across.line.from - beyond} ${across.line.at}H${across.line.to + beyond}`);
    if (upright.line) lines.push(`M${upright.line.at} ${upright.line.from - beyond}V${upright.line.to + beyond}`);
    return { dx: upright.by, dy: across.by, lines: lines.join("") };
  }
}
