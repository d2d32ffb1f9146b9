// SPDX-License-Identifier: BSD-3-Clause
// The mouse on a diagram under edit: blocks are moved, ports are joined.
import { drawn } from "../parts/dom";
import type { Diagram } from "../diagram/diagram";
import type { SceneSymbol } from "../run/protocol";
import { Above, pictureOf } from "./above";
import type { EditedDocument } from "./document";
import { around, freePlace, onGrid, overlap } from "./free_place";
import { Guides } from "./guides";
import { greyPorts } from "./ports";
import { LineNodes, wiresNear } from "./lines";
import type { EditWire, Operation } from "./protocol";
import { RubberBand } from "./rubber_band";

export interface GestureActions {
  selected(): Set<string>;
  /** The user has pressed a block: with Shift it joins the selection, or leaves it. */
  press(path: string, more: boolean): void;
  wire(from: string, to: string): void;
  /** A rubber band has touched these. */
  caught(paths: string[]): void;
  /** The wire of a line or tag, where a block could be put into it. */
  wireOf(node: SVGElement | null): EditWire | null;
  /** A block was dropped onto a wire; `moves` pin it there. */
  drop(path: string, wire: EditWire, moves: Operation[]): Promise<void>;
}

/** Follows the mouse until it is let go. */
export function follow(event: PointerEvent, move: (at: PointerEvent) => void, drop: (at: PointerEvent) => void): void {
  const done = (at: PointerEvent) => {
    for (const [what, listener] of [["pointermove", move], ["pointerup", done], ["pointercancel", done]] as const) removeEventListener(what, listener);
    drop(at);
  };
  for (const [what, listener] of [["pointermove", move], ["pointerup", done], ["pointercancel", done]] as const) addEventListener(what, listener);
  event.preventDefault();
}

export class Gestures {
  private line = drawn("path", { className: "rubber" });
  private guide = drawn("path", { className: "guide" });

  private band: RubberBand;
  private above: Above;

  constructor(private diagram: Diagram, private document_: EditedDocument, private actions: GestureActions) {
    this.band = new RubberBand(diagram);
    this.above = new Above(diagram);
    diagram.picture.addEventListener("pointerdown", (event) => this.down(event), { capture: true });
  }
  on = false;

  /** Of the drawing, px. */
  place(x: number, y: number): [number, number] {
    const { left, top } = this.diagram.box.getBoundingClientRect(), { view } = this.diagram;
    return [(x - left - view.x) / view.scale, (y - top - view.y) / view.scale];
  }

  private down(event: PointerEvent): void {
    if (!this.on || event.button !== 0) return;
    const target = event.target as Element, knob = target.closest<SVGGElement>(".knob"), symbol = target.closest<SVGGElement>(".symbol");
    const path = symbol?.dataset.path;
    if (!knob && !symbol && event.shiftKey) return this.stretch(event);
    if (!knob && !path) return;
    event.stopPropagation(); // the drawing itself stays where it is
    this.diagram.view.moved = false;
    if (knob) this.join(event, knob);
    else if (path && this.document_.element(path)) this.carry(event, path);
    else if (path) this.actions.press(path, false); // of another level: it is entered first
  }

  private join(event: PointerEvent, knob: SVGGElement): void {
    const from = knob.dataset.port ?? "", { world } = this.diagram, [x, y] = this.place(...middleOf(knob));
    this.above.show([this.line], false);
    world.classList.add("joining");
    let held = true;
    void this.document_.fits(from).then((fits) => { if (held) greyPorts(world, from, fits); });
    const under = (at: PointerEvent) => document.elementsFromPoint(at.clientX, at.clientY).map((each) => each.closest<SVGGElement>(".knob")).find((each) => each && each !== knob) ?? null;
    follow(event, (at) => {
      const [tx, ty] = this.place(at.clientX, at.clientY);
      this.line.setAttribute("d", `M${x} ${y}L${tx} ${ty}`);
    }, (at) => {
      held = false;
      const to = under(at), why = to?.dataset.why, cannot = to?.classList.contains("cannot") ?? false;
      this.above.end();
      this.line.removeAttribute("d");
      world.classList.remove("joining");
      greyPorts(world, null, []);
      if (at.type === "pointercancel" || !to) return;
      if (cannot) this.document_.session.say(why ?? `${from} and ${to.dataset.port ?? ""} cannot be joined: a wire goes from an output to an input`, true);
      else this.actions.wire(from, to.dataset.port ?? "");
    });
  }

  private stretch(event: PointerEvent): void {
    event.stopPropagation();
    this.diagram.view.moved = false;
    this.band.begin(this.place(event.clientX, event.clientY));
    follow(event, (at) => this.band.stretch(this.place(at.clientX, at.clientY)), (at) => {
      const caught = this.band.end();
      if (caught === null || at.type === "pointercancel") return;
      this.diagram.view.moved = true; // the click that follows is none
      this.actions.caught(caught);
    });
  }

  /** What lies at a place of the drawing and is a wire into which something could be put. */
  private lineAt([x, y]: [number, number], nodes = new LineNodes(this.diagram.world)): SVGElement | null {
    const lines = wiresNear(this.document_.view?.scene, x, y).flatMap((each) => nodes.of(each) ?? []);
    return lines.find((each) => this.actions.wireOf(each) !== null) ?? null;
  }

