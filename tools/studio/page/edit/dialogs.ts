// SPDX-License-Identifier: BSD-3-Clause
// Questions: a name, one of a list, what to do with a file that another program has changed, and what differs.
import { button, element } from "../parts/dom";

/** Opens it, and takes it away when it closes. */
export function ask<T>(title: string, fill: (close: (value: T | null) => void) => (Node | null)[], wide = false): Promise<T | null> {
  return new Promise((done) => {
    let result: T | null = null;
    const dialog = element("dialog", { className: wide ? "ask wide-ask" : "ask", "aria-label": title });
    const close = (value: T | null) => { result = value; dialog.close(); };
    const back = document.activeElement as HTMLElement | null;
    dialog.append(element("header", {}, element("h2", {}, title), button("\u00d7", "Close (Esc)", () => close(null), { className: "plain" })), ...fill(close).filter((each): each is Node => each !== null));
    dialog.addEventListener("close", () => { dialog.remove(); if (back?.isConnected) back.focus(); done(result); });
    document.body.append(dialog);
    dialog.showModal();
    dialog.querySelector<HTMLElement>("input, [autofocus]")?.focus();
  });
}

export function askName(title: string, value: string, help = ""): Promise<string | null> {
  return ask<string>(title, (close) => {
    const input = element("input", { value, "aria-label": title, spellcheck: "false", autocomplete: "off" });
    const take = () => { const text = input.value.trim(); if (text) close(text); };
    input.addEventListener("keydown", (event) => { if (event.key === "Enter") { event.preventDefault(); take(); } });
    queueMicrotask(() => input.select());
    return [element("div", { className: "row" }, input, button("OK", "Take this name (Enter)", take, { className: "primary" })), help ? element("p", { className: "quiet" }, help) : null];
  });
}

export interface Choice { text: string; more?: string; disabled?: boolean; value: string }

/** One of a list: typing narrows it, arrow keys go along it. */
export function choose(title: string, all: Choice[], help = ""): Promise<string | null> {
  return ask<string>(title, (close) => {
    let shown = all, at = 0;
    const input = element("input", { type: "search", placeholder: "Part of its name", "aria-label": title, role: "combobox", "aria-controls": "choices", "aria-expanded": "true", spellcheck: "false" });
    const list = element("ul", { id: "choices", role: "listbox", className: "choices" });
    const take = (i: number) => { const each = shown[i]; if (each && !each.disabled) close(each.value); };
    const show = () => {
      list.replaceChildren(...(shown.length ? shown.map((each, i) => element("li", { id: `choice-${i}`, role: "option", "aria-selected": String(i === at), "aria-disabled": each.disabled ? "true" : undefined, "data-value": each.value, onclick: () => take(i) },
        element("span", { className: "name" }, each.text), element("span", { className: "quiet" }, each.more ?? ""))) : [element("li", { className: "quiet" }, "Nothing fits.")]));
      input.setAttribute("aria-activedescendant", `choice-${at}`);
      list.children[at]?.scrollIntoView({ block: "nearest" });
    };
    input.addEventListener("input", () => {
      const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
      shown = all.filter((each) => words.every((word) => each.text.toLowerCase().includes(word)));
      at = Math.max(0, shown.findIndex((each) => !each.disabled));
      show();
    });
    input.addEventListener("keydown", (event) => {
      const way = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
      if (event.key === "Enter") take(at);
      else if (way) at = Math.max(0, Math.min(shown.length - 1, at + way)), show();
      else return;
      event.preventDefault();
    });
    at = Math.max(0, all.findIndex((each) => !each.disabled));
    show();
    return [input, list, help ? element("p", { className: "quiet" }, help) : null];
  });
}

/** A difference as `diff -u` writes it, in colours. */
export function differenceOf(text: string): HTMLElement {
  const kind = (line: string) => line.startsWith("+++") || line.startsWith("---") || line.startsWith("@@") ? "head" : line.startsWith("+") ? "more" : line.startsWith("-") ? "less" : "";
  const lines = text.replace(/\n$/, "").split("\n");
  return element("pre", { className: "difference", tabindex: 0 }, ...(text ? lines.map((line) => element("span", { className: kind(line) }, line + "\n")) : [element("span", { className: "quiet" }, "Nothing differs.\n")]));
}

/** @param load  the difference against what is chosen */
export function showDifference(load: (against: string) => Promise<string>): Promise<null> {
  return ask<null>("Edits", (close) => {
    const place = element("div", {});
    const against = element("select", { "aria-label": "Against", autofocus: true }, element("option", { value: "file" }, "since it was saved"), element("option", { value: "commit" }, "since the last commit"));
    const show = () => void load(against.value).then((text) => place.replaceChildren(differenceOf(text)));
    against.addEventListener("change", show);
    show();
    return [element("div", { className: "row" }, against, button("Close", "Close (Esc)", () => close(null))), place];
  }, true);
}

/** Both sides of a file that was changed elsewhere, where it was edited here. Gives the name of a copy, "" for none. */
export function askSide(file: string, name: string, difference: string): Promise<string | null> {
  return ask<string>(`${file} was changed elsewhere, too`, (close) => {
    const copy = element("input", { value: name, "aria-label": "Name of the copy", spellcheck: "false" });
    return [element("p", {}, "The same lines were edited here and in the file on the disk. Green lines are from here, red ones from the disk; nothing is overwritten."), differenceOf(difference),
      element("div", { className: "row" }, copy, button("Keep mine as this copy, and take the file", "The edits made here go into a new file", () => close(copy.value.trim() || null), { className: "primary" })),
      element("p", { className: "other" }, button("Take the file alone", "Undo brings back the edits made here", () => close("")))];
  }, true);
}
