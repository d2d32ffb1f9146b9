"use strict";
// The page of a run. What it shows is in the element #data.
const data = JSON.parse(document.getElementById("data").textContent);
const problems = [];
window.addEventListener("error", (e) => problems.push(e.message));
window.addEventListener("unhandledrejection", (e) => problems.push(String(e.reason)));

const element = (name, attributes = {}, ...children) => {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes))
    key in made ? (made[key] = value) : made.setAttribute(key, value);
  made.append(...children);
  return made;
};
/** A number with `digits` that count; "-" for what is not available. */
const shown = (v, digits = 6) => {
  if (v === null || v === undefined) return "\u2013";
  if (typeof v !== "number") return String(v);
  if (Number.isInteger(v) && Math.abs(v) < 1e9) return String(v).replace("-", "\u2212");
  const size = Math.abs(v);
  const text = size >= 1e-3 && size < 1e7 ? String(Number(v.toPrecision(digits))) : v.toExponential(digits - 1).replace(/\.?0+e/, "e");
  return text.replace("-", "\u2212");
};
const spoken = (key) => key.replace(/_/g, " ").replace(/\./g, ", ");
/** All recorded signals by name, as the first run that has them describes them. */
const every = new Map();
for (const run of data.runs) for (const s of run.signals || []) if (!every.has(s.name)) every.set(s.name, s);
