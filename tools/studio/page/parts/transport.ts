// SPDX-License-Identifier: BSD-3-Clause
// Run, pause, step, back, run to: the buttons of a recorder, and the time of the run.
import { button, element } from "./dom";
import { icon } from "./icons";
import { Kept } from "./kept";
import { fieldInUse } from "./typing";
import { shown, timeText } from "./number";
import { refusal } from "../run/protocol";
import type { Session } from "../run/session";

const speeds: [string, number][] = [["as fast as it goes", 0], ["\u00d7 10", 10], ["real time", 1], ["\u00d7 \u00bd", 0.5], ["\u00d7 1/10", 0.1], ["\u00d7 1/100", 0.01]];

export class Transport {
  readonly box = element("div", { className: "transport", role: "toolbar", "aria-label": "Run" });
  readonly until = element("input", { className: "until", inputmode: "decimal", placeholder: "time or steps", size: 10, "aria-label": "Run to this time, step or go back by this many ticks", title: "2.5: run to t = 2.5 s (Enter). +100: 100 steps. -100: 100 ticks back" });
  private clock = element("output", { className: "clock", "aria-live": "off" });
  private remark = element("span", { className: "remark" });
  private bar = element("div", { className: "progress" });
  private speed = element("select", { "aria-label": "Speed", title: "How fast it runs" }, ...speeds.map(([text, value]) => element("option", { value, selected: value === 1 }, text)));
  private buttons: Record<string, HTMLButtonElement>;
  private running = false;

  constructor(private session: Session) {
    this.buttons = {
      restart: button(icon("restart"), "To t = 0 (Home)", () => void this.ask("restart")),
      back: button(icon("back"), "Back (,): one tick, or half a second with Shift", () => this.back(1)),
      run: button(icon("run"), "Run or pause (Space)", () => this.toggle(), { className: "primary" }),
      step: button(icon("step"), "One tick (.)", () => this.step(1)),
    };
    this.until.addEventListener("keydown", (event) => { if (event.key === "Enter") this.go(); });
    const kept = new Kept<string>(session, "speed");
    session.on("hello", () => { if (kept.value !== null && this.speed !== fieldInUse()) this.speed.value = kept.value; });
    this.speed.addEventListener("change", () => { kept.value = this.speed.value; if (this.session.state.state === "running") void this.ask("run", this.pace()); });
    this.box.append(...Object.values(this.buttons), this.until, this.speed, element("div", { className: "where" }, this.clock, this.remark), this.bar);
    for (const what of ["state", "line", "hello"] as const) session.on(what, () => this.show());
  }

  toggle(): void { void ({ running: () => this.ask("pause"), ended: () => this.again() }[this.session.state.state as string] ?? (() => this.ask("run", this.pace())))(); }
  /** From t = 0, and on. */
  async again(): Promise<void> { if (await this.ask("restart")) await this.ask("run", this.pace()); }
  step(n: number): void { void this.ask("step", { n }); }
  back(n: number): void { void this.ask("back", { n }); }
  restart(): void { void this.ask("restart"); }
  /** Half a second, in ticks. */
  get leap(): number { return Math.max(1, Math.round(0.5 / this.session.period)); }

  private pace(): Record<string, unknown> { return { speed: Number(this.speed.value) }; }

  private async ask(op: string, body: Record<string, unknown> = {}): Promise<boolean> {
    const reply = await this.session.ask(op, body, true);
    if (!reply.ok) this.session.say(refusal(reply), true);
    return reply.ok;
  }

  /** "2.5" runs to that time, "+10" steps, "-10" goes back. */
  private go(): void {
    const text = this.until.value.trim().replace("\u2212", "-"), number = Number(text.replace(/\s*s$/, ""));
    const wrong = text === "" || !Number.isFinite(number) || (/^[+-]/.test(text) && !Number.isInteger(number));
    this.until.setCustomValidity(wrong ? "A time in s (2.5), ticks on (+100) or back (-100)" : "");
    if (!this.until.reportValidity()) return;
    if (text.startsWith("+")) this.step(number);
    else if (text.startsWith("-")) this.back(-number);
    else if (number < this.session.state.time) void this.ask("back", { to: number });
    else void this.ask("run", { until: number, ...this.pace() });
  }

  private show(): void {
    const { session } = this, { state, time, tick, last, ending, operator, read_only: readOnly, real_time_factor: factor } = session.state, running = state === "running";
    if (this.running !== running) {
      this.running = running;
      this.buttons.run.replaceChildren(icon(running ? "pause" : "run"));
    }
    this.buttons.run.setAttribute("aria-label", running ? "Pause (Space)" : state === "ended" ? "Again from t = 0 (Space)" : "Run (Space)");
    for (const [op, each] of Object.entries(this.buttons)) each.disabled = !session.may(op === "run" && running ? "pause" : op);
    for (const each of [this.until, this.speed]) if (each !== fieldInUse()) each.disabled = !session.may("run");
    this.clock.textContent = `${timeText(time, session.period)} s`;
    const of = last ? `of ${shown(last)} s, ` : "", lost = session.lost ? `, ${session.lost} samples lost: the page was too slow` : "";
    const counts = (["late", "lost", "overruns"] as const).filter((each) => session.state[each]).map((each) => `, ${session.state[each] ?? 0} ${each}`).join("");
    const words = { running: `${of}tick ${tick}${factor ? `, ${shown(factor, 2)}\u00d7 real time` : ""}`, paused: `${of}paused, tick ${tick}`, paced: `${operator ?? "runs"}, tick ${tick}${counts}${readOnly ? `, read-only: ${readOnly}` : ""}`,
                    ended: ["ended", ending?.text].filter(Boolean).join(": "), broken: "does not load" }[state];
    this.remark.textContent = session.line === "open" ? words + lost : session.line === "connecting" ? "connects" : "hilda does not answer";
    this.box.dataset.state = session.line === "open" ? state : "lost";
    if (ending?.reason === "failed") this.box.dataset.state = "failed";
    this.bar.style.setProperty("--done", last ? String(Math.min(1, time / last)) : "0");
  }
}
