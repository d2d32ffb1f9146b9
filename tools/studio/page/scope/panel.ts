// SPDX-License-Identifier: BSD-3-Clause
// One plot of a scope: signals of one unit over time. uPlot has the axes, the grid and the mouse; curves are drawn here,
// since each has its own instants and may have a million of them.
import uPlot from "uplot";
import { button, element } from "../parts/dom";
import { countedFrom, shown } from "../parts/number";
import { drawCurve } from "./curve";
import { decades, logarithmicSpan, type ShownUnit } from "./axes";
import { PanelTools } from "./panel_tools";
import { colour, dashes, pen } from "./pens";
import type { Scalar, Session } from "../run/session";
import { statistics } from "../run/derived";
import type { EarlierRun } from "../run/runs";
import type { Alarms } from "./alarms";
import type { Limits } from "./limits";
import type { Series } from "../run/series";

export interface Curve { scalar: Scalar; pen: number; hidden: boolean }
/** What lies behind a curve: of an earlier run, or of the trigger's sweep before. */
export interface Earlier { series: Series; run: EarlierRun | null }
/** What a panel asks of its scope. */
export interface Frame {
  readonly range: [number, number];
  readonly cursors: [number, number] | null;
  readonly level: { signal: string; level: number } | null;
  readonly statistics: boolean;
  readonly reference: EarlierRun | null;
  readonly runs: EarlierRun[];
  readonly limits: Limits;
  readonly alarms: Alarms;
  /** What a curve is drawn from: the run, or what a trigger caught; and what was before. */
  source(name: string): { now: Series | undefined; earlier: Earlier[] };
  zoom(range: [number, number]): void;
  whole(): void;
  point(t: number | null): void;
  moved(which: 0 | 1, t: number): void;
  removed(panel: Panel, name: string): void;
  /** Its unit or its axis is another. */
  changed(): void;
}
/** Of a layout: the signals of a panel, and how it shows them. */
export interface PanelLayout { names: string[]; unit?: string; log?: boolean; tall?: number }

const least = 60, most = 2000; // px, of a plot

type Figured = "mean" | "rms" | "least" | "greatest" | "span" | "slope" | "settling";
const figured: Figured[] = ["mean", "rms", "least", "greatest", "span", "slope", "settling"];
const figureNames: Record<Figured, string> = { mean: "mean", rms: "rms", least: "min", greatest: "max", span: "max \u2212 min", slope: "slope, 1/s", settling: "settling, s" };

export class Panel {
  readonly box = element("div", { className: "panel" });
  readonly curves: Curve[] = [];
  /** Of the values, once a user has zoomed them. */
  height: [number, number] | null = null;
  pointed: number | null = null;
  /** Height of the plot, px; null: as much as there is room for. */
  private tall: number | null = null;
  private grip = element("div", { className: "splitter level grip", role: "separator", tabindex: 0, "aria-orientation": "horizontal", "aria-valuemin": least, "aria-valuemax": most, "aria-valuenow": least, title: "Height of the panel: drag, or arrow keys; a double click gives it as much as there is room for" });
  /** Only the lowest one has the times under it. */
  private lowest = true;
  plot: uPlot;
  private place = element("div", { className: "plot" });
  private base = 0;
  private counted = element("span", { className: "counted", hidden: true });
  private table = element("table", { className: "readings" });
  private rows: { of: string; cells: Record<string, HTMLElement>; series: () => Series | undefined }[] = [];
  private lines: HTMLElement[] = [];
  private chosenUnit: ShownUnit;
  /** Differs from the shown one until the server answers. */
  private wantedUnit: string;
  logarithmic = false;
  private gone = false;
  private tools: PanelTools;

  constructor(private session: Session, private frame: Frame, readonly unit: string) {
    this.chosenUnit = { unit, factor: 1, offset: 0 };
    this.wantedUnit = unit;
    this.tools = new PanelTools(unit, (wanted) => this.showIn(wanted), () => this.scaleBy(!this.logarithmic));
    this.box.append(element("div", { className: "head" }, this.table, this.tools.box), this.place, this.grip);
    this.plot = this.build();
    this.holdGrip();
    new ResizeObserver(() => this.size()).observe(this.place);
  }

  add(scalar: Scalar): void {
    const used = new Set(this.curves.map((each) => each.pen));
    let free = 0;
    while (used.has(free)) ++free;
    this.curves.push({ scalar, pen: free, hidden: false });
    this.tell();
  }

