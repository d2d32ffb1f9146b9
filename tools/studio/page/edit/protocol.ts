// SPDX-License-Identifier: BSD-3-Clause
// What hilda.v1 says about editing (docs/studio.md has the tables).
import type { Diagnostic, ListChanges, Scene, SceneChanges } from "../run/protocol";

export type Operation = string[];
export interface EditPort { name: string; input: boolean; type: string; optional: boolean; driver: string }
export interface EditElement {
  kind: "block" | "subsystem" | "input" | "output" | "parameter" | "power_port" | "note" | "area"; name: string; path: string; type: string; mode: string;
  line: number; last: number; attributes: Record<string, string>; ports: EditPort[]; document?: string | null;
}
export interface EditWire { from: string; to: string; mode: string; line: number; bend: string }
export interface EditView {
  inside: string; document: string; local: string; revision: number; read_only: string; mode: string; modes: string[]; attributes: Record<string, string>;
  scene: Scene | null; elements: EditElement[]; wires: EditWire[]; number?: number;
}
export interface ViewChanges { scene?: SceneChanges; elements?: ListChanges<EditElement>; wires?: ListChanges<EditWire> }
export interface DocumentState {
  document: string; revision: number; unsaved: boolean; undo: boolean; redo: boolean; obstacle: string; journal: boolean; recovery: number | null; conflict: boolean;
  gone: boolean; kept_journal: string | null;
}
export interface Documents { documents: DocumentState[]; diagnostics: Diagnostic[]; sound: boolean; note?: string }
export interface PaletteParameter {
  name: string; doc: string; type: string; unit: string; default: string | null; choices?: string[]; minimum: number | null; maximum: number | null; group?: string;
}
export interface PalettePort { name: string; doc: string; kind: string; unit: string; optional: boolean; repeated: boolean }
export interface PaletteBlock { type: string; doc: string; inputs: PalettePort[]; outputs: PalettePort[]; parameters: PaletteParameter[] }
export interface Fit { name: string; fits: boolean | null; why: string }
