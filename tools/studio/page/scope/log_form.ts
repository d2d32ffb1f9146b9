// SPDX-License-Identifier: BSD-3-Clause
// Signals of a scope as a log (MCAP): of which run, and from when to when.
import { button, download, element } from "../parts/dom";
import { timeText } from "../parts/number";
import { refusal, type Reply } from "../run/protocol";
import { everySample, type Series } from "../run/series";
import type { Session } from "../run/session";

interface Shown { names: string[]; range: [number, number]; diagram: string; scope: string }

let last = 0;

export class LogForm {
  readonly box: HTMLFormElement;
  private run = element("select", {});
  private from = element("input", { inputmode: "decimal", size: 8, autocomplete: "off" });
  private to = element("input", { inputmode: "decimal", size: 8, autocomplete: "off" });
  private refused = element("p", { className: "refused", role: "alert", hidden: true });

  constructor(private session: Session, private shown: () => Shown) {
    const label = (text: string, field: HTMLElement) => {
      field.id = `log-${++last}`;
      return element("label", { for: field.id }, text, field);
    };
    this.box = element("form", { className: "trigger log", hidden: true, onsubmit: (event: Event) => { event.preventDefault(); void this.save(); } },
      label("signals of this scope, of ", this.run), label("from ", this.from), label("s to ", this.to), element("span", {}, "s"), element("button", { type: "submit" }, "Save as MCAP"), button("Close", "Close this line", () => this.toggle()), this.refused);
    session.on("runs", () => { if (!this.box.hidden) this.fill(); });
  }

  toggle(): void {
    this.box.hidden = !this.box.hidden;
    if (this.box.hidden) return;
    const { range } = this.shown(), { period } = this.session;
    this.fill();
    this.from.value = timeText(Math.max(0, range[0]), period);
    this.to.value = timeText(range[1], period);
    this.say("");
    this.run.focus();
  }

  private fill(): void {
    const chosen = this.run.value, all: [string, string][] = [["", "this run"], ...this.session.runs.list.map((each): [string, string] => [String(each.id), each.name])];
    this.run.replaceChildren(...all.map(([value, name]) => element("option", { value }, name)));
    if (all.some(([value]) => value === chosen)) this.run.value = chosen;
  }

  private say(why: string): void {
    this.refused.textContent = why;
    this.refused.hidden = !why;
  }

  private async save(): Promise<void> {
    const { names, diagram, scope } = this.shown(), from = Number(this.from.value), to = Number(this.to.value);
    if (!(Number.isFinite(from) && Number.isFinite(to) && from < to)) return this.say("write two times in s, the first one less");
    const run = this.session.runs.list.find((each) => String(each.id) === this.run.value), of: Map<string, Series> = run?.series ?? this.session.series;
    const measured = names.filter((each) => !this.session.expressions.has(each));
    const signals = measured.flatMap((name) => {
      const series = of.get(name) ?? (run ? undefined : this.session.samplesOf(name, of)), first = series?.from(from - 1e-12) ?? 0, end = series?.from(to + 1e-12) ?? 0;
      if (!series || first === end) return [];
      return [{ path: run?.log?.names.get(name) ?? name, unit: this.session.scalars.get(name)?.unit ?? "", times: [...series.times.subarray(first, end)], values: [...series.values.subarray(first, end)] }]; // JSON has null for a gap
    });
    if (!signals.length) return this.say(`${run?.name ?? "this run"} has no sample of these signals from ${this.from.value} to ${this.to.value} s`);
    const answer = await fetch("mcap", { method: "POST", body: JSON.stringify({ period: run?.log?.period || this.session.period, signals }) }).catch(() => null);
    if (!answer?.ok) return this.say(answer ? refusal((await answer.json().catch(() => ({ ok: false, error: `hilda refuses it (${answer.status})` }))) as Reply) : "hilda does not answer: look into its terminal");
    download(`${diagram}_scope_${scope}.mcap`, new Blob([await answer.arrayBuffer()]));
    const left = [names.length > measured.length && "expressions are left out", signals.length < measured.length && `${measured.length - signals.length} signals have no sample there`, this.thinned(signals, from, to) && "samples are thinned: zoom in before"].filter(Boolean);
    this.say("");
    this.session.say(`${signals.length} signals are saved as a log${left.length ? `; ${left.join("; ")}` : ""}`);
  }

  /** Of a long span the page has only the least and greatest values. */
  private thinned(signals: { times: number[] }[], from: number, to: number): boolean {
    return (to - from) / this.session.period > everySample && signals.some((each) => each.times.length < (0.9 * (to - from)) / this.session.period);
  }
}
