// SPDX-License-Identifier: BSD-3-Clause
// Scopes that judge: signals computed of others, limits with their verdict, layouts by name.
// studio.limits runs this by node --test. HILDA_PICTURES=FOLDER leaves pictures there.
import assert from "node:assert/strict";
import { join } from "node:path";
import test from "node:test";
import { folder, lessons, picture, pressInScope, stands, Studio, until } from "./program.mjs";

const onLoop = (name, body) => test(name, async () => {
  const studio = await Studio.start(folder(join(lessons, "14-tune-live")), "loop.xml");
  try {
    const page = await studio.look({ width: 1440, height: 900 });
    await body(page, studio);
    assert.deepEqual(studio.problems, [], "the page has errors");
  } finally {
    await studio.stop();
  }
});
const ask = (page, op, body) => page.evaluate(([o, b]) => window.studio.session.ask(o, b), [op, body]);
const runTo = async (page, tick) => {
  const at = await page.evaluate(() => window.studio.session.state.tick);
  await ask(page, "step", { n: tick - at });
  await stands(page, tick);
  await until(page, (end) => (window.studio.session.series.get("position.y")?.end ?? -1) >= end - 1e-9, (tick - 1) * 1e-3);
};
const express = async (page, text) => {
  if (await page.locator("form.expression").first().isHidden()) await pressInScope(page, /^Expression/);
  await page.locator("form.expression input").first().fill(text);
  await page.keyboard.press("Enter");
};
const limit = async (page, signal, { lower = "", upper = "", from = "", to = "" }) => {
  if (await page.locator("form.limits").first().isHidden()) await pressInScope(page, /^Limits/);
  const form = page.locator("form.limits").first();
  await form.locator("select").selectOption(signal);
  for (const [i, value] of [lower, upper, from, to].entries()) await form.locator("input").nth(i).fill(value);
  await form.getByRole("button", { name: "Set" }).click();
};
const verdict = (page, signal) => page.locator(`tr[data-signal='${signal}'] .verdict`).first().textContent();

onLoop("an expression is computed of every sample, in its unit; what means nothing says why", async (page, studio) => {
  await express(page, "wanted.y - position.y");
  await until(page, () => window.studio.scopes.active.names().includes("wanted.y - position.y"));
  await runTo(page, 400);
  const found = await page.evaluate(() => {
    const { session, scopes } = window.studio, made = scopes.active.source("wanted.y - position.y").now, [a, b] = ["wanted.y", "position.y"].map((each) => session.series.get(each));
    let worst = 0, largest = 0;
    for (let i = 0; i < made.count; ++i) worst = Math.max(worst, Math.abs(made.values[i] - (a.values[i] - b.values[i]))), largest = Math.max(largest, Math.abs(made.values[i]));
    return { count: made.count, worst, largest, unit: session.scalars.get("wanted.y - position.y").unit };
  });
  assert.deepEqual([found.count, found.worst, found.unit], [400, 0, "m"]);
  assert.ok(found.largest > 0.001);
  await express(page, "abs(position.y) / 2 [s]");
  await until(page, () => window.studio.session.scalars.get("abs(position.y) / 2 [s]")?.unit === "m/s");
  const refused = async (text) => { await express(page, text); return page.locator("form.expression .refused").first().textContent(); };
  assert.match(await refused("position.y + velocity.y"), /position.y is in m, and velocity.y is in m\/s: '\+' needs equal units/);
  assert.match(await refused("position.y - 2"), /Write 2 \[m\]/);
  assert.match(await refused("postion.y"), /there is no signal 'postion.y'/);
  assert.match(await refused("position.y -"), /something is missing at the end/);
  // what was taken back and run again is computed again
  await ask(page, "back", { to: 0.1 });
  await stands(page, 100);
  await ask(page, "set", { settings: [{ path: "controller.kd", text: "300 N s/m" }] });
  await runTo(page, 500);
  const off = await page.evaluate(() => { const { session, scopes } = window.studio, made = scopes.active.source("wanted.y - position.y").now, [a, b] = ["wanted.y", "position.y"].map((each) => session.series.get(each)); let worst = 0; for (let i = 0; i < made.count; ++i) worst = Math.max(worst, Math.abs(made.values[i] - (a.values[i] - b.values[i]))); return [made.count, worst]; });
  assert.deepEqual(off, [500, 0]);
  const [download] = await Promise.all([page.waitForEvent("download"), pressInScope(page, /^CSV/)]);
  await download.saveAs(join(studio.where, "scope.csv"));
});

onLoop("limits tell whether a signal held, when not, and for earlier runs too; the state line tells it", async (page) => {
  await runTo(page, 200);
  const greatest = await page.evaluate(() => { const { values, count } = window.studio.session.series.get("position.y"); return Math.max(...values.subarray(0, count)); });
  await limit(page, "position.y", { lower: "-0.001", upper: String(greatest * 2) });
  await until(page, () => document.querySelector("tr[data-signal='position.y'] .verdict.good") !== null);
  assert.match(await verdict(page, "position.y"), /within its limits/);
  assert.equal(await page.locator("[data-state=limits]").count(), 0);
  const upper = greatest / 2;
  await limit(page, "position.y", { upper: upper.toPrecision(6) });
  await until(page, () => document.querySelector("tr[data-signal='position.y'] .verdict.bad") !== null);
  const at = await page.evaluate((u) => { const { times, values, count } = window.studio.session.series.get("position.y"); for (let i = 0; i < count; ++i) if (values[i] > u) return times[i]; return null; }, Number(upper.toPrecision(6)));
  assert.ok((await verdict(page, "position.y")).includes(`left at ${at.toFixed(3)} s`), `${await verdict(page, "position.y")} and ${at}`);
  assert.match(await page.locator("[data-state=limits]").textContent(), /^position.y was .* at .* s, above /);
  assert.match(await page.title(), /limit left/);
  await picture(page, "limits");
  // of a part of the run alone
  await limit(page, "position.y", { upper: upper.toPrecision(6), to: String(at - 0.002) });
  await until(page, () => document.querySelector("tr[data-signal='position.y'] .verdict.good") !== null);
  assert.equal(await page.locator("[data-state=limits]").count(), 0);
  // what cannot be meant is refused in words
  await limit(page, "position.y", { lower: "2", upper: "1" });
  assert.equal(await page.locator("form.limits input").nth(1).evaluate((each) => each.validationMessage), "more than the least that is allowed");
  await page.locator("form.limits").first().getByRole("button", { name: /^Off/ }).click();
  await until(page, () => [...document.querySelectorAll("tr[data-signal='position.y'] .verdict")].every((each) => each.hidden));
});

