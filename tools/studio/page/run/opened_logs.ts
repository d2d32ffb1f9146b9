// SPDX-License-Identifier: BSD-3-Clause
// Logs that a user drops onto the page: each is a run among the others. The server keeps and reads their bytes; samples come
// when they are to be drawn.
import { samplesOf } from "./connection";
import type { Diagnostic, Signal } from "./protocol";
import type { EarlierRun, Runs } from "./runs";
import type { Session } from "./session";
import { Series } from "./series";
import { powersOf, samePowers } from "./unit";

/** What the server says of one. */
interface Described { log: number; name: string; diagram: string; period: number; end: number; signals: Signal[]; parameters: Record<string, unknown>; diagnostics: Diagnostic[] }
/** A log behind a run. */
export interface OpenedLog extends Described {
  /** By the name of a scalar here: how the log calls it. */
  names: Map<string, string>;
  data: Map<string, Series>;
  asked: Set<string>;
  thinned: boolean;
}

const at_once = 8; // signals of one request: what it answers has 256 MB at most
const megabytes = (bytes: number) => `${Math.ceil(bytes / 2 ** 20)} MB`;
const sameUnit = (a: string, b: string) => a === b || samePowers(powersOf(a), powersOf(b));

export class OpenedLogs {
  /** false: this run takes none. */
  available = false;
  problems: Diagnostic[] = [];
  private begun: () => void = () => undefined;
  /** Those that the server had before are there. */
  readonly ready = new Promise<void>((done) => (this.begun = done));
  private most = 256 * 2 ** 20; // bytes, as the server says

  constructor(private session: Session, private runs: Runs, private told: () => void) {}

  /** Those that the server has from before the page was loaded again. */
  async begin(): Promise<void> {
    const reply = await this.ask("logs");
    this.available = reply.ok === true;
    if (typeof reply.most_bytes === "number") this.most = reply.most_bytes;
    for (const each of (reply.logs ?? []) as Described[]) if (!this.of(each.log)) this.add(each);
    this.told();
    this.begun();
  }

  /** False: one of them does not open, and `problems` says why. */
  async open(files: File[]): Promise<boolean> {
    this.problems = this.problems.filter((each) => !files.some((file) => file.name === each.file));
    for (const file of files) await this.openOne(file);
    return !this.problems.some((each) => each.severity === "error" && files.some((file) => file.name === each.file));
  }

  private async openOne(file: File): Promise<void> {
    const refuse = (what: string, help: string) => this.found([{ severity: "error", code: "opened-log", file: file.name, what, help }]);
    if (!this.available) return refuse("this run takes no logs", "'hilda studio' opens them next to a run");
    if (file.size > this.most) return refuse(`this file does not open as a run: it has ${megabytes(file.size)}, and ${megabytes(this.most)} is the most that the page opens`, "'hilda plot' and 'hilda export' take logs of any size");
    this.session.say(`Reading ${file.name} (${megabytes(file.size)})`);
    const reply = await this.ask(`logs?name=${encodeURIComponent(file.name)}`, { method: "POST", body: file });
    if (!reply.ok) return reply.diagnostics ? this.found(reply.diagnostics as Diagnostic[]) : refuse(String(reply.error), String(reply.help ?? ""));
    this.add(reply as unknown as Described);
    this.session.say(`${file.name} is a run in the list`);
  }

  private found(problems: Diagnostic[]): void {
    this.problems.push(...problems);
    for (const each of problems) if (each.severity === "error") this.session.say(`${each.file ?? ""}: ${each.what}`, true);
    this.told();
  }

  private async ask(path: string, how: RequestInit = {}): Promise<Record<string, unknown>> {
    try {
      return (await (await fetch(path, how)).json()) as Record<string, unknown>;
    } catch {
      return { ok: false, error: "hilda does not answer", help: "look into its terminal" };
    }
  }

