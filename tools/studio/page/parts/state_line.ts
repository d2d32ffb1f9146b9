// SPDX-License-Identifier: BSD-3-Clause
// The state line: all that is not as it seems, on top of the page and in its title.
import { button, element } from "./dom";
import { timeText } from "./number";
import type { Session } from "../run/session";
import type { EditedDocument } from "../edit/document";

interface Told { key: string; text: string; bad?: boolean; title?: string; acts?: [string, string, () => void][] }

export class StateLine {
  readonly box = element("div", { className: "state-line", role: "status", "aria-label": "State", hidden: true });
  private shown = "";
  /** An alarm is announced at once, whatever is being read. */
  readonly alert = element("div", { className: "unseen", role: "alert" });

  constructor(private session: Session, private document_: EditedDocument, private actions: { save(): void; again(): void }) {
    for (const what of ["state", "line", "hello", "parameters", "documents", "diagnostics", "alarms", "rung"] as const) session.on(what, () => this.show());
    session.on("rung", (all) => { this.alert.textContent = all.map((each) => `Alarm: ${each.condition} at ${timeText(each.time, session.period)} s`).join("; "); });
    document_.on(() => this.show());
    // values that are not written are in the journal of a server that may be ended next
    addEventListener("beforeunload", (event) => { if (document_.unsaved) event.preventDefault(); });
  }

  private all(): Told[] {
    const { session, document_: d } = this, { state, time, ending, log_lost: log } = session.state, all: Told[] = [], file = session.hello?.diagram.file ?? "the diagram";
    if (session.line === "refused") all.push({ key: "token", bad: true, title: "not connected", text: "hilda was started again with another token: open the address that it has printed in its terminal. Entries in this page are not sent." });
    else if (session.line === "lost" || (session.line === "connecting" && session.broken)) all.push({ key: "gone", bad: true, title: "hilda is gone", text: `hilda does not answer: start 'hilda studio ${file}' again. Entries in this page are not sent; the page keeps trying to connect.` });
    if (log) all.push({ key: "log", bad: true, title: "log lost", text: log.split("\n")[0] });
    const gone = d.states.filter((each) => each.gone), changed = d.states.filter((each) => each.conflict), unsaved = d.states.filter((each) => each.unsaved && !each.gone);
    if (unsaved.length) all.push({ key: "unsaved", title: "not saved", text: `Not saved: ${unsaved.map((each) => `${each.document}${each.journal ? "" : ", and no journal can be written"}`).join(", ")}`, acts: [["Save files", "Save files that were edited (Ctrl S)", () => this.actions.save()]] });
    for (const each of changed) all.push({ key: `changed ${each.document}`, bad: true, title: "changed on disk", text: `${each.document} was changed on the disk, in lines that were edited here.` });
    for (const each of gone) all.push({ key: `removed ${each.document}`, bad: true, title: "gone from the disk", text: `${each.document} is gone from the disk.` });
    const errors = session.diagnostics.filter((each) => each.severity === "error").length;
    if (errors && session.hello?.blocks.length && state !== "broken") all.push({ key: "errors", bad: true, title: "not as the file", text: `The diagram has ${errors === 1 ? "an error" : `${errors} errors`}: the run stays as it was.` });
    all.push(...this.rung());
    const { alarms } = session;
    if (alarms.length) all.push({ key: "limits", bad: true, title: "limit left", text: `${alarms.slice(0, 3).join("; ")}${alarms.length > 3 ? `; and ${alarms.length - 3} more` : ""}` });
    const tuned = [...session.parameters.values()].filter((each) => each.in_file);
    if (tuned.length) all.push({ key: "tuned", title: "", text: `Not as in the file: ${tuned.slice(0, 3).map((each) => `${each.path} = ${each.text} (file ${each.in_file ?? ""})`).join(", ")}${tuned.length > 3 ? ` and ${tuned.length - 3} more` : ""}` });
    if (state === "ended") all.push({ key: "ended", title: "ended", bad: ending?.reason === "failed", text: `The run has ended at ${timeText(ending?.time ?? time, session.period)} s${ending?.text ? `: ${ending.text}` : ""}`, ...(session.may("restart") ? { acts: [["Again", "Again from t = 0", () => this.actions.again()]] as Told["acts"] } : {}) });
    return all;
  }

  /** Alarms, the latest last; one whose run is paused a moment after it leads there. */
  private rung(): Told[] {
    const { session } = this, all = [...session.rung.values()];
    if (all.length === 0) return [];
    const when = (t: number) => `${timeText(t, session.period)} s`, stands = all.find((each) => each.paused && session.state.state === "paused" && session.state.time > each.time + session.period / 2);
    const back: Told["acts"] = stands && session.may("back") ? [[`Back to ${when(stands.time)}`, `Back to the time when ${stands.condition} became true`, () => void session.ask("back", { to: stands.time })]] : [];
    return [{ key: "alarm", bad: true, title: "alarm", text: `Alarm: ${all.map((each) => `${each.condition} at ${when(each.time)}`).join("; ")}`, acts: [...back, ["Seen", "This alarm was seen", () => session.seen()]] }];
  }

  show(): void {
    const all = this.all(), name = this.session.hello?.diagram.name ?? "hilda studio", words = [...new Set(all.map((each) => each.title).filter(Boolean))].join(", ");
    document.title = `${words ? `${words}: ` : ""}${name === "hilda studio" ? name : `${name}: hilda studio`}`;
    const content = JSON.stringify(all);
    if (content === this.shown) return;
    this.shown = content;
    this.box.hidden = all.length === 0;
    this.box.replaceChildren(...all.map(({ key, text, bad, acts = [] }) => element("p", { "data-state": key, className: bad ? "bad" : "", title: text }, element("span", {}, text), ...acts.map((each) => button(...each, { className: "primary" })))));
  }
}
