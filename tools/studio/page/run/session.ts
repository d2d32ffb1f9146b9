// SPDX-License-Identifier: BSD-3-Clause
// State of the run in the page: from the hello message and all messages since.
import { Audit } from "./audit";
import { Connection, type Line } from "./connection";
import { changedHello } from "./changes";
import { refusal, type Block, type Change, type Diagnostic, type Hello, type HelloChanges, type Mark, type Parameter, type Reply, type RunState, type Samples, type Scene, type Signal, type Summary } from "./protocol";
import type { Documents } from "../edit/protocol";
import { computed } from "./derived";
import { readExpression, type Expression } from "./expression";
import { OpenedLogs } from "./opened_logs";
import { Runs, type EarlierRun } from "./runs";
import { Series } from "./series";

/** What parts of the page listen to. */
export interface Events {
  line: Line; hello: Hello; state: RunState; parameters: Parameter[]; changes: Change[]; summary: Summary; marks: Mark[];
  diagnostics: Diagnostic[]; values: Map<string, number>; samples: Samples; told: { text: string; bad: boolean };
  event: { time: number; kind: string; text: string }; documents: Documents; runs: Runs; alarms: string[]; rung: Rung[]; layouts: Reply;
}
type Listener<K extends keyof Events> = (what: Events[K]) => void;

/** run: only a log that was opened has it. */
export interface Scalar { name: string; unit: string; signal: Signal; run?: EarlierRun }

/** An alarm that rang, until the user has seen it. paused: the run was asked to pause, which takes it a moment. */
export interface Rung { condition: string; time: number; paused: boolean }

/** Is a name equal to a path, or a part of it? */
export const within = (name: string, wanted: string): boolean =>
  name.startsWith(wanted) && (name.length === wanted.length || name[wanted.length] === "." || name[wanted.length] === "[");

/** Before anything was heard; also what a message leaves out. */
const unknown: RunState = { state: "broken", tick: 0, time: 0, last: null, epoch: -1 };

export class Session {
  hello: Hello | null = null;
  state: RunState = unknown;
  parameters = new Map<string, Parameter>();
  blocks = new Map<string, Block>();
  scalars = new Map<string, Scalar>();
  values = new Map<string, number>();
  marks: Mark[] = [];
  changes: Change[] = [];
  diagnostics: Diagnostic[] = [];
  summary: Summary = { figures: [], tables: [] };
  events: Events["event"][] = [];
  lost = 0;
  /** Samples of this run, and earlier runs. */
  series = new Map<string, Series>();
  runs: Runs = new Runs(() => this.toldOfRuns(), (log) => this.logs.closed(log));
  logs: OpenedLogs = new OpenedLogs(this, this.runs, () => { this.tell("runs", this.runs); this.tell("diagnostics", this.diagnostics); });
  audit: Audit = new Audit((op, body, quiet) => this.ask(op, body, quiet), () => { this.tell("diagnostics", this.diagnostics); this.tell("marks", this.marks); });
  /** Expressions of signals that the page computes, by their text: they are among the scalars. */
  expressions = new Map<string, Expression>();
  line: Line = "connecting";
  /** It was open before, and is not now. */
  broken = false;
  private connection: Connection;
  private listeners: { [K in keyof Events]?: Listener<K>[] } = {};
  private watched = new Map<string, string[]>(); // by who watches
  private set_ = false; // since the last sample

  constructor(url: string) {
    this.connection = new Connection(url, {
      line: (line) => {
        this.broken = this.broken || line !== "open";
        if (line === "open") this.broken = false;
        this.line = line;
        if (line === "open") void this.logs.begin();
        this.tell("line", line);
      },
      samples: (samples) => this.sampled(samples),
      message: (op, body) => this.take(op, body),
    });
  }

  get period(): number { return this.hello?.diagram.period || 1e-3; }
  may(op: string): boolean { return this.line === "open" && (this.state.may?.includes(op) ?? true); }

  on<K extends keyof Events>(what: K, listener: Listener<K>): void {
    const list = (this.listeners[what] ??= [] as never) as Listener<K>[];
    list.push(listener);
  }

  /** Takes the diagnostics of the diagram under edit. */
  found(diagnostics: Diagnostic[]): void { this.tell("diagnostics", (this.diagnostics = diagnostics)); }

  /** Says something for a moment, at the edge of the page. */
  say(text: string, bad = false): void { this.tell("told", { text, bad }); }

