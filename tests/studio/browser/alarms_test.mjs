// SPDX-License-Identifier: BSD-3-Clause
// Alarms ring, are shown, pause the run and lead back; layouts with them lie next to the diagram.
// studio.alarms runs this by node --test. HILDA_PICTURES=FOLDER leaves pictures there.
import assert from "node:assert/strict";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import test from "node:test";
import { folder, lessons, picture, pressInScope, stands, Studio, until } from "./program.mjs";

/** What a page does before its own scripts: it counts what is heard. */
const listen = () => {
  window.heard = 0;
  const begin = OscillatorNode.prototype.start;
  OscillatorNode.prototype.start = function start(...when) { ++window.heard; return begin.apply(this, when); };
};
const onLoop = (name, body) => test(name, async () => {
  const studio = await Studio.start(folder(join(lessons, "14-tune-live")), "loop.xml");
  try {
    const page = await studio.look({ width: 1440, height: 900 });
    await page.evaluate(listen);
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
const alarm = async (page, condition, { rings = true, pauses = false } = {}) => {
  const form = page.locator("form.alarm").first();
  if (await form.isHidden()) await pressInScope(page, /^Alarms/);
  await form.getByLabel("alarm when").fill(condition);
  await form.getByLabel("rings").setChecked(rings);
  await form.getByLabel("pauses the run").setChecked(pauses);
  await form.getByRole("button", { name: "Set" }).click();
};
/** When the samples say that it became true first. */
const first = (page, level) => page.evaluate((l) => { const { times, values, count } = window.studio.session.series.get("position.y"); for (let i = 0; i < count; ++i) if (values[i] > l) return times[i]; return null; }, level);

onLoop("an alarm is told, said and heard once, at the sample where it became true", async (page) => {
  await alarm(page, "position.y > 0.005 [m]");
  await page.locator("[data-alarm='position.y > 0.005 [m]']").waitFor();
  assert.equal(await page.locator("[data-state=alarm]").count(), 0);
  await runTo(page, 20);
  assert.equal(await page.locator("[data-state=alarm]").count(), 0);
  await runTo(page, 240);
  await until(page, () => document.querySelector("[data-state=alarm]") !== null);
  const at = await first(page, 0.005);
  const told = `position.y > 0.005 [m] at ${at.toFixed(3)} s`;
  assert.ok((await page.locator("[data-state=alarm]").textContent()).includes(told));
  assert.ok((await page.locator("[role=alert].unseen").textContent()).includes(told), "a screen reader says it at once");
  assert.match(await page.title(), /^alarm: /);
  assert.equal(await page.evaluate(() => window.heard), 2, "two tones");
  assert.deepEqual(await page.evaluate(() => window.studio.scopes.active.alarms.times("position.y > 0.005 [m]")), [at]);
  await picture(page, "alarm");
  await page.getByRole("button", { name: "This alarm was seen" }).click();
  await until(page, () => document.querySelector("[data-state=alarm]") === null);
  await runTo(page, 245);
  assert.equal(await page.locator("[data-state=alarm]").count(), 0, "it is still true, and that was told");
  // again in the next run, without a sound
  await page.locator("form.alarm").first().getByLabel("sound").setChecked(false);
  await ask(page, "restart", {});
  await stands(page, 0);
  await runTo(page, 240);
  await until(page, () => document.querySelector("[data-state=alarm]") !== null);
  assert.equal(await page.evaluate(() => window.heard), 2);
  // one that is set later marks the past, and rings for none of it
  await page.getByRole("button", { name: "This alarm was seen" }).click();
  await alarm(page, "position.y > 0.004 [m]");
  await until(page, () => window.studio.scopes.active.alarms.times("position.y > 0.004 [m]").length === 1);
  assert.equal(await page.locator("[data-state=alarm]").count(), 0);
});

onLoop("an alarm that is removed goes from the state line; one that was before the time gone back to does not ring again", async (page) => {
  const shown = () => page.locator("[data-state=alarm]").count();
  await alarm(page, "position.y > 0.005 [m]");
  await runTo(page, 240);
  await until(page, () => document.querySelector("[data-state=alarm]") !== null);
  const at = await first(page, 0.005);
  await page.getByRole("button", { name: "This alarm was seen" }).click();
  await until(page, () => document.querySelector("[data-state=alarm]") === null);
  const back = Math.round((at + 0.24) / 2 * 1000);
  await ask(page, "back", { to: back / 1000 });
  await stands(page, back);
  await runTo(page, 240);
  assert.deepEqual(await page.evaluate(() => window.studio.scopes.active.alarms.times("position.y > 0.005 [m]")), [at], "it is still marked");
  assert.equal(await shown(), 0, "it was told before");
  assert.equal(await page.evaluate(() => window.heard), 2);
  await ask(page, "back", { to: 0.01 });
  await stands(page, 10);
  await runTo(page, 240);
  await until(page, () => document.querySelector("[data-state=alarm]") !== null);
  await page.locator("[data-alarm] button").click();
  await until(page, () => document.querySelector("[data-state=alarm]") === null);
  assert.doesNotMatch(await page.title(), /^alarm: /);
});

onLoop("an alarm pauses the run, and leads back to where it became true", async (page) => {
  await alarm(page, "position.y > 0.005 [m]", { rings: false, pauses: true });
  await ask(page, "run", { speed: 1 });
  await until(page, () => document.querySelector("[data-state=alarm]") !== null && window.studio.session.state.state === "paused");
  assert.equal(await page.evaluate(() => window.heard), 0);
  const at = await first(page, 0.005), stood = await page.evaluate(() => window.studio.session.state.time);
  assert.ok(stood >= at && stood < 1.5, `${stood} and ${at}`);
  await page.getByRole("button", { name: `Back to ${at.toFixed(3)} s` }).click();
  await stands(page, Math.round(at * 1000));
});

onLoop("what is no condition says why", async (page) => {
  const refused = async (text) => { await alarm(page, text); return page.locator("form.alarm .refused").first().textContent(); };
  assert.equal(await refused("position.y"), "position.y is a number: compare it, as in position.y > 1 [m]");
  assert.match(await refused("position.y > 2"), /Write 2 \[m\]/);
  assert.match(await refused("postion.y > 2 [m]"), /there is no signal 'postion.y'/);
  assert.match(await refused(""), /write a comparison/);
  assert.equal(await page.locator("[data-alarm]").count(), 0);
});

const save = async (page, name) => {
  await pressInScope(page, /^Layouts/);
  await page.getByLabel("Name of the layout").fill(name);
  await page.keyboard.press("Enter");
  await page.locator(`[data-layout='${name}']`).waitFor();
};

onLoop("a layout with its alarms lies next to the diagram, and another page has it", async (page, studio) => {
  await alarm(page, "position.y > 0.005 [m]", { pauses: true });
  await save(page, "tall");
  await page.keyboard.press("Escape");
  const file = join(studio.where, ".hilda", "loop.layouts.json"), { format, layouts } = JSON.parse(readFileSync(file, "utf8"));
  assert.equal(format, 1);
  assert.deepEqual(layouts.tall[0].alarms, [{ condition: "position.y > 0.005 [m]", rings: true, pauses: true }]);
  await page.locator("[data-alarm] button").click();
  await until(page, () => window.studio.scopes.active.alarms.all.length === 0);
  const other = await studio.look();
  await pressInScope(other, /^Layouts/);
  await other.getByRole("button", { name: "Show the scopes of 'tall'" }).click();
  await until(other, () => window.studio.scopes.active.alarms.all.length === 1);
  assert.deepEqual(await other.evaluate(() => window.studio.scopes.active.alarms.all), [{ condition: "position.y > 0.005 [m]", rings: true, pauses: true }]);
  // a reload keeps the alarm; an alarm removed in one page goes in the other
  await other.reload();
  await until(other, () => window.studio?.scopes.active.alarms.all.length === 1);
  await pressInScope(page, /^Layouts/);
  await picture(page, "layouts_in_file");
  await pressInScope(other, /^Layouts/);
  await other.getByRole("button", { name: "Remove the layout 'tall'" }).click();
  await until(page, () => document.querySelector("dialog.layouts [data-layout]") === null);
  assert.deepEqual(JSON.parse(readFileSync(file, "utf8")).layouts, {});
});

onLoop("layouts of this browser are carried over into the file; a broken file is told and stays", async (page, studio) => {
  const scopes = JSON.stringify([{ names: ["velocity.y"], limits: [], span: 2, view: "time" }]);
  assert.ok(!existsSync(join(studio.where, ".hilda")));
  await page.evaluate((each) => localStorage.setItem("hilda layouts loop.xml", `{"old":${each},"both":${each}}`), scopes);
  mkdirSync(join(studio.where, ".hilda"));
  const file = join(studio.where, ".hilda", "loop.layouts.json");
  writeFileSync(file, JSON.stringify({ format: 1, layouts: { both: [{ names: ["position.y"], limits: 7, span: "x", view: "?" }, 4] } }));
  await page.reload();
  await until(page, () => window.studio?.session.hello && localStorage.getItem("hilda layouts loop.xml") === null);
  const { layouts } = JSON.parse(readFileSync(file, "utf8"));
  assert.deepEqual(Object.keys(layouts).sort(), ["both", "both (of a browser)", "old"]);
  assert.deepEqual(layouts.both[0].names, ["position.y"]);
  await pressInScope(page, /^Layouts/);
  await page.getByRole("button", { name: "Show the scopes of 'both'" }).click(); // which a person has written wrongly
  await until(page, () => window.studio.scopes.active.names().join() === "position.y");
  writeFileSync(file, "{\"format\": 1,\n\"layouts\": nothing}");
  await pressInScope(page, /^Layouts/);
  await until(page, () => /loop\.layouts\.json:2: it is not JSON[^]*mend the file/.test(document.querySelector("dialog.layouts .refused")?.textContent ?? ""));
  await page.getByLabel("Name of the layout").fill("new");
  await page.keyboard.press("Enter");
  await until(page, () => !document.querySelector("dialog.layouts .refused").hidden);
  assert.equal(readFileSync(file, "utf8"), "{\"format\": 1,\n\"layouts\": nothing}");
});
