// SPDX-License-Identifier: BSD-3-Clause
// A scope: panels over one time axis, which follows the run, is still, or shows what a trigger caught.
import { button, element } from "../parts/dom";
import { exportCsv, exportPicture, exportVector } from "./export";
import { quantity, timeText } from "../parts/number";
import { OverflowMenu } from "../parts/overflow_menu";
import { AlarmForm } from "./alarm_form";
import { Alarms } from "./alarms";
import { Charts } from "./charts";
import { difference } from "../run/derived";
import { ExpressionError } from "../run/expression";
import { LogForm } from "./log_form";
import { Panel, type Earlier, type Frame, type PanelLayout } from "./panel";
import { refusal, type Samples, type Trigger } from "../run/protocol";
import type { EarlierRun } from "../run/runs";
import { everySample, Series } from "../run/series";
import type { Session } from "../run/session";
import type { ScopeLayout } from "./layouts";
import { ExpressionForm } from "./expression_form";
import { LimitForm, Limits } from "./limits";
import { TriggerForm } from "./trigger";

type Mode = "follow" | "still" | "trigger";
const inPanel = 8; // curves

export class Scope implements Frame {
  readonly box = element("section", { className: "scope", tabindex: -1 });
  readonly panels: Panel[] = [];
  range: [number, number] = [0, 5];
  cursors: [number, number] | null = null;
  mode: Mode = "follow";
  trigger: Trigger | null = null;
  statistics = false;
  /** Curves are differences to this run. */
  reference: EarlierRun | null = null;
  private span = 5; // s that are seen while the run is followed
  private window = 0.5; // s of a trigger's sweep
  private body = element("div", { className: "panels" });
  readonly charts = new Charts(this, () => this.viewed());
  private caption = element("span", { className: "span" });
  private readings = element("div", { className: "cursor-readings" });
  private buttons: Record<string, HTMLButtonElement>;
  private form: TriggerForm;
  private expression: ExpressionForm;
  private limitForm: LimitForm;
  readonly limits: Limits;
  readonly alarms: Alarms;
  private alarmForm: AlarmForm;
  private logForm: LogForm;
  /** What the trigger caught last, and before. */
  private caught: { at: number | null; now: Map<string, Series>; before: Map<string, Series> } | null = null;

  constructor(private session: Session, readonly id: string, private around: { changed(): void; add(): void; close(): void; layouts(): void }) {
    this.box.setAttribute("aria-label", `Scope ${id}`);
    this.limits = new Limits(session, `scope ${id}`, () => { this.around.changed(); for (const panel of this.panels) panel.tell(); this.update(); });
    this.form = new TriggerForm((trigger, window) => this.setTrigger(trigger, window), () => this.names().filter((each) => !session.expressions.has(each)));
    this.expression = new ExpressionForm((text) => this.express(text));
    this.limitForm = new LimitForm((limit) => this.limits.set(limit), (signal) => this.limits.remove(signal), () => this.names(), (signal) => this.limits.of(signal), (signal) => session.scalars.get(signal)?.unit ?? "");
    this.alarms = new Alarms(session, `scope ${id}`, () => { this.subscribe(); this.rebuild(); });
    this.alarmForm = new AlarmForm(session, this.alarms, (text) => this.expressed(text));
    this.logForm = new LogForm(session, () => ({ names: this.names(), range: this.range, diagram: this.diagram, scope: this.id }));
    this.buttons = {
      follow: button("Follow", "Follow the run (l)", () => this.follow()),
      whole: button("Whole", "The whole run (w)", () => this.whole()),
      cursors: button("Cursors", "Two cursors with differences (c)", () => this.toggleCursors(), { "aria-pressed": "false" }),
      statistics: button("Statistics", "Mean, rms, least, greatest, slope and settling between A and B, or in view (f)", () => this.toggleStatistics(), { "aria-pressed": "false" }),
      difference: button("Difference", "This run less an earlier one (d)", () => this.toggleDifference(), { "aria-pressed": "false" }),
      expression: button("Expression", "A signal that is computed from others, such as a.y - b.y (x)", () => this.expression.toggle(), { "aria-expanded": "false" }),
      limits: button("Limits", "Limits of a signal: a line or a band, with its verdict (b)", () => this.limitForm.toggle(), { "aria-expanded": "false" }),
      alarms: button("Alarms", "Conditions that ring, or pause the run (a)", () => this.alarmForm.toggle(), { "aria-expanded": "false" }),
      trigger: button("Trigger", "Wait for an edge (e)", () => this.form.toggle(), { "aria-expanded": "false" }),
    };
    const header = element("header", {}, element("h2", {}, element("span", {}, "Scope"), ` ${id}`), this.caption, element("span", { className: "grow" }));
    const menu = new OverflowMenu(header, this.caption, `buttons of scope ${id}`, [this.charts.choice, ...Object.values(this.buttons),
      button("PNG", "The view as a picture", () => void exportPicture(this, session)), button("SVG", "The view as a drawing of lines", () => exportVector(this, session)), button("CSV", "The view as numbers", () => exportCsv(this, session)),
      button("MCAP", "Signals of this scope as a log, of a run and a time", () => this.logForm.toggle()),
      button("Layouts", "Scopes by name: keep these, show others", () => around.layouts())]);
    header.append(menu.box, button("+", "Another scope (n)", () => around.add(), { className: "plain" }), button("\u00d7", "Close this scope", () => around.close(), { className: "plain" }));
    this.box.append(header, this.readings, this.form.box, this.expression.box, this.limitForm.box, this.alarmForm.box, this.logForm.box, this.body, this.charts.box, element("p", { className: "empty" }, "Click a wire in the diagram (Ctrl click while one edits), or press s on a block: its signals come here."));
    this.box.addEventListener("keydown", (event) => this.key(event));
    this.tick();
  }