  /** Sends a request and shows a refusal, unless the caller shows it itself. */
  async ask(op: string, body: Record<string, unknown> = {}, quiet = false): Promise<Reply> {
    const reply = await this.connection.request(op, body);
    if (!reply.ok && !quiet) this.say(refusal(reply), true);
    return reply;
  }

  /** Values that come many times a second; one list for each who watches. */
  watch(who: string, names: string[]): void {
    if ((this.watched.get(who) ?? []).join() === names.join()) return;
    this.watched.set(who, names);
    void this.ask("watch", { signals: [...new Set([...this.watched.values()].flat())] }, true);
  }

  /** The scalars of a path: of a block's output, of a part of it, or of a subsystem's port, which is called otherwise there. */
  scalarsOf(path: string): string[] {
    const aliases = Object.entries(this.hello?.aliases ?? {});
    const real = aliases.filter(([alias]) => within(path, alias)).map(([alias, signal]) => signal + path.slice(alias.length));
    return [...this.scalars.keys()].filter((name) => [path, ...real].some((each) => within(name, each)));
  }

  /** The mark of a block, or of a subsystem by the blocks in it; a subsystem that is held holds all of them. */
  markOf(path: string): Mark | undefined {
    return path ? [...this.audit.marks, ...this.marks].find((each) => within(each.path, path) || (each.kind === "hold" && within(path, each.path))) : undefined;
  }

  seriesOf(name: string): Series {
    let series = this.series.get(name);
    if (!series) this.series.set(name, (series = new Series()));
    return series;
  }

  private toldOfRuns(): void {
    this.logs.name();
    this.tell("runs", this.runs);
  }

  /** What only an opened log has, is of the present run too: it does not change. */
  private have(name: string, of: Map<string, Series>): Series | undefined {
    return of.get(name) ?? (of === this.series ? this.scalars.get(name)?.run?.series.get(name) : undefined);
  }

  /** The samples of a scalar in some run: of an expression, computed of its signals'. */
  samplesOf(name: string, of: Map<string, Series>): Series | undefined {
    const expression = this.expressions.get(name);
    if (!expression) return this.have(name, of);
    const all = expression.signals.flatMap((each) => this.have(each, of) ?? []);
    return all.length === expression.signals.length ? computed(expression, all) : undefined;
  }

  /** Watched conditions that fail; one list for each part of the page that watches. */
  alarm(who: string, told: string[]): void {
    if ((this.alarming.get(who) ?? []).join("\n") === told.join("\n")) return;
    this.alarming.set(who, told);
    this.tell("alarms", this.alarms);
  }
  get alarms(): string[] { return [...this.alarming.values()].flat(); }
  private alarming = new Map<string, string[]>();

  /** Alarms that rang, by who watches. */
  readonly rung = new Map<string, Rung>();
  ring(who: string, rung: Rung): void {
    this.rung.set(who, rung);
    this.tell("rung", [...this.rung.values()]);
  }
  seen(who?: string): void {
    if (who === undefined ? this.rung.size === 0 : !this.rung.has(who)) return;
    if (who === undefined) this.rung.clear(); else this.rung.delete(who);
    this.tell("rung", [...this.rung.values()]);
  }

  /** Makes a scalar of signals, such as "a.y - b.y"; gives its name. Throws where it means nothing. */
  express(text: string): string {
    const signal = (name: string) => (this.expressions.has(name) ? undefined : this.scalars.get(name)), last = (name: string) => name.split(".").pop() ?? "";
    const near = (name: string) => { const found = [...this.scalars.keys()].filter((each) => within(each, name) || each.includes(name) || last(each) === last(name)).slice(0, 3); return found.length ? `: there is ${found.join(", ")}` : ""; };
    const made = readExpression(text, (name) => signal(name)?.unit, near), first = signal(made.signals[0]);
    if (!first) return made.text;
    if (!this.scalars.has(made.text)) {
      this.expressions.set(made.text, made);
      this.scalars.set(made.text, { name: made.text, unit: made.unit, signal: { ...first.signal, element: made.comparison ? "boolean" : "real" } });
    }
    return made.text;
  }

  /** Is it a scalar, or can it be made one? */
  knows(name: string): boolean {
    try { return this.scalars.has(name) || this.express(name) === name; } catch { return false; }
  }

  async scene(inside: string, open: string[]): Promise<Scene | null> {
    const reply = await this.ask("scene", { inside, open });
    return reply.ok ? (reply.scene as Scene) : null;
  }

  private tell<K extends keyof Events>(what: K, value: Events[K]): void {
    for (const each of (this.listeners[what] ?? []) as Listener<K>[]) each(value);
  }

