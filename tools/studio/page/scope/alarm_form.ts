// SPDX-License-Identifier: BSD-3-Clause
// Where alarms are written, and the list of those that are set.
import { silence, silent } from "../parts/bell";
import { button, element } from "../parts/dom";
import { timeText } from "../parts/number";
import type { Session } from "../run/session";
import type { Alarms } from "./alarms";

let last = 0;
const check = (on: boolean, changed?: (on: boolean) => void): HTMLInputElement => {
  const box = element("input", { type: "checkbox" });
  box.checked = on;
  box.addEventListener("change", () => changed?.(box.checked));
  return box;
};

export class AlarmForm {
  readonly box: HTMLFormElement;
  private input = element("input", { size: 30, placeholder: "abs(a.y) > 2 [N]", spellcheck: "false", autocomplete: "off" });
  private rings = check(true);
  private pauses = check(false);
  private sound = check(!silent(), (on) => silence(!on));
  private list = element("ul", { className: "alarms", "aria-label": "Alarms of this scope" });
  private refused = element("p", { className: "refused", role: "alert", hidden: true });
  private shown = "";

  /** @param express  makes a condition of a text, or gives why it is none */
  constructor(private session: Session, private alarms: Alarms, private express: (text: string) => { name: string; why: string }) {
    this.input.id = `alarm-${++last}`;
    this.box = element("form", { className: "trigger alarm", hidden: true, onsubmit: (event: Event) => { event.preventDefault(); this.submit(); } },
      element("label", { for: this.input.id }, "alarm when ", this.input), element("label", {}, this.rings, "rings"), element("label", {}, this.pauses, "pauses the run"), element("button", { type: "submit" }, "Set"),
      element("label", { title: "Of all alarms, in this browser" }, this.sound, "sound"), button("Close", "Close this line (a)", () => this.toggle()), this.refused, this.list);
  }

  toggle(): void {
    this.box.hidden = !this.box.hidden;
    this.sound.checked = !silent();
    if (!this.box.hidden) this.input.focus();
  }

  private submit(): void {
    const text = this.input.value.trim(), { name, why } = text ? this.express(text) : { name: "", why: "write a comparison, such as a.y > 2 [N]" }, fault = why || this.alarms.fault(name);
    this.refused.textContent = fault;
    this.refused.hidden = !fault;
    this.input.setAttribute("aria-invalid", String(!!fault));
    if (fault) return;
    this.alarms.set({ condition: name, rings: this.rings.checked, pauses: this.pauses.checked });
    this.input.value = "";
  }

  /** The alarms that are set, and when each became true last. */
  fill(): void {
    const all = this.alarms.all.map((each) => ({ ...each, times: this.alarms.times(each.condition) })), content = JSON.stringify(all);
    if (content === this.shown) return;
    this.shown = content;
    const when = (times: number[]) => (times.length ? `${times.length === 1 ? "" : `${times.length} times, last `}at ${timeText(times[times.length - 1], this.session.period)} s` : "not yet");
    this.list.replaceChildren(...all.map(({ condition, rings, pauses, times }) => element("li", { "data-alarm": condition }, element("code", {}, condition),
      element("span", { className: "quiet" }, [rings && "rings", pauses && "pauses", when(times)].filter(Boolean).join(", ")), button("\u00d7", `Remove the alarm ${condition}`, () => this.alarms.remove(condition), { className: "plain" }))));
  }
}
