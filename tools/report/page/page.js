"use strict";
// The page of a run. What it shows stands in the element #data; signals are in elements of their own, and are decoded
// when they are first drawn.
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

/** Undoes tools/report/encoding: base64, zlib, bytes sorted by significance. */
async function decoded(id, width, count) {
  const text = atob(document.getElementById("d" + id).textContent);
  const packed = new Uint8Array(text.length);
  for (let i = 0; i < text.length; ++i) packed[i] = text.charCodeAt(i);
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate"));
  const sorted = new Uint8Array(await new Response(stream).arrayBuffer());
  const bytes = new Uint8Array(sorted.length);
  for (let k = 0; k < width; ++k) {
    const from = k * count;
    for (let i = 0, to = k; i < count; ++i, to += width) bytes[to] = sorted[from + i];
  }
  return width === 4 ? new Float32Array(bytes.buffer) : new Float64Array(bytes.buffer);
}

/** The instants of a channel: uniform, or one by one. */
class Axis {
  constructor(described) { Object.assign(this, described); }
  async load() {
    if (this.data !== null && !this.times) this.times = await decoded(this.data, this.width, this.count);
    return this;
  }
  at(i) { return this.times ? this.times[i] : this.begin + i * this.step; }
  /** Index of the last sample at or before t, at least 0. */
  before(t) {
    if (!this.times) return Math.max(0, Math.min(this.count - 1, Math.floor((t - this.begin) / (this.step || 1) + 1e-6)));
    let low = 0, high = this.count - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      this.times[middle] <= t ? (low = middle) : (high = middle - 1);
    }
    return low;
  }
  nearest(t) {
    const i = this.before(t);
    return i + 1 < this.count && this.at(i + 1) - t < t - this.at(i) ? i + 1 : i;
  }
  get end() { return this.at(this.count - 1); }
}

const factor = 8; // samples of one level of a pyramid that make one of the next
/** One signal of one run, with least and greatest values of ever larger groups. */
class Curve {
  constructor(run, signal) { this.run = run; this.signal = signal; }
  async load() {
    const s = this.signal;
    if (s.data === undefined) {
      const end = runEnd(this.run);
      this.axis = new Axis({ begin: 0, step: end || 1, count: 2, data: null });
      this.values = Float64Array.of(s.low, s.low);
    } else {
      this.axis = await axisOf(this.run, s.axis);
      this.values = await decoded(s.data, s.width, s.kept);
    }
    this.levels = [{ low: this.values, high: this.values }];
    while (this.levels.at(-1).low.length > 4096) this.levels.push(Curve.coarser(this.levels.at(-1)));
    return this;
  }
  static coarser({ low, high }) {
    const n = Math.ceil(low.length / factor), least = new Float64Array(n), most = new Float64Array(n);
    for (let g = 0; g < n; ++g) {
      let a = Infinity, b = -Infinity;
      for (let i = g * factor; i < Math.min(low.length, (g + 1) * factor); ++i) {
        if (low[i] < a) a = low[i];
        if (high[i] > b) b = high[i];
      }
      least[g] = a <= b ? a : NaN;
      most[g] = a <= b ? b : NaN;
    }
    return { low: least, high: most };
  }
  /** Points from t0 to t1, at most about two a pixel, without losing a peak: [times, values]. */
  view(t0, t1, pixels) {
    const first = Math.max(0, this.axis.before(t0) - 1), last = Math.min(this.values.length - 1, this.axis.before(t1) + 2);
    let level = 0, size = 1;
    while ((last - first) / size > 3 * pixels && level + 1 < this.levels.length) ++level, (size *= factor);
    const x = [], y = [], { low, high } = this.levels[level];
    if (level === 0) {
      for (let i = first; i <= last; ++i) x.push(this.axis.at(i)), y.push(Number.isFinite(low[i]) ? low[i] : null);
      return [x, y];
    }
    for (let g = Math.floor(first / size); g <= Math.floor(last / size); ++g) {
      x.push(this.axis.at(g * size), this.axis.at(Math.min(this.values.length - 1, g * size + (size >> 1))));
      const ok = Number.isFinite(low[g]);
      y.push(ok ? low[g] : null, ok ? high[g] : null);
    }
    return [x, y];
  }
  read(t) { return this.values[this.axis.nearest(t)]; }
}

