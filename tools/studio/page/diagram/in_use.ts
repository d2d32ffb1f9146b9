// SPDX-License-Identifier: BSD-3-Clause
// Values in use on the symbols: where the run has another one than the file, both are shown.
import { drawn } from "../parts/dom";
import type { Parameter, SceneSymbol } from "../run/protocol";

const spoken = (name: string): string => name.replace(/_/g, " ");

/** The parameter that a line of a symbol shows: "gain 2 N/mm", or the gain alone in its triangle. */
function told(symbol: SceneSymbol, line: string, parameters: Parameter[]): Parameter | undefined {
  if (symbol.kind === "gain") return parameters.find((each) => each.name === "gain");
  return parameters.filter((each) => line.startsWith(spoken(each.name) + " ")).sort((a, b) => b.name.length - a.name.length)[0];
}

const size = 9, least = 6.5; // px of the drawing
const ink = document.createElement("canvas").getContext("2d");

/** Of a line of a symbol, px of the drawing. */
function widthOf(text: string, bold = false): number {
  if (!ink) return text.length * 5.6;
  ink.font = `${bold ? 700 : 400} ${size}px "DejaVu Sans", "Bitstream Vera Sans", Verdana, sans-serif`;
  return ink.measureText(text).width;
}

interface Told { before: string; used: string; file: string }
const usedWidth = ({ before, used }: Told): number => widthOf(before) + widthOf(used, true);
const used = (text: string) => drawn("tspan", { className: "used", text });
const inFile = (text: string, more = {}) => drawn("tspan", { className: "in-file", ...more, text });

/** As large as there is room for, and never too small to read. */
const sized = (node: SVGElement, width: number, room: number) => node.setAttribute("font-size", String(Math.max(least, Math.min(size, (size * room) / width))));

/** The value in use, and behind or below it the file's; false: there is no room in the symbol for the file's. */
function fill(node: SVGElement, symbol: SceneSymbol, told: Told): boolean {
  const { before, file } = told, gain = symbol.kind === "gain", tail = gain ? `file ${file}` : `, file ${file}`;
  const room = gain ? 0.74 * symbol.width - 6 : symbol.width - 8, width = usedWidth(told);
  // a triangle is narrower at its second line
  const both = gain ? widthOf(tail) + 6 <= symbol.width * (1 - 24 / symbol.height) : width + widthOf(tail) <= room;
  node.replaceChildren(document.createTextNode(before), used(told.used), ...(both ? [inFile(tail, gain ? { x: node.getAttribute("x"), dy: size } : {})] : []));
  sized(node, width + (both && !gain ? widthOf(tail) : 0), room);
  return both;
}

/** Lines below a symbol, none wider than it where that can be read. */
class Below {
  private y: number;

  constructor(private node: SVGGElement, private symbol: SceneSymbol) { this.y = symbol.height + (symbol.kind === "gain" ? 18 : 10); }

  private line(width: number, ...parts: (Node | string)[]): void {
    const text = drawn("text", { x: this.symbol.width / 2, y: this.y, "text-anchor": "middle", className: "detail more-in-use" });
    text.append(...parts);
    sized(text, width, Math.max(this.symbol.width, 40));
    this.node.append(text);
    this.y += 10;
  }

  file(told: Told): void { this.line(widthOf(`file ${told.file}`), inFile(`file ${told.file}`)); }

  both(told: Told): void {
    const tail = `, file ${told.file}`, width = usedWidth(told);
    if (width + widthOf(tail) <= this.symbol.width) return this.line(width, told.before, used(told.used), inFile(tail));
    this.line(width, told.before, used(told.used));
    this.file(told);
  }
}

/** @param edited  the drawing has the values of the file as it is edited, which the run may not know yet */
export function showInUse(node: SVGGElement, symbol: SceneSymbol, parameters: Parameter[], edited: boolean): void {
  for (const each of node.querySelectorAll(":scope > .more-in-use")) each.remove();
  if (symbol.kind === "sum" || symbol.kind === "port") return;
  const lines = [...node.querySelectorAll<SVGElement>(":scope > .detail")].slice(0, symbol.details.length), left = new Set(parameters.filter((each) => each.in_file));
  const below = new Below(node, symbol);
  lines.forEach((line, i) => {
    const text = symbol.details[i], found = told(symbol, text, parameters), before = symbol.kind === "gain" ? "" : `${spoken(found?.name ?? "")} `;
    if (!found || !left.delete(found)) {
      if (!line.firstElementChild && line.textContent === text) return;
      line.textContent = text;
      return line.setAttribute("font-size", String(size));
    }
    const what = { before, used: found.text, file: edited ? text.slice(before.length) : found.in_file ?? "" };
    if (!fill(line, symbol, what)) below.file(what);
  });
  for (const each of left) below.both({ before: `${spoken(each.name)} `, used: each.text, file: each.in_file ?? "" });
}
