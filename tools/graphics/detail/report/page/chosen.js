"use strict";
// Panels of signals that the user chose from the list
const chosen = document.getElementById("chosen");
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
