// SPDX-License-Identifier: BSD-3-Clause
// Two modes of the diagram side by side: one drawing out of both, and what differs between them. Each side is an opened
// subsystem of that drawing, "rig@sim" next to "rig@hardware", so it is edited as one that is open in place.
import type { Scene, SceneSymbol } from "../run/protocol";
import type { EditElement, EditView } from "./protocol";

export interface Side { path: string; mode: string; view: EditView }
/** At an element, or a wire of the body `path`. */
export interface Difference { path: string; name: string; mode: string; what: string; wire?: { from: string; to: string } }

/** "rig@sim.sensor" is the part "rig.sensor" in the mode sim; without '@' in the mode of the run. */
export function placeOf(path: string): { inside: string; mode?: string } {
  const mode = /@([^.]*)/.exec(path)?.[1];
  return mode === undefined ? { inside: path } : { inside: path.replace(/@[^.]*/, "").replace(/^\./, ""), mode };
}
export const sidePath = (inside: string, mode: string): string => `${inside}@${mode}`;

const edge = 24, header = 30, between = 36;

/** Elsewhere, under the names of a side. Signals are those of the run, so another mode has none. */
function moved(scene: Scene, dx: number, dy: number, name: (path: string) => string, runs: boolean): Scene {
  const signal = (path: string) => (runs ? path : "");
  const symbol = (each: SceneSymbol): SceneSymbol => ({
    ...each, path: each.path && name(each.path), x: each.x + dx, y: each.y + dy, ...(each.scene ? { scene: moved(each.scene, dx, dy, name, runs) } : {}),
    ports: each.ports.map((port) => ({ ...port, x: port.x + dx, y: port.y + dy, signal: runs ? port.signal : null })),
  });
  return {
    ...scene, inside: name(scene.inside), origin: { x: scene.origin.x + dx, y: scene.origin.y + dy }, symbols: scene.symbols.map(symbol),
    wires: scene.wires.map((wire) => ({
      ...wire, from: wire.from && name(wire.from), to: wire.to && name(wire.to), points: wire.points.map(([x, y]): [number, number] => [x + dx, y + dy]),
      taps: wire.taps.map((tap) => ({ ...tap, signal: signal(tap.signal) })), ...(wire.tag ? { tag: { ...wire.tag, x: wire.tag.x + dx, y: wire.tag.y + dy } } : {}),
    })),
    flags: scene.flags.map((flag) => ({ ...flag, x: flag.x + dx, y: flag.y + dy })),
    areas: scene.areas.map((area) => ({ ...area, path: name(area.path), x: area.x + dx, y: area.y + dy })),
  };
}

/** Both sides in one drawing: side by side, or one below the other if that lets them be larger. */
export function composed(inside: string, sides: Side[], run: string, box: { width: number; height: number }): Scene {
  const outer = sides.map(({ view: { scene } }) => ({ width: Math.max(220, scene?.width ?? 0) + 2 * edge, height: Math.max(60, scene?.height ?? 0) + header + edge }));
  const sum = (key: "width" | "height") => outer.reduce((all, each) => all + each[key], between), most = (key: "width" | "height") => Math.max(...outer.map((each) => each[key]));
  const scale = (width: number, height: number) => Math.min(box.width / width, box.height / height);
  const across = scale(sum("width"), most("height")) >= scale(most("width"), sum("height"));
  let x = 0, y = 0;
  const symbols = sides.map(({ path, mode, view }, i): SceneSymbol => {
    const { width, height } = outer[i], name = (each: string) => (inside === "" ? (each ? `${path}.${each}` : path) : each === inside || each.startsWith(inside + ".") ? path + each.slice(inside.length) : each);
    const made: SceneSymbol = {
      path, name: `${inside || "the diagram"} in mode ${mode}`, kind: "subsystem", type: "", details: [], signs: "", x, y, width, height, header, mirrored: false, rate: -1, state: "", breaks_loops: false, in_loop: false, ports: [],
      scene: view.scene ? moved(view.scene, x + edge, y + header, name, mode === run) : { inside: path, title: "", remark: "", doc: "", width: 0, height: 0, origin: { x: x + edge, y: y + header }, rates: [], symbols: [], wires: [], flags: [], areas: [] },
    };
    if (across) x += width + between; else y += height + between;
    return made;
  });
  return { inside: `${inside}@`, title: "", remark: "", doc: "", width: across ? sum("width") : most("width"), height: across ? most("height") : sum("height"), origin: { x: 0, y: 0 }, rates: sides[0].view.scene?.rates ?? [], symbols, wires: [], flags: [], areas: [] };
}

/** Of a view, what exists in its mode, under the names of its side. */
export function ofSide(view: EditView, path: string): EditView {
  const exists = (each: { mode: string }) => !each.mode || each.mode === view.mode;
  return { ...view, inside: path, elements: view.elements.filter(exists).map((each) => ({ ...each, path: `${path}.${each.name}` })), wires: view.wires.filter(exists) };
}

const silent = (key: string) => key === "mode" || key === "doc" || key.startsWith("ui.");

/** What two elements of one name have otherwise. */
function otherwise(one: EditElement, other: EditElement): string[] {
  const said = one.kind !== other.kind ? [`${one.kind}, there ${other.kind}`] : one.type !== other.type ? [`type ${one.type}, there ${other.type}`] : [];
  for (const key of new Set([...Object.keys(one.attributes), ...Object.keys(other.attributes)])) {
    const here = one.attributes[key], there = other.attributes[key];
    if (!silent(key) && here !== there) said.push(`${key} ${here === undefined ? "not given" : `"${here}"`}, there ${there === undefined ? "not given" : `"${there}"`}`);
  }
  return said;
}

/** Seen from each side in turn. */
export function differencesOf(sides: Side[]): Difference[] {
  return sides.flatMap((here, i) => {
    const there = sides[1 - i], found: Difference[] = [], key = (each: EditElement) => `${each.kind === "block" || each.kind === "subsystem" ? "" : each.kind} ${each.name}`;
    const others = new Map(there.view.elements.map((each) => [key(each), each])), wires = new Set(there.view.wires.map((each) => `${each.from} ${each.to}`));
    for (const each of here.view.elements) {
      const twin = others.get(key(each)), said = twin ? otherwise(each, twin) : [`only in mode ${here.mode}`];
      if (said.length) found.push({ path: each.path, name: each.name, mode: here.mode, what: said.join("; ") });
    }
    for (const { from, to } of here.view.wires)
      if (!wires.has(`${from} ${to}`)) found.push({ path: here.path, name: `${from} \u2192 ${to}`, mode: here.mode, what: `wire only in mode ${here.mode}`, wire: { from, to } });
    return found;
  });
}
