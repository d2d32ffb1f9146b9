// SPDX-License-Identifier: BSD-3-Clause
// "New plugin from this": a right click on a subsystem, or the key w, asks for a name, and the server writes the plugin.
import { button, element } from "../parts/dom";
import { refusal } from "../run/protocol";
import type { Session } from "../run/session";

export class NewPlugin {
  private name = element("input", { "aria-label": "Name of the plugin", spellcheck: "false" });
  private said = element("pre", { className: "said", hidden: true });
  private title = element("strong", {});
  /** Offered where edits are not saved. */
  private saving = button("Save the diagram, and write", "Save the edits, and write the plugin from them", () => void this.saveAndWrite(), { className: "primary", hidden: true });
  private box: HTMLElement;
  private subsystem = "";
  private back: Element | null = null;

  constructor(private session: Session, parent: HTMLElement) {
    this.box = element("div", { className: "new-plugin", role: "dialog", "aria-label": "New plugin from a subsystem", hidden: true }, this.title,
      element("p", { className: "quiet" }, "A C++ block with its ports and units, and a test that compares it with the subsystem in a run of the saved files."),
      element("div", { className: "row" }, this.name, button("Write", "Write the plugin next to the diagram (Enter)", () => void this.write()), button("Close", "Close (Esc)", () => this.close())), this.said, this.saving);
    this.box.addEventListener("keydown", (event) => {
      event.stopPropagation();
      if (event.key === "Escape") this.close();
      else if (event.key === "Enter" && event.target === this.name) void this.write();
    });
    parent.append(this.box);
  }

  open(subsystem: string): void {
    this.subsystem = subsystem;
    this.back = document.activeElement;
    this.title.textContent = `New plugin from ${subsystem}`;
    this.name.value = "my_" + subsystem.slice(subsystem.lastIndexOf(".") + 1);
    this.said.hidden = this.saving.hidden = true;
    this.box.hidden = false;
    this.name.focus();
    this.name.select();
  }

  private close(): void {
    this.box.hidden = true;
    (this.back as HTMLElement | null)?.focus();
  }

  private async write(): Promise<void> {
    const reply = await this.session.ask("new_plugin", { subsystem: this.subsystem, name: this.name.value.trim() }, true);
    this.said.hidden = false;
    this.saving.hidden = reply.unsaved !== true;
    if (!this.saving.hidden) this.saving.focus();
    this.said.classList.toggle("refused", !reply.ok);
    this.said.textContent = reply.ok ? `${String(reply.folder)}\n${String(reply.text)}` : refusal(reply);
  }

  private async saveAndWrite(): Promise<void> {
    const saved = await this.session.ask("write", {}, true);
    if (saved.ok) return this.write();
    this.said.classList.add("refused");
    this.said.textContent = refusal(saved);
  }
}
