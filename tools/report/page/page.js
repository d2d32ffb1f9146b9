"use strict";
// Any recorded signal
const list = document.getElementById("list"), search = document.getElementById("search"), chosen = document.getElementById("chosen");
const custom = () => panels.filter((p) => p.custom);
function mark() {
  const on = new Set(custom().flatMap((p) => p.names));
  for (const item of list.children) item.classList.toggle("on", on.has(item.dataset.name));
}
async function toggle(signal) {
  const holder = custom().find((p) => p.names.includes(signal.name));
  if (holder) {
    holder.names = holder.names.filter((n) => n !== signal.name);
    holder.names.length === 0 ? holder.close() : await holder.build();
  } else {
    let panel = custom().find((p) => p.unit === signal.unit);
    if (!panel) {
      panel = new Panel(chosen, signal.unit ? "Signals in " + signal.unit : "Signals without unit", signal.unit, [], true);
      panel.custom = true;
    }
    panel.names.push(signal.name);
    await panel.build();
  }
  mark();
}
const every = new Map();
for (const run of data.runs) for (const s of run.signals || []) if (!every.has(s.name)) every.set(s.name, s);
function fillList() {
  const words = search.value.toLowerCase().split(/\s+/).filter(Boolean), items = [];
  for (const s of every.values()) {
    if (!words.every((w) => s.name.toLowerCase().includes(w) || s.type.toLowerCase().includes(w))) continue;
    const item = element("li", { title: `${s.doc}\n${s.type}`, tabIndex: 0, onclick: () => toggle(s), onkeydown: (e) => e.key === "Enter" && toggle(s) },
      s.name, element("span", { className: "unit" }, s.data === undefined ? `= ${shown(s.low, 4)} ${s.unit}` : s.unit));
    item.dataset.name = s.name;
    items.push(item);
    if (items.length === 1000) break;
  }
  list.replaceChildren(...items);
  mark();
}
search.addEventListener("input", fillList);

async function start() {
  fillHead();
  fillResults();
  fillComparison();
  fillParameters();
  fillList();
  const plots = document.getElementById("plots");
  const made = data.figures.map((f) => new Panel(plots, f.title, f.unit, f.signals, false));
  for (const panel of made) await panel.build();
  show(whole);
  document.getElementById("whole").addEventListener("click", () => show(whole));
  const fit = document.getElementById("fit");
  fit.addEventListener("change", () => document.querySelector("#diagram .wide").classList.toggle("fit", fit.checked));
  let timer;
  window.addEventListener("resize", () => {
    clearTimeout(timer);
    timer = setTimeout(() => panels.forEach((p) => p.plot?.setSize({ width: p.width(), height: 230 })), 100);
  });
}
/** For tests. */
window.report = { data, panels, show, toggle, problems, every, get range() { return range; }, ready: start() };
