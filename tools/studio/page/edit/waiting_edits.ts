// SPDX-License-Identifier: BSD-3-Clause
// Edits of an earlier session that wait to be restored, and files that another program has removed, or changed while they were edited here.
import { button, element } from "../parts/dom";
import { askName, askSide } from "./dialogs";
import type { EditedDocument } from "./document";
import { fieldInUse } from "../parts/typing";
import type { DocumentState } from "./protocol";

/** A name next to the file: "m.mine.xml" for "m.xml". */
export const copyName = (file: string): string => (file.split("/").pop() ?? file).replace(/\.xml$/, "") + ".mine.xml";

export class WaitingEdits {
  readonly banner = element("div", { className: "banner", role: "status", hidden: true });
  private asking = false;
  private asked = "";
  /** The file that was changed elsewhere while the user typed here. */
  private later = "";
  private said = new Set<string>();

  constructor(private document_: EditedDocument) {}

  /** @param editing  a user who only watches is not asked about a conflict */
  async look(editing: boolean): Promise<void> {
    const { states } = this.document_, waits = states.find((each) => each.recovery !== null), gone = states.find((each) => each.gone), changed = states.find((each) => each.conflict);
    this.tellKept();
    // a question that opens while the user types would take the next keys: it waits in the banner
    if (!changed) this.later = "";
    else if (editing && fieldInUse()) this.later = changed.document;
    const waitsThere = editing && changed && !this.asking && this.later === changed.document;
    const key = waits ? `${waits.document} ${waits.recovery ?? 0}` : gone ? `${gone.document} gone` : waitsThere ? `${changed.document} changed` : "";
    if (key !== this.asked) {
      this.asked = key;
      this.banner.replaceChildren(...(waits ? this.offer(waits) : gone ? this.tellGone(gone) : changed && key ? this.offerSides(changed) : []));
    }
    this.banner.hidden = !key;
    if (editing && changed && !this.asking && !this.later) await this.askAbout(changed);
  }

  private offerSides(changed: DocumentState): Node[] {
    const show = () => { this.later = ""; void this.askAbout(changed); };
    return [element("span", {}, `${changed.document} was changed elsewhere, in lines that were edited here.`), button("Show both sides", "Show both sides, and choose", show, { className: "primary" })];
  }

  private offer({ document, recovery }: DocumentState): Node[] {
    const ask = (take: boolean) => void this.document_.session.ask("recover", { document, take });
    return [element("span", {}, `${recovery === 1 ? "1 edit" : `${recovery ?? 0} edits`} of ${document} ${recovery === 1 ? "was" : "were"} not saved when hilda ended.`), button("Restore them", "Apply these edits again", () => ask(true), { className: "primary" }), button("Drop them", "The file stays as it is", () => ask(false))];
  }

  private tellGone({ document }: DocumentState): Node[] {
    const { session } = this.document_;
    const copy = async () => {
      const name = await askName("A copy of the diagram as it is edited here", copyName(document), "The copy is next to the file that is gone.");
      if (name && (await session.ask("resolve", { document, copy: name })).ok) session.say(`kept as ${name}`);
    };
    return [element("span", {}, `${document} is gone from the disk.`), button("Write it again", "The diagram as it is edited here becomes that file", () => void session.ask("write", { document }), { className: "primary" }), button("Keep a copy", "The diagram as it is edited here goes into another file", () => void copy())];
  }

  private tellKept(): void {
    for (const { document, kept_journal: kept } of this.document_.states) {
      if (!kept || this.said.has(kept)) continue;
      this.said.add(kept);
      this.document_.session.say(`the journal of edits of ${document} could not be read to its end: it is kept as ${kept}`, true);
    }
  }

  private async askAbout({ document }: DocumentState): Promise<void> {
    const { session } = this.document_;
    this.asking = true;
    const reply = await session.ask("diff", { document, against: "disk" });
    const copy = await askSide(document, copyName(document), String(reply.diff ?? ""));
    if (copy !== null) await session.ask("resolve", { document, ...(copy ? { copy } : {}) });
    this.asking = false;
  }
}
