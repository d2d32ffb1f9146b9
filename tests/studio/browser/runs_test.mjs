// SPDX-License-Identifier: BSD-3-Clause
// Earlier runs on the page: named by what they have otherwise, shown, hidden, pinned, compared; figures between cursors.
// studio.runs runs this by node --test.
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import test from "node:test";
import { folder, lessons, pressInScope, stands, Studio, until } from "./program.mjs";

const onLoop = (name, body) => test(name, async () => {
  const studio = await Studio.start(folder(join(lessons, "14-tune-live")), "loop.xml");
  try {
    const page = await studio.look({ width: 1440, height: 900 });
    await page.evaluate(() => { const { scopes } = window.studio; scopes.active.names().forEach((each) => scopes.active.toggle(each)); scopes.take(["velocity.y"]); });
    await body(page, studio);
    assert.deepEqual(studio.problems, [], "the page has errors");
  } finally {
    await studio.stop();
  }
});
const ask = (page, op, body) => page.evaluate(([o, b]) => window.studio.session.ask(o, b), [op, body]);
const set = (page, path, text) => ask(page, "set", { settings: [{ path, text }] });
const runTo = async (page, tick) => {
  const at = await page.evaluate(() => window.studio.session.state.tick);
  await ask(page, "step", { n: tick - at });
  await stands(page, tick);
  await until(page, (end) => (window.studio.session.series.get("velocity.y")?.end ?? -1) >= end - 1e-9, (tick - 1) * 1e-3);
};
const runs = (page) => page.evaluate(() => window.studio.session.runs.list.map((run) => ({ name: run.name, end: run.end, counts: [...run.series.values()].map((each) => each.count) })));
const legend = (page) => page.locator(".readings tr.run .who").allTextContents();
const restart = async (page) => { await ask(page, "restart", {}); await stands(page, 0); };
/** Two runs with another gain each, and a third that has begun. */
const three = async (page) => {
  await runTo(page, 300);
  await restart(page);
  await set(page, "controller.kd", "300 N s/m");
  await runTo(page, 300);
  await restart(page);
  await set(page, "controller.kd", "600 N s/m");
  await runTo(page, 200);
};

onLoop("runs are kept and told apart by what they have otherwise", async (page) => {
  await three(page);
  assert.deepEqual((await runs(page)).map((each) => [each.name, Math.round(each.end * 1000)]), [["run 1", 299], ["run 2", 299]]);
  await until(page, () => document.querySelectorAll(".readings tr.run").length === 2);
  const [first, second] = await legend(page);
  assert.match(first, /^run 1: kd = 60 N s\/m/);
  assert.match(second, /^run 2: kd = 300 N s\/m/);
  await page.getByRole("tab", { name: "Runs" }).click();
  assert.match(await page.locator(".runs .present p").innerText(), /kd = 600 N s\/m/);
  assert.ok((await page.locator(".runs [data-run]").first().innerText()).includes("kd = 300 N s/m"));
});

onLoop("a step back, or the same run again, is not another run", async (page) => {
  await runTo(page, 100);
  await page.keyboard.press("Escape");
  for (const tick of [99, 98, 97]) await ask(page, "back", { n: 1 }), await stands(page, tick);
  await runTo(page, 150);
  await restart(page);
  await runTo(page, 120);
  await restart(page);
  assert.deepEqual((await runs(page)).map((each) => Math.round(each.end * 1000)), [149]);
});

onLoop("a run is named, hidden, pinned and removed", async (page) => {
  await three(page);
  await page.getByRole("tab", { name: "Runs" }).click();
  await page.getByLabel("Name of run 1").fill("soft");
  await page.keyboard.press("Enter");
  await until(page, () => [...document.querySelectorAll(".readings tr.run .who")].some((each) => each.textContent.startsWith("soft: ")));
  const drawn = () => page.evaluate(() => window.studio.scopes.active.source("velocity.y").earlier.map((each) => each.run.name));
  assert.deepEqual(await drawn(), ["soft", "run 2"]);
  await page.getByRole("button", { name: "Shown: soft in the scopes" }).click();
  await until(page, () => document.querySelector(".readings tr.run.off") !== null);
  assert.deepEqual(await drawn(), ["run 2"]);
  await page.getByRole("button", { name: "Pinned: soft stays when others are removed" }).click();
  await page.getByRole("button", { name: "Remove all" }).click();
  assert.deepEqual((await runs(page)).map((each) => each.name), ["soft"]);
  await page.getByRole("button", { name: "Remove soft" }).click();
  assert.equal(await page.locator(".readings tr.run").count(), 0);
});

