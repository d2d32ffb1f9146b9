// Edits of before that wait to be taken up, and files that somebody else has changed where they were edited here.
import { button, element } from "../parts/dom";
import { askSide } from "./dialogs";
import type { EditedDocument } from "./document";

export class WaitingEdits {
  readonly banner = element("div", { className: "banner", role: "status", hidden: true });
  private asking = false;
  private asked = "";

  constructor(private document_: EditedDocument) {}

  async look(): Promise<void> {
    const { session, states } = this.document_, waits = states.find((each) => each.recovery !== null), changed = states.find((each) => each.conflict);
    const ask = (take: boolean) => void session.ask("recover", { document: waits?.document, take });
    const key = waits ? `${waits.document} ${waits.recovery ?? 0}` : "";
    if (key !== this.asked) {
      this.asked = key;
      this.banner.replaceChildren(...(waits ? [element("span", {}, `${waits.recovery ?? 0} edits of ${waits.document} were not saved when hilda ended.`), button("Take them up", "Make these edits again", () => ask(true), { className: "primary" }), button("Drop them", "The file stays as it is", () => ask(false))] : []));
    }
    this.banner.hidden = !waits;
    if (!changed || this.asking) return;
    this.asking = true;
    const reply = await session.ask("diff", { document: changed.document, against: "disk" });
    const copy = await askSide(changed.document, String(reply.diff ?? ""));
    if (copy !== null) await session.ask("resolve", { document: changed.document, ...(copy ? { copy } : {}) });
    this.asking = false;
  }
}
