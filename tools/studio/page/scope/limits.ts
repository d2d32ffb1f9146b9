// SPDX-License-Identifier: BSD-3-Clause
// Limits of a signal: a line or a band over all of the run or a part of it, drawn, with a report whether the signal kept it.
import type uPlot from "uplot";
import { fieldInUse } from "../parts/typing";
import { button, element } from "../parts/dom";
import { quantity, timeText } from "../parts/number";
import type { Series } from "../run/series";
import type { Session } from "../run/session";
import { colour } from "./pens";

/** null: no limit on that side. */
export interface Limit { signal: string; lower: number | null; upper: number | null; from: number | null; to: number | null }
interface Verdict { upTo: number; cuts: number; limit: Limit; looked: number; at: number | null; value: number; worst: number }

export class Limits {
  all: Limit[] = [];
  private verdicts = new WeakMap<Series, Verdict>();

  constructor(private session: Session, private who: string, private changed: () => void) {}

  of(signal: string): Limit | undefined { return this.all.find((each) => each.signal === signal); }
  levels(signal: string): number[] { const limit = this.of(signal); return [limit?.lower, limit?.upper].filter((each): each is number => typeof each === "number"); }

  set(limit: Limit): void {
    this.all = [...this.all.filter((each) => each.signal !== limit.signal), limit];
    this.changed();
  }

  remove(signal: string): void {
    this.all = this.all.filter((each) => each.signal !== signal);
    this.changed();
  }

  /** Drops the limits of signals that are no longer in the scope. */
  keep(names: string[]): void { this.all = this.all.filter((each) => names.includes(each.signal)); }

  /** When it was first left, and how far at most; every sample is looked at once. */
  private verdict(limit: Limit, series: Series): Verdict {
    let known = this.verdicts.get(series);
    if (known?.limit !== limit || known.cuts !== series.cuts) this.verdicts.set(series, (known = { upTo: series.dropped, cuts: series.cuts, limit, looked: 0, at: null, value: 0, worst: 0 }));
    const { lower, upper, from, to } = limit;
    for (let i = Math.max(0, known.upTo - series.dropped); i < series.count; ++i) {
      const t = series.times[i], v = series.values[i];
      if ((from !== null && t < from - 1e-12) || (to !== null && t > to + 1e-12)) continue;
      ++known.looked;
      const out = Math.max(lower === null ? 0 : lower - v, upper === null ? 0 : v - upper), left = out > 0 || Number.isNaN(v);
      if (left && known.at === null) [known.at, known.value] = [t, v];
      if (out > known.worst) known.worst = out;
    }
    known.upTo = series.dropped + series.count;
    return known;
  }

  /** The state line reports limits that were left. */
  look(source: (name: string) => Series | undefined): void {
    const told = this.all.flatMap((limit) => {
      const series = source(limit.signal), found = series && this.verdict(limit, series);
      return found?.at == null ? [] : [`${limit.signal} was ${this.words(limit.signal, found.value)} at ${timeText(found.at, this.session.period)} s, ${this.bounds(limit)}`];
    });
    this.session.alarm(this.who, told);
  }

  private words(signal: string, v: number): string { return quantity(v, this.session.scalars.get(signal)?.unit ?? ""); }
  private bounds({ signal, lower, upper }: Limit): string { return lower !== null && upper !== null ? `not within ${this.words(signal, lower)} and ${this.words(signal, upper)}` : upper !== null ? `above ${this.words(signal, upper)}` : `below ${this.words(signal, lower ?? 0)}`; }

  /** Shows the result next to the name of a curve. */
  tell(cell: HTMLElement, signal: string, series: Series): void {
    const limit = this.of(signal);
    cell.hidden = !limit;
    if (!limit) return;
    const { looked, at, worst } = this.verdict(limit, series), text = !looked ? "no sample yet" : at === null ? "\u2713 within its limits" : `\u2717 left at ${timeText(at, this.session.period)} s, by ${this.words(signal, worst)} at most`;
    if (cell.textContent !== text) cell.textContent = text;
    cell.classList.toggle("bad", at !== null);
    cell.classList.toggle("good", at === null && looked > 0);
  }

