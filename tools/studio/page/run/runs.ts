// SPDX-License-Identifier: BSD-3-Clause
// Earlier runs of this page: what was seen of each, and what it was run with. A run ends where time is taken back, or where
// another diagram is loaded.
import type { Change, Hello, Parameter } from "./protocol";
import type { OpenedLog } from "./opened_logs";
import type { Series } from "./series";
import { timeText } from "../parts/number";

/** What a run depends on: the diagram (counted: it is another one after an edit), the texts of its parameters, what was set. */
interface Setup { diagram: number; texts: Map<string, string>; changes: Change[] }
export interface EarlierRun extends Setup {
  id: number; name: string; shown: boolean; pinned: boolean;
  /** Its colour and its dashes. */
  pen: number;
  end: number; // s
  series: Map<string, Series>;
  /** It was opened from a file; samples are loaded on request. */
  log?: OpenedLog;
}

const most = 12; // that are not pinned
const room = 1 << 23; // samples of all runs
const size = (run: EarlierRun): number => [...run.series.values()].reduce((sum, each) => sum + each.count, 0);
const sameTexts = (a: Map<string, string>, b: Map<string, string>): boolean => a.size === b.size && [...a].every(([path, text]) => b.get(path) === text);
const sameChanges = (a: Change[], b: Change[]): boolean => a.length === b.length && a.every((each, i) => each.tick === b[i].tick && each.path === b[i].path && each.text === b[i].text);

export class Runs {
  list: EarlierRun[] = [];
  /** The run from which differences are counted. */
  reference: EarlierRun | null = null;
  /** The present run, up to its last sample. */
  private now: Setup = { diagram: 0, texts: new Map(), changes: [] };
  private next = 1;
  private lists: unknown[] = []; // of the diagram, which stay the same objects until it is edited
  private said: { of: Map<EarlierRun, string>; now: string } | null = null;

  constructor(private tell: () => void, private closed: (log: OpenedLog) => void) {}

  private changed(): void {
    this.said = null;
    this.tell();
  }

  /** The present run continues with these. */
  goesOn(hello: Hello | null, parameters: Map<string, Parameter>, changes: Change[]): void {
    const lists = [hello?.blocks, hello?.signals, hello?.scene?.wires], edited = lists.some((each, i) => each !== this.lists[i]);
    this.lists = lists;
    this.now = { diagram: this.now.diagram + (edited ? 1 : 0), texts: new Map([...parameters].map(([path, each]) => [path, each.text])), changes };
    if (this.list.length) this.changed();
  }

  /** The present run is taken back to `from` (s). The same run seen again, as after a step back, is not another one. */
  keep(series: Map<string, Series>, from: number): void {
    if (![...series.values()].some((each) => each.end > from)) return;
    const end = Math.max(...[...series.values()].map((each) => each.end)), same = this.list.find((each) => this.isNow(each));
    const run = same ?? { ...this.now, id: this.next, name: `run ${this.next}`, shown: true, pinned: false, pen: 1 + ((this.next - 1) % 7), end, series: new Map<string, Series>() };
    for (const [name, each] of series) if (each.count && !((run.series.get(name)?.end ?? -Infinity) >= each.end)) run.series.set(name, each.copy());
    run.end = Math.max(run.end, end);
    if (!same) ++this.next, this.list.push(run);
    this.forget();
    this.changed();
  }

  /** A log that was opened: it stays until the user removes it. */
  addLog(log: OpenedLog, texts: Map<string, string>): void {
    const id = this.next++;
    this.list.push({ diagram: 0, texts, changes: [], id, name: log.name, shown: true, pinned: true, pen: 1 + ((id - 1) % 7), end: log.end, series: new Map<string, Series>(), log });
    this.changed();
  }

  /** Whether a run is the present one as far as that has come: equal settings, and equal changes so far. */
  private isNow(run: EarlierRun): boolean {
    return !run.log && run.diagram === this.now.diagram && sameChanges(run.changes, this.now.changes) && sameTexts(run.texts, this.now.texts);
  }

  private forget(): void {
    const spare = () => this.list.find((each) => !each.pinned && each !== this.list[this.list.length - 1]);
    while (this.list.filter((each) => !each.pinned).length > most || this.list.reduce((sum, each) => sum + (each.log ? 0 : size(each)), 0) > room) {
      const oldest = spare();
      if (!oldest) return;
      this.drop(oldest);
    }
  }

  private drop(run: EarlierRun): void {
    this.list.splice(this.list.indexOf(run), 1);
    if (this.reference === run) this.reference = null;
    if (run.log) this.closed(run.log);
  }

  remove(run: EarlierRun): void { this.drop(run); this.changed(); }
  removeAll(): void { this.list.filter((each) => !each.pinned).forEach((each) => this.drop(each)); this.changed(); }
  set(run: EarlierRun, what: Partial<Pick<EarlierRun, "name" | "shown" | "pinned">>): void { Object.assign(run, what); this.changed(); }
  refer(run: EarlierRun | null): void { this.reference = run; this.changed(); }

  /** What each run has otherwise than another one, and last what the present one has: "kd = 300 N s/m at 1 s". */
  differences(period: number): { of: Map<EarlierRun, string>; now: string } {
    if (this.said) return this.said;
    // a log says nothing of what it does not have, and nothing of the diagram's edits here
    const all: (Setup & { log?: OpenedLog })[] = [...this.list, this.now], paths = new Set<string>(), own = all.filter((each) => !each.log), having = (path: string) => all.filter((each) => !each.log || each.texts.has(path));
    const when = (run: Setup, path: string): number | undefined => run.changes.filter((each) => each.path === path).pop()?.time;
    for (const path of new Set(all.flatMap((each) => [...each.texts.keys()])))
      if (own.some((each) => each.texts.has(path)) && (new Set(having(path).map((each) => each.texts.get(path))).size > 1 || new Set(having(path).map((each) => when(each, path))).size > 1)) paths.add(path);
    const lasts = [...paths].map((path) => path.slice(path.lastIndexOf(".") + 1));
    const brief = (path: string) => { const last = path.slice(path.lastIndexOf(".") + 1); return lasts.filter((each) => each === last).length > 1 ? path : last; };
    const edited = new Set(own.map((each) => each.diagram)).size > 1;
    const told = (run: Setup & { log?: OpenedLog }): string => {
      const said = [...paths].filter((path) => run.texts.has(path)).map((path) => {
        const t = when(run, path);
        return `${brief(path)} = ${run.texts.get(path)}${t ? ` at ${timeText(t, period)} s` : ""}`;
      });
      return [...said, ...(edited && !run.log ? [`diagram ${run.diagram}`] : [])].join(", ");
    };
    return (this.said = { of: new Map(this.list.map((each) => [each, told(each)])), now: told(this.now) });
  }
}