onLoop("sums, derivatives and filters go from sample to sample, in their units, and begin again after a step back", async (page) => {
  const run = async (n) => { const tick = await page.evaluate(() => window.studio.session.state.tick); await page.evaluate((count) => window.studio.session.ask("step", { n: count }), n); await until(page, (end) => (window.studio.session.series.get("velocity.y")?.end ?? -1) >= end - 1e-9, (tick + n - 1) * 1e-3); };
  await page.evaluate(() => { const { scopes } = window.studio; for (const each of ["position.y", "velocity.y"]) if (!scopes.active.names().includes(each)) scopes.take([each]); });
  const units = { "integral(velocity.y)": "m", "derivative(position.y)": "m/s", "cumsum(position.y)": "m", "lowpass(velocity.y, 0.02 [s])": "m/s", "highpass(velocity.y, 0.02 [s])": "m/s", "lowpass(2 * velocity.y, 0.02 [s]) - lowpass(velocity.y, 0.1 [s])": "m/s" };
  for (const [text, unit] of Object.entries(units)) {
    await express(page, text);
    await until(page, ([name, wanted]) => window.studio.session.scalars.get(name)?.unit === wanted, [text, unit]);
  }
  await run(200);
  await run(100);
  const worst = () => page.evaluate((names) => {
    const { session, scopes } = window.studio, x = session.series.get("position.y"), v = session.series.get("velocity.y"), n = v.count, step = 1e-3, low = (scale, T) => { const all = [scale * v.values[0]]; for (let i = 1; i < n; ++i) all.push(scale * v.values[i] + (all[i - 1] - scale * v.values[i]) * Math.exp(-step / T)); return all; };
    const sums = [[0], [NaN], [x.values[0]]];
    for (let i = 1; i < n; ++i) sums[0].push(sums[0][i - 1] + (v.values[i - 1] + v.values[i]) / 2 * step), sums[1].push((x.values[i] - x.values[i - 1]) / step), sums[2].push(sums[2][i - 1] + x.values[i]);
    const wanted = [...sums, low(1, 0.02), low(1, 0.02).map((each, i) => v.values[i] - each), low(2, 0.02).map((each, i) => each - low(1, 0.1)[i])];
    return names.map((name, k) => { const made = scopes.active.source(name).now; let off = made.count === n ? 0 : Infinity; for (let i = 1; i < n; ++i) off = Math.max(off, Math.abs(made.values[i] - wanted[k][i]) / (1e-12 + Math.abs(wanted[k][i]))); return off; });
  }, Object.keys(units));
  assert.ok((await worst()).every((each) => each < 1e-6), JSON.stringify(await worst()));
  await page.evaluate(() => window.studio.session.ask("back", { to: 0.05 }));
  await until(page, () => window.studio.session.state.tick === 50);
  await run(100);
  assert.ok((await worst()).every((each) => each < 1e-6), JSON.stringify(await worst()));
  await express(page, "lowpass(velocity.y, 5)");
  assert.match(await page.locator("form.expression .refused").first().textContent(), /lowpass takes a time constant, and 5 has no unit/);
});

onLoop("scopes are kept by name and by a reload, with expressions and limits", async (page) => {
  await express(page, "wanted.y - position.y");
  await limit(page, "wanted.y - position.y", { lower: "-0.02", upper: "0.02" });
  await pressInScope(page, /^Layouts/);
  await page.getByLabel("Name of the layout").fill("error");
  await page.keyboard.press("Enter");
  await page.locator("[data-layout=error]").waitFor();
  await page.keyboard.press("Escape");
  const names = () => page.evaluate(() => window.studio.scopes.all.map((each) => each.names().sort()));
  const before = await names();
  await page.evaluate(() => { const { active } = window.studio.scopes; active.names().forEach((each) => active.toggle(each)); active.toggle("velocity.y"); });
  assert.deepEqual(await names(), [["velocity.y"]]);
  await pressInScope(page, /^Layouts/);
  await page.getByRole("button", { name: "Show the scopes of 'error'" }).click();
  await until(page, () => window.studio.scopes.active.names().includes("wanted.y - position.y"));
  assert.deepEqual(await names(), before);
  assert.equal(await page.evaluate(() => window.studio.scopes.active.limits.of("wanted.y - position.y").upper), 0.02);
  await page.reload();
  await until(page, () => window.studio?.scopes.active.names().includes("wanted.y - position.y") ?? false);
  assert.deepEqual(await names(), before);
  assert.equal(await page.evaluate(() => window.studio.scopes.active.limits.of("wanted.y - position.y").lower), -0.02);
  await picture(page, "layouts");
});