const axes = new Map(), curves = new Map();
const runEnd = (r) => {
  const run = data.runs[r];
  return Math.max(0, ...(run.axes || []).map((a) => a.begin + a.step * Math.max(0, a.count - 1)));
};
const axisOf = (run, index) => {
  const key = run + "/" + index;
  if (!axes.has(key)) axes.set(key, new Axis(data.runs[run].axes[index]).load());
  return axes.get(key);
};
const byName = data.runs.map((run) => new Map((run.signals || []).map((s) => [s.name, s])));
const curveOf = (run, name) => {
  const key = run + "/" + name;
  if (!curves.has(key)) curves.set(key, new Curve(run, byName[run].get(name)).load());
  return curves.get(key);
};

// Told apart by dashes and darkness too.
const colours = ["#000000", "#d55e00", "#0072b2", "#009e73", "#b0478e", "#a87400", "#3a9fd6", "#7f7f7f"];
const dashes = [[], [8, 3], [2, 2], [10, 3, 2, 3], [14, 4], [5, 2, 1, 2], [4, 4], [1, 3]];

const whole = [0, Math.max(1e-9, ...data.runs.map((_, r) => runEnd(r)))];
let range = whole.slice();
const panels = [];
const sync = uPlot.sync("time");

/** Signals of one unit, of all runs, over time. */
class Panel {
  constructor(parent, title, unit, names, closable) {
    this.unit = unit;
    this.names = names.slice();
    this.hidden = new Set();
    this.box = element("div", { className: "panel" });
    const head = element("h3", {}, title);
    if (closable) head.append(element("button", { type: "button", title: "Close", onclick: () => this.close() }, "close"));
    this.place = element("div");
    this.readings = element("table", { className: "readings" });
    this.box.append(head, this.place, this.readings);
    parent.append(this.box);
    panels.push(this);
  }
  async build() {
    const wanted = [];
    for (const name of this.names)
      data.runs.forEach((run, r) => { if (byName[r].has(name)) wanted.push([r, name]); });
    this.curves = await Promise.all(wanted.map(([r, name]) => curveOf(r, name)));
    this.plot?.destroy();
    this.place.replaceChildren();
    const label = this.unit ? `[${this.unit}]` : "";
    this.plot = new uPlot({
      width: this.width(), height: 230, legend: { show: false }, scales: { x: { time: false, auto: false, min: range[0], max: range[1] } },
      cursor: { sync: { key: sync.key }, drag: { x: true, y: false }, points: { show: false } },
      axes: [{ label: "Time [s]", labelSize: 22, size: 34 }, { label, size: 74, labelSize: 18, values: (u, all) => all.map((v) => (v === null ? "" : shown(v, 5))) }],
      series: [{}, ...this.curves.map((_, i) => ({ stroke: colours[i % colours.length], dash: dashes[i % dashes.length], width: 1.4, spanGaps: true, points: { show: false } }))],
      hooks: { setScale: [(u, key) => key === "x" && this.scaled(u)], setCursor: [(u) => this.read(u)] },
    }, this.points(), this.place);
    this.tell();
    this.plot.over.addEventListener("wheel", (e) => this.wheel(e), { passive: false });
    this.plot.over.addEventListener("dblclick", () => show(whole));
  }
  width() { return Math.max(320, this.box.clientWidth); }
  points() {
    const views = this.curves.map((c) => c.view(range[0], range[1], this.width()));
    if (views.length === 0) return [[range[0], range[1]]];
    const same = views.every(([x]) => x.length === views[0][0].length && x[0] === views[0][0][0] && x.at(-1) === views[0][0].at(-1));
    return same ? [views[0][0], ...views.map((v) => v[1])] : uPlot.join(views);
  }
  scaled(u) {
    const { min, max } = u.scales.x;
    if (min !== null && (min !== range[0] || max !== range[1])) show([min, max]);
  }
  update() {
    if (!this.plot) return;
    this.plot.batch(() => {
      this.plot.setData(this.points(), false);
      this.plot.setScale("x", { min: range[0], max: range[1] });
    });
    this.tell();
  }
  wheel(e) {
    e.preventDefault();
    const t = this.plot.posToVal(e.offsetX, "x"), by = e.deltaY < 0 ? 0.75 : 1 / 0.75;
    show([Math.max(whole[0], t - (t - range[0]) * by), Math.min(whole[1], t + (range[1] - t) * by)]);
  }
  /** The table under the plot. */
  tell() {
    const several = data.runs.length > 1;
    const rows = this.curves.map((c, i) => {
      const dash = dashes[i % dashes.length].join(" ");
      const mark = element("td");
      mark.innerHTML = `<svg width="30" height="8"><line x1="0" x2="30" y1="4" y2="4" stroke="${colours[i % colours.length]}" stroke-width="2" stroke-dasharray="${dash}"/></svg>`;
      const name = (several ? data.runs[c.run].name + ": " : "") + c.signal.name;
      const box = element("input", { type: "checkbox", checked: !this.hidden.has(i), title: "Shown", onchange: (e) => {
        e.target.checked ? this.hidden.delete(i) : this.hidden.add(i);
        this.plot.setSeries(i + 1, { show: e.target.checked });
      } });
      return element("tr", { title: c.signal.doc || "" }, element("td", {}, box), mark, element("td", {}, name), element("td", { className: "n value" }, ""), element("td", { className: "n" }, shown(c.signal.low)), element("td", { className: "n" }, shown(c.signal.high)));
    });
    this.cells = rows.map((row) => row.querySelector(".value"));
    const head = element("tr", {}, ...["", "", "", "at the cursor", "least", "greatest"].map((t, i) => element("th", { className: i > 2 ? "n" : "" }, t)));
    this.readings.replaceChildren(head, ...rows);
    this.time = head.children[3];
  }
  read(u) {
    if (!this.cells || u.cursor.left === null || u.cursor.left < 0) return;
    const t = u.posToVal(u.cursor.left, "x");
    this.time.textContent = "t = " + shown(t, 6) + " s";
    this.curves.forEach((c, i) => (this.cells[i].textContent = shown(c.read(t), 7)));
  }
  close() {
    panels.splice(panels.indexOf(this), 1);
    this.plot?.destroy();
    this.box.remove();
    mark();
  }
}