  private add(described: Described): void {
    const { hello, parameters, changes, series } = this.session;
    this.problems.push(...described.diagnostics);
    if (![...series.values()].some((each) => each.count)) this.runs.goesOn(hello, parameters, changes); // it is compared with what would run
    this.runs.addLog({ ...described, names: new Map(), data: new Map(), asked: new Set(), thinned: false }, this.texts(described));
  }

  /** Its parameters as the diagram writes them here, where they have the same values; else in SI. */
  private texts({ parameters }: Described): Map<string, string> {
    const text = (path: string, value: unknown) => {
      const here = this.session.parameters.get(path), unit = here?.unit && here.unit !== "1" ? ` ${here.unit}` : "";
      return here && JSON.stringify(here.value) === JSON.stringify(value) ? here.text : typeof value === "string" ? value : `${JSON.stringify(value)}${unit}`;
    };
    return new Map(Object.entries(parameters).map(([path, value]) => [path, text(path, value)]));
  }

  private of(log: number): EarlierRun | undefined { return this.runs.list.find((each) => each.log?.log === log); }
  private get all(): { run: EarlierRun; log: OpenedLog }[] { return this.runs.list.flatMap((run) => (run.log ? [{ run, log: run.log }] : [])); }

  /** What a log calls as the diagram does, in the same unit, is the same signal; all else becomes a scalar of that log. */
  name(): void {
    const { scalars } = this.session;
    for (const [name, each] of scalars) if (each.run) scalars.delete(name);
    for (const { run, log } of this.all) {
      log.names.clear();
      run.series.clear();
      for (const signal of log.signals)
        signal.parts.forEach((part, i) => {
          const path = signal.path + part, unit = signal.units?.[i] ?? signal.unit, same = scalars.get(path), name = same && !sameUnit(same.unit, unit) ? `${path} (${log.name})` : path;
          log.names.set(name, path);
          if (!scalars.has(name)) scalars.set(name, { name, unit, signal, run });
          const data = log.data.get(path);
          if (data) run.series.set(name, data);
        });
    }
  }

  /** Samples of these scalars come, from each log that has them. */
  need(names: string[]): void {
    for (const { run, log } of this.all) {
      const wanted = names.filter((each) => log.names.has(each) && !log.asked.has(each));
      for (const each of wanted) log.asked.add(each);
      for (let i = 0; i < wanted.length; i += at_once) void this.fetchSamples(run, log, wanted.slice(i, i + at_once));
    }
  }

  private async fetchSamples(run: EarlierRun, log: OpenedLog, names: string[]): Promise<void> {
    const answer = await fetch(`logs/${log.log}?${names.map((each) => `signal=${encodeURIComponent(log.names.get(each) ?? each)}`).join("&")}`).catch(() => null);
    if (!answer?.ok) {
      for (const each of names) log.asked.delete(each);
      return this.session.say(`${log.name}: its samples are unavailable`, true);
    }
    const bytes = await answer.arrayBuffer();
    for (let at = 0; at < bytes.byteLength;) {
      const { samples, length } = oneMessage(bytes, at), series = new Series(), [path] = samples.series;
      series.append(samples.times, samples.values[0]);
      log.data.set(path, series);
      log.thinned ||= samples.thinned === true;
      for (const [name, each] of log.names) if (each === path) run.series.set(name, series);
      at += length;
    }
    this.told();
  }

  /** It is no longer in the list. */
  closed({ log, name }: OpenedLog): void {
    this.problems = this.problems.filter((each) => each.file !== name);
    void this.ask(`logs/${log}`, { method: "DELETE" });
  }
}

/** The message that begins at a byte of many, and how long it is. */
function oneMessage(bytes: ArrayBuffer, at: number): { samples: ReturnType<typeof samplesOf> & { thinned?: boolean }; length: number } {
  const head = 4 + new DataView(bytes).getUint32(at, true), { count } = JSON.parse(new TextDecoder().decode(new Uint8Array(bytes, at + 4, head - 4))) as { count: number };
  const length = head + 16 * count;
  return { samples: samplesOf(bytes.slice(at, at + length)), length };
}
