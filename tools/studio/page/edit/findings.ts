// SPDX-License-Identifier: BSD-3-Clause
// What is wrong, what differs between two modes and what is selected, marked on the drawing as it is now; and the knobs of
// ports that can be gripped.
import { drawn } from "../parts/dom";
import type { Diagram } from "../diagram/diagram";
import { Layer, type Item } from "../diagram/layer";
import type { EditedDocument } from "./document";
import { knobsItem } from "./ports";
import type { EditElement, EditWire } from "./protocol";
import type { Selection } from "./selection";

type Ends = { from: string; to: string };
const marked = ["wrong", "unfinished", "differs"];
const unfinished = /^(undriven|missing|open|unused)/;

/** Does a line or tag show a wire of the body at that path? */
export function showsWire({ dataset }: SVGElement, wire: Ends, inside: string): boolean {
  const prefix = inside ? inside + "." : "", owner = (end: string) => prefix + end.split(/[.[]/)[0];
  return (dataset.from === owner(wire.from) || dataset.from === "") && (dataset.target === owner(wire.to) || dataset.target === "") && (dataset.inputs ?? "").split(" ").some((input) => wire.to.endsWith(input));
}

export class Findings {
  private knobs = new Layer(drawn("g", { className: "knobs" }));

  constructor(private diagram: Diagram, private document_: EditedDocument, private selection: Selection) { diagram.world.append(this.knobs.group); }

  /** Marks the drawing as it is now; outside of editing it removes all marks. */
  show(on: boolean): void {
    this.clean(on);
    const { view } = this.document_, knobs: Item[] = [];
    const elements = new Map(view?.elements.map((each) => [each.path, each])), ports = new Map(view?.elements.filter((each) => each.kind === "input" || each.kind === "output").map((each) => [each.name, each]));
    for (const { symbol, node, level } of on ? this.diagram.symbols() : []) {
      node.classList.toggle("entered", symbol.scene !== undefined && symbol.path === view?.inside);
      this.markDifference(node, symbol.path || `${level ? level + "." : ""}${symbol.name}`);
      const found = level !== view?.inside ? undefined : symbol.kind === "port" ? ports.get(symbol.name) : elements.get(symbol.path);
      if (!found) continue;
      if (!symbol.path) node.dataset.path = found.path;
      knobs.push(knobsItem(symbol, found.ports));
      this.markElement(node, found);
    }
    this.knobs.show(knobs);
    if (!on || !view) return;
    for (const wire of view.wires) this.markWire(wire);
    for (const { path, wire, what } of this.document_.differences)
      if (wire) for (const node of this.wireNodes(wire, path)) this.mark(node, "differs", what);
    this.selection.forgetGone();
  }

  private mark(node: SVGElement, kind: string, text: string): void {
    node.classList.add(kind);
    node.append(drawn("title", { className: "finding", text }));
  }

  private markDifference(node: SVGElement, path: string): void {
    const found = this.document_.differences.filter((each) => !each.wire && each.path === path);
    if (found.length) this.mark(node, "differs", found.map((each) => each.what).join("\n"));
  }

  private markElement(node: SVGElement, { line, last, document: included }: EditElement): void {
    const wrong = this.document_.wrong(line, last, included), errors = wrong.filter((each) => each.severity === "error");
    if (errors.length) node.classList.add(errors.every((each) => unfinished.test(each.code)) ? "unfinished" : "wrong");
    if (wrong.length) node.append(drawn("title", { className: "finding", text: wrong.map((each) => each.what).join("\n") }));
  }

  private markWire(wire: EditWire): void {
    const wrong = this.document_.wrong(wire.line, wire.line);
    if (wrong.length) for (const node of this.wireNodes(wire, this.document_.view?.inside ?? "")) this.mark(node, "wrong", wrong.map((each) => each.what).join("\n"));
  }

  /** Nodes are kept from drawing to drawing: what was found before is taken off. */
  private clean(on: boolean): void {
    for (const each of this.diagram.world.querySelectorAll("title.finding")) {
      each.parentElement?.classList.remove(...marked);
      each.remove();
    }
    if (on) return;
    for (const { symbol, node } of this.diagram.symbols()) {
      node.classList.remove("selected", "entered");
      node.dataset.path = symbol.path;
    }
    for (const node of this.diagram.world.querySelectorAll(".wire.selected, .tag.selected, .area.selected")) node.classList.remove("selected");
  }

  private wireNodes(wire: Ends, inside: string): SVGElement[] {
    return [...this.diagram.world.querySelectorAll<SVGElement>(".wire, .tag")].filter((each) => showsWire(each, wire, inside));
  }

  markSelection(): void {
    const areas = [...this.diagram.world.querySelectorAll<SVGElement>(".area")];
    for (const node of [...this.diagram.symbols().map((each) => each.node), ...areas]) node.classList.toggle("selected", this.selection.paths.has(node.dataset.path ?? ""));
    for (const node of this.diagram.world.querySelectorAll(".wire.selected, .tag.selected")) node.classList.remove("selected");
    if (this.selection.wire) for (const node of this.wireNodes(this.selection.wire, this.document_.view?.inside ?? "")) node.classList.add("selected");
  }
}
