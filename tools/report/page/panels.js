"use strict";
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
