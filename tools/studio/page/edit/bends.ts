// SPDX-License-Identifier: BSD-3-Clause
// Wires with bends that the user places: a piece of a line is dragged aside; a double click lets the drawing route the line again.
// A bend is kept from its output on, sideways and down by turns, so that it moves along with its block.
import type { Diagram } from "../diagram/diagram";
import { drawn } from "../parts/dom";
import type { Scene, Wire } from "../run/protocol";
import type { EditedDocument } from "./document";
import { follow, type Gestures } from "./gestures";
import type { EditWire, Operation } from "./protocol";

type Point = [number, number];
const stub = 12, grid = 6; // px of the drawing: before a port a line runs straight
const same = (a: Point, b: Point) => Math.abs(a[0] - b[0]) < 0.5 && Math.abs(a[1] - b[1]) < 0.5;
const lies = (a: Point, b: Point) => Math.abs(a[1] - b[1]) < 0.5;

/** Without corners at which nothing turns. */
function straightened(all: Point[]): Point[] {
  const kept: Point[] = [];
  for (const each of all) {
    const last = kept.at(-1), before = kept.at(-2);
    if (last && same(last, each)) continue;
    if (last && before && ((Math.abs(before[0] - last[0]) < 0.5 && Math.abs(last[0] - each[0]) < 0.5) || (lies(before, last) && lies(last, each)))) kept.pop();
    kept.push(each);
  }
  return kept;
}

const within = (p: Point, a: Point, b: Point) => p[0] >= Math.min(a[0], b[0]) - 0.5 && p[0] <= Math.max(a[0], b[0]) + 0.5 && p[1] >= Math.min(a[1], b[1]) - 0.5 && p[1] <= Math.max(a[1], b[1]) + 0.5;

/** A line from its output on, also where it leaves another line of its net. */
export function wholeLine(scene: Scene, wire: Wire): Point[] {
  let line = [...wire.points];
  const left = new Set(scene.wires.filter((each) => each.net === wire.net && each !== wire && each.points.length > 1));
  for (let more = true; more;) {
    more = false;
    for (const { points } of left) {
      const at = points.findIndex((each, i) => i > 0 && within(line[0], points[i - 1], each));
      if (at < 0 || same(points[0], line[0])) continue;
      line = [...points.slice(0, at), ...line];
      left.clear();
      for (const each of scene.wires) if (each.net === wire.net && each !== wire && each.points.length > 1 && each.points !== points) left.add(each);
      more = line.length < 60;
      break;
    }
  }
  return straightened(line);
}

/** The line with a piece moved aside; null: there is no room for it. */
export function pieceMoved(line: Point[], piece: number, by: number): Point[] | null {
  const [a, b] = [line[piece], line[piece + 1]], flat = lies(a, b), last = piece === line.length - 2, first = piece === 0;
  const aside = ([x, y]: Point): Point => (flat ? [x, y + by] : [x + by, y]);
  const along = (p: Point, length: number): Point => { const sign = flat ? Math.sign(b[0] - a[0]) : Math.sign(b[1] - a[1]); return flat ? [p[0] + sign * length, p[1]] : [p[0], p[1] + sign * length]; };
  const length = Math.abs(b[0] - a[0]) + Math.abs(b[1] - a[1]);
  if (length < stub * (Number(first) + Number(last)) + grid) return null;
  const begin = first ? [a, along(a, stub), aside(along(a, stub))] : [...line.slice(0, piece), aside(a)];
  const end = last ? [aside(along(b, -stub)), along(b, -stub), b] : [aside(b), ...line.slice(piece + 2)];
  return straightened([...begin, ...end]);
}

/** As `ui.bend` has it: all corners but the last two follow from these. Empty: as the drawing does it. */
export function bendOf(line: Point[]): number[] {
  return line.slice(1, -2).map((each, i) => Math.round((i % 2 === 0 ? each[0] - line[i][0] : each[1] - line[i][1]) / grid) * grid);
}

export class Bends {
  private preview = drawn("path", { className: "rubber" });

  constructor(private diagram: Diagram, private document_: EditedDocument, private gestures: Gestures, private wiresOf: (node: SVGElement) => EditWire[]) {
    diagram.picture.addEventListener("pointerdown", (event) => this.down(event), { capture: true });
    diagram.picture.addEventListener("pointermove", (event) => this.point(event));
    diagram.picture.addEventListener("dblclick", (event) => this.drop(event), { capture: true });
  }