onLoop("the difference to an earlier run is that of its samples", async (page, studio) => {
  await three(page);
  await page.getByRole("tab", { name: "Runs" }).click();
  await page.getByRole("button", { name: "Reference: Differences are counted from run 1" }).click();
  await pressInScope(page, /^Difference/);
  await until(page, () => document.querySelector(".readings tr[data-signal='velocity.y'] .who").textContent === "velocity.y \u2212 run 1");
  const off = await page.evaluate(() => {
    const { session, scopes } = window.studio, now = session.series.get("velocity.y"), other = session.runs.list[0].series.get("velocity.y"), less = scopes.active.source("velocity.y").now;
    let worst = 0, largest = 0;
    for (let i = 0; i < less.count; ++i) worst = Math.max(worst, Math.abs(less.values[i] - (now.values[i] - other.values[i]))), largest = Math.max(largest, Math.abs(less.values[i]));
    return { count: less.count, worst, largest };
  });
  assert.equal(off.count, 200);
  assert.equal(off.worst, 0);
  assert.ok(off.largest > 0);
  // it continues with the run, and its numbers say what they are
  await runTo(page, 250);
  assert.equal(await page.evaluate(() => window.studio.scopes.active.source("velocity.y").now.count), 250);
  const [download] = await Promise.all([page.waitForEvent("download"), pressInScope(page, /^CSV/)]);
  await download.saveAs(join(studio.where, "less.csv"));
  const rows = readFileSync(join(studio.where, "less.csv"), "utf8").trim().split("\n");
  assert.equal(rows[0], "time [s],velocity.y - run 1 [m/s]");
  assert.equal(rows.length, 251);
  await pressInScope(page, /^Difference/);
  await until(page, () => document.querySelector(".readings tr[data-signal='velocity.y'] .who").textContent === "velocity.y");
});

onLoop("figures between the cursors are those of the samples", async (page) => {
  await runTo(page, 400);
  await page.evaluate(() => { const scope = window.studio.scopes.active; scope.whole(); scope.toggleCursors(); scope.moved(0, 0.05); scope.moved(1, 0.35); });
  await pressInScope(page, /^Statistics/);
  await until(page, () => document.querySelector(".readings.statistics tr[data-signal='velocity.y'] td.s")?.textContent.length > 1);
  const { cells, wanted } = await page.evaluate(() => {
    const { times, values, count } = window.studio.session.series.get("velocity.y"), t = [], v = [];
    for (let i = 0; i < count; ++i) if (times[i] >= 0.05 - 1e-9 && times[i] <= 0.35 + 1e-9) t.push(times[i]), v.push(values[i]);
    const n = v.length, mean = v.reduce((a, b) => a + b) / n, middle = t.reduce((a, b) => a + b) / n, least = Math.min(...v), greatest = Math.max(...v);
    const slope = t.reduce((sum, each, i) => sum + (each - middle) * (v[i] - mean), 0) / t.reduce((sum, each) => sum + (each - middle) ** 2, 0);
    const last = v[n - 1], band = 0.02 * Math.abs(last - v[0]), outside = v.findLastIndex((each) => Math.abs(each - last) > band);
    return { wanted: [mean, Math.sqrt(v.reduce((sum, each) => sum + each * each, 0) / n), least, greatest, greatest - least, slope, t[outside + 1] - 0.05],
             cells: [...document.querySelectorAll("tr[data-signal='velocity.y'] td.s")].map((each) => Number(each.textContent.replaceAll("\u2212", "-"))) };
  });
  assert.equal(cells.length, 7);
  wanted.forEach((each, i) => assert.ok(Math.abs(cells[i] - each) <= 1e-4 * Math.abs(each) + 1e-12, `${i}: ${cells[i]} and ${each}`));
});

const tones = `<diagram format="1" name="tones" period="1 ms">
  <block name="low" type="sources/Sine" amplitude="2 N" frequency="50.3 Hz"/>
  <block name="high" type="sources/Sine" amplitude="0.5 N" frequency="120 Hz"/>
  <block name="both" type="math/Sum" signs="++"/>
  <block name="east" type="sources/Sine" amplitude="3 m" frequency="2 Hz"/>
  <block name="north" type="sources/Sine" amplitude="3 m" frequency="2 Hz" phase="90 deg"/>
  <connect from="low.y" to="both.u[0]"/><connect from="high.y" to="both.u[1]"/>
</diagram>
`;
const onTones = (name, signals, body) => test(name, async () => {
  const where = folder();
  writeFileSync(join(where, "tones.xml"), tones);
  const studio = await Studio.start(where, "tones.xml");
  try {
    const page = await studio.look({ width: 1280, height: 800 });
    await page.evaluate((names) => window.studio.scopes.take(names), signals);
    await ask(page, "step", { n: 3000 });
    await stands(page, 3000);
    await until(page, (name) => (window.studio.session.series.get(name)?.count ?? 0) >= 3000, signals[0]);
    await page.evaluate(() => window.studio.scopes.active.whole());
    await body(page);
    assert.deepEqual(studio.problems, [], "the page has errors");
  } finally {
    await studio.stop();
  }
});
const drawn = (page) => page.evaluate(() => window.studio.scopes.active.charts.drawn.map(({ across, up, lines, marks }) => ({ across, up, marks, lines: lines.map(({ x, y }) => [[...x], [...y]]) })));

