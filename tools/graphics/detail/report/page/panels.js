"use strict";
// Distinguished by dashes and darkness too: of several runs each has a colour, and each signal a dash.
const darkness = window.matchMedia("(prefers-color-scheme: dark)");
const palette = () => {
  const style = getComputedStyle(document.documentElement);
  return dashes.map((_, i) => style.getPropertyValue(`--pen${i}`).trim());
};
const dashes = [[], [8, 3], [2, 2], [10, 3, 2, 3], [14, 4], [5, 2, 1, 2], [4, 4], [1, 3]];

const whole = [0, Math.max(1e-9, ...data.runs.map((_, r) => runEnd(r)))];
let range = whole.slice();
const panels = [];
let dragging = null; // the panel on which the mouse went down: plots that share a cursor share what is selected, too
const sync = uPlot.sync("time");

/** Signals of one unit, of all runs, over time. */
class Panel {
  /** Colour and dash of curve i. */
  pen(i) {
    const several = data.runs.length > 1, signal = several ? this.names.indexOf(this.curves[i].signal.name) : i;
    return { stroke: palette()[(several ? this.curves[i].run : signal) % 8], dash: dashes[signal % 8] };
  }
  constructor(parent, title, unit, names, closable) {
    this.unit = unit;
    this.names = names.slice();
    this.hidden = new Set();
    this.height = null; // of the values, once the user has zoomed them
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
    const style = getComputedStyle(document.documentElement), ink = style.getPropertyValue("--ink"), line = style.getPropertyValue("--grid");
    const axis = { stroke: ink, grid: { stroke: line, width: 1 }, ticks: { stroke: line, width: 1 } };
    this.plot = new uPlot({
      width: this.width(), height: 230, legend: { show: false }, scales: { x: { time: false, auto: false, min: range[0], max: range[1] }, y: { range: (u, low, high) => this.height ?? (low === null ? [0, 1] : uPlot.rangeNum(low, high, 0.1, true)) } },
      cursor: { sync: { key: sync.key }, drag: { x: true, y: true, uni: 20, setScale: false }, points: { show: false } },
      axes: [{ ...axis, label: "Time [s]", labelSize: 22, size: 34 }, { ...axis, label, size: 74, labelSize: 18, values: (u, all) => all.map((v) => (v === null ? "" : shown(v, 5))) }],
      series: [{}, ...this.curves.map((c, i) => ({ ...this.pen(i), width: 1.4, spanGaps: false, points: { show: false }, show: !this.hidden.has(i), ...(c.signal.held ? { paths: uPlot.paths.stepped({ align: 1 }) } : {}) }))],
      hooks: { setSelect: [(u) => this.dragged(u)], setCursor: [(u) => this.read(u)] },
    }, this.points(), this.place);
    this.tell();
    this.plot.over.addEventListener("mousedown", () => { dragging = this; });
    this.plot.over.addEventListener("wheel", (e) => this.wheel(e), { passive: false });
    this.plot.over.addEventListener("dblclick", () => { for (const panel of panels) panel.height = null; show(whole); });
  }
  width() { return Math.max(320, this.box.clientWidth); }
  points() {
    const views = this.curves.map((c) => c.view(range[0], range[1], this.width()));
    if (views.length === 0) return [[range[0], range[1]]];
    const same = views.every(([x]) => x.length === views[0][0].length && x[0] === views[0][0][0] && x.at(-1) === views[0][0].at(-1));
    // a gap of one curve takes in the instants that others have in it (mode 2)
    return same ? [views[0][0], ...views.map((v) => v[1])] : uPlot.join(views, views.map((v) => v.map(() => 2)));
  }
  /** Across: the time axis of all plots. Up: the values of this one. */
  dragged(u) {
    const { left, top, width, height } = u.select;
    if (width === 0 && height === 0) return;
    if (dragging !== this) return u.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
    const wide = width > 0 && width < u.over.clientWidth, high = height > 0 && height < u.over.clientHeight;
    if (high) this.height = [u.posToVal(top + height, "y"), u.posToVal(top, "y")];
    const span = wide ? [u.posToVal(left, "x"), u.posToVal(left + width, "x")] : range;
    u.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
    show(span);
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
    if (e.shiftKey) return this.stretch(e);
    const t = this.plot.posToVal(e.offsetX, "x"), by = e.deltaY < 0 ? 0.75 : 1 / 0.75;
    show([Math.max(whole[0], t - (t - range[0]) * by), Math.min(whole[1], t + (range[1] - t) * by)]);
  }
  /** Values about the cursor, of this plot alone. */
  stretch(e) {
    const v = this.plot.posToVal(e.offsetY, "y"), by = (e.deltaY || e.deltaX) < 0 ? 0.75 : 1 / 0.75, { min, max } = this.plot.scales.y;
    this.height = [v - (v - min) * by, v + (max - v) * by];
    this.update();
  }
  /** The table under the plot. */
  tell() {
    const several = data.runs.length > 1;
    const rows = this.curves.map((c, i) => {
      const pen = this.pen(i);
      const mark = element("td");
      mark.innerHTML = `<svg width="30" height="8"><line x1="0" x2="30" y1="4" y2="4" stroke="${pen.stroke}" stroke-width="2" stroke-dasharray="${pen.dash.join(" ")}"/></svg>`;
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

darkness.addEventListener("change", () => panels.forEach((p) => p.build()));

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

async function startPlots() {
  const plots = document.getElementById("plots");
  const made = data.figures.map((f) => new Panel(plots, f.title, f.unit, f.signals, false));
  for (const panel of made) await panel.build();
  show(whole);
  document.getElementById("whole").addEventListener("click", () => show(whole));
  let timer;
  window.addEventListener("resize", () => {
    clearTimeout(timer);
    timer = setTimeout(() => panels.forEach((p) => p.plot?.setSize({ width: p.width(), height: 230 })), 100);
  });
}