  /** What lies outside is tinted. */
  draw(u: uPlot, signal: string, scale: number, place: (v: number) => number): void {
    const limit = this.of(signal), { ctx } = u, { left, top, width, height } = u.bbox;
    if (!limit) return;
    const x = (t: number | null, otherwise: number) => (t === null ? otherwise : Math.max(left, Math.min(left + width, u.valToPos(t, "x", true)))), x0 = x(limit.from, left), x1 = x(limit.to, left + width);
    const level = (v: number, outside: (y: number) => [number, number]) => {
      const y = place(v), [begin, end] = outside(y);
      ctx.fillStyle = colour("--bad");
      ctx.globalAlpha = 0.09;
      if (end > begin) ctx.fillRect(x0, begin, x1 - x0, end - begin);
      ctx.globalAlpha = 1;
      ctx.strokeStyle = colour("--bad");
      ctx.lineWidth = scale;
      ctx.setLineDash([6 * scale, 3 * scale]);
      ctx.beginPath();
      ctx.moveTo(x0, y);
      ctx.lineTo(x1, y);
      ctx.stroke();
    };
    if (limit.upper !== null) level(limit.upper, (y) => [top, Math.min(y, top + height)]);
    if (limit.lower !== null) level(limit.lower, (y) => [Math.max(y, top), top + height]);
    ctx.setLineDash([]);
  }
}

let last = 0;

/** Where limits are written. */
export class LimitForm {
  readonly box: HTMLFormElement;
  private fields = { signal: element("select", {}), lower: this.number("none"), upper: this.number("none"), from: this.number("its begin"), to: this.number("its end") };
  private unit = element("span", { className: "quiet" });

  constructor(private apply: (limit: Limit) => void, private off: (signal: string) => void, private names: () => string[], private known: (signal: string) => Limit | undefined, private unitOf: (signal: string) => string) {
    const label = (text: string, field: HTMLElement) => {
      field.id = `limit-${++last}`;
      return element("label", { for: field.id }, text, field);
    };
    const f = this.fields;
    f.signal.addEventListener("change", () => this.show());
    for (const each of Object.values(f)) each.addEventListener("input", () => each.setCustomValidity(""));
    this.box = element("form", { className: "trigger limits", hidden: true, onsubmit: (event: Event) => { event.preventDefault(); this.submit(); } },
      label("limit ", f.signal), label("at least ", f.lower), label("at most ", f.upper), this.unit, label("from ", f.from), label("s to ", f.to), element("span", {}, "s"),
      element("button", { type: "submit" }, "Set"), button("Off", "No limit of this signal", () => { this.off(f.signal.value); this.show(); }), button("Close", "Close this line (b)", () => this.toggle()));
  }

  private number(placeholder: string): HTMLInputElement { return element("input", { inputmode: "decimal", size: 7, placeholder, autocomplete: "off" }); }

  fill(): void {
    const names = this.names(), { signal } = this.fields, chosen = signal.value;
    if (signal === fieldInUse() || [...signal.options].map((each) => each.value).join() === names.join()) return;
    signal.replaceChildren(...names.map((each) => element("option", { value: each }, each)));
    if (names.includes(chosen)) signal.value = chosen; else this.show();
  }

  private show(): void {
    const { signal, ...numbers } = this.fields, limit = this.known(signal.value);
    const unit = this.unitOf(signal.value);
    this.unit.textContent = unit === "1" ? "" : unit;
    for (const key of ["lower", "upper", "from", "to"] as const) if (numbers[key] !== fieldInUse()) numbers[key].value = limit?.[key] == null ? "" : String(limit[key]);
  }

  toggle(): void {
    this.box.hidden = !this.box.hidden;
    this.fill();
    if (this.box.hidden) return;
    this.show();
    this.fields.upper.focus();
  }

  private submit(): void {
    const { signal, ...fields } = this.fields, read = (field: HTMLInputElement) => (field.value.trim() ? Number(field.value) : null);
    const made = { signal: signal.value, lower: read(fields.lower), upper: read(fields.upper), from: read(fields.from), to: read(fields.to) };
    for (const key of ["lower", "upper", "from", "to"] as const) fields[key].setCustomValidity(made[key] !== null && !Number.isFinite(made[key]) ? "a number, SI" : "");
    if (made.lower === null && made.upper === null) fields.upper.setCustomValidity("one limit at least, SI");
    else if (made.lower !== null && made.upper !== null && made.lower >= made.upper) fields.upper.setCustomValidity("more than the least that is allowed");
    if (made.from !== null && made.to !== null && made.from >= made.to) fields.to.setCustomValidity("later than the begin");
    if (!this.box.reportValidity() || !made.signal) return;
    this.apply(made);
  }
}