  private take(op: string, body: Record<string, unknown>): void {
    const takers: Record<string, () => void> = {
      hello: () => (body.changes ? this.greetAgain(body.since as number, body.changes as HelloChanges) : this.greetWhole(body as unknown as Hello)),
      state: () => this.stated(body as unknown as RunState),
      parameters: () => this.changed(body.parameters as Partial<Parameter>[]),
      changes: () => { this.set_ = true; this.tell("changes", (this.changes = body.changes as Change[])); },
      summary: () => this.tell("summary", (this.summary = body as unknown as Summary)),
      marks: () => this.tell("marks", (this.marks = body.blocks as Mark[])),
      documents: () => this.tell("documents", body as unknown as Documents),
      diagnostics: () => this.tell("diagnostics", (this.diagnostics = body.diagnostics as Diagnostic[])),
      event: () => this.happened(body as unknown as Partial<Events["event"]> & { tick: number }),
      values: () => this.valued(body.values as Record<string, unknown>),
      layouts: () => this.tell("layouts", body as unknown as Reply),
      lost: () => { this.lost = body.frames as number; this.tell("state", this.state); },
    };
    takers[op]?.();
  }

  /** Takes a whole hello; from now on the server sends only changes. */
  private greetWhole(hello: Hello): void {
    if (!hello.diagram) return; // the first client waits until it is loaded
    this.greet(hello);
    if (this.asking) return;
    this.asking = true;
    void this.ask("hello", { since: hello.revision }, true).then(() => (this.asking = false));
  }
  private asking = false;

  private greetAgain(since: number, changes: HelloChanges): void {
    if (this.hello?.revision === since) this.greet(changedHello(this.hello, changes));
    else void this.ask("hello", {}, true);
  }

  private greet(hello: Hello): void {
    if (hello.revision !== this.hello?.revision) this.audit.forget();
    this.hello = hello;
    this.diagnostics = hello.diagnostics ?? [];
    this.parameters = new Map((hello.parameters ?? []).map((each) => [each.path, each]));
    this.blocks = new Map((hello.blocks ?? []).map((each) => [each.path, each]));
    this.scalars.clear();
    for (const signal of hello.signals ?? [])
      signal.parts.forEach((part, i) => this.scalars.set(signal.path + part, { name: signal.path + part, unit: signal.units?.[i] ?? signal.unit, signal }));
    this.logs.name();
    const expressions = [...this.expressions.keys()];
    this.expressions.clear();
    for (const each of expressions) this.knows(each);
    this.watched.clear();
    if (hello.state) this.stated(hello.state);
    this.set_ = true;
    this.tell("hello", hello);
    this.tell("diagnostics", this.diagnostics);
  }

  /** Another epoch: what was seen behind its time no longer holds, and becomes an earlier run. */
  private stated(heard: Partial<RunState>): void {
    const state: RunState = { ...unknown, epoch: this.state.epoch, ...heard };
    if (state.epoch !== this.state.epoch) {
      const from = this.state.epoch < 0 ? -Infinity : state.time;
      this.runs.keep(this.series, from);
      for (const series of this.series.values()) series.truncate(from + 1e-9);
    }
    this.state = state;
    this.tell("state", state);
  }

  private changed(list: Partial<Parameter>[]): void {
    const known = list.flatMap((each) => {
      const parameter = this.parameters.get(each.path ?? "");
      return parameter ? [Object.assign(parameter, each)] : [];
    });
    this.set_ = true;
    this.tell("parameters", known);
  }

  private happened(heard: Partial<Events["event"]> & { tick: number }): void {
    const event = { time: heard.tick * this.period, kind: "", text: "", ...heard };
    this.events = [...this.events.slice(-199), event];
    this.tell("event", event);
  }

  private valued(values: Record<string, unknown>): void {
    for (const [path, value] of Object.entries(values)) {
      const flat = Array.isArray(value) ? value.flat(2) as number[] : [value as number];
      const names = flat.length === 1 ? [path] : [...this.scalars.keys()].filter((name) => within(name, path));
      flat.forEach((each, i) => this.values.set(names[i] ?? path, each));
    }
    this.tell("values", this.values);
  }

  private sampled(samples: Samples): void {
    if (samples.epoch < this.state.epoch) return; // of a past that was taken back
    this.lost = Math.max(this.lost, samples.lost ?? 0);
    if (this.set_) this.runs.goesOn(this.hello, this.parameters, this.changes);
    this.set_ = false;
    if (samples.op === "samples") samples.series.forEach((name, i) => this.seriesOf(name).append(samples.times, samples.values[i]));
    this.tell("samples", samples);
  }
}
