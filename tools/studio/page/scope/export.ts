// SPDX-License-Identifier: BSD-3-Clause
// What a scope shows, as a picture and as numbers.
import type uPlot from "uplot";
import { download } from "../parts/dom";
import { shown } from "../parts/number";
import { colour, dashes, pen } from "./pens";
import { VectorContext, type Ink } from "./vector_context";
import type { Scope } from "./scope";
import type { Series } from "../run/series";
import type { Session } from "../run/session";

const stem = (scope: Scope) => `${scope.diagram}_scope_${scope.id}`;

interface Row { colour: string; text: string; dashed: number[] }
/** One plot of the picture, with who is who above it. */
interface Figure { rows: Row[]; plot: uPlot; paint(on: uPlot): void }

/** A plot that draws with another context, in the same coordinates. */
const drawnWith = (plot: uPlot, ctx: Ink): uPlot => Object.create(plot, { ctx: { value: ctx } }) as uPlot;

function figuresOf(scope: Scope, session: Session): Figure[] {
  const said = session.runs.differences(session.period).of, less = scope.reference ? ` \u2212 ${scope.reference.name}` : "";
  const panels = scope.panels.map((panel) => {
    const runs = scope.runs.filter((run) => run.shown && panel.curves.some((each) => run.series.has(each.scalar.name))), unit = panel.shownUnit.unit && panel.shownUnit.unit !== "1" ? ` [${panel.shownUnit.unit}]` : "";
    const rows = [...panel.curves.filter((each) => !each.hidden).map(({ scalar, pen: index }) => ({ colour: pen(index), text: `${scalar.name}${less}${unit}${atCursors(scope, scalar.name, (v) => panel.out(v))}`, dashed: [] as number[] })),
      ...runs.map((run) => ({ colour: panel.curves.length === 1 ? pen(run.pen) : colour("--quiet"), text: [run.name, said.get(run)].filter(Boolean).join(": "), dashed: dashes[run.pen % 8] }))];
    return { rows, plot: panel.plot, paint: (on: uPlot) => panel.paint(on) };
  });
  const charts = scope.charts.figures; // of spectra one for each panel; XY is one of all
  return charts.length ? charts.map((chart, i) => ({ ...chart, rows: charts.length === panels.length ? panels[i].rows : panels.flatMap((each) => each.rows) })) : panels;
}

/** The values at both cursors, and the difference. */
function atCursors(scope: Scope, name: string, out: (v: number) => number): string {
  if (!scope.cursors || scope.charts.view !== "time") return "";
  const [a, b] = scope.cursors.map((t) => scope.source(name).now?.read(t) ?? null);
  return a === null || b === null ? "" : `:  A ${shown(out(a), 6)}, B ${shown(out(b), 6)}, B \u2212 A ${shown(out(b) - out(a), 6)}`;
}

/** What the scope shows, with title, legend, axes and cursors, by a canvas or as SVG. */
class Sheet {
  private ratio = devicePixelRatio;
  private line = 18 * this.ratio;
  private edge = 12 * this.ratio;
  private family = getComputedStyle(document.body).fontFamily;
  readonly width: number;
  readonly height: number;

  constructor(private scope: Scope, private figures: Figure[]) {
    this.width = Math.max(...figures.map((each) => each.plot.ctx.canvas.width)) + 2 * this.edge;
    this.height = figures.reduce((sum, each) => sum + this.headOf(each) + each.plot.ctx.canvas.height, 3 * this.edge + 2.5 * this.line);
  }

  private headOf({ rows }: Figure): number { return rows.length * this.line + this.edge; }

  paint(ctx: Ink): void {
    const { scope, edge, line } = this, [t0, t1] = scope.range;
    ctx.fillStyle = colour("--ground");
    ctx.fillRect(0, 0, this.width, this.height);
    const period = scope.cursors && scope.charts.view === "time" ? `    A ${shown(scope.cursors[0], 6)} s, B ${shown(scope.cursors[1], 6)} s, B \u2212 A ${shown(scope.cursors[1] - scope.cursors[0], 6)} s` : "";
    this.text(ctx, `${scope.diagram}, ${shown(t0, 6)} to ${shown(t1, 6)} s${period}`, edge, edge + line * 0.75, 15);
    let y = edge + 1.5 * line;
    for (const figure of this.figures) {
      figure.rows.forEach((row, i) => this.row(ctx, row, y + i * line));
      ctx.save();
      ctx.translate(edge, y + this.headOf(figure));
      const on = drawnWith(figure.plot, ctx);
      this.axes(ctx, on);
      figure.paint(on);
      if (scope.charts.view === "time") this.cursors(ctx, on);
      ctx.restore();
      y += this.headOf(figure) + figure.plot.ctx.canvas.height;
    }
    if (scope.charts.view === "time") this.text(ctx, "time [s]", this.width / 2, y + line * 0.75, 12);
  }

