// SPDX-License-Identifier: BSD-3-Clause
// Figures of merit and tables as they grow, what was changed, and what is wrong.
import { button, element } from "../parts/dom";
import { fixOf } from "../edit/fixes";
import { quantity, shown, timeText } from "../parts/number";
import { refusal, type Diagnostic, type Table } from "../run/protocol";
import type { Session } from "../run/session";

const spoken = (key: string): string => key.replace(/_/g, " ").replace(/\./g, ", ");

function tableOf(table: Table): HTMLElement {
  const head = (unit: boolean) => element("tr", {}, ...table.columns.map((each) => element("th", { className: "n", scope: "col" }, unit ? each.unit ?? "" : spoken(each.key))));
  const body = table.rows.map((row) => element("tr", {}, ...row.map((each) => element("td", { className: "n" }, shown(each, 4)))));
  return element("div", { className: "wide" }, element("table", { "data-table": table.name }, element("thead", {}, head(false), table.columns.some((each) => each.unit) && head(true)), element("tbody", {}, ...body)));
}

export class Results {
  readonly box = element("div", { className: "results" });

  constructor(private session: Session) {
    session.on("summary", () => this.show());
    session.on("hello", () => this.show());
  }

  private show(): void {
    const { figures, tables, warnings = [] } = this.session.summary, parts: HTMLElement[] = [];
    for (const each of warnings) parts.push(element("p", { className: "warning" }, `${each.block}: ${each.text}`));
    for (const each of tables) parts.push(element("h3", {}, spoken(each.name)), each.rows.length ? tableOf(each) : element("p", { className: "quiet" }, "none yet"));
    if (figures.length)
      parts.push(element("h3", {}, "Figures of merit"), element("dl", { className: "figures" }, ...figures.flatMap((each) =>
        [element("dt", { title: each.block }, spoken(each.key)), element("dd", {}, typeof each.value === "number" ? quantity(each.value, each.unit, 6) : shown(each.value))])));
    if (parts.length === 0) parts.push(element("p", { className: "quiet" }, "Results that blocks report during the run appear here: contacts, energies, errors."));
    this.box.replaceChildren(...parts);
  }
}

/** What was set in this run, and the experiment that does it again. */
export class Changes {
  readonly box = element("div", { className: "changes" });
  private saved = element("div", { className: "saved" });
  private list = element("ol", { className: "log" });
  private name = element("input", { placeholder: "NAME.experiment.xml", "aria-label": "Name of the experiment", spellcheck: "false" });

  constructor(private session: Session) {
    this.name.addEventListener("keydown", (event) => { if (event.key === "Enter") void this.save(); });
    this.box.append(element("h3", {}, "Experiment"), element("p", { className: "quiet" }, "An overlay with what was set and when: run from a terminal it gives the same bits."),
      element("div", { className: "row" }, this.name, button("Save experiment", "Save experiment (Ctrl S, where no file is edited)", () => void this.save())), this.saved, element("h3", {}, "Changed in this run"), this.list);
    session.on("changes", () => this.show());
    session.on("hello", () => this.show());
    session.on("event", () => this.show());
    this.show();
  }

  async save(): Promise<void> {
    const file = this.name.value.trim(), reply = await this.session.ask("save", file ? { file } : {}, true);
    this.saved.className = reply.ok ? "saved" : "saved refused";
    this.saved.replaceChildren(...(reply.ok
      ? [element("p", {}, `saved ${String(reply.file)}`), element("code", {}, String(reply.command ?? "")),
         button("Copy", "Copy the command", () => void navigator.clipboard?.writeText(String(reply.command ?? "")))]
      : [element("p", {}, refusal(reply))]));
    this.session.say(reply.ok ? `saved ${String(reply.file)}` : refusal(reply), !reply.ok);
  }

