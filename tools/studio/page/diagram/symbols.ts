// SPDX-License-Identifier: BSD-3-Clause
// Symbols of a scene, painted as `hilda draw` paints them, in the colours of the page.
import { drawn } from "../parts/dom";
import type { Port, Scene, SceneSymbol } from "../run/protocol";
import { Texts, type Item } from "./layer";

const noteEdge = 9, nameSize = 11.5, typeSize = 9, portSize = 8.5, portLine = 12;

const texts = new Texts<SceneSymbol>();

type Anchor = "start" | "middle" | "end";
const text = (x: number, y: number, what: string, size: number, anchor: Anchor, kind: string) =>
  drawn("text", { x, y, "font-size": size, "text-anchor": anchor, className: kind, text: what });

function paintGain(symbol: SceneSymbol): SVGElement[] {
  const { width: w, height: h, mirrored: left } = symbol;
  const points = left ? `${w},0 0,${h / 2} ${w},${h}` : `0,0 ${w},${h / 2} 0,${h}`;
  return [
    drawn("polygon", { points, className: "body" }),
    text(left ? w - 6 : 6, h / 2 + 3, symbol.details[0] ?? "", typeSize, left ? "end" : "start", "detail"),
    text(w / 2, h + 8, symbol.name, typeSize, "middle", "name"),
  ];
}

function paintSum(symbol: SceneSymbol): SVGElement[] {
  const { width: w, height: h, y } = symbol, parts: SVGElement[] = [drawn("rect", { width: w, height: h, rx: w / 2, className: "body" })];
  for (const port of symbol.ports) {
    if (!port.input || port.item >= symbol.signs.length) continue;
    const signX = port.side === "left" ? 9 : port.side === "right" ? w - 9 : w / 2;
    const signY = port.side === "top" ? 13 : port.side === "bottom" ? h - 5 : port.y - y + 4;
    parts.push(text(signX, signY, symbol.signs[port.item] === "-" ? "\u2212" : "+", 12, "middle", "name"));
  }
  return [...parts, text(0.78 * w, h + 7, symbol.name, typeSize, "start", "detail")];
}

/** Names next to the border, and a bar if several ports share a line. */
function paintPorts(symbol: SceneSymbol): SVGElement[] {
  const parts: SVGElement[] = [], groups = new Map<number, Port[]>();
  for (const port of symbol.ports) {
    groups.set(port.group, [...(groups.get(port.group) ?? []), port]);
    const left = port.side === "left";
    const width = Math.min(symbol.width / 2, 12 + port.name.length * 5);
    if (port.signal) // the target of the mouse, next to the name
      parts.push(drawn("rect", { x: left ? -4 : symbol.width - width + 4, y: port.y - symbol.y - portLine / 2, width, height: portLine, className: "port-grip", "data-signals": port.signal }));
    parts.push(text(left ? 6 : symbol.width - 6, port.y - symbol.y + 3, port.name, portSize, left ? "start" : "end", "port"));
  }
  for (const [first, ...more] of groups.values())
    if (more.length)
      parts.push(drawn("rect", { x: (first.side === "left" ? 0 : symbol.width) - 1.2, y: first.y - symbol.y - portLine / 2, width: 2.4, height: portLine * (more.length + 1), className: "bar" }));
  return parts;
}

function paintBox(symbol: SceneSymbol): SVGElement[] {
  const { width: w, height: h } = symbol, subsystem = symbol.kind === "subsystem";
  const parts: SVGElement[] = [drawn("rect", { width: w, height: h, rx: subsystem ? 1 : 4, className: "body" })];
  if (subsystem) parts.push(drawn("rect", { x: 2.5, y: 2.5, width: w - 5, height: h - 5, className: "second" }));
  let y = 15;
  parts.push(text(w / 2, y, symbol.name, nameSize, "middle", "name"));
  if (symbol.type) parts.push(text(w / 2, (y += 12), symbol.type, typeSize, "middle", "type"));
  for (const line of symbol.details) parts.push(text(w / 2, (y += 12), line, typeSize, "middle", "detail"));
  if (symbol.state) parts.push(text(w - 5, 11, symbol.state, typeSize - 1, "end", "states"));
  if (symbol.breaks_loops) parts.push(drawn("rect", { x: w / 2 - 12, y: h - 4, width: 24, height: 2.4, className: "breaks" }));
  return [...parts, ...paintPorts(symbol)];
}

/** Words on a sheet. A link is followed unless the diagram is being edited. */
function paintNote(symbol: SceneSymbol): SVGElement[] {
  const { width, height } = symbol;
  return [drawn("rect", { width, height, rx: 2, className: "body" }), drawn("rect", { width: 3, height, className: "margin" }),
    ...(symbol.lines ?? []).map(({ indent, pieces }, i) => drawn("text", { x: noteEdge + indent, y: noteEdge + 7 + portLine * i, "font-size": typeSize, className: "words", "xml:space": "preserve" },
      ...pieces.map((each) => {
        const words = drawn("tspan", { className: each.bold ? "bold" : undefined, text: each.text });
        return each.link ? drawn("a", { href: each.link, target: "_blank", rel: "noopener", tabindex: -1 }, words) : words;
      })))];
}

/** A symbol at its place; what an opened subsystem holds is painted by who calls. */
export function symbolItem(symbol: SceneSymbol, scene: Scene): Item {
  const rate = symbol.rate < 0 ? "none" : scene.rates[symbol.rate]?.continuous ? "continuous" : String(symbol.rate % 6);
  const content = texts.of(symbol, [rate], () => JSON.stringify([rate, symbol.scene !== undefined, { ...symbol, scene: undefined }]));
  return { key: `${symbol.kind === "port" ? "port" : "symbol"} ${scene.inside} ${symbol.path} ${symbol.name}`, content, paint: () => paintSymbol(symbol, rate) };
}

function paintSymbol(symbol: SceneSymbol, rate: string): SVGGElement {
  const said = symbol.lines?.map(({ pieces }) => pieces.map((each) => each.text).join("")).join(" ");
  const label = said !== undefined ? `note: ${said}` : [symbol.name, symbol.type, symbol.kind === "subsystem" ? "subsystem" : ""].filter(Boolean).join(", ");
  const group = drawn("g", {
    className: `symbol ${symbol.kind}${symbol.in_loop ? " loop" : ""}${symbol.scene ? " open" : ""}`, tabindex: -1,
    role: "button", "aria-label": label, "data-path": symbol.path, "data-rate": rate,
    transform: `translate(${symbol.x} ${symbol.y})`,
  });
  if (symbol.kind === "note") group.append(...paintNote(symbol));
  else if (symbol.kind === "sum") group.append(...paintSum(symbol));
  else if (symbol.kind === "gain") group.append(...paintGain(symbol));
  else if (symbol.kind === "port")
    group.append(drawn("rect", { width: symbol.width, height: symbol.height, rx: symbol.height / 2, className: "body" }),
                 text(symbol.width / 2, 15.5, symbol.name, typeSize, "middle", "detail"));
  else group.append(...paintBox(symbol));
  return group;
}
