// SPDX-License-Identifier: BSD-3-Clause
// Values in use on the symbols: where the run has another one than the file, both are shown.
import { drawn } from "../parts/dom";
import type { Parameter, SceneSymbol } from "../run/protocol";

const spoken = (name: string): string => name.replace(/_/g, " ");

/** The parameter that a line of a symbol tells: "gain 2 N/mm", or the gain alone in its triangle. */
function told(symbol: SceneSymbol, line: string, parameters: Parameter[]): Parameter | undefined {
  if (symbol.kind === "gain") return parameters.find((each) => each.name === "gain");
  return parameters.filter((each) => line.startsWith(spoken(each.name) + " ")).sort((a, b) => b.name.length - a.name.length)[0];
}

function fill(node: SVGElement, before: string, used: string, file: string, below: boolean): void {
  const x = node.getAttribute("x");
  node.replaceChildren(document.createTextNode(before), drawn("tspan", { className: "used", text: used }), drawn("tspan", { className: "in-file", ...(below ? { x, dy: 9 } : {}), text: below ? `file ${file}` : `, file ${file}` }));
}

/** @param edited  the drawing has the values of the file as it is edited, which the run may not know yet */
export function showInUse(node: SVGGElement, symbol: SceneSymbol, parameters: Parameter[], edited: boolean): void {
  for (const each of node.querySelectorAll(":scope > .more-in-use")) each.remove();
  const lines = [...node.querySelectorAll<SVGElement>(":scope > .detail")].slice(0, symbol.details.length), left = new Set(parameters.filter((each) => each.in_file));
  if (symbol.kind === "sum" || symbol.kind === "port") return;
  lines.forEach((line, i) => {
    const text = symbol.details[i], found = told(symbol, text, parameters), start = symbol.kind === "gain" ? "" : `${spoken(found?.name ?? "")} `;
    if (!found || !left.delete(found)) { if (line.firstElementChild || line.textContent !== text) line.textContent = text; return; }
    fill(line, start, found.text, edited ? text.slice(start.length) : found.in_file ?? "", symbol.kind === "gain");
  });
  [...left].forEach((each, i) => {
    const more = drawn("text", { x: symbol.width / 2, y: symbol.height + (symbol.kind === "gain" ? 18 : 10) + 10 * i, "font-size": 9, "text-anchor": "middle", className: "detail more-in-use" });
    fill(more, `${spoken(each.name)} `, each.text, each.in_file ?? "", false);
    node.append(more);
  });
}