  remove(name: string): void {
    const at = this.curves.findIndex((each) => each.scalar.name === name);
    if (at >= 0) this.curves.splice(at, 1);
    this.tell();
  }

  get layout(): PanelLayout { return { names: this.curves.map((each) => each.scalar.name), ...(this.wantedUnit !== this.unit ? { unit: this.wantedUnit } : {}), ...(this.logarithmic ? { log: true } : {}), ...(this.tall !== null ? { tall: this.tall } : {}) }; }

  /** The unit in which values are shown; samples, limits and `height` stay in SI. A difference of temperatures is in K. */
  get shownUnit(): ShownUnit { return this.frame.reference && this.chosenUnit.offset !== 0 ? { unit: this.unit, factor: 1, offset: 0 } : this.chosenUnit; }

  /** Shows the values in another unit; false where it is a unit of another quantity, and a message says so. */
  async showIn(wanted: string): Promise<boolean> {
    this.wantedUnit = wanted;
    const reply = wanted === this.unit ? { ok: true, factor: 1, offset: 0 } : await this.session.ask("convert", { from: this.unit, to: wanted });
    if (this.gone || wanted !== this.wantedUnit) return true; // another was chosen meanwhile
    if (reply.ok) this.chosenUnit = { unit: wanted, factor: Number(reply.factor), offset: Number(reply.offset) };
    this.wantedUnit = this.chosenUnit.unit;
    if (reply.ok) this.retold();
    return reply.ok;
  }

  scaleBy(logarithmic: boolean): void {
    if (this.logarithmic === logarithmic) return;
    this.logarithmic = logarithmic;
    this.height = null;
    this.rebuild();
    this.retold();
  }

  private retold(): void {
    this.tools.show(this.chosenUnit.unit, this.logarithmic);
    this.tell();
    this.update();
    this.frame.changed();
  }

  /** @param tall  px; null: as much as there is room for */
  stand(tall: number | null): void {
    this.tall = tall === null ? null : Math.round(Math.min(most, Math.max(least, tall)));
    this.place.style.flex = this.tall === null ? "" : `0 0 ${this.tall}px`;
    this.box.style.flexGrow = this.tall === null ? "" : "0";
    this.grip.setAttribute("aria-valuenow", String(this.tall ?? this.place.clientHeight));
  }

  private holdGrip(): void {
    const { grip, place } = this, take = (tall: number | null) => { this.stand(tall); this.frame.changed(); };
    grip.addEventListener("pointerdown", (event) => {
      const from = place.clientHeight - event.clientY;
      grip.setPointerCapture(event.pointerId);
      grip.onpointermove = (move) => this.stand(from + move.clientY);
    });
    grip.addEventListener("pointerup", () => { grip.onpointermove = null; this.frame.changed(); });
    grip.addEventListener("dblclick", () => take(null));
    grip.addEventListener("keydown", (event) => {
      const way = { ArrowUp: -1, ArrowDown: 1 }[event.key];
      if (!way) return;
      event.preventDefault();
      event.stopPropagation();
      take(place.clientHeight + way * 12);
    });
  }

  /** As it is shown. */
  out(v: number): number {
    const { factor, offset } = this.shownUnit;
    return factor === 1 && offset === 0 ? v : v * factor + offset;
  }
  private back(v: number): number { return (v - this.shownUnit.offset) / this.shownUnit.factor; }

  /** The times are under the lowest panel alone. */
  settle(lowest: boolean): void {
    if (this.lowest === lowest) return;
    this.lowest = lowest;
    this.rebuild();
  }

  /** In other colours: light and dark. */
  rebuild(): void {
    this.plot.destroy();
    this.plot = this.build();
    this.size();
    this.tell();
  }

  update(): void {
    const [min, max] = this.frame.range, y = (this.height ?? this.extent()).map((each) => this.out(each)), base = this.logarithmic ? 0 : countedFrom(y[0], y[1]);
    this.base = base;
    this.counted.hidden = base === 0;
    this.counted.textContent = base === 0 ? "" : `${shown(base, 12)}${this.shownUnit.unit && this.shownUnit.unit !== "1" ? ` ${this.shownUnit.unit}` : ""} +`;
    this.plot.batch(() => {
      this.plot.setScale("x", { min, max });
      this.plot.setScale("y", { min: y[0], max: y[1] });
    });
    this.read();
  }

