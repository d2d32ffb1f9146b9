// SPDX-License-Identifier: BSD-3-Clause
// Notes and areas: edited in place. Areas are moved with all that is in them, and resized.
import type { Diagram, Placed } from "../diagram/diagram";
import { refusal, type Area, type Reply } from "../run/protocol";
import { freeName, type EditedDocument } from "./document";
import { around, freePlace, onGrid } from "./free_place";
import { follow, type Gestures } from "./gestures";
import type { Operation } from "./protocol";
import { writeThere } from "./written_words";

export type AnnotationKind = "note" | "area";
export const isAnnotation = (type: string): type is AnnotationKind => type === "note" || type === "area";
interface Rectangle { x: number; y: number; width: number; height: number }
const noteSize = { width: 192, height: 36 }, areaSize = { width: 240, height: 144 }, least = 48; // px of the drawing
const inner = { side: 24, top: 36, bottom: 18 }; // between an area and what it is made around; wires often lie 24 below

export interface AnnotationActions { select(path: string): void }

export class Annotations {
  constructor(private diagram: Diagram, private document_: EditedDocument, private gestures: Gestures, private actions: AnnotationActions) {
    diagram.picture.addEventListener("pointerdown", (event) => this.down(event), { capture: true });
    diagram.picture.addEventListener("dblclick", (event) => this.open(event), { capture: true });
  }

  private areaOf(node: Element): Area | undefined {
    const path = node.closest<SVGElement>(".area")?.dataset.path;
    return this.document_.view?.scene?.areas.find((each) => each.path === path);
  }

  private down(event: PointerEvent): void {
    const target = event.target as Element, area = this.gestures.on && event.button === 0 && !event.shiftKey ? this.areaOf(target) : undefined, node = target.closest<SVGElement>(".area");
    if (!area || !node) return;
    event.stopPropagation();
    this.diagram.view.moved = false;
    this.actions.select(area.path);
    if (target.closest(".handle")) this.resize(event, area, node); else this.carry(event, area, node);
  }

  /** What moves along: symbols whose middle lies in it, and areas that lie in it. */
  private members(area: Area): Placed[] {
    const inside = ({ symbol: s, level }: Placed) => level === this.document_.view?.inside && s.kind !== "port" && contains(area, { x: s.x + s.width / 2, y: s.y + s.height / 2, width: 0, height: 0 });
    return this.diagram.symbols().filter(inside);
  }
  private innerAreas(area: Area): Area[] { return this.document_.view?.scene?.areas.filter((each) => each !== area && contains(area, each)) ?? []; }

  private carry(event: PointerEvent, area: Area, node: SVGElement): void {
    const from = this.gestures.place(event.clientX, event.clientY), members = this.members(area), areas = this.innerAreas(area), shown = new Map(areas.map((each) => [each, this.nodeOf(each)]));
    let dx = 0, dy = 0, moved = false;
    const show = (each: SVGElement | null, { x, y }: { x: number; y: number }) => { if (each) { each.dataset.carried = ""; each.setAttribute("transform", `translate(${x + dx} ${y + dy})`); } };
    follow(event, (at) => {
      const [x, y] = this.gestures.place(at.clientX, at.clientY);
      [dx, dy] = [x - from[0], y - from[1]];
      moved ||= Math.hypot(dx, dy) * this.diagram.view.scale > 4;
      if (!moved) return;
      this.diagram.world.classList.add("carrying");
      show(node, area);
      for (const each of members) show(each.node, each.symbol);
      for (const [each, its] of shown) show(its, each);
    }, (at) => {
      this.diagram.world.classList.remove("carrying");
      if (!moved) return;
      this.diagram.view.moved = true; // the click that follows is none
      if (at.type === "pointercancel") return void this.diagram.refresh();
      const [sx, sy] = [onGrid(dx), onGrid(dy)]; // all by the same
      void this.gestures.move([...[area, ...areas, ...members.map(({ symbol }) => symbol)].map((each): [string, number, number] => [each.path, each.x + sx, each.y + sy])]);
    });
  }

  private nodeOf(area: Area): SVGElement | null { return [...this.diagram.world.querySelectorAll<SVGElement>(".area")].find((each) => each.dataset.path === area.path) ?? null; }

