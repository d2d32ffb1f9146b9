// SPDX-License-Identifier: BSD-3-Clause
// The runs of this page: names, what each has otherwise than the others, which are drawn and kept.
import { button, element } from "../parts/dom";
import { timeText } from "../parts/number";
import { fieldInUse } from "../parts/typing";
import { dashes, pen } from "../scope/pens";
import type { EarlierRun } from "../run/runs";
import type { Session } from "../run/session";

export class RunList {
  readonly box = element("div", { className: "runs" });

  constructor(private session: Session) {
    for (const what of ["runs", "hello", "changes"] as const) session.on(what, () => this.show());
    this.show();
  }

  /** In other colours: light and dark. */
  show(): void {
    const { runs, period } = this.session, said = runs.differences(period);
    if (this.box.contains(fieldInUse())) return; // a name is being written
    if (runs.list.length === 0)
      return this.box.replaceChildren(element("p", { className: "quiet" }, "Going back in time, or to t = 0, ends a run. It is kept here and drawn behind the present one: change a parameter and run again to compare."));
    this.box.replaceChildren(
      element("div", { className: "row" }, button("Remove all", "Remove all runs that are not pinned", () => runs.removeAll()), runs.reference && button("No reference", "Differences are counted from the latest run", () => runs.refer(null))),
      element("article", { className: "run present" }, element("header", {}, element("span", { className: "line" }), element("strong", {}, "this run")), element("p", {}, said.now || "as in the file")),
      ...[...runs.list].reverse().map((run) => this.card(run, said.of.get(run) ?? "")));
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
      element("p", {}, said || "as this run"),
      element("div", { className: "row" }, pressed("Shown", `${run.name} in the scopes`, run.shown, () => runs.set(run, { shown: !run.shown })),
        pressed("Pinned", `${run.name} stays when others are removed`, run.pinned, () => runs.set(run, { pinned: !run.pinned })),
        pressed("Reference", `Differences are counted from ${run.name}`, runs.reference === run, () => runs.refer(runs.reference === run ? null : run)),
        button("\u00d7", `Remove ${run.name}`, () => runs.remove(run), { className: "plain" })));
  }
}