  private found(target: Element): { node: SVGElement; wire: Wire; scene: Scene } | null {
    const node = target.closest<SVGElement>(".wire"), scene = this.document_.view?.scene;
    if (!this.gestures.on || !node || !scene || this.document_.view?.read_only) return null;
    const { from, target: to, inputs } = node.dataset, wire = scene.wires.find((each) => each.from === from && each.to === to && each.taps.map(({ input }) => input).join(" ") === inputs && each.points.length > 1);
    return wire && this.wiresOf(node).length ? { node, wire, scene } : null;
  }

  /** The piece of a line that is nearest to a place. */
  private pieceAt(line: Point[], [x, y]: Point): number {
    const far = line.slice(1).map((b, i) => { const a = line[i]; return Math.hypot(x - Math.min(Math.max(x, Math.min(a[0], b[0])), Math.max(a[0], b[0])), y - Math.min(Math.max(y, Math.min(a[1], b[1])), Math.max(a[1], b[1]))); });
    return far.indexOf(Math.min(...far));
  }

  private point(event: PointerEvent): void {
    const found = event.buttons ? null : this.found(event.target as Element);
    if (!found) return;
    const line = found.wire.points, piece = this.pieceAt(line, this.gestures.place(event.clientX, event.clientY));
    found.node.style.cursor = lies(line[piece], line[piece + 1]) ? "ns-resize" : "ew-resize";
  }

  private down(event: PointerEvent): void {
    const found = event.button === 0 && !event.shiftKey && !event.ctrlKey && !event.metaKey ? this.found(event.target as Element) : null;
    if (!found) return;
    event.stopPropagation();
    this.diagram.view.moved = false;
    const from = this.gestures.place(event.clientX, event.clientY), line = wholeLine(found.scene, found.wire), piece = this.pieceAt(line, from), flat = lies(line[piece], line[piece + 1]);
    let by = 0, made: Point[] | null = null;
    follow(event, (at) => {
      const [x, y] = this.gestures.place(at.clientX, at.clientY), moved = flat ? y - from[1] : x - from[0];
      if (!made && Math.abs(moved) * this.diagram.view.scale <= 4) return;
      by = Math.round(moved / grid) * grid;
      made = pieceMoved(line, piece, by);
      if (made) this.preview.setAttribute("d", "M" + made.map(([px, py]) => `${px} ${py}`).join("L"));
      if (made && !this.preview.isConnected) this.diagram.world.append(this.preview);
    }, (at) => {
      this.preview.remove();
      if (!made) return;
      this.diagram.view.moved = true; // the click that follows is none
      if (at.type !== "pointercancel" && by) void this.keep(found.node, bendOf(made));
    });
  }

  private drop(event: MouseEvent): void {
    const found = this.found(event.target as Element);
    if (!found) return;
    event.stopPropagation();
    void this.keep(found.node, []);
  }

  private async keep(node: SVGElement, bend: number[]): Promise<void> {
    const wires = this.wiresOf(node), operations = bendEdits(this.document_, wires, bend), from = node.dataset.from, to = node.dataset.target;
    if (!operations.length) return;
    this.diagram.view.hold();
    if (!(await this.document_.edit(operations)).ok || !bend.length) return;
    await this.diagram.refresh();
    const now = this.document_.view?.scene?.wires.find((each) => each.from === from && each.to === to && each.taps.some(({ input }) => wires.some((wire) => wire.to.endsWith(input))));
    if (now && !now.bent) this.document_.session.say("there the wire would run through a symbol: it is drawn as before, until there is room");
  }
}

/** Edits that give wires a bend, or take it. */
export function bendEdits(document_: EditedDocument, wires: EditWire[], bend: number[]): Operation[] {
  return wires.flatMap((wire): Operation[] => {
    const path = `connect:${document_.at(wire.to)}${wire.mode ? `@${wire.mode}` : ""}.ui.bend`;
    return bend.length ? [["set", `${path}=${bend.join(" ")}`]] : wire.bend ? [["unset", path]] : [];
  });
}
