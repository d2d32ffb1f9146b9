// SPDX-License-Identifier: BSD-3-Clause
// Charts that a scope shows instead of signals over time: spectra of its panels, or one signal over another (XY).
import uPlot from "uplot";
import { element } from "../parts/dom";
import { quantity, shown } from "../parts/number";
import { decades } from "./axes";
import type { Panel } from "./panel";
import { colour, dashes, pen } from "./pens";
import { peaks, spectrum, type Spectrum, type Window } from "./spectrum";
import type { Series } from "../run/series";

export type View = "time" | "spectrum" | "XY";
/** A line in a plane, with named marks. */
interface Line { x: ArrayLike<number>; y: ArrayLike<number>; pen: number; alpha: number }
interface Mark { x: number; y: number; text: string; pen: number }
interface Chart { title: string; across: string; up: string; lines: Line[]; marks: Mark[]; logarithmic: boolean }
/** What charts ask of their scope. */
export interface Charted { readonly panels: Panel[]; readonly range: [number, number]; readonly cursors: [number, number] | null; source(name: string): { now: Series | undefined; earlier: { series: Series }[] } }

const named = 3; // peaks of a spectrum
const option = (text: string) => element("option", { value: text }, text);

export class Charts {
  readonly box = element("div", { className: "charts", hidden: true });
  readonly choice = element("select", { "aria-label": "View", title: "Over time, over frequency, or over another signal" }, ...(["time", "spectrum", "XY"] as View[]).map(option));
  private settings = element("div", { className: "settings" });
  private window = element("select", { "aria-label": "Window" }, ...(["hann", "flat top", "none"] as Window[]).map(option));
  private linear = element("input", { type: "checkbox", "aria-label": "Linear axes" });
  private across = element("select", { "aria-label": "Signal of the x axis" });
  private place = element("div", { className: "chart-list" });
  private plots: { plot: uPlot; chart: Chart; box: HTMLElement }[] = [];
  private last = -Infinity; // ms
  private due: ReturnType<typeof setTimeout> | 0 = 0;

  constructor(private scope: Charted, private changed: () => void) {
    this.choice.addEventListener("change", () => this.changed());
    for (const each of [this.window, this.linear, this.across]) each.addEventListener("change", () => this.draw());
    this.box.append(this.settings, this.place);
    new ResizeObserver(() => this.size()).observe(this.place);
  }

  get view(): View { return this.choice.value as View; }

  /** At most five times a second, however often the run has news. */
  draw(): void {
    this.box.hidden = this.view === "time";
    if (this.box.hidden || this.due) return;
    const wait = this.last + 200 - performance.now();
    if (wait > 0) return void (this.due = setTimeout(() => { this.due = 0; this.draw(); }, wait));
    this.last = performance.now();
    this.settle();
    const charts = this.view === "spectrum" ? this.scope.panels.map((panel) => this.spectra(panel)) : [this.plane()];
    if (charts.length !== this.plots.length) this.rebuild(charts);
    else charts.forEach((chart, i) => (this.plots[i].chart = chart));
    for (const { plot, chart } of this.plots) this.scale(plot, chart);
  }

  /** Fields of this view. */
  private settle(): void {
    const names = this.scope.panels.flatMap((panel) => panel.curves.map((each) => each.scalar.name)), kept = this.across.value;
    if ([...this.across.options].map((each) => each.value).join() !== names.join()) {
      this.across.replaceChildren(...names.map(option));
      this.across.value = names.includes(kept) ? kept : names[0] ?? "";
    }
    const wanted = this.view === "spectrum" ? ["Window", this.window, element("label", {}, this.linear, " linear axes")] : ["Over", this.across];
    if (this.settings.dataset.view !== this.view) this.settings.replaceChildren(...wanted), (this.settings.dataset.view = this.view);
  }

  private span(): [number, number] { const [a, b] = this.scope.cursors ?? this.scope.range; return [Math.min(a, b), Math.max(a, b)]; }