  /** Below the mouse. */
  wireAt(x: number, y: number): EditWire | null { return this.actions.wireOf(this.lineAt(this.place(x, y))); }

  private carry(event: PointerEvent, path: string): void {
    this.actions.press(path, event.shiftKey);
    const [x, y] = this.place(event.clientX, event.clientY), carried = this.diagram.symbols().filter(({ symbol }) => this.actions.selected().has(symbol.path) && symbol.kind !== "port");
    let dx = 0, dy = 0, pictures: SVGGElement[] = [], lines: LineNodes | null = null, guides: Guides | null = null;
    const begin = (at: PointerEvent) => {
      pictures = carried.map(({ node }) => pictureOf(node));
      for (const { node } of carried) node.dataset.carried = "";
      if (carried.length === 1) lines = new LineNodes(this.diagram.world);
      this.diagram.picture.setPointerCapture(at.pointerId); // until the drop, no element below the mouse gets its events
      guides = this.guides(carried);
      this.above.show([...pictures, this.guide], true);
    };
    follow(event, (at) => {
      const [tx, ty] = this.place(at.clientX, at.clientY);
      [dx, dy] = [tx - x, ty - y];
      if (!pictures.length && Math.hypot(dx, dy) * this.diagram.view.scale > 4) begin(at);
      const snapped = at.altKey ? null : guides?.snapped(dx, dy, this.diagram.view.scale);
      if (snapped) ({ dx, dy } = snapped);
      this.guide.setAttribute("d", snapped?.lines ?? "");
      pictures.forEach((each, i) => each.setAttribute("transform", `translate(${carried[i].symbol.x + dx} ${carried[i].symbol.y + dy})`));
      this.above.follow();
      if (lines) this.above.aim(this.lineAt([tx, ty], lines));
    }, (at) => {
      if (at.type === "pointercancel" || !pictures.length) {
        this.above.end();
        return void this.diagram.refresh();
      }
      this.diagram.view.moved = true; // the click that follows is none
      this.guide.remove();
      const places = carried.map(({ symbol }): [string, number, number] => [symbol.path, symbol.x + dx, symbol.y + dy]);
      const wire = carried.length === 1 ? this.wireAt(at.clientX, at.clientY) : null;
      this.diagram.view.hold();
      this.untilDrawn(wire ? this.actions.drop(path, wire, this.pins(places)) : this.move(this.free(places, carried)));
    });
  }

  private guides(carried: readonly { symbol: SceneSymbol; level: string }[]): Guides {
    const level = carried[0]?.level, moved = new Set(carried.map(({ symbol }) => symbol.path));
    return new Guides(carried.map(({ symbol }) => symbol), this.diagram.symbols().filter((each) => each.level === level && !moved.has(each.symbol.path)).map(({ symbol }) => symbol), this.document_.view?.scene?.wires ?? []);
  }

  /** The dragged symbols stay drawn where they were dropped, until the drawing has them there. */
  private untilDrawn(edited: Promise<void>): void {
    const before = this.document_.state?.revision;
    this.diagram.box.addEventListener("drawn", () => this.above.end(), { once: true });
    void edited.then(() => { if (this.document_.state?.revision === before) void this.diagram.refresh(); }); // the edit changed nothing, so no drawing follows
  }

  /** The dragged symbols, moved together to a place where none overlaps another symbol. */
  private free(places: [string, number, number][], carried: readonly { symbol: SceneSymbol; level: string }[]): [string, number, number][] {
    if (carried.length === 0) return places;
    const level = carried[0].level, moved = new Set(places.map(([path]) => path)), room = around(carried.map(({ symbol }, i) => ({ ...symbol, x: places[i][1], y: places[i][2] })));
    const taken = this.diagram.symbols().filter((each) => each.level === level && !moved.has(each.symbol.path)).map(({ symbol }) => symbol);
    const lies = carried.some(({ symbol }, i) => taken.some((each) => overlap({ ...symbol, x: places[i][1], y: places[i][2] }, each)));
    if (!lies) return places;
    const [x, y] = freePlace(room, taken);
    return places.map(([path, px, py]) => [path, px + x - room.x, py + y - room.y]);
  }

  /** Edits that pin symbols at places of the drawing. */
  pins(places: [string, number, number][]): Operation[] {
    const origin = this.document_.view?.scene?.origin ?? { x: 0, y: 0 };
    return places.flatMap(([path, x, y]): Operation[] => {
      const name = this.document_.element(path)?.name;
      if (!name) return [];
      return [["set", `${this.document_.at(name)}.ui.x=${onGrid(x - origin.x)}`], ["set", `${this.document_.at(name)}.ui.y=${onGrid(y - origin.y)}`]];
    });
  }

  /** All of these to their places, moved on together to where they lie on nothing else. */
  settle(carried: readonly { symbol: SceneSymbol; level: string }[], places: [string, number, number][], more: Operation[] = []): Promise<void> { return this.move(this.free(places, carried), more); }

  async move(places: [string, number, number][], more: Operation[] = []): Promise<void> {
    const operations = [...this.pins(places), ...more];
    this.diagram.view.hold();
    if (!operations.length || !(await this.document_.edit(operations)).ok) await this.diagram.refresh();
  }
}

function middleOf(knob: SVGGElement): [number, number] {
  const { left, top, width, height } = (knob.querySelector(".dot") ?? knob).getBoundingClientRect();
  return [left + width / 2, top + height / 2];
}
