// SPDX-License-Identifier: BSD-3-Clause
// A block that is dropped onto a wire is put into it: the wire ends at its first input, and continues from its first output.
import type { EditedDocument } from "./document";
import type { EditPort, EditWire, Operation } from "./protocol";

/** The only wire that a line shows; a line may carry several, or a wire of another level. */
export function wireAt(node: SVGElement | null, wires: EditWire[], shows: (node: SVGElement, wire: EditWire) => boolean): EditWire | null {
  const found = node ? wires.filter((each) => shows(node, each)) : [];
  return found.length === 1 ? found[0] : null;
}

/** Where a wire could go through: an input that nothing drives, one that must be wired before others, and an output. */
export function throughPorts(ports: EditPort[]): [string, string] | null {
  const inputs = ports.filter((each) => each.input && !each.driver), input = inputs.find((each) => !each.optional) ?? inputs[0], output = ports.find((each) => !each.input);
  return input && output ? [input.name, output.name] : null;
}

export class Insertion {
  constructor(private document_: EditedDocument) {}

  /** The operations that put it there, behind `before` that are made in any case; only `before`, and why, where it does not fit. */
  async into(wire: EditWire, [input, output]: [string, string], before: Operation[]): Promise<Operation[]> {
    const { document_: d } = this, mode = wire.mode ? [`mode=${wire.mode}`] : [];
    const through: Operation[] = [["disconnect", d.at(wire.from), d.at(wire.to), ...mode], ["connect", d.at(wire.from), d.at(input), ...mode], ["connect", d.at(output), d.at(wire.to), ...mode]];
    const tried = await d.try([...before, ...through]), wrong = tried.ok ? (tried.fresh as { what: string }[])[0]?.what : String(tried.error);
    if (!wrong) return [...before, ...through];
    d.session.say(`not put into the wire: ${wrong}`, true);
    return before;
  }
}