  /** Values of now or at the mouse, at the cursors, and between them. */
  read(): void {
    const { cursors, range } = this.frame;
    this.table.classList.toggle("cursors", cursors !== null);
    this.table.classList.toggle("statistics", this.frame.statistics);
    this.table.classList.toggle("wide", cursors !== null || this.frame.statistics);
    for (const { cells, series: find, of } of this.rows) {
      const series = find();
      if (!series) continue;
      if (cells.verdict) this.frame.limits.tell(cells.verdict, of, series);
      const t = this.pointed ?? Math.min(series.end, range[1]);
      const at = (time: number) => { const v = series.read(time); return v === null ? null : this.out(v); };
      cells.now.textContent = shown(at(t), 6);
      if (cursors) {
        const [a, b] = cursors.map(at);
        cells.A.textContent = shown(a, 6);
        cells.B.textContent = shown(b, 6);
        cells.change.textContent = a === null || b === null ? "\u2013" : shown(b - a, 6);
      }
      if (!this.frame.statistics) continue;
      const figures = statistics(series, ...(cursors ?? range));
      for (const key of figured) cells[key].textContent = shown(figures && this.figure(figures, key), 5);
    }
    this.placeCursors();
  }

  /** One of the statistics, in the shown unit. */
  private figure(of: Record<Figured, number | null>, key: Figured): number | null {
    const v = of[key], { factor } = this.shownUnit;
    if (v === null || v === undefined || key === "settling") return v;
    if (key === "span" || key === "slope") return v * factor;
    if (key !== "rms") return this.out(v);
    const mean = of.mean ?? 0; // rms of what is counted from elsewhere: the part about the mean stays
    return Math.sqrt(Math.max(0, v * v - mean * mean) * factor * factor + this.out(mean) ** 2);
  }

  destroy(): void {
    this.gone = true;
    this.plot.destroy();
    this.box.remove();
  }

  private extent(): [number, number] {
    const [t0, t1] = this.frame.range;
    let least = Infinity, greatest = -Infinity;
    for (const { scalar, hidden } of this.curves) {
      if (hidden) continue;
      for (const each of this.frame.limits.levels(scalar.name)) least = Math.min(least, each), greatest = Math.max(greatest, each);
      const { now, earlier } = this.frame.source(scalar.name);
      for (const series of [now, ...earlier.map((each) => each.series)]) {
        if (!series) continue;
        const [a, b] = this.logarithmic ? this.positive(series, t0, t1) : series.range(t0, t1);
        least = Math.min(least, a), greatest = Math.max(greatest, b);
      }
    }
    if (this.logarithmic) return (logarithmicSpan(this.out(least), this.out(greatest)).map((each) => this.back(each)) as [number, number]);
    if (!(greatest >= least)) return [-1, 1];
    const edge = (greatest - least) * 0.08 || Math.abs(greatest) * 0.1 || 1;
    return [least - edge, greatest + edge];
  }

  /** Least and greatest of what is above 0 in the shown unit. */
  private positive(series: Series, t0: number, t1: number): [number, number] {
    let least = Infinity, greatest = -Infinity;
    const take = (v: number) => { if (this.out(v) > 0 && Number.isFinite(v)) least = Math.min(least, v), greatest = Math.max(greatest, v); };
    series.view(t0, t1, 1000, (_, v) => take(v), (_, low, high) => { take(low); take(high); });
    return [least, greatest];
  }