  get diagram(): string { return this.session.hello?.diagram.name ?? "hilda"; }
  /** Signals of the run that it requires: of an expression, those in it. */
  private asked(): string[] { return this.needed().filter((each) => !this.session.scalars.get(each)?.run); }
  /** Signals behind all that is in it, also of opened logs. */
  private needed(): string[] { return [...new Set([...this.names().flatMap((each) => this.session.expressions.get(each)?.signals ?? [each]), ...this.alarms.signals])]; }
  names(): string[] { return this.panels.flatMap((panel) => panel.curves.map((each) => each.scalar.name)); }

  /** All that is in it. */
  get layout(): ScopeLayout { return { names: this.names(), limits: this.limits.all, span: this.span, view: this.charts.view, alarms: this.alarms.all, panels: this.panels.map((each) => each.layout) }; }
  arrange({ names, limits, span, view, alarms, panels }: ScopeLayout): void {
    const wanted = names.filter((each) => this.session.knows(each));
    for (const name of this.names()) if (!wanted.includes(name)) this.toggle(name);
    this.span = span;
    this.alarms.arrange(alarms ?? []);
    for (const name of wanted) if (!this.names().includes(name)) this.toggle(name);
    if (panels?.length) this.group(panels);
    this.charts.choice.value = view;
    this.limits.all = limits.filter((each) => wanted.includes(each.signal));
    for (const panel of this.panels) panel.tell();
    void this.ask();
    this.viewed();
    this.follow();
    this.around.changed();
  }

  /** Puts a scalar next to those of its unit; takes it out where it is in. */
  toggle(name: string): void {
    const holder = this.panels.find((panel) => panel.curves.some((each) => each.scalar.name === name));
    if (holder) return this.removed(holder, name);
    if (!this.session.scalars.has(name)) return;
    this.put(name);
    this.subscribe();
  }

