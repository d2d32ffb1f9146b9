// SPDX-License-Identifier: BSD-3-Clause
// Conditions that a user waits for: where one becomes true the time is marked, the page rings, and the run may pause.
import type uPlot from "uplot";
import { ring } from "../parts/bell";
import type { Rung, Session } from "../run/session";
import { colour } from "./pens";

/** A comparison, or a signal that is true or false. */
export interface Alarm { condition: string; rings: boolean; pauses: boolean }
/** upTo: how many samples were looked at; silent: what became true before this time is marked without an alarm. */
interface Watched { upTo: number; cuts: number; before: boolean; silent: number; times: number[] }

const marked = 500; // times of one alarm

export class Alarms {
  all: Alarm[] = [];
  private watched = new Map<string, Watched>();
  private epoch = -1;

  constructor(private session: Session, private who: string, private changed: () => void) {
    session.on("state", ({ epoch, time }) => {
      if (epoch === this.epoch) return;
      this.epoch = epoch;
      for (const each of this.watched.values()) each.silent = time; // earlier alarms were shown before
    });
  }

  /** Signals that the run is to send for them. */
  get signals(): string[] { return this.all.flatMap((each) => this.session.expressions.get(each.condition)?.signals ?? [each.condition]); }

  /** Why it is none, or "". */
  fault(condition: string): string {
    const { signal } = this.session.scalars.get(condition) ?? {};
    return signal?.element === "boolean" ? "" : `${condition} is a number: compare it, as in ${condition} > 1${this.session.scalars.get(condition)?.unit === "1" ? "" : ` [${this.session.scalars.get(condition)?.unit ?? ""}]`}`;
  }

  set(alarm: Alarm): void {
    const at = this.all.findIndex((each) => each.condition === alarm.condition);
    if (at < 0) this.all.push(alarm); else this.all[at] = alarm;
    this.changed();
  }

  remove(condition: string): void {
    this.all = this.all.filter((each) => each.condition !== condition);
    this.watched.delete(condition);
    this.session.seen(`${this.who} ${condition}`);
    this.changed();
  }

  arrange(all: Alarm[]): void {
    for (const { condition } of this.all) if (!all.some((each) => each.condition === condition)) this.session.seen(`${this.who} ${condition}`);
    this.all = all.filter((each) => this.session.knows(each.condition) && !this.fault(each.condition)).map((each) => ({ ...each }));
  }

  /** When it became true, s. */
  times(condition: string): number[] { return this.watched.get(condition)?.times ?? []; }

  look(): void { for (const each of this.all) this.watch(each); }

  private watch(alarm: Alarm): void {
    const series = this.session.samplesOf(alarm.condition, this.session.series);
    let known = this.watched.get(alarm.condition);
    if (!known) this.watched.set(alarm.condition, (known = { upTo: 0, cuts: series?.cuts ?? 0, before: false, silent: this.session.state.time, times: [] }));
    if (!series) return;
    // samples of an expression are computed again where its signals were cut
    if (known.cuts !== series.cuts || known.upTo > series.dropped + series.count) Object.assign(known, { upTo: series.dropped, cuts: series.cuts, before: false, times: [] });
    let fresh: number | null = null;
    for (let i = Math.max(0, known.upTo - series.dropped); i < series.count; ++i) {
      const holds = series.values[i] > 0, t = series.times[i];
      if (holds && !known.before) {
        if (known.times.length < marked) known.times.push(t);
        if (t > known.silent - this.session.period / 2) fresh ??= t;
      }
      known.before = holds;
    }
    known.upTo = series.dropped + series.count;
    if (fresh !== null) this.tell(alarm, fresh);
  }

  private tell(alarm: Alarm, time: number): void {
    const running = this.session.state.state === "running", rung: Rung = { condition: alarm.condition, time, paused: alarm.pauses && running && this.session.may("pause") };
    if (rung.paused) void this.session.ask("pause");
    if (alarm.rings) ring();
    this.session.ring(`${this.who} ${alarm.condition}`, rung);
  }

  /** Upright lines where one became true. */
  draw(u: uPlot, scale: number): void {
    const { ctx } = u, { left, top, width, height } = u.bbox;
    ctx.strokeStyle = colour("--bad");
    ctx.lineWidth = 1.5 * scale;
    ctx.setLineDash([2 * scale, 2 * scale]);
    ctx.beginPath();
    for (const each of this.all)
      for (const t of this.times(each.condition)) {
        const x = u.valToPos(t, "x", true);
        if (x < left || x > left + width) continue;
        ctx.moveTo(x, top);
        ctx.lineTo(x, top + height);
      }
    ctx.stroke();
    ctx.setLineDash([]);
  }
}