  private build(): uPlot {
    const axis = { stroke: colour("--quiet"), grid: { stroke: colour("--grid"), width: 1 }, ticks: { stroke: colour("--grid"), width: 1, size: 4 },
                   font: `${this.em(0.85)}px ${getComputedStyle(document.body).fontFamily}` };
    const plot = new uPlot({
      width: 300, height: 120, legend: { show: false }, padding: [this.em(0.5), this.em(0.9), this.em(this.lowest ? 0 : 0.3), 0],
      scales: { x: { time: false, range: (_, min, max) => [min, max] }, y: { distr: this.logarithmic ? 3 : 1, range: (_, min, max) => [min, max] } },
      cursor: { drag: { x: true, y: true, uni: 20, setScale: false }, points: { show: false }, x: true, y: true },
      axes: [{ ...axis, size: this.em(this.lowest ? 1.9 : 0.3), space: this.em(5.5), values: (_, all) => all.map((v) => (this.lowest ? shown(v, 6) : "")) },
             { ...axis, size: this.em(4.8), space: this.em(1.5), ...(this.logarithmic ? { splits: (_: uPlot, __: number, min: number, max: number) => decades(min, max) } : {}), values: (_, all) => all.map((v) => (this.base ? shown(Number((v - this.base).toPrecision(6)), 3) : shown(v, 5))) }],
      series: [{}, { show: true, paths: () => null, points: { show: false } }],
      hooks: {
        draw: [(u) => this.paint(u)],
        setSelect: [(u) => this.dragged(u)],
        setCursor: [(u) => this.frame.point(u.cursor.left === undefined || u.cursor.left === null || u.cursor.left < 0 ? null : u.posToVal(u.cursor.left, "x"))],
      },
    }, [[0, 1], [null, null]], this.place);
    this.place.append(this.counted);
    plot.over.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
    plot.over.addEventListener("dblclick", () => { this.height = null; this.frame.whole(); });
    this.lines = ([0, 1] as const).map((which) => this.cursorLine(plot, which));
    return plot;
  }

  private em(size: number): number { return size * parseFloat(getComputedStyle(document.documentElement).fontSize); }

  private size(): void {
    const { clientWidth: width, clientHeight: height } = this.place;
    if (width > 40 && height > 30 && (width !== this.plot.width || height !== this.plot.height)) this.plot.setSize({ width, height });
    this.grip.setAttribute("aria-valuenow", String(this.tall ?? Math.max(least, height)));
    this.placeCursors();
  }

  /** Curves, limits and marks, with the context of `u`. */
  paint(u: uPlot): void {
    const { ctx } = u, { left, top, width, height } = u.bbox;
    ctx.save();
    ctx.beginPath();
    ctx.rect(left, top, width, height);
    ctx.clip();
    for (const { scalar, hidden } of this.curves) if (!hidden) this.frame.limits.draw(u, scalar.name, this.em(1 / 14) * devicePixelRatio, (v) => this.pixel(u, v));
    this.frame.alarms.draw(u, this.em(1 / 14) * devicePixelRatio);
    for (const { scalar, pen: index, hidden } of this.curves) {
      if (hidden) continue;
      const { earlier, now } = this.frame.source(scalar.name);
      for (const { series, run } of earlier) {
        const colours = run && this.curves.length === 1 ? run.pen : index; // a curve that is alone: runs have their own colours
        this.stroke(u, series, { colour: colours, dashes: run?.pen ?? index, width: colours === index ? 0.7 : 1, alpha: colours === index ? 0.5 : 0.9 }, scalar);
      }
      if (now) this.stroke(u, now, { colour: index, dashes: index, width: 1.5, alpha: 1 }, scalar);
    }
    const level = this.frame.level;
    if (level && this.curves.some(({ scalar }) => scalar.name === level.signal)) {
      const y = this.pixel(u, level.level);
      ctx.strokeStyle = colour("--accent");
      ctx.setLineDash([3 * devicePixelRatio, 4 * devicePixelRatio]);
      ctx.lineWidth = devicePixelRatio;
      ctx.beginPath();
      ctx.moveTo(left, y);
      ctx.lineTo(left + width, y);
      ctx.stroke();
    }
    ctx.restore();
  }

  /** Where a value in SI is drawn; beneath the plot, where a logarithmic axis has no place for it. */
  private pixel(u: uPlot, v: number): number {
    const shown_ = this.out(v);
    return this.logarithmic && !(shown_ > 0) ? u.bbox.top + u.bbox.height + 10 * devicePixelRatio : u.valToPos(shown_, "y", true);
  }