  /** Puts what is in the scope into panels as they are listed; a signal that is in none stays where its unit is. */
  group(wanted: PanelLayout[]): void {
    const hidden = new Set(this.panels.flatMap((panel) => panel.curves.filter((each) => each.hidden).map((each) => each.scalar.name))), left = new Set(this.names());
    for (const panel of this.panels.splice(0)) panel.destroy();
    for (const each of wanted) {
      const scalars = each.names.flatMap((name) => { const scalar = left.has(name) ? this.session.scalars.get(name) : undefined; return scalar ? [scalar] : []; });
      const alike = scalars.filter((scalar) => scalar.unit === scalars[0].unit).slice(0, inPanel);
      if (!alike.length) continue;
      const panel = this.addPanel(alike[0].unit);
      for (const scalar of alike) panel.add(scalar), left.delete(scalar.name);
      panel.scaleBy(each.log === true);
      panel.stand(each.tall ?? null);
      if (each.unit) void panel.showIn(each.unit);
    }
    for (const name of left) this.put(name);
    for (const panel of this.panels) for (const each of panel.curves) each.hidden = hidden.has(each.scalar.name);
    for (const panel of this.panels) panel.tell();
    this.subscribe();
  }

  private addPanel(unit: string): Panel {
    const panel = new Panel(this.session, this, unit);
    this.panels.push(panel);
    this.body.append(panel.box);
    return panel;
  }

  /** Next to those of its unit. */
  private put(name: string): void {
    const scalar = this.session.scalars.get(name);
    if (scalar) (this.panels.find((each) => each.unit === scalar.unit && each.curves.length < inPanel) ?? this.addPanel(scalar.unit)).add(scalar);
  }

  /** A unit or an axis of a panel is another. */
  changed(): void { this.around.changed(); }

  /** Gives why it means nothing, or "". */
  private express(text: string): string {
    const { name, why } = this.expressed(text);
    if (!why && !this.names().includes(name)) this.toggle(name);
    return why;
  }

  private expressed(text: string): { name: string; why: string } {
    try {
      return { name: this.session.express(text), why: "" };
    } catch (error) {
      if (error instanceof ExpressionError) return { name: "", why: error.message };
      throw error;
    }
  }

  /** Nothing is watched here any more. */
  release(): void {
    this.alarms.arrange([]);
    for (const name of this.names()) this.toggle(name);
    this.session.alarm(`scope ${this.id}`, []);
  }

  removed(panel: Panel, name: string): void {
    panel.remove(name);
    if (panel.curves.length === 0) {
      panel.destroy();
      this.panels.splice(this.panels.indexOf(panel), 1);
    }
    if (this.trigger?.signal === name) this.setTrigger(null);
    this.subscribe();
  }

  /** What the server is to send, after hello too. */
  subscribe(): void {
    this.box.classList.toggle("none", this.panels.length === 0);
    this.panels.forEach((panel, i) => panel.settle(i === this.panels.length - 1));
    this.form.fill();
    this.limitForm.fill();
    this.limits.keep(this.names());
    this.session.logs.need(this.needed());
    void this.ask();
    this.around.changed();
    this.update();
  }

  private async ask(): Promise<void> {
    const signals = this.asked();
    if (signals.length === 0) return void this.session.ask("unscope", { scope: this.id }, true);
    // every sample, as long as that many are not too many
    const window = this.trigger ? this.window : this.span, points = Math.max(16, Math.min(everySample, Math.ceil(window / this.session.period) + 1));
    const reply = await this.session.ask("scope", { scope: this.id, signals, window, points, ...(this.trigger ? { trigger: this.trigger } : {}) }, true);
    if (!reply.ok) return this.session.say(refusal(reply), true);
    for (const each of (reply.problems ?? []) as { path: string; error: string }[]) this.session.say(`${each.path}: ${each.error}`, true);
  }

  source(name: string): { now: Series | undefined; earlier: Earlier[] } {
    if (this.mode === "trigger") {
      const none = new Map<string, Series>(), before = this.session.samplesOf(name, this.caught?.before ?? none);
      return { now: this.session.samplesOf(name, this.caught?.now ?? none), earlier: before ? [{ series: before, run: null }] : [] };
    }
    const now = this.session.samplesOf(name, this.session.series), to = this.reference;
    if (to) {
      const other = this.session.samplesOf(name, to.series);
      return { now: now && other && difference(now, other), earlier: [] };
    }
    return { now, earlier: this.session.runs.list.flatMap((run) => { const series = this.session.samplesOf(name, run.series); return series && series !== now && run.shown ? [{ series, run }] : []; }) };
  }