  private show(): void {
    const { changes, events, period } = this.session;
    this.list.replaceChildren(...(changes.length ? changes.map((each) => element("li", {}, element("time", {}, `${timeText(each.time, period)} s`), ` ${each.path} = ${each.text}`)) : [element("li", { className: "quiet" }, "nothing yet")]),
      ...events.filter((each) => each.kind !== "set").slice(-30).map((each) => element("li", { className: "quiet" }, element("time", {}, `${timeText(each.time, period)} s`), ` ${each.kind}: ${each.text}`)));
  }
}

/** Errors and warnings of the file, with its line and what to do. */
export class Problems {
  private may = false;
  private seconds = element("input", { size: 5, value: "1", inputmode: "decimal", "aria-label": "Simulated time of the audit in s" });
  private start = button("Audit", "Audit: run the saved diagram in another process and prove what its blocks declare", () => (this.session.audit.running ? this.session.audit.stop() : this.audit()));
  private went = element("p", { className: "quiet", role: "status" });
  private bar = element("div", { className: "row audit", hidden: true }, this.start, this.seconds, "s", this.went);
  private list = element("div", { role: "log", "aria-label": "Diagnostics" });
  readonly box = element("div", { className: "problems" }, this.bar, this.list);

  constructor(private session: Session, private actions: { look(each: Diagnostic): void; fix(each: Diagnostic): void }, counted: (errors: number, all: number) => void) {
    session.on("state", () => { if (this.may !== session.may("audit")) this.show(); });
    session.on("diagnostics", (list) => {
      const found = session.audit.diagnostics;
      counted(list.filter((each) => each.severity === "error").length + found.length, list.length + session.logs.problems.length + found.length);
      this.show();
    });
    this.seconds.addEventListener("keydown", (event) => { if (event.key === "Enter") this.audit(); });
    this.show();
  }

  private audit(): void {
    const seconds = Number(this.seconds.value);
    if (this.session.audit.running) return;
    if (!(seconds > 0)) return this.session.say("write a time above 0 s", true);
    void this.session.audit.run(seconds);
  }

  /** How the last audit went; the field stays where it is. */
  private showAudit(): void {
    const { audit } = this.session;
    this.may = this.session.may("audit");
    this.bar.hidden = !this.may;
    this.start.textContent = audit.running ? "Stop" : "Audit";
    const hint = audit.running ? "Stop the audit" : "Audit: run the saved diagram in another process and prove what its blocks declare";
    this.start.title = hint, this.start.setAttribute("aria-label", hint);
    this.went.textContent = audit.running ? "hilda runs the diagram apart from this run" : audit.said;
  }

  private show(): void {
    const list = [...this.session.diagnostics, ...this.session.audit.diagnostics, ...this.session.logs.problems];
    this.showAudit();
    if (list.length === 0) return this.list.replaceChildren(element("p", { className: "quiet" }, "The diagram has neither errors nor warnings."));
    const place = (file?: string, line?: number) => file && element("span", { className: "place", title: file }, `${file.split("/").pop() ?? file}${line ? ":" + line : ""}`);
    this.list.replaceChildren(...list.map((each) => element("article", { className: `problem ${each.severity}` },
      element("header", {}, each.line && each.code !== "opened-log" ? element("button", { type: "button", className: "place", title: `${each.file ?? ""}: select the element at this line`, onclick: () => this.actions.look(each) }, `${each.file?.split("/").pop() ?? ""}:${each.line}`) : place(each.file, each.line), element("code", {}, each.code)), element("p", {}, each.what),
      ...(each.notes ?? []).map((note) => element("p", { className: "quiet" }, place(note.file, note.line), " ", note.text)), each.help && element("p", { className: "help" }, each.help), this.fix(each))));
  }

  /** Does what the help names, where that is one thing. */
  private fix(each: Diagnostic): HTMLElement | null {
    const fix = this.session.may("edit") ? fixOf(each) : null;
    return fix && button(fix.label, `${fix.label}, at ${each.file?.split("/").pop() ?? ""}:${each.line ?? ""}; undo takes it back`, () => this.actions.fix(each), { className: "fix" });
  }
}
