// SPDX-License-Identifier: BSD-3-Clause
// Ports under edit: each one can be gripped; those without a wire are on the border too, and elements that the drawing
// does not contain yet are below it.
import { drawn } from "../parts/dom";
import { Texts, type Item } from "../diagram/layer";
import type { Scene, SceneSymbol } from "../run/protocol";
import type { EditElement, EditPort, Fit } from "./protocol";

const texts = new Texts<SceneSymbol>();
const pitch = 12, radius = 3.6;
interface PlacedPort { port: EditPort; x: number; y: number; left: boolean; node: SVGGElement }

/** "u[0]" of "sum.u[0]". */
const inner = (name: string): string => (name.includes(".") ? name.slice(name.indexOf(".") + 1) : name);

function drawnPort(symbol: SceneSymbol, port: EditPort) {
  const name = inner(port.name), item = /\[(\d+)\]$/.exec(name);
  return symbol.ports.find((each) => each.input === port.input && (symbol.kind === "port" || each.name === name || each.name.startsWith(name + ".") || (symbol.kind === "sum" && port.input && each.item === Number(item?.[1]))));
}

function knob(port: EditPort, x: number, y: number, left: boolean, free: boolean, label: boolean): SVGGElement {
  const name = inner(port.name);
  return drawn("g", { className: `knob ${port.input ? "input" : "output"}${free ? " free" : ""}${free && port.input && !port.optional ? " open" : ""}`, "data-port": port.name, transform: `translate(${x} ${y})` },
    drawn("title", { text: [port.name, port.type, port.optional ? "optional" : ""].filter(Boolean).join(", ") }),
    drawn("circle", { r: 9, className: "reach" }), free && drawn("line", { x1: left ? 6 : -6, x2: 0 }), drawn("circle", { r: radius, className: "dot" }),
    label && drawn("text", { x: left ? -7 : 7, y: 3, "font-size": 8, "text-anchor": left ? "end" : "start", text: name }));
}

/** The nearest free height next to a symbol; below it only if it has no room. */
function freePlace(wanted: number, { y, height }: SceneSymbol, taken: number[]): number {
  const free = (at: number) => taken.every((each) => Math.abs(each - at) >= pitch - 2), top = y + 4, bottom = y + height - 4;
  for (let off = 0; off <= height; ++off) for (const at of [wanted + off, wanted - off]) if (at >= top && at <= bottom && free(at)) return at;
  let below = Math.max(wanted, bottom);
  while (!free(below)) below += pitch;
  return below;
}

/** Knobs of one symbol, at the places of the drawing. */
function portsOf(symbol: SceneSymbol, ports: EditPort[]): PlacedPort[] {
  const placed: PlacedPort[] = [], free = { true: [] as EditPort[], false: [] as EditPort[] }, taken = { true: [] as number[], false: [] as number[] };
  const put = (port: EditPort, x: number, y: number, left: boolean, unwired: boolean, label: boolean) => placed.push({ port, x, y, left, node: knob(port, x, y, left, unwired, label) });
  for (const port of ports) {
    const there = drawnPort(symbol, port);
    if (!there) { free[`${port.input !== symbol.mirrored}`].push(port); continue; }
    put(port, there.x, there.y, there.side === "left", false, false);
    if (there.side === "left" || there.side === "right") taken[`${there.side === "left"}`].push(there.y);
  }
  for (const side of ["true", "false"] as const) {
    const left = side === "true", list = free[side], alone = list.length === 1 && taken[side].length === 0;
    let y = alone ? symbol.y + symbol.height / 2 : symbol.y + Math.max(8, symbol.height / 2 - ((list.length - 1) * pitch) / 2);
    for (const port of list) {
      const at = freePlace(y, symbol, taken[side]);
      taken[side].push(at);
      put(port, (left ? symbol.x - 6 : symbol.x + symbol.width + 6), at, left, true, !alone);
      y += pitch;
    }
  }
  return placed;
}

/** All knobs of a symbol as one thing to be drawn. */
export function knobsItem(symbol: SceneSymbol, ports: EditPort[]): Item {
  const { x, y, width, height, kind, mirrored } = symbol;
  return { key: `${kind === "port" ? "port" : "symbol"} ${symbol.path} ${symbol.name}`, content: texts.of(symbol, [ports], () => JSON.stringify([x, y, width, height, kind, mirrored, symbol.ports, ports])), paint: () => drawn("g", {}, ...portsOf(symbol, ports).map((each) => each.node)) };
}

/** Elements that the drawing does not show: a row of boxes below it. */
export function looseSymbols(elements: EditElement[], scene: Scene | null, mode: string): SceneSymbol[] {
  const known = new Set(scene?.symbols.map((each) => each.path || each.name)), width = 96;
  const missing = elements.filter((each) => ["block", "subsystem", "input", "output"].includes(each.kind) && !known.has(each.kind === "input" || each.kind === "output" ? each.name : each.path) && (!each.mode || each.mode === mode));
  const across = Math.max(4, Math.floor((scene?.width ?? 600) / (width + 60)));
  return missing.map((each, i) => {
    const port = each.kind === "input" || each.kind === "output", side = Math.max(1, each.ports.filter((p) => p.input).length, each.ports.filter((p) => !p.input).length);
    return {
      path: each.path, name: each.name, kind: port ? "port" : each.kind === "subsystem" ? "subsystem" : "block", type: port ? "" : each.type.split("/").pop() ?? "", details: [], signs: "",
      x: 30 + (i % across) * (width + 60), y: (scene?.symbols.length ? scene.height : 0) + 30 + Math.floor(i / across) * 90, width, height: port ? 24 : Math.max(40, 12 * side + 16), header: 0, mirrored: false, rate: -1, state: "",
      breaks_loops: false, in_loop: false, ports: [],
    };
  });
}

/** What cannot be the other end is greyed, with the reason; what the server had no time to try stays as it is. */
export function greyPorts(world: SVGGElement, from: string | null, fits: Fit[]): void {
  const by = new Map(fits.map((each) => [each.name, each]));
  for (const node of world.querySelectorAll<SVGGElement>(".knob")) {
    const fit = by.get(node.dataset.port ?? "");
    node.classList.toggle("fits", fit?.fits === true);
    node.classList.toggle("cannot", from !== null && node.dataset.port !== from && (fit ? fit.fits === false : true));
    if (fit?.why) node.dataset.why = fit.why; else delete node.dataset.why;
  }
}