  /** What panels say of earlier runs; none of them while a trigger waits, or differences are drawn. */
  get runs(): EarlierRun[] { return this.mode === "trigger" || this.reference ? [] : this.session.runs.list; }

  /** Runs came, went, or are called otherwise. */
  toldOfRuns(): void {
    for (const name of this.names()) if (!this.session.knows(name)) this.toggle(name); // its log was closed
    this.session.logs.need(this.needed());
    if (this.reference && !this.session.runs.list.includes(this.reference)) this.reference = null;
    if (this.reference && this.session.runs.reference) this.reference = this.session.runs.reference;
    this.buttons.difference.setAttribute("aria-pressed", String(this.reference !== null));
    for (const panel of this.panels) panel.tell();
    this.update();
  }

  private toggleStatistics(): void {
    this.statistics = !this.statistics;
    this.buttons.statistics.setAttribute("aria-pressed", String(this.statistics));
    this.update();
  }

  private toggleDifference(): void {
    const { runs } = this.session, latest = [...runs.list].reverse().find((each) => this.needed().some((name) => each.series.has(name)));
    if (!this.reference && !latest) return this.session.say("There is no earlier run of these signals yet: go back to t = 0 and run again", true);
    this.reference = this.reference ? null : (runs.reference ?? latest ?? null);
    for (const panel of this.panels) panel.height = null;
    this.toldOfRuns();
  }

  get level(): { signal: string; level: number } | null { return this.trigger; }

  /** New samples, or the next moment of the run. */
  tick(): void {
    // samples may be ahead of what the run has reported of itself
    const t = Math.max(this.session.state.time, 0, ...this.asked().map((name) => this.session.series.get(name)?.end ?? 0));
    const begin = t > 0 ? this.span : Math.max(this.span, this.logsEnd()); // before the first tick, logs are all there is to see
    if (this.mode === "follow") this.range = t <= this.span ? [0, begin] : [t - this.span, t];
    this.update();
  }

  /** s, of the opened logs that are drawn here. */
  private logsEnd(): number {
    return Math.max(0, ...this.session.runs.list.filter((run) => run.log && run.shown).flatMap((run) => this.needed().map((name) => run.series.get(name)?.end ?? 0)));
  }

  /** A trigger's sweep: it is shown, and the one before it lies behind. */
  sweep(samples: Samples): void {
    if (!this.trigger) return;
    const now = new Map<string, Series>();
    samples.series.forEach((name, i) => {
      const series = new Series();
      series.append(samples.times, samples.values[i]);
      now.set(name, series);
    });
    this.caught = { at: samples.at ?? null, now, before: this.caught?.now ?? new Map<string, Series>() };
    if (this.mode !== "trigger") return;
    const begin = samples.at !== null && samples.at !== undefined ? samples.at - this.trigger.pre : (samples.times[0] ?? 0);
    this.range = [begin, begin + this.window];
    this.update();
  }

  /** Longer spans are thinned out, to the least and greatest value of each signal: expressions of them are not exact. */
  private get thinned(): boolean { return [...this.names(), ...this.alarms.all.map((each) => each.condition)].some((each) => this.session.expressions.has(each)) && (this.trigger ? this.window : this.span) / this.session.period > everySample; }

  update(): void {
    this.limits.look((name) => this.source(name).now);
    this.alarms.look();
    this.alarmForm.fill();
    for (const panel of this.panels) panel.update();
    this.charts.draw();
    const [t0, t1] = this.range;
    this.caption.textContent = `${timeText(t0, this.session.period)} to ${timeText(t1, this.session.period)} s` + (this.reference ? `, less ${this.reference.name}` : "") + (this.thinned ? ", expressions of thinned samples: zoom in" : "") +
      (this.mode !== "trigger" ? "" : !this.caught ? ", waits" : this.caught.at === null ? ", no edge" : `, caught at ${timeText(this.caught.at, this.session.period)} s`);
    this.buttons.follow.setAttribute("aria-pressed", String(this.mode === "follow"));
    this.buttons.trigger.setAttribute("aria-pressed", String(this.trigger !== null));
    this.readings.textContent = this.cursors ? `A  ${timeText(this.cursors[0], this.session.period)} s     B  ${timeText(this.cursors[1], this.session.period)} s     B \u2212 A  ${quantity(this.cursors[1] - this.cursors[0], "s")}     1/(B \u2212 A)  ${quantity(1 / Math.abs(this.cursors[1] - this.cursors[0]), "Hz")}` : "";
  }

