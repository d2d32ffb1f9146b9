// SPDX-License-Identifier: BSD-3-Clause
// What hilda.v1 says (docs/studio.md has the table). Times are s, numbers SI.

export interface Rate { text: string; continuous: boolean }
export type Side = "left" | "right" | "top" | "bottom";
export interface Port { name: string; input: boolean; item: number; side: Side; x: number; y: number; group: number; signal: string | null }
export interface SceneSymbol {
  path: string; name: string; kind: "block" | "subsystem" | "port" | "gain" | "sum" | "note"; type: string; details: string[]; signs: string;
  x: number; y: number; width: number; height: number; header: number; mirrored: boolean; rate: number; state: string;
  breaks_loops: boolean; in_loop: boolean; ports: Port[]; scene?: Scene;
  lines?: NoteLine[]; // of a note
}
export interface NoteLine { indent: number; pieces: { text: string; bold: boolean; link: string }[] }
/** A rectangle behind symbols. */
export interface Area { path: string; title: string; x: number; y: number; width: number; height: number }
export interface Tap { output: string; input: string; part: string; signal: string }
export interface Tag { x: number; y: number; side: Side; lines: string[]; width: number }
export interface Wire { net: number; from: string; to: string; title: string; taps: Tap[]; in_loop: boolean; bus?: boolean; bent?: boolean; points: [number, number][]; tag?: Tag }
export interface Flag { net: number; x: number; y: number; side: Side; alone: boolean; to: string[] }
export interface Scene {
  inside: string; title: string; remark: string; doc: string; width: number; height: number;
  origin: { x: number; y: number }; rates: Rate[]; symbols: SceneSymbol[]; wires: Wire[]; flags: Flag[]; areas: Area[];
}

/** What makes a list out of the one before: pieces cut out and put in at one place, then single entries, then numbers of entries side by side: key, first, how many, by how much. */
export interface ListChanges<T> { cut?: [number, number, T[]]; entries: [number, T][]; shifts?: [string, number, number, number][] }
export type SceneChanges = Omit<Scene, "symbols" | "wires" | "flags"> & { symbols: ListChanges<SceneSymbol>; wires: ListChanges<Wire>; flags: ListChanges<Flag> };

export interface Parameter {
  path: string; block: string; name: string; text: string; value: unknown; unit: string; type: string; choices?: string[];
  minimum: number | null; maximum: number | null; doc: string; change: "live" | "paused" | "fixed"; why?: string; rate?: number; expression?: string; in_file?: string;
  group?: string; // the heading above it
}
export interface Block { path: string; type: string; doc: string; rate?: string; file?: string; line?: number }
export interface BlockType { doc: string; parameters?: Record<string, string> }
/** An output: its scalars are `path + parts[i]`. */
export interface Signal {
  path: string; block: string; name: string; unit: string; units?: string[]; rows: number; columns: number; kind: string; element: string;
  parts: string[]; rate: string; doc: string;
}
export interface Diagnostic {
  severity: "error" | "warning"; code: string; file?: string; line?: number; what: string; help?: string;
  notes?: { file?: string; line?: number; text: string }[];
}
export interface Change { tick: number; time: number; path: string; text: string }
export interface RunState {
  state: "paused" | "running" | "ended" | "broken" | "paced"; tick: number; time: number; last: number | null; epoch: number;
  speed?: number; real_time_factor?: number; may?: string[];
  operator?: string; late?: number; lost?: number; overruns?: number; read_only?: string; // of a real-time run
  log_lost?: string;
  ending?: { reason: string; block?: string; signal?: string; text?: string; time?: number } | null;
}
export interface Mark { path: string; kind: "hold" | "saturated" | "failed" | "audit"; text: string }
export interface Figure { block: string; key: string; value: unknown; unit?: string }
export interface Table { block: string; name: string; columns: { key: string; unit?: string }[]; rows: unknown[][] }
export interface Summary { figures: Figure[]; tables: Table[]; warnings?: { block: string; text: string }[] }
export interface Trigger { signal: string; level: number; edge: "rising" | "falling" | "either"; pre: number; mode: "auto" | "normal" | "single" }
export interface Hello {
  version: string; diagram: { file: string; name: string; mode: string; doc: string; period: number }; revision: number; state?: RunState;
  scene: Scene | null; parameters: Parameter[]; signals: Signal[]; aliases?: Record<string, string>; blocks: Block[];
  types?: Record<string, BlockType>; figures?: { title: string; signals: string[] }[]; diagnostics: Diagnostic[];
}
/** The changes since the revision before. */
export type HelloChanges = Partial<Omit<Hello, "scene" | "parameters" | "signals" | "blocks" | "figures" | "diagnostics">> & {
  scene?: SceneChanges | Scene | null; parameters?: ListChanges<Parameter>; signals?: ListChanges<Signal>; blocks?: ListChanges<Block>;
  figures?: ListChanges<{ title: string; signals: string[] }>; diagnostics?: ListChanges<Diagnostic>;
};
export interface Reply { ok: boolean; error?: string; help?: string; diagnostics?: Diagnostic[]; [key: string]: unknown }
/** Times in s, and for each series as many values; of a trigger's sweep also where it fired. */
export interface Samples { op: string; scope: string; epoch: number; series: string[]; lost?: number; at?: number | null; times: Float64Array; values: Float64Array[] }

/** What a reply says of a refusal, in one text. */
export function refusal(reply: Reply): string {
  const lines = (reply.diagnostics ?? []).map((each) => each.what + (each.help ? `\n${each.help}` : ""));
  if (lines.length === 0) lines.push([reply.error ?? "refused", reply.help].filter(Boolean).join("\n"));
  return lines.join("\n");
}
