// SPDX-License-Identifier: BSD-3-Clause
// Lists and drawings as the server sent them last: it then sends only changes. What has not changed stays the same
// object, so that the drawing recognizes it.
import type { Hello, HelloChanges, ListChanges, Scene, SceneChanges } from "./protocol";

export function changedList<T>(before: T[], changes: ListChanges<T> | undefined): T[] {
  if (!changes || (!changes.cut && !changes.shifts && changes.entries.length === 0)) return before;
  const list = [...before];
  if (changes.cut) list.splice(changes.cut[0], changes.cut[1], ...changes.cut[2]);
  for (const [i, value] of changes.entries) list[i] = value;
  for (const [key, first, count, by] of changes.shifts ?? [])
    for (let i = first; i < first + count; ++i) list[i] = { ...list[i], [key]: (list[i] as unknown as Record<string, number>)[key] + by };
  return list;
}

export function changedScene(before: Scene | null, changes: SceneChanges | undefined): Scene | null {
  if (!before || !changes) return before;
  return { ...changes, symbols: changedList(before.symbols, changes.symbols), wires: changedList(before.wires, changes.wires), flags: changedList(before.flags, changes.flags) };
}

/** A drawing where there was none before, or is none now, comes whole. */
const isWhole = (scene: SceneChanges | Scene | null): scene is Scene | null => !scene || Array.isArray(scene.symbols);

export function changedHello(before: Hello, changes: HelloChanges): Hello {
  const { scene, parameters, signals, blocks, figures, diagnostics, ...plain } = changes;
  return {
    ...before, ...plain,
    scene: scene === undefined ? before.scene : isWhole(scene) ? scene : changedScene(before.scene, scene),
    parameters: changedList(before.parameters, parameters), signals: changedList(before.signals, signals), blocks: changedList(before.blocks, blocks),
    figures: changedList(before.figures ?? [], figures), diagnostics: changedList(before.diagnostics, diagnostics),
  };
}
