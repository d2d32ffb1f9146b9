// SPDX-License-Identifier: BSD-3-Clause
// What a scope shows, as a picture and as numbers.
import { download } from "../parts/dom";
import { pen, colour } from "./pens";
import type { Scope } from "./scope";
import type { Session } from "../run/session";

const stem = (scope: Scope) => `${scope.diagram}_scope_${scope.id}`;

export async function exportPicture(scope: Scope): Promise<void> {
  const ratio = devicePixelRatio, line = 18 * ratio, edge = 12 * ratio;
  const sheets = scope.panels.map((panel) => ({ panel, canvas: panel.plot.ctx.canvas, head: panel.curves.length * line + edge }));
  const sheet = document.createElement("canvas");
  sheet.width = Math.max(...sheets.map((each) => each.canvas.width)) + 2 * edge;
  sheet.height = sheets.reduce((sum, each) => sum + each.head + each.canvas.height, 2 * edge);
  const ctx = sheet.getContext("2d");
  if (!ctx || sheets.length === 0) return;
  ctx.fillStyle = colour("--ground");
  ctx.fillRect(0, 0, sheet.width, sheet.height);
  ctx.font = `${13 * ratio}px ${getComputedStyle(document.body).fontFamily}`;
  let y = edge;
  for (const { panel, canvas, head } of sheets) {
    panel.curves.forEach((curve, i) => {
      ctx.fillStyle = pen(curve.pen);
      ctx.fillRect(edge, y + i * line + line * 0.45, 18 * ratio, 3 * ratio);
      ctx.fillStyle = colour("--ink");
      ctx.fillText(`${curve.scalar.name}${curve.scalar.unit && curve.scalar.unit !== "1" ? ` [${curve.scalar.unit}]` : ""}`, edge + 26 * ratio, y + i * line + line * 0.75);
    });
    ctx.drawImage(canvas, edge, y + head);
    y += head + canvas.height;
  }
  const data = await new Promise<Blob | null>((done) => sheet.toBlob(done, "image/png"));
  if (data) download(`${stem(scope)}.png`, data);
}

const quoted = (text: string) => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

/** Every sample in sight; a signal that has none at an instant leaves its cell empty. */
export function csvOf(scope: Scope, session: Session): string {
  const [t0, t1] = scope.range, names = scope.names(), rows = new Map<number, string[]>();
  names.forEach((name, column) => {
    const series = session.seriesOf(name);
    for (let i = series.from(t0); i < series.count && series.times[i] <= t1; ++i) {
      const t = series.times[i], row = rows.get(t) ?? rows.set(t, new Array<string>(names.length).fill("")).get(t)!;
      row[column] = String(series.values[i]);
    }
  });
  const head = ["time [s]", ...names.map((name) => { const unit = session.scalars.get(name)?.unit; return unit && unit !== "1" ? `${name} [${unit}]` : name; })];
  const lines = [...rows].sort(([a], [b]) => a - b).map(([t, row]) => [Number(t.toPrecision(12)), ...row].join(","));
  return [head.map(quoted).join(","), ...lines].join("\n") + "\n";
}

export function exportCsv(scope: Scope, session: Session): void {
  download(`${stem(scope)}.csv`, new Blob([csvOf(scope, session)], { type: "text/csv" }));
}
