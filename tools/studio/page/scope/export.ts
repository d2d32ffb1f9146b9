// SPDX-License-Identifier: BSD-3-Clause
// What a scope shows, as a picture and as numbers.
import { download } from "../parts/dom";
import { colour, dashes, pen } from "./pens";
import type { Scope } from "./scope";
import type { Series } from "../run/series";
import type { Session } from "../run/session";

const stem = (scope: Scope) => `${scope.diagram}_scope_${scope.id}`;

export async function exportPicture(scope: Scope, session: Session): Promise<void> {
  const ratio = devicePixelRatio, line = 18 * ratio, edge = 12 * ratio;
  const said = session.runs.differences(session.period).of, less = scope.reference ? ` \u2212 ${scope.reference.name}` : "";
  const panels = scope.panels.map((panel) => {
    const runs = scope.runs.filter((run) => run.shown && panel.curves.some((each) => run.series.has(each.scalar.name)));
    const rows = [...panel.curves.map(({ scalar, pen: index }) => ({ colour: pen(index), text: `${scalar.name}${less}${panel.shownUnit.unit && panel.shownUnit.unit !== "1" ? ` [${panel.shownUnit.unit}]` : ""}`, dashed: [] as number[] })),
      ...runs.map((run) => ({ colour: panel.curves.length === 1 ? pen(run.pen) : colour("--quiet"), text: [run.name, said.get(run)].filter(Boolean).join(": "), dashed: dashes[run.pen % 8] }))];
    return { rows, canvas: panel.plot.ctx.canvas };
  });
  const charts = scope.charts.drawn.length ? scope.charts.canvases : null; // of spectra one for each panel; XY is one of all
  const shown = !charts ? panels : charts.map((canvas, i) => ({ rows: charts.length === panels.length ? panels[i].rows : panels.flatMap((each) => each.rows), canvas }));
  const sheets = shown.map((each) => ({ ...each, head: each.rows.length * line + edge }));
  const sheet = document.createElement("canvas");
  sheet.width = Math.max(...sheets.map((each) => each.canvas.width)) + 2 * edge;
  sheet.height = sheets.reduce((sum, each) => sum + each.head + each.canvas.height, 2 * edge);
  const ctx = sheet.getContext("2d");
  if (!ctx || sheets.length === 0) return;
  ctx.fillStyle = colour("--ground");
  ctx.fillRect(0, 0, sheet.width, sheet.height);
  ctx.font = `${13 * ratio}px ${getComputedStyle(document.body).fontFamily}`;
  let y = edge;
  for (const { rows, canvas, head } of sheets) {
    rows.forEach((row, i) => {
      const middle = y + i * line + line * 0.5;
      ctx.strokeStyle = row.colour;
      ctx.lineWidth = 3 * ratio;
      ctx.setLineDash(row.dashed.map((each) => each * ratio * 0.6));
      ctx.beginPath();
      ctx.moveTo(edge, middle);
      ctx.lineTo(edge + 18 * ratio, middle);
      ctx.stroke();
      ctx.fillStyle = colour("--ink");
      ctx.fillText(row.text, edge + 26 * ratio, y + i * line + line * 0.75);
    });
    ctx.drawImage(canvas, edge, y + head);
    y += head + canvas.height;
  }
  const data = await new Promise<Blob | null>((done) => sheet.toBlob(done, "image/png"));
  if (data) download(`${stem(scope)}.png`, data);
}

const quoted = (text: string) => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

/** Every sample in sight, of earlier runs too where these are shown; a signal that has none at an instant leaves its cell empty. */
export function csvOf(scope: Scope, session: Session): string {
  const [t0, t1] = scope.range, rows = new Map<number, string[]>(), columns: { head: string; series: Series | undefined; out: (v: number) => number }[] = [];
  for (const name of scope.names()) {
    const panel = scope.panels.find((each) => each.curves.some((curve) => curve.scalar.name === name)), unit = panel?.shownUnit.unit ?? session.scalars.get(name)?.unit, { now, earlier } = scope.source(name), less = scope.reference ? ` - ${scope.reference.name}` : "", out = (v: number) => panel?.out(v) ?? v;
    const head = (run: string) => `${name}${run}${unit && unit !== "1" ? ` [${unit}]` : ""}`;
    columns.push({ head: head(less), series: now, out }, ...earlier.map(({ series, run }) => ({ head: head(run ? ` (${run.name})` : " (sweep before)"), series, out })));
  }
  columns.forEach(({ series, out }, column) => {
    for (let i = series?.from(t0) ?? 0; series && i < series.count && series.times[i] <= t1; ++i) {
      const t = series.times[i], row = rows.get(t) ?? rows.set(t, new Array<string>(columns.length).fill("")).get(t)!;
      row[column] = String(out(series.values[i]));
    }
  });
  const head = ["time [s]", ...columns.map((each) => each.head)];
  const lines = [...rows].sort(([a], [b]) => a - b).map(([t, row]) => [Number(t.toPrecision(12)), ...row].join(","));
  return [head.map(quoted).join(","), ...lines].join("\n") + "\n";
}

export function exportCsv(scope: Scope, session: Session): void {
  download(`${stem(scope)}.csv`, new Blob([csvOf(scope, session)], { type: "text/csv" }));
}
