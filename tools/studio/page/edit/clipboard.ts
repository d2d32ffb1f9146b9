// SPDX-License-Identifier: BSD-3-Clause
// Copy and paste: the selection as XML, in the computer's clipboard, so that it goes from page to page and into a text editor.
import { refusal, type Reply } from "../run/protocol";
import type { EditedDocument } from "./document";

export class Clipboard {
  /** For where the browser keeps its clipboard from pages. */
  private kept = "";

  constructor(private document_: EditedDocument) {}

  async copy(names: string[]): Promise<boolean> {
    if (!names.length) return false;
    const { session, where } = this.document_;
    const reply = await session.ask("copy", { ...where, names });
    if (!reply.ok) return false;
    this.kept = String(reply.text);
    const outside = await navigator.clipboard?.writeText(this.kept).then(() => true, () => false);
    session.say(`${names.length === 1 ? names[0] : `${names.length} elements`} copied${outside ? "" : ", for this page alone: the browser keeps its clipboard to itself"}`);
    return true;
  }

  /** @param text  null: what the computer's clipboard holds, or else what was copied here */
  async paste(text: string | null): Promise<Reply> {
    const read = text ?? (await navigator.clipboard?.readText().catch(() => null)) ?? this.kept;
    const reply = await this.document_.paste(read);
    if (!reply.ok) this.document_.session.say(refusal(reply), true);
    return reply;
  }
}