/** All plots from range[0] to range[1]. */
let pending = false;
function show(wanted) {
  if (!(wanted[1] > wanted[0])) return;
  range = wanted.slice();
  document.getElementById("span").textContent = `${shown(range[0], 5)} s to ${shown(range[1], 5)} s`;
  if (pending) return;
  pending = true;
  requestAnimationFrame(() => {
    pending = false;
    for (const panel of panels) panel.update();
  });
}

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
  const to = document.getElementById("values"), heads = ["parameter", ...data.runs.map((r) => r.name)];
  if (differ.length) to.append(element("h3", {}, "What differs"), table(heads, differ.map((n) => [n, ...sets.map((s) => text(s[n]))])));
  to.append(element("details", {}, element("summary", {}, `All ${names.length}`), element("div", { className: "wide" }, table(heads, names.map((n) => [n, ...sets.map((s) => text(s[n]))])))));
}
function fillHead() {
  const to = document.getElementById("runs");
  for (const run of data.runs) {
    const m = run.metadata;
    const bits = [m.diagram, m.mode && `mode ${m.mode}`, m.settings && m.settings !== "[]" && JSON.parse(m.settings).join(", "), m.seed && `seed ${m.seed}`, `period ${run.period} s`, m.version && `hilda ${m.version}`, m.git].filter(Boolean);
    to.append(element("div", { className: "quiet" }, data.runs.length > 1 ? element("b", {}, run.name + ": ") : "", run.file + " \u2013 " + bits.join(", "), run.complete ? "" : element("span", { className: "bad" }, " The log is cut.")));
  }
}

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
