// SPDX-License-Identifier: BSD-3-Clause
// Lays out symbols again: in columns along the flow, with heights that keep wires straight where possible.
import type { SceneSymbol, Wire } from "../run/protocol";
import { onGrid } from "./free_place";

const columnGap = 60, trackGap = 6, rowGap = 36, sweeps = 12; // px of the drawing
interface Place { x: number; y: number }
/** One end of a line: a node, and how far below its upper border the line begins. */
interface Line { from: number; to: number; out: number; into: number }
/** A symbol, or a point through which a line passes a column. */
interface Node { width: number; height: number; rank: number; y: number }

function portAt(symbol: SceneSymbol, input: boolean, name: string | undefined): number {
  const port = symbol.ports.find((each) => each.input === input && each.name === name) ?? symbol.ports.find((each) => each.input === input);
  return port && (port.side === "left" || port.side === "right") ? port.y - symbol.y : symbol.height / 2;
}

function linesAmong(symbols: SceneSymbol[], wires: Wire[]): Line[] {
  const at = new Map(symbols.map((each, i) => [each.path, i]));
  return wires.flatMap((wire): Line[] => {
    const from = at.get(wire.from), to = at.get(wire.to);
    if (from === undefined || to === undefined || from === to) return [];
    return [{ from, to, out: portAt(symbols[from], false, wire.taps[0]?.output), into: portAt(symbols[to], true, wire.taps[0]?.input) }];
  });
}

/** Lines without those that close a loop: a walk along the flow, from where nothing comes in, and else from the left. */
function forward(symbols: SceneSymbol[], lines: Line[]): Line[] {
  const fed = new Set(lines.map((each) => each.to)), state = symbols.map(() => 0), back = new Set<Line>();
  const walk = (node: number): void => {
    state[node] = 1;
    for (const line of lines.filter((each) => each.from === node))
      if (state[line.to] === 1) back.add(line);
      else if (state[line.to] === 0) walk(line.to);
    state[node] = 2;
  };
  const order = symbols.map((_, i) => i).sort((a, b) => Number(fed.has(a)) - Number(fed.has(b)) || symbols[a].x - symbols[b].x);
  for (const node of order) if (state[node] === 0) walk(node);
  return lines.filter((each) => !back.has(each));
}

/** The column of each node: behind all that feeds it. A node without inputs is directly before the one that it feeds. */
function ranks(count: number, lines: Line[]): number[] {
  const rank = new Array<number>(count).fill(0);
  for (let turn = 0; turn < count; ++turn)
    for (const { from, to } of lines) rank[to] = Math.max(rank[to], rank[from] + 1);
  for (let node = 0; node < count; ++node) {
    const next = lines.filter((each) => each.from === node);
    if (next.length && !lines.some((each) => each.to === node)) rank[node] = Math.min(...next.map((each) => rank[each.to])) - 1;
  }
  return rank;
}

/** A line over several columns passes each of them at a separate point. */
function threaded(nodes: Node[], lines: Line[]): Line[] {
  return lines.flatMap((line) => {
    const pieces: Line[] = [], { rank, y } = nodes[line.from], target = nodes[line.to];
    let from = line.from, { out } = line;
    for (let at = rank + 1; at < target.rank; ++at) {
      nodes.push({ width: 0, height: 0, rank: at, y: y + ((target.y - y) * (at - rank)) / (target.rank - rank) });
      pieces.push({ from, to: nodes.length - 1, out, into: 0 });
      [from, out] = [nodes.length - 1, 0];
    }
    return [...pieces, { ...line, from, out }];
  });
}

/** Heights as near as possible to the requested ones (least squares), in this order and without overlap. */
function stack(column: Node[], wanted: number[]): void {
  const runs: { sum: number; count: number }[] = [], above: number[] = [];
  column.forEach((each, i) => {
    above.push(i === 0 ? 0 : above[i - 1] + column[i - 1].height + (column[i - 1].height && each.height ? rowGap : rowGap / 2));
    let run = { sum: wanted[i] - above[i], count: 1 };
    for (let last = runs.at(-1); last && last.sum / last.count > run.sum / run.count; last = runs.at(-1)) {
      run = { sum: run.sum + last.sum, count: run.count + last.count };
      runs.pop();
    }
    runs.push(run);
  });
  const base = runs.flatMap(({ sum, count }) => new Array<number>(count).fill(sum / count));
  column.forEach((each, i) => { each.y = base[i] + above[i]; });
}

const middle = (values: number[]): number => values.sort((a, b) => a - b)[(values.length - 1) >> 1];

/** Each column follows the one before it, then the one behind it, and so on; at last the one before. */
function settle(columns: Node[][], lines: Line[], nodes: Node[]): void {
  const before = new Map<Node, Line[]>(), behind = new Map<Node, Line[]>(), add = (map: Map<Node, Line[]>, node: Node, line: Line) => map.set(node, [...(map.get(node) ?? []), line]);
  for (const line of lines) { add(before, nodes[line.to], line); add(behind, nodes[line.from], line); }
  for (let sweep = 0; sweep <= sweeps; ++sweep) {
    const right = sweep % 2 === 0;
    for (const column of right ? columns : [...columns].reverse()) {
      const wish = new Map(column.map((each) => {
        const mine = (right ? before : behind).get(each) ?? [], to = mine.map(({ from, out, to, into }) => (right ? nodes[from].y + out - into : nodes[to].y + into - out));
        return [each, to.length ? middle(to) : each.y];
      }));
      const at = (each: Node) => (wish.get(each) ?? each.y) + each.height / 2;
      if (sweep < sweeps / 2) column.sort((a, b) => at(a) - at(b));
      stack(column, column.map((each) => wish.get(each) ?? each.y));
    }
  }
}

/** New left upper corners of symbols, on the grid; the left upper corner of them all stays where it was. */
export function tidied(symbols: SceneSymbol[], wires: Wire[]): Place[] {
  if (symbols.length === 0) return [];
  const lines = forward(symbols, linesAmong(symbols, wires)), rank = ranks(symbols.length, lines);
  const nodes: Node[] = symbols.map(({ width, height, y }, i) => ({ width, height, y, rank: rank[i] })), pieces = threaded(nodes, lines);
  const columns = Array.from({ length: Math.max(...rank) + 1 }, (_, i) => nodes.filter((each) => each.rank === i).sort((a, b) => a.y + a.height / 2 - b.y - b.height / 2));
  settle(columns, pieces, nodes);
  const left = Math.min(...symbols.map((each) => each.x)), top = Math.min(...symbols.map((each) => each.y)), highest = Math.min(...nodes.slice(0, symbols.length).map((each) => each.y));
  const xs: number[] = [], widths = columns.map((column) => Math.max(0, ...column.map((each) => each.width)));
  columns.forEach((_, i) => xs.push(i === 0 ? left : xs[i - 1] + widths[i - 1] + columnGap + trackGap * Math.min(10, pieces.filter((each) => nodes[each.from].rank === i - 1).length)));
  return symbols.map((each, i) => ({ x: onGrid(xs[rank[i]] + (widths[rank[i]] - each.width) / 2), y: onGrid(top + nodes[i].y - highest) }));
}