  private stroke(u: uPlot, series: Series, look: { colour: number; dashes: number; width: number; alpha: number }, scalar: Scalar): void {
    const { ctx } = u, [t0, t1] = this.frame.range, steps = scalar.signal.element !== "real";
    const x0 = u.valToPos(t0, "x", true), sx = (u.valToPos(t1, "x", true) - x0) / (t1 - t0);
    // from one end to the other: between 0 and 1 there is nothing where values are large
    const [v0, v1] = [u.scales.y.min ?? 0, u.scales.y.max ?? 1], y0 = u.valToPos(v0, "y", true), sy = (u.valToPos(v1, "y", true) - y0) / (v1 - v0);
    const scale = this.em(1 / 14) * devicePixelRatio, y = this.logarithmic ? (v: number) => this.pixel(u, v) : (v: number) => y0 + (this.out(v) - v0) * sy;
    drawCurve(ctx, series, { span: [t0, t1], pixels: u.bbox.width, x: (t) => x0 + (t - t0) * sx, y },
              { colour: pen(look.colour), alpha: look.alpha, width: look.width * scale, dashes: dashes[look.dashes % 8].map((each) => each * scale) }, steps);
  }

  /** Across: the time axis of the scope. Up: the values of this plot. */
  private dragged(u: uPlot): void {
    const { left, top, width, height } = u.select;
    if (width === 0 && height === 0) return;
    const wide = width > 3 && width < u.over.clientWidth, high = height > 3 && height < u.over.clientHeight;
    if (high) this.height = [this.back(u.posToVal(top + height, "y")), this.back(u.posToVal(top, "y"))];
    const range: [number, number] = wide ? [u.posToVal(left, "x"), u.posToVal(left + width, "x")] : this.frame.range;
    u.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
    this.frame.zoom(range);
  }

  /** Up and down: larger or smaller, with Shift the values. Across: earlier or later. */
  private wheel(event: WheelEvent): void {
    event.preventDefault();
    const by = Math.exp((event.deltaY || event.deltaX) * 0.0015), [t0, t1] = this.frame.range;
    if (!event.shiftKey && Math.abs(event.deltaX) > Math.abs(event.deltaY)) {
      const way = (event.deltaX / this.plot.over.clientWidth) * (t1 - t0);
      return this.frame.zoom([t0 + way, t1 + way]);
    }
    if (event.shiftKey) return this.stretch(by, this.plot.posToVal(event.offsetY, "y"));
    const t = this.plot.posToVal(event.offsetX, "x");
    this.frame.zoom([t - (t - t0) * by, t + (t1 - t) * by]);
  }

  /** Values about v, of this plot alone. */
  stretch(by: number, v?: number): void {
    const along = this.logarithmic ? Math.log10 : (each: number) => each, from = this.logarithmic ? (each: number) => 10 ** each : (each: number) => each;
    const min = along(this.plot.scales.y.min ?? 0), max = along(this.plot.scales.y.max ?? 1), about = v === undefined ? (min + max) / 2 : along(v);
    this.height = [this.back(from(about - (about - min) * by)), this.back(from(about + (max - about) * by))];
    this.update();
  }

  private cursorLine(plot: uPlot, which: 0 | 1): HTMLElement {
    const line = element("div", { className: `cursor c${which}`, role: "slider", tabindex: 0, "aria-label": `Cursor ${which ? "B" : "A"}`, hidden: true },
      element("span", {}, which ? "B" : "A"));
    const drag = (event: PointerEvent) => {
      const box = plot.over.getBoundingClientRect();
      this.frame.moved(which, plot.posToVal(Math.max(0, Math.min(box.width, event.clientX - box.left)), "x"));
    };
    line.addEventListener("pointerdown", (event) => { event.stopPropagation(); line.setPointerCapture(event.pointerId); line.onpointermove = drag; });
    line.addEventListener("mousedown", (event) => event.stopPropagation());
    line.addEventListener("pointerup", () => (line.onpointermove = null));
    line.addEventListener("keydown", (event) => {
      const way = event.key === "ArrowLeft" ? -1 : event.key === "ArrowRight" ? 1 : 0, [t0, t1] = this.frame.range;
      if (!way || !this.frame.cursors) return;
      event.preventDefault();
      event.stopPropagation();
      this.frame.moved(which, this.frame.cursors[which] + way * Math.max(this.session.period, ((t1 - t0) / plot.over.clientWidth) * (event.shiftKey ? 20 : 2)));
    });
    plot.over.append(line);
    return line;
  }

  private placeCursors(): void {
    const cursors = this.frame.cursors;
    this.lines.forEach((line, i) => {
      line.hidden = !cursors;
      if (!cursors) return;
      line.style.left = this.plot.valToPos(cursors[i], "x") + "px";
      line.setAttribute("aria-valuenow", String(cursors[i]));
      line.setAttribute("aria-valuetext", `${shown(cursors[i])} s`);
    });
  }

