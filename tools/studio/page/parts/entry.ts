// SPDX-License-Identifier: BSD-3-Clause
// A field whose value is sent when the user enters it: by Enter, by Tab, or by leaving the field. Whatever arrives meanwhile, the
// typed text stays; another value from elsewhere is shown next to it.
import { button, element } from "./dom";

export interface EntryActions {
  /** Gives why it was refused, or "". */
  send(text: string): Promise<string>;
  /** "the file now says 7 N" */
  elsewhere(text: string): string;
  /** An empty field means something, too. */
  empty?: boolean;
  /** Several lines: Shift Enter begins another one. */
  long?: boolean;
}

export class Entry {
  readonly input: HTMLInputElement | HTMLTextAreaElement;
  /** What came from elsewhere, and why something was refused. */
  readonly beside = element("p", { className: "elsewhere", role: "status", hidden: true });
  readonly refused = element("p", { className: "refused", role: "alert", hidden: true });
  /** Where the field was last the same as what holds. */
  private base: string;
  touched = false;
  private sent: string | null = null;
  private sending = 0;
  /** What holds after a value was taken comes once more, perhaps in other words. */
  private echo = false;

  constructor(private truth: string, attributes: Record<string, unknown>, private actions: EntryActions) {
    this.base = truth;
    this.input = actions.long ? element("textarea", { rows: 4, spellcheck: "false", ...attributes }) : element("input", { value: truth, spellcheck: "false", autocomplete: "off", ...attributes });
    if (actions.long) this.input.value = truth;
    this.input.addEventListener("input", () => { this.touched = true; this.echo = false; });
    this.input.addEventListener("keydown", (event) => {
      const { key, isComposing, shiftKey } = event as KeyboardEvent;
      if (key === "Enter" && !isComposing && !(actions.long && shiftKey)) {
        if (actions.long) event.preventDefault(); // not a line of the text
        void this.commit(true);
      }
      if (key === "Escape") this.settle();
    });
    // a window that goes behind another one leaves the field the focus: the user has not left it
    this.input.addEventListener("blur", () => { if (document.activeElement !== this.input) void this.commit(false); });
  }

  get focused(): boolean { return document.activeElement === this.input; }
  get text(): string { return this.input.value.trim(); }

  /** What holds now. */
  offer(text: string): void {
    if (text === this.truth) return;
    const own = this.sending > 0 || this.echo;
    this.truth = text;
    this.echo = false;
    if (!this.focused && !this.touched) return this.settle();
    if (!own || this.text === text) this.show(this.text === text ? "" : text);
  }

  /** Of something else from now on. With `keep`, what was typed before its value was known stays. */
  begin(text: string, keep = false): void {
    this.truth = this.base = text;
    if (!keep || !this.touched) this.settle();
  }

  /** To what holds. */
  settle(): void {
    this.touched = false;
    this.sent = null;
    this.base = this.input.value = this.truth;
    this.show("");
    this.refuse("");
  }

  refuse(why: string): void {
    this.refused.textContent = why;
    this.refused.hidden = !why;
    this.input.setAttribute("aria-invalid", String(!!why));
  }

  private show(text: string): void {
    const take = button("Take it", "Take the value from elsewhere (Esc)", () => this.settle());
    take.addEventListener("pointerdown", (event) => event.preventDefault()); // it does not leave the field
    take.addEventListener("mousedown", (event) => event.preventDefault());
    this.beside.replaceChildren(...(text ? [element("span", {}, `${this.actions.elsewhere(text)}; Enter sends yours.`), take] : []));
    this.beside.hidden = !text;
  }

  private async commit(entered: boolean): Promise<void> {
    const { text } = this, same = text === this.truth || !this.touched || (!entered && (text === this.base || (text === "" && !this.actions.empty)));
    if (same) { if (!entered || text === this.truth) this.settle(); return; }
    if (!entered && text === this.sent) return; // this very text was refused
    this.sent = text;
    ++this.sending;
    const why = await this.actions.send(text), typedOn = this.text !== text;
    --this.sending;
    this.refuse(why);
    if (why) return;
    this.show("");
    if (this.sent === text) this.sent = null;
    this.base = this.truth = text;
    this.echo = true;
    if (!typedOn) this.touched = false;
  }
}