  private resize(event: PointerEvent, area: Area, node: SVGElement): void {
    const from = this.gestures.place(event.clientX, event.clientY);
    let { width, height } = area;
    follow(event, (at) => {
      const [x, y] = this.gestures.place(at.clientX, at.clientY);
      [width, height] = [Math.max(least, onGrid(area.width + x - from[0])), Math.max(least, onGrid(area.height + y - from[1]))];
      node.dataset.carried = "";
      for (const each of node.querySelectorAll(".ground, .border")) { each.setAttribute("width", String(width)); each.setAttribute("height", String(height)); }
    }, (at) => {
      const name = this.document_.element(area.path)?.name;
      if (width === area.width && height === area.height) return;
      this.diagram.view.moved = true;
      if (at.type === "pointercancel" || !name) return void this.diagram.refresh();
      this.diagram.view.hold();
      void this.send([["set", `${this.document_.at(name)}.ui.width=${width}`], ["set", `${this.document_.at(name)}.ui.height=${height}`]]).then((why) => { if (why) void this.diagram.refresh(); });
    });
  }

  private open(event: MouseEvent): void {
    const target = event.target as Element, path = target.closest<SVGElement>(".area, .symbol.note")?.dataset.path;
    if (!this.gestures.on || !path) return;
    event.stopPropagation();
    this.write(path);
  }

  /** The words of a note, or the title of an area. False: it is neither. */
  write(path: string): boolean {
    const { document_: d } = this, found = d.element(path), kind = found?.kind ?? "";
    if (!found || !isAnnotation(kind)) return false;
    const symbol = this.diagram.symbols().find((each) => each.symbol.path === path)?.symbol, at: Rectangle | undefined = symbol ?? d.view?.scene?.areas.find((each) => each.path === path), what = kind === "note" ? "text" : "title";
    if (!at) return false;
    const said = () => d.element(path)?.attributes[what] ?? "";
    writeThere(this.diagram, { ...at, height: kind === "note" ? at.height : 24 }, kind, { text: said(), fresh: false, now: said, send: (text) => this.send([["set", `${d.at(found.name)}.${what}=${text}`]]) });
    return true;
  }

  private async send(operations: Operation[]): Promise<string> {
    const reply: Reply = await this.document_.edit(operations, true);
    return reply.ok ? "" : refusal(reply);
  }

  /** A new one, which is there once something was written. An area is made around what is selected. @param typed  what was written already */
  add(kind: AnnotationKind, drop: { x: number; y: number } | null, selected: Set<string>, typed = ""): void {
    const { document_: d, diagram } = this, { view } = diagram, inside = d.view?.inside, here = diagram.symbols().filter(({ level }) => level === inside);
    const chosen = here.filter(({ symbol }) => selected.has(symbol.path) && symbol.kind !== "port"), size = kind === "note" ? noteSize : areaSize;
    const [x, y] = drop ? this.gestures.place(drop.x, drop.y) : [(diagram.box.clientWidth / 2 - view.x) / view.scale, (diagram.box.clientHeight / 2 - view.y) / view.scale];
    let place: Rectangle = { ...size, x: x - (drop ? 0 : size.width / 2), y: y - (drop ? 0 : size.height / 2) };
    if (kind === "area" && chosen.length) {
      const room = around(chosen.map(({ symbol }) => symbol));
      place = { x: onGrid(room.x) - inner.side, y: onGrid(room.y) - inner.top, width: onGrid(room.width) + 2 * inner.side, height: onGrid(room.height) + inner.bottom + inner.top };
    } else if (kind === "note" || !drop) {
      const [fx, fy] = freePlace(place, here.map(({ symbol }) => symbol));
      place = { ...place, x: fx, y: fy };
    }
    view.reveal(place.x, place.y, place.width, place.height);
    const name = freeName(kind, d.names()), origin = d.view?.scene?.origin ?? { x: 0, y: 0 };
    const pins = kind === "area" ? this.gestures.pins(chosen.map(({ symbol }): [string, number, number] => [symbol.path, symbol.x, symbol.y])) : [];
    const made = (text: string): Operation => ["add", kind, d.at(name), `${kind === "note" ? "text" : "title"}=${text}`, `ui.x=${onGrid(place.x) - onGrid(origin.x)}`, `ui.y=${onGrid(place.y) - onGrid(origin.y)}`,
      ...(kind === "note" ? [] : [`ui.width=${place.width}`, `ui.height=${place.height}`])];
    writeThere(diagram, { ...place, height: kind === "note" ? place.height : 24 }, kind, { text: typed || (kind === "note" ? "" : "Area"), fresh: true, now: () => "", send: async (text) => {
      if (text === "") return "";
      view.hold();
      const why = await this.send([made(text), ...pins]);
      if (!why) { await diagram.refresh(); this.actions.select(d.called(name)?.path ?? ""); }
      return why;
    } });
  }
}

const contains = (out: Rectangle, { x, y, width, height }: Rectangle): boolean => x >= out.x && y >= out.y && x + width <= out.x + out.width && y + height <= out.y + out.height;