  follow(): void {
    this.mode = this.trigger ? "trigger" : "follow";
    for (const panel of this.panels) panel.height = null;
    this.tick();
  }

  zoom(range: [number, number]): void {
    const least = this.session.period * 2;
    if (range[1] - range[0] < least) range = [(range[0] + range[1] - least) / 2, (range[0] + range[1] + least) / 2];
    // a run that is followed stays so where its end stays in sight
    const t = this.session.state.time, follows = this.mode === "follow" && ["running", "paced"].includes(this.session.state.state) && range[0] < t && t <= range[1] + 1e-9;
    if (follows) this.lengthen(range[1] - range[0]);
    else if (this.mode === "follow") this.mode = "still";
    this.range = range;
    this.update();
  }

  /** Makes the followed span longer or shorter, and requests the samples for it. */
  private lengthen(span: number): void {
    const coarse = this.span;
    this.span = span;
    if (span > 2 * coarse || span < coarse / 2) void this.ask();
  }

  whole(): void {
    this.mode = "still";
    const series = this.asked().map((name) => this.session.seriesOf(name)).filter((each) => each.count > 0);
    for (const panel of this.panels) panel.height = null;
    this.zoom([Math.min(0, ...series.map((each) => each.begin)), Math.max(this.session.period * 10, this.session.state.time, this.logsEnd(), ...series.map((each) => each.end))]);
  }

  point(t: number | null): void {
    for (const panel of this.panels) {
      panel.pointed = t;
      panel.read();
    }
  }

  moved(which: 0 | 1, t: number): void {
    if (!this.cursors) return;
    this.cursors[which] = t;
    this.update();
  }

  toggleCursors(): void {
    const [t0, t1] = this.range;
    this.cursors = this.cursors ? null : [t0 + (t1 - t0) / 3, t0 + (2 * (t1 - t0)) / 3];
    this.buttons.cursors.setAttribute("aria-pressed", String(this.cursors !== null));
    this.update();
  }

  /** Over time: plots and readings. Otherwise the readings stay, and charts take the place of the plots. */
  private viewed(): void {
    this.box.classList.toggle("charted", this.charts.view !== "time");
    this.update();
  }

  rebuild(): void { for (const panel of this.panels) panel.rebuild(); this.charts.rebuild(); this.update(); }

  private setTrigger(trigger: Trigger | null, window = this.window): void {
    this.trigger = trigger;
    this.window = window;
    this.caught = null;
    this.mode = trigger ? "trigger" : "follow";
    this.subscribe();
    this.tick();
  }

  private key(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey || (event.target as Element).matches("input, select, textarea")) return;
    const [t0, t1] = this.range, width = t1 - t0, middle = (t0 + t1) / 2;
    const keys: Record<string, () => void> = {
      ArrowLeft: () => this.zoom([t0 - width / 8, t1 - width / 8]), ArrowRight: () => this.zoom([t0 + width / 8, t1 + width / 8]),
      "+": () => this.zoom([middle - width / 3, middle + width / 3]), "-": () => this.zoom([middle - width * 0.75, middle + width * 0.75]),
      ArrowUp: () => this.panels.forEach((panel) => panel.stretch(0.75)), ArrowDown: () => this.panels.forEach((panel) => panel.stretch(1 / 0.75)),
      l: () => this.follow(), w: () => this.whole(), c: () => this.toggleCursors(), f: () => this.toggleStatistics(), d: () => this.toggleDifference(), e: () => this.form.toggle(), x: () => this.expression.toggle(), b: () => this.limitForm.toggle(), a: () => this.alarmForm.toggle(),
    };
    if (!keys[event.key]) return;
    keys[event.key]();
    event.preventDefault();
    event.stopPropagation();
  }
}
