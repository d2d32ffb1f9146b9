// SPDX-License-Identifier: BSD-3-Clause
// The runs of this page: names, what each has otherwise than the others, which are drawn and kept.
import { button, element } from "../parts/dom";
import { timeText } from "../parts/number";
import { fieldInUse } from "../parts/typing";
import { dashes, pen } from "../scope/pens";
import type { EarlierRun } from "../run/runs";
import { within, type Session } from "../run/session";

const listed = 200; // signals of a log

export class RunList {
  readonly box = element("div", { className: "runs" });

  private files = element("input", { type: "file", accept: ".mcap,.part,.mat,.csv,.tsv,.txt", multiple: true, hidden: true, "aria-label": "Logs to be opened as runs" });
  private unfolded = new Set<number>(); // runs of which the signals are listed

  constructor(private session: Session, private actions: { scope(names: string[]): void; open(files: File[]): void }) {
    for (const what of ["runs", "hello", "changes"] as const) session.on(what, () => this.show());
    this.files.addEventListener("change", () => { this.actions.open([...(this.files.files ?? [])]); this.files.value = ""; });
    this.show();
  }

  /** In other colours: light and dark. */
  show(): void {
    const { runs, period } = this.session, said = runs.differences(period);
    if (this.box.contains(fieldInUse())) return; // a name is being written
    const open = this.session.logs.available && button("Open a log", "Open a log (MCAP), a MAT file or a table (CSV) as a run: its signals can be drawn and compared. A file can be dropped onto the page, too", () => this.files.click());
    if (runs.list.length === 0)
      return this.box.replaceChildren(element("div", { className: "row" }, open, this.files), element("p", { className: "quiet" }, "Going back in time, or to t = 0, ends a run. It is kept here and drawn behind the present one: change a parameter and run again to compare."));
    this.box.replaceChildren(
      element("div", { className: "row" }, open, this.files, button("Remove all", "Remove all runs that are not pinned", () => runs.removeAll()), runs.reference && button("No reference", "Differences are counted from the latest run", () => runs.refer(null))),
      element("article", { className: "run present" }, element("header", {}, element("span", { className: "line" }), element("strong", {}, "this run")), element("p", {}, said.now || "as in the file")),
      ...[...runs.list].reverse().map((run) => this.card(run, said.of.get(run) ?? "")));
  }

  /** All that a log has, to be drawn. */
  private signals(run: EarlierRun): HTMLElement {
    const all = run.log?.signals ?? [], names = (path: string) => [...(run.log?.names ?? [])].flatMap(([name, there]) => (within(there, path) ? [name] : []));
    const box = element("details", { open: this.unfolded.has(run.id) }, element("summary", {}, `${all.length} signals`),
      element("div", { className: "outputs" }, ...all.slice(0, listed).map((each) => button(each.path, `${each.path}${each.unit && each.unit !== "1" ? ` [${each.unit}]` : ""}: into the scope, or out of it`, () => this.actions.scope(names(each.path))))),
      all.length > listed && element("p", { className: "quiet" }, `and ${all.length - listed} more: search (/) finds them`));
    box.addEventListener("toggle", () => { if (box.open) this.unfolded.add(run.id); else this.unfolded.delete(run.id); });
    return box;
  }

  private card(run: EarlierRun, said: string): HTMLElement {
    const { runs, period } = this.session, pressed = (label: string, hint: string, on: boolean, act: () => void) => button(label, hint, act, { "aria-pressed": String(on) });
    const name = element("input", { value: run.name, "aria-label": `Name of ${run.name}`, spellcheck: "false" });
    const rename = () => { if (name.value.trim() && name.value.trim() !== run.name) runs.set(run, { name: name.value.trim() }); else name.value = run.name; };
    name.addEventListener("keydown", (event) => { if (event.key === "Enter") name.blur(); if (event.key === "Escape") { name.value = run.name; name.blur(); } });
    name.addEventListener("blur", rename);
    const line = element("span", { className: "line" }), [ink, gap] = dashes[run.pen % 8];
    line.style.background = `repeating-linear-gradient(90deg, ${pen(run.pen)} 0 ${ink}px, transparent 0 ${ink + gap}px)`;
    return element("article", { className: run.shown ? "run" : "run off", "data-run": run.id }, element("header", {}, line, name, element("span", { className: "quiet" }, `to ${timeText(run.end, period)} s`)),
      element("p", {}, said || (run.log ? "" : "as this run"), run.log && element("span", { className: "quiet" }, `${said ? "; " : ""}a ${run.log.period ? "log" : "file"}${run.log.diagram ? ` of ${run.log.diagram}` : ""}${run.log.thinned ? ", thinned to least and greatest values" : ""}`)),
      run.log && this.signals(run),
      element("div", { className: "row" }, pressed("Shown", `${run.name} in the scopes`, run.shown, () => runs.set(run, { shown: !run.shown })),
        pressed("Pinned", `${run.name} stays when others are removed`, run.pinned, () => runs.set(run, { pinned: !run.pinned })),
        pressed("Reference", `Differences are counted from ${run.name}`, runs.reference === run, () => runs.refer(runs.reference === run ? null : run)),
        button("\u00d7", `Remove ${run.name}`, () => runs.remove(run), { className: "plain" })));
  }
}
