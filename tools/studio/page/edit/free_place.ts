// SPDX-License-Identifier: BSD-3-Clause
// Places for new symbols: without overlap, and as near as possible to the requested place.
import type { SceneSymbol } from "../run/protocol";
import type { PaletteBlock } from "./protocol";

/** Places in a file are whole cells of the drawing's grid. */
export const onGrid = (v: number): number => Math.round(v / 6) * 6;

interface Room { x: number; y: number; width: number; height: number }
const gap = 24, step = 12, farthest = 80; // px of the drawing; steps

/** Does one lie on the other? */
export const overlap = (a: Room, b: Room): boolean => a.x < b.x + b.width && a.x + a.width > b.x && a.y < b.y + b.height && a.y + a.height > b.y;
const lies = (a: Room, b: Room) => a.x < b.x + b.width + gap && a.x + a.width + gap > b.x && a.y < b.y + b.height + gap && a.y + a.height + gap > b.y;

/** The left upper corner of the nearest free place; the requested one if no place is free. */
export function freePlace(wanted: Room, taken: Room[]): [number, number] {
  const free = (x: number, y: number) => taken.every((each) => !lies({ ...wanted, x, y }, each));
  for (let way = 0; way <= farthest; ++way)
    for (let aside = -way; aside <= way; ++aside)
      for (const sign of [1, -1]) {
        const x = onGrid(wanted.x) + aside * step, y = onGrid(wanted.y) + sign * (way - Math.abs(aside)) * step;
        if (free(x, y)) return [x, y];
      }
  return [onGrid(wanted.x), onGrid(wanted.y)];
}

/** About the size that a new block will have, once its inputs are wired. */
export function sizeOf(type: string, name: string, block: PaletteBlock | undefined): { width: number; height: number } {
  const plain = type.split("/").pop() ?? type, ports = Math.max(block?.inputs.length ?? 1, block?.outputs.length ?? 1);
  if (type === "math/Sum") return { width: 36, height: 36 };
  return { width: Math.max(72, 7.4 * name.length + 22, 5.4 * plain.length + 22), height: 33 + 18 * ports };
}

/** The box around symbols: left upper corner and size. */
export function around(symbols: SceneSymbol[]): Room {
  const x = Math.min(...symbols.map((each) => each.x)), y = Math.min(...symbols.map((each) => each.y));
  return { x, y, width: Math.max(...symbols.map((each) => each.x + each.width)) - x, height: Math.max(...symbols.map((each) => each.y + each.height)) - y };
}