  private text(ctx: Ink, text: string, x: number, y: number, size: number, ink = colour("--ink")): void {
    ctx.font = `${size * this.ratio}px ${this.family}`;
    ctx.fillStyle = ink;
    ctx.fillText(text, x, y);
  }

  private row(ctx: Ink, { colour: ink, text, dashed }: Row, y: number): void {
    const { edge, line, ratio } = this;
    ctx.strokeStyle = ink;
    ctx.lineWidth = 3 * ratio;
    ctx.setLineDash(dashed.map((each) => each * ratio * 0.6));
    ctx.beginPath();
    ctx.moveTo(edge, y + line * 0.5);
    ctx.lineTo(edge + 18 * ratio, y + line * 0.5);
    ctx.stroke();
    ctx.setLineDash([]);
    this.text(ctx, text, edge + 26 * ratio, y + line * 0.75, 13);
  }

  /** Grid and numbers, as the plot on the page has them. */
  private axes(ctx: Ink, u: uPlot): void {
    const { left, top, width, height } = u.bbox, [across, up] = u.axes.map((each) => each as { _splits?: number[]; _values?: string[]; label?: string });
    const inside = (v: number, from: number, size: number) => v >= from - 0.5 && v <= from + size + 0.5, middle = 4 * this.ratio;
    ctx.strokeStyle = colour("--grid"), ctx.lineWidth = this.ratio;
    ctx.beginPath();
    ctx.rect(left, top, width, height);
    for (const [axis, scale, from, size] of [[across, "x", left, width], [up, "y", top, height]] as const)
      for (const v of axis._splits ?? []) {
        const at = u.valToPos(v, scale, true);
        if (!inside(at, from, size)) continue;
        ctx.moveTo(scale === "x" ? at : left, scale === "x" ? top : at);
        ctx.lineTo(scale === "x" ? at : left + width, scale === "x" ? top + height : at);
      }
    ctx.stroke();
    const number = (axis: typeof up, scale: "x" | "y", put: (text: string, at: number) => void) => (axis._splits ?? []).forEach((v, i) => { const at = u.valToPos(v, scale, true), text = axis._values?.[i]; if (text && inside(at, scale === "x" ? left : top, scale === "x" ? width : height)) put(text, at); });
    ctx.textAlign = "center";
    number(across, "x", (text, at) => this.text(ctx, text, at, top + height + 14 * this.ratio, 12, colour("--quiet")));
    if (across.label) this.text(ctx, across.label, left + width / 2, top + height + 30 * this.ratio, 12, colour("--quiet"));
    ctx.textAlign = "right";
    number(up, "y", (text, at) => this.text(ctx, text, left - 8 * this.ratio, at + middle, 12, colour("--quiet")));
    ctx.textAlign = "left";
    if (up.label) this.text(ctx, up.label, left, top - 4 * this.ratio, 12, colour("--quiet"));
  }

  private cursors(ctx: Ink, u: uPlot): void {
    const { left, top, width, height } = u.bbox;
    (this.scope.cursors ?? []).forEach((t, i) => {
      const x = u.valToPos(t, "x", true);
      if (x < left || x > left + width) return;
      ctx.strokeStyle = colour("--accent"), ctx.lineWidth = this.ratio;
      ctx.beginPath();
      ctx.moveTo(x, top);
      ctx.lineTo(x, top + height);
      ctx.stroke();
      this.text(ctx, i ? "B" : "A", x + 3 * this.ratio, top + 12 * this.ratio, 12, colour("--accent"));
    });
  }
}

export async function exportPicture(scope: Scope, session: Session): Promise<void> {
  const figures = figuresOf(scope, session), canvas = document.createElement("canvas"), ctx = canvas.getContext("2d");
  if (!ctx || !figures.length) return;
  const sheet = new Sheet(scope, figures);
  canvas.width = sheet.width, canvas.height = sheet.height;
  sheet.paint(ctx);
  const data = await new Promise<Blob | null>((done) => canvas.toBlob(done, "image/png"));
  if (data) download(`${stem(scope)}.png`, data);
}

export function exportVector(scope: Scope, session: Session): void {
  const figures = figuresOf(scope, session);
  if (!figures.length) return;
  const sheet = new Sheet(scope, figures), ctx = new VectorContext(sheet.width, sheet.height);
  sheet.paint(ctx);
  download(`${stem(scope)}.svg`, new Blob([new XMLSerializer().serializeToString(ctx.svg)], { type: "image/svg+xml" }));
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