onTones("a spectrum has the amplitudes and names the frequencies of its peaks", ["both.y"], async (page) => {
  await page.getByLabel("View", { exact: true }).first().selectOption("spectrum");
  await page.getByLabel("Window").first().selectOption("flat top");
  await until(page, () => window.studio.scopes.active.charts.drawn[0]?.marks.length >= 2);
  const [chart] = await drawn(page);
  assert.equal(chart.across, "Frequency [Hz]");
  assert.equal(chart.up, "Amplitude [N]");
  for (const [i, frequency, amplitude] of [[0, 50.3, 2], [1, 120, 0.5]]) {
    assert.ok(Math.abs(chart.marks[i].x - frequency) < 0.1, JSON.stringify(chart.marks));
    assert.ok(Math.abs(chart.marks[i].y / amplitude - 1) < 0.01, JSON.stringify(chart.marks));
  }
  assert.match(chart.marks[1].text, /^(120|119\.9|120\.1) Hz$/);
  // between the cursors alone: 256 samples of 300
  await page.evaluate(() => { const scope = window.studio.scopes.active; scope.toggleCursors(); scope.moved(0, 1); scope.moved(1, 1.3); });
  await until(page, () => window.studio.scopes.active.charts.drawn[0].lines[0].x.length === 128);
  // of the samples themselves, by the sum that defines it
  const before = await page.evaluate(() => window.studio.scopes.active.charts.drawn[0].lines[0].y[4]);
  await page.getByLabel("Window").first().selectOption("none");
  await until(page, (old) => window.studio.scopes.active.charts.drawn[0].lines[0].y[4] !== old, before);
  const off = await page.evaluate(() => {
    const { x, y } = window.studio.scopes.active.charts.drawn[0].lines[0], series = window.studio.session.series.get("both.y"), end = series.from(1.3 + 1e-9), v = [...series.values.slice(end - 256, end)], mean = v.reduce((a, b) => a + b) / 256;
    let worst = 0;
    for (const k of [1, 5, 13, 31, 64, 127]) {
      let re = 0, im = 0;
      v.forEach((each, i) => { re += (each - mean) * Math.cos((2 * Math.PI * k * i) / 256); im -= (each - mean) * Math.sin((2 * Math.PI * k * i) / 256); });
      worst = Math.max(worst, Math.abs((2 * Math.hypot(re, im)) / 256 - y[k - 1]), Math.abs(x[k - 1] - (k * 1000) / 256));
    }
    return worst;
  });
  assert.ok(off < 1e-9, String(off));
});

onTones("XY draws one signal over another, as they were at the same instants", ["east.y", "north.y"], async (page) => {
  await page.getByLabel("View", { exact: true }).first().selectOption("XY");
  await until(page, () => window.studio.scopes.active.charts.drawn[0]?.lines[0]?.x.length > 2000);
  const [chart] = await drawn(page);
  assert.equal(chart.across, "east.y [m]");
  assert.equal(chart.up, "north.y [m]");
  const [x, y] = chart.lines[0];
  x.forEach((each, i) => assert.ok(Math.abs(Math.hypot(each, y[i]) - 3) < 1e-9, `${each}, ${y[i]}`));
  // the picture is of the chart, and not of the plot over time that lies hidden
  const [download] = await Promise.all([page.waitForEvent("download"), pressInScope(page, /^PNG/)]);
  const picture = readFileSync(await download.path()), size = [picture.readUInt32BE(16), picture.readUInt32BE(20)];
  const chart_ = await page.evaluate(() => { const [{ plot }] = window.studio.scopes.active.charts.figures; return [plot.ctx.canvas.width, plot.ctx.canvas.height]; });
  assert.deepEqual(size, [chart_[0] + 24, chart_[1] + 3 * 12 + 2.5 * 18 + 2 * 18 + 12]); // title, legend of two
  await page.getByLabel("View", { exact: true }).first().selectOption("time");
  assert.deepEqual(await drawn(page), []);
});
