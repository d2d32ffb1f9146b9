"use strict";
// The list of all signals, and the beginning of all. Without plots that move (panels.js) nothing is chosen from the list.
const list = document.getElementById("list"), search = document.getElementById("search");
const moving = typeof startPlots === "function";
/** What the list says of a signal: its unit; where it is not drawn, its range, too. */
const extent = (s) => (s.constant ? `= ${shown(s.low, 4)} ${s.unit}` : moving ? s.unit : `${shown(s.low, 4)} to ${shown(s.high, 4)} ${s.unit}`);
function fillList() {
  const words = search.value.toLowerCase().split(/\s+/).filter(Boolean), items = [];
  for (const s of every.values()) {
    if (!words.every((w) => s.name.toLowerCase().includes(w) || s.type.toLowerCase().includes(w))) continue;
    const pick = moving ? { tabIndex: 0, onclick: () => toggle(s), onkeydown: (e) => e.key === "Enter" && toggle(s) } : {};
    const item = element("li", { title: `${s.doc}\n${s.type}`, ...pick }, s.name, element("span", { className: "unit" }, extent(s)));
    item.dataset.name = s.name;
    items.push(item);
    if (items.length === 1000) break;
  }
  list.replaceChildren(...items);
  if (moving) mark();
}
search.addEventListener("input", fillList);

async function start() {
  fillHead();
  fillResults();
  fillComparison();
  fillParameters();
  fillList();
  if (moving) await startPlots();
  const fit = document.getElementById("fit");
  fit.addEventListener("change", () => document.querySelector("#diagram .wide").classList.toggle("fit", fit.checked));
}
/** For tests. */
window.report = { data, problems, every, moving, panels: moving ? panels : [], show: moving && show, toggle: moving && toggle, get range() { return range; }, ready: start() };