  /** The table over the plot: who is who. */
  tell(): void {
    this.rows = [];
    this.tools.name(this.curves.map((each) => each.scalar.name).join(", "));
    this.grip.setAttribute("aria-label", `Height of the panel of ${this.curves.map((each) => each.scalar.name).join(", ")}`);
    const less = this.frame.reference ? ` \u2212 ${this.frame.reference.name}` : "";
    const curves = this.curves.map((curve) => {
      const { scalar } = curve, row = this.row({
        name: `${scalar.name}${less}`, hint: scalar.name, colour: pen(curve.pen), dashes: [], on: !curve.hidden, unit: this.shownUnit.unit,
        toggle: () => { curve.hidden = !curve.hidden; this.tell(); this.update(); }, remove: () => this.frame.removed(this, scalar.name), removing: "out of the scope",
      }, () => this.frame.source(scalar.name).now, scalar.name);
      row.dataset.signal = scalar.name;
      return row;
    });
    this.table.replaceChildren(this.head(), ...curves, ...this.runRows());
  }

  private head(): HTMLElement {
    const columns: [string, string][] = [["", ""], ["", ""], ["now", "n"], ["A", "n c"], ["B", "n c"], ["B \u2212 A", "n c"], ...figured.map((each): [string, string] => [figureNames[each], "n s"]), ["", ""], ["", ""]];
    return element("tr", { className: "h" }, ...columns.map(([name, className]) => element(name ? "th" : "td", { className }, name)));
  }

  /** Earlier runs that have one of these signals; the values of one that is alone. */
  private runRows(): HTMLElement[] {
    const { runs } = this.frame, said = runs.length ? this.session.runs.differences(this.session.period).of : null, only = this.curves.length === 1 ? this.curves[0] : null;
    return runs.filter((run) => this.curves.some(({ scalar }) => scalar.run !== run && this.session.samplesOf(scalar.name, run.series))).map((run) => {
      const what = said?.get(run), row = this.row({
        name: what ? `${run.name}: ${what}` : run.name, hint: `Earlier: ${run.name}${what ? `: ${what}` : ""}, up to ${shown(run.end)} s`, colour: only ? pen(run.pen) : colour("--quiet"), dashes: dashes[run.pen % 8], on: run.shown, unit: only ? this.shownUnit.unit : "",
        toggle: () => this.session.runs.set(run, { shown: !run.shown }), remove: () => this.session.runs.remove(run), removing: "out of the list of runs",
      }, () => (only && run.shown ? this.session.samplesOf(only.scalar.name, run.series) : undefined), only?.scalar.name ?? "");
      row.classList.add("run");
      row.dataset.run = String(run.id);
      return row;
    });
  }

  private row(of: { name: string; hint: string; colour: string; dashes: number[]; on: boolean; unit: string; toggle(): void; remove(): void; removing: string }, series: () => Series | undefined, signal: string): HTMLElement {
    const cells: Record<string, HTMLElement> = {};
    for (const key of ["now", "A", "B", "change", ...figured]) cells[key] = element("td", { className: key === "now" ? "n" : figured.includes(key as Figured) ? "n s" : "n c" });
    const verdict = element("span", { className: "verdict", hidden: true });
    if (signal && this.frame.limits.of(signal)) cells.verdict = verdict;
    this.rows.push({ of: signal, cells, series });
    const swatch = element("button", { type: "button", className: "swatch", "aria-pressed": String(of.on), title: "Shown or hidden", "aria-label": `${of.name}: shown or hidden`, onclick: of.toggle });
    swatch.style.setProperty("--pen", of.colour);
    if (of.dashes.length) swatch.style.setProperty("--dashes", `repeating-linear-gradient(90deg, ${of.colour} 0 ${of.dashes[0]}px, transparent 0 ${of.dashes[0] + of.dashes[1]}px)`);
    const row = element("tr", {}, element("td", {}, swatch), element("td", { className: "who", title: of.hint }, of.name, verdict), ...Object.entries(cells).flatMap(([key, cell]) => (key === "verdict" ? [] : [cell])),
      element("td", { className: "quiet" }, of.unit === "1" ? "" : of.unit), element("td", {}, button("\u00d7", `${of.name}: ${of.removing}`, of.remove, { className: "plain" })));
    row.classList.toggle("off", !of.on);
    return row;
  }
}