  private spectra(panel: Panel): Chart {
    const unit = panel.unit === "1" ? "" : ` [${panel.unit}]`, chart: Chart = { title: "", across: "Frequency [Hz]", up: `Amplitude${unit}`, lines: [], marks: [], logarithmic: !this.linear.checked };
    const lacking: string[] = [];
    for (const { scalar, pen: index, hidden } of panel.curves) {
      if (hidden) continue;
      const { now, earlier } = this.scope.source(scalar.name);
      const of = (series: Series | undefined): Spectrum | null => (series ? spectrum(series, ...this.span(), this.window.value as Window) : null);
      for (const { series } of earlier) { const found = of(series); if (found) chart.lines.push({ x: found.frequencies, y: found.amplitudes, pen: index, alpha: 0.4 }); }
      const found = of(now);
      if (!found) { lacking.push(scalar.name); continue; }
      chart.lines.push({ x: found.frequencies, y: found.amplitudes, pen: index, alpha: 1 });
      for (const each of peaks(found, named)) chart.marks.push({ x: each.frequency, y: each.amplitude, text: quantity(each.frequency, "Hz", 4), pen: index });
    }
    chart.title = panel.curves.map((each) => each.scalar.name).join(", ") + (lacking.length ? `. Without a spectrum: ${lacking.join(", ")} (fewer than 8 samples, gaps, or not finite)` : "");
    return chart;
  }

  /** Signals over one: at its instants, each as it was then. */
  private plane(): Chart {
    const [t0, t1] = this.span(), curves = this.scope.panels.flatMap((panel) => panel.curves), base = curves.find((each) => each.scalar.name === this.across.value);
    const unit = (text: string | undefined) => (text && text !== "1" ? ` [${text}]` : "");
    const others = curves.filter((each) => each !== base && !each.hidden), lines: Line[] = [];
    const line = (x: Series, y: Series, index: number, alpha: number) => {
      const first = x.from(t0 - 1e-12), last = Math.min(x.count, x.from(t1 + 1e-12)), xs: number[] = [], ys: number[] = [], step = Math.max(1, Math.floor((last - first) / 20_000));
      for (let i = first; i < last; i += step) { const v = y.read(x.times[i]); if (v !== null) xs.push(x.values[i]), ys.push(v); }
      lines.push({ x: xs, y: ys, pen: index, alpha });
    };
    for (const each of others) {
      const x = base && this.scope.source(base.scalar.name), y = this.scope.source(each.scalar.name);
      x?.earlier.forEach((of, i) => { if (y.earlier[i]) line(of.series, y.earlier[i].series, each.pen, 0.4); });
      if (x?.now && y.now) line(x.now, y.now, each.pen, 1);
    }
    const units = [...new Set(others.map((each) => each.scalar.unit))];
    return { title: others.length ? others.map((each) => each.scalar.name).join(", ") : "Put a second signal into the scope", across: `${this.across.value}${unit(base?.scalar.unit)}`,
             up: others.map((each) => each.scalar.name).slice(0, 2).join(", ") + (units.length === 1 ? unit(units[0]) : ""), lines, marks: [], logarithmic: false };
  }

  /** In other colours, or another number of charts. */
  rebuild(charts = this.plots.map((each) => each.chart)): void {
    for (const { plot } of this.plots) plot.destroy();
    this.place.replaceChildren();
    this.plots = charts.map((chart) => this.build(chart));
    this.size();
    for (const { plot, chart } of this.plots) this.scale(plot, chart);
  }

  private build(chart: Chart): { plot: uPlot; chart: Chart; box: HTMLElement } {
    const title = element("p", { className: "chart-title" }), area = element("div", { className: "plot" }), box = element("div", { className: "chart" }, title, area);
    this.place.append(box);
    const em = parseFloat(getComputedStyle(document.documentElement).fontSize), font = `${0.85 * em}px ${getComputedStyle(document.body).fontFamily}`;
    const axis = { stroke: colour("--quiet"), grid: { stroke: colour("--grid"), width: 1 }, ticks: { stroke: colour("--grid"), width: 1, size: 4 }, font, labelFont: font, labelSize: 1.3 * em };
    const held = { chart, box, plot: null as unknown as uPlot };
    const number = (_: uPlot, all: number[]) => all.map((v) => (v === null ? "" : shown(v, 4)));
    const splits = chart.logarithmic && { splits: (_: uPlot, __: number, min: number, max: number) => decades(min, max) };
    const log = (is: boolean): uPlot.Scale => ({ time: false, distr: is ? 3 : 1, range: (_, min, max) => [min, max] });
    held.plot = new uPlot({ width: 300, height: 160, legend: { show: false }, cursor: { drag: { x: false, y: false } }, scales: { x: log(chart.logarithmic), y: log(chart.logarithmic) },
      axes: [{ ...axis, size: 1.9 * em, label: chart.across, values: number, ...splits }, { ...axis, size: 4.8 * em, label: chart.up, values: number, ...splits }], series: [{}, { show: true, paths: () => null, points: { show: false } }],
      hooks: { draw: [(u) => this.paint(u, held.chart)] } }, [[1, 2], [1, 1]], area);
    return held;
  }

