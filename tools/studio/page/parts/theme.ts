// SPDX-License-Identifier: BSD-3-Clause
// Dark or light: as the system has it, unless the user has chosen.
import { button } from "./dom";
import { icon } from "./icons";

const key = "hilda-theme", system = matchMedia("(prefers-color-scheme: dark)");

export function themeButton(changed: () => void): { box: HTMLButtonElement; toggle(): void } {
  const root = document.documentElement;
  const set = () => {
    const theme = localStorage.getItem(key) ?? (system.matches ? "dark" : "light");
    root.dataset.theme = theme;
    box.replaceChildren(icon(theme === "dark" ? "dark" : "light"));
  };
  const toggle = () => {
    localStorage.setItem(key, root.dataset.theme === "dark" ? "light" : "dark");
    set();
    changed();
  };
  const box = button("", "Dark or light (t)", toggle, { className: "plain" });
  set();
  system.addEventListener("change", () => { set(); changed(); });
  return { box, toggle };
}
