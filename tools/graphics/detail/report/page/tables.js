"use strict";
// Tables
function table(head, rows) {
  const numbers = head.map((_, i) => rows.some((row) => typeof row[i] === "number"));
  const line = (kind, cells) => element("tr", {}, ...cells.map((cell, i) => element(kind, { className: numbers[i] ? "n" : "" }, shown(cell))));
  return element("table", {}, line("th", head), ...rows.map((row) => line("td", row)));
}
const known = new Set(["name", "diagram", "mode", "seed", "version", "git", "ending", "time", "steps", "wall_time", "real_time_factor", "base_period", "log", "units", "parameters", "ports", "elements", "account", "blocks", "realtime"]);
function flat(object, prefix, into) {
  for (const [key, value] of Object.entries(object)) {
    if (value === null || (Array.isArray(value) && value.some((v) => typeof v === "object"))) continue;
    if (typeof value === "object" && !Array.isArray(value)) flat(value, prefix + key + ".", into);
    else into.push([prefix + key, Array.isArray(value) ? value.map((v) => shown(v, 4)).join("  ") : value]);
  }
  return into;
}
function results(summary, to) {
  const units = summary.units || {};
  for (const [key, value] of Object.entries(summary)) {
    if (known.has(key) || !Array.isArray(value) || value.length === 0 || typeof value[0] !== "object") continue;
    const keys = [...new Set(value.flatMap((row) => Object.keys(row)))];
    const heads = keys.map((k) => spoken(k) + (units[key + "." + k] ? ` [${units[key + "." + k]}]` : ""));
    to.append(element("h3", {}, spoken(key)), table(heads, value.map((row) => keys.map((k) => {
      const cell = row[k];
      return cell !== null && typeof cell === "object" ? JSON.stringify(cell) : typeof cell === "number" && !Number.isInteger(cell) ? Number(cell.toPrecision(5)) : cell;
    }))));
    to.lastChild.dataset.table = key;
  }
  const single = flat(Object.fromEntries(Object.entries(summary).filter(([k]) => !known.has(k))), "", []);
  if (single.length) to.append(element("h3", {}, "Figures"), table(["", "", ""], single.map(([k, v]) => [spoken(k), v, units[k] || ""])));
  if (summary.realtime) to.append(element("h3", {}, "Real time"), table(["", ""], flat(summary.realtime, "", []).map(([k, v]) => [spoken(k), v])));
  ledger(summary, to);
}
function ledger(summary, to) {
  if (!summary.ports) return;
  to.append(element("h3", {}, "Energy ledger"), element("p", {}, summary.account?.text || ""));
  to.append(table(["element", "made [J]", "received [J]", "given [J]", "stored at first [J]", "stored at last [J]"],
    Object.entries(summary.elements).map(([name, e]) => [name, e.made, e.received, e.given, e.stored_initially, e.stored])));
  to.lastChild.dataset.table = "elements";
  to.append(table(["port", "from", "to", "energy [J]", "least [J]", "greatest [J]"],
    Object.entries(summary.ports).map(([name, p]) => [name, p.from || "", p.to || "", p.energy, p.lowest, p.highest])));
  to.lastChild.dataset.table = "ports";
}
const reasons = { duration: "its time was over", stopped: "a block stopped it", interrupted: "interrupted", failed: "it failed" };
function fillResults() {
  const to = document.getElementById("tables");
  data.runs.forEach((run, r) => {
    const box = element("div", { className: "wide" });
    if (data.runs.length > 1) box.append(element("h3", {}, run.name));
    const end = run.end;
    box.append(element("p", {}, end.reason ? `Ended at t = ${end.time} s: ${end.text || reasons[end.reason] || end.reason}${end.block ? ` (${end.block})` : ""}, after ${end.steps} steps.` : "The log is cut: how the run ended is not known."));
    if (end.summary && typeof end.summary === "object") results(end.summary, box);
    else box.append(element("p", { className: "quiet" }, "The log holds no figures of the blocks."));
    if (run.events?.length) box.append(element("details", {}, element("summary", {}, `${run.events.length} events`), table(["t [s]", "kind", "text"], run.events.map((e) => [e.time, e.kind, e.text]))));
    for (const text of run.problems) box.append(element("p", { className: "bad" }, text));
    to.append(box);
  });
}
/** Blocks of which one log has more, those that end alike on one line. */
function alone(lone, a, b) {
  const groups = new Map();
  for (const l of lone) {
    const key = `${l.count} samples from t = ${shown(l.first)} s on are in ${l.in_a ? a : b} only.`;
    groups.set(key, [...(groups.get(key) ?? []), l.channel]);
  }
  return [...groups].map(([text, blocks]) => `${blocks[0]}${blocks.length > 1 ? ` and ${blocks.length - 1} more` : ""}: ${text}`);
}
function fillComparison() {
  if (!data.comparisons.length) return document.querySelector('nav a[href="#comparison"]').remove();
  document.getElementById("comparison").hidden = false;
  const to = document.getElementById("differences");
  data.comparisons.forEach((c, i) => {
    const a = data.runs[0].name, b = data.runs[i + 1].name, beyond = c.rows.filter((r) => r.beyond > 0);
    to.append(element("h3", {}, `${a} and ${b}`), element("p", { className: c.equal ? "" : "bad" },
      c.equal ? `Equal within tolerance: ${c.compared} numbers a tick, up to t = ${shown(c.end)} s.` : `${beyond.length} of ${c.compared} numbers are beyond tolerance.`));
    for (const text of [...c.only_a.map((n) => `${n} is in ${a} only.`), ...c.only_b.map((n) => `${n} is in ${b} only.`), ...c.unlike, ...alone(c.lone, a, b)])
      to.append(element("div", { className: "quiet" }, text));
    const rows = c.rows.slice().sort((p, q) => (q.beyond > 0) - (p.beyond > 0) || (p.first?.time ?? 0) - (q.first?.time ?? 0));
    if (rows.length) to.append(element("div", { className: "wide" }, table(["signal", "unit", "allowed", "first beyond, t [s]", "worst, t [s]", a, b, "apart by", "samples beyond"],
      rows.slice(0, 500).map((r) => [r.name, r.unit, r.relative ? `${shown(r.absolute)} + ${shown(r.relative)} rel.` : r.absolute, r.first ? r.first.time : "\u2013", r.worst.time, r.worst.a, r.worst.b, Number(r.worst.difference) ? Number(Number(r.worst.difference).toPrecision(3)) : r.worst.difference, `${r.beyond} of ${r.samples}`]))));
  });
}
function fillParameters() {
  const sets = data.runs.map((run) => run.metadata.parameters || {});
  const names = [...new Set(sets.flatMap((s) => Object.keys(s)))];
  const text = (v) => (Array.isArray(v) ? JSON.stringify(v) : v);
  const differ = names.filter((n) => sets.some((s) => JSON.stringify(s[n]) !== JSON.stringify(sets[0][n])));
  const to = document.getElementById("values"), heads = ["parameter", "unit", ...data.runs.map((r) => r.name)], unit = (n) => data.units[n] ?? "";
  if (differ.length) to.append(element("h3", {}, "What differs"), table(heads, differ.map((n) => [n, unit(n), ...sets.map((s) => text(s[n]))])));
  to.append(element("details", {}, element("summary", {}, `All ${names.length}`), element("div", { className: "wide" }, table(heads, names.map((n) => [n, unit(n), ...sets.map((s) => text(s[n]))])))));
}
function fillHead() {
  const to = document.getElementById("runs");
  for (const run of data.runs) {
    const m = run.metadata;
    const bits = [m.diagram, m.mode && `mode ${m.mode}`, m.settings && m.settings !== "[]" && JSON.parse(m.settings).join(", "), m.seed && `seed ${m.seed}`, `period ${run.period} s`, m.version && `hilda ${m.version}`, m.git].filter(Boolean);
    to.append(element("div", { className: "quiet" }, data.runs.length > 1 ? element("b", {}, run.name + ": ") : "", run.file + " \u2013 " + bits.join(", "), run.complete ? "" : element("span", { className: "bad" }, " The log is cut.")));
  }
}