  private scale(plot: uPlot, chart: Chart): void {
    const of = (key: "x" | "y"): [number, number] => {
      let least = Infinity, greatest = -Infinity;
      for (const line of chart.lines) for (let i = 0; i < line.x.length; ++i) { const v = line[key][i]; if (Number.isFinite(v) && (!chart.logarithmic || v > 0)) least = Math.min(least, v), greatest = Math.max(greatest, v); }
      if (!(greatest >= least)) return chart.logarithmic ? [0.1, 10] : [-1, 1];
      if (chart.logarithmic) return key === "x" ? [least, greatest] : [Math.max(least, greatest * 1e-9) / 1.5, greatest * 2];
      const edge = (greatest - least) * 0.06 || Math.abs(greatest) * 0.1 || 1;
      return [least - edge, greatest + edge];
    };
    const entry = this.plots.find((each) => each.plot === plot), distribution = chart.logarithmic ? 3 : 1;
    if (entry && (plot.scales.x.distr !== distribution || plot.axes[0].label !== chart.across || plot.axes[1].label !== chart.up)) return this.rebuild();
    const title = entry?.box.querySelector(".chart-title");
    if (title) title.textContent = chart.title;
    const [x, y] = [of("x"), of("y")];
    plot.batch(() => { plot.setScale("x", { min: x[0], max: x[1] }); plot.setScale("y", { min: y[0], max: y[1] }); });
  }

  private paint(u: uPlot, chart: Chart): void {
    const { ctx } = u, { left, top, width, height } = u.bbox, ratio = devicePixelRatio;
    ctx.save();
    ctx.beginPath();
    ctx.rect(left, top, width, height);
    ctx.clip();
    ctx.lineJoin = "round";
    for (const line of chart.lines) {
      ctx.strokeStyle = pen(line.pen), ctx.globalAlpha = line.alpha, ctx.lineWidth = (line.alpha < 1 ? 0.8 : 1.4) * ratio;
      ctx.setLineDash(dashes[line.pen % 8].map((each) => each * ratio));
      ctx.beginPath();
      for (let i = 0; i < line.x.length; ++i) ctx.lineTo(u.valToPos(line.x[i], "x", true), chart.logarithmic && !(line.y[i] > 0) ? top + height : u.valToPos(line.y[i], "y", true));
      ctx.stroke();
    }
    ctx.globalAlpha = 1;
    ctx.setLineDash([]);
    ctx.font = `${12 * ratio}px ${getComputedStyle(document.body).fontFamily}`;
    for (const mark of chart.marks) {
      const x = u.valToPos(mark.x, "x", true), y = u.valToPos(mark.y, "y", true), right = x > left + 0.8 * width;
      ctx.fillStyle = pen(mark.pen);
      ctx.beginPath();
      ctx.arc(x, y, 2.5 * ratio, 0, 2 * Math.PI);
      ctx.fill();
      ctx.textAlign = right ? "right" : "left";
      ctx.fillText(mark.text, x + (right ? -6 : 6) * ratio, Math.max(top + 12 * ratio, y - 4 * ratio));
    }
    ctx.restore();
  }

  private size(): void {
    for (const { plot, box } of this.plots) {
      const area = box.querySelector<HTMLElement>(".plot"), { clientWidth: width = 0, clientHeight: height = 0 } = area ?? {};
      if (width > 40 && height > 40 && (width !== plot.width || height !== plot.height)) plot.setSize({ width, height });
    }
  }

  /** The charts in view, for tests and the picture. */
  get drawn(): Chart[] { return this.box.hidden ? [] : this.plots.map((each) => each.chart); }
  /** Those of the picture. */
  get figures(): { plot: uPlot; paint(on: uPlot): void }[] { return this.box.hidden ? [] : this.plots.map(({ plot, chart }) => ({ plot, paint: (on) => this.paint(on, chart) })); }
}
