// SPDX-License-Identifier: BSD-3-Clause
// Panels of scopes: signals are taken from one to another, values are shown in other units and on logarithmic axes, and what is
// shown is saved as a log. studio.panels runs this by node --test. HILDA_PICTURES=FOLDER leaves pictures there.
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import test from "node:test";
import { folder, lessons, picture, pressInScope, stands, Studio, terminal, until } from "./program.mjs";

const onLoop = (name, body) => test(name, async () => {
  const studio = await Studio.start(folder(join(lessons, "14-tune-live")), "loop.xml");
  try {
    const page = await studio.look({ width: 1440, height: 900 });
    await page.evaluate(() => { const { scopes } = window.studio; scopes.active.names().forEach((each) => scopes.active.toggle(each)); ["position.y", "velocity.y"].forEach((each) => scopes.take([each])); });
    await body(page, studio);
    assert.deepEqual(studio.problems, [], "the page has errors");
  } finally {
    await studio.stop();
  }
});
const panels = (page, scope = 0) => page.evaluate((i) => window.studio.scopes.all[i].panels.map((each) => each.layout), scope);
const names = async (page, scope) => (await panels(page, scope)).map((each) => each.names);
const step = async (page, n) => {
  const tick = await page.evaluate(() => window.studio.session.state.tick);
  await page.evaluate((count) => window.studio.session.ask("step", { n: count }), n);
  await stands(page, tick + n);
  await until(page, (end) => (window.studio.session.series.get("position.y")?.end ?? -1) >= end - 1e-9, (tick + n - 1) * 1e-3);
};
const middle = (box, down = 0.5) => [box.x + Math.min(box.width / 2, 40), box.y + box.height * down];
const carry = async (page, signal, to, down) => {
  await page.mouse.move(...middle(await page.locator(`tr[data-signal='${signal}'] .who`).boundingBox()));
  await page.mouse.down();
  const [x, y] = middle(await to.boundingBox(), down);
  await page.mouse.move(x, y - 8, { steps: 5 });
  await page.mouse.move(x, y, { steps: 3 });
  assert.equal(await page.locator(".carried").isVisible(), true, "what is carried is shown");
  await page.mouse.up();
};

onLoop("a signal is dragged into another panel, next to one, and to another scope; Alt and arrows do the same", async (page) => {
  await page.evaluate(() => { const { session, scopes } = window.studio; scopes.active.toggle(session.express("position.y / 2")); });
  assert.deepEqual(await names(page), [["position.y", "position.y / 2"], ["velocity.y"]]);
  // out of the common panel, beneath the lowest
  await carry(page, "position.y / 2", page.locator(".panel").nth(1), 0.9);
  assert.deepEqual(await names(page), [["position.y"], ["velocity.y"], ["position.y / 2"]]);
  // m does not go into m/s: the signal gets a panel above it
  await carry(page, "position.y / 2", page.locator(".panel").nth(1), 0.3);
  assert.deepEqual(await names(page), [["position.y"], ["position.y / 2"], ["velocity.y"]]);
  await carry(page, "position.y / 2", page.locator(".panel").nth(0), 0.5);
  assert.deepEqual(await names(page), [["position.y", "position.y / 2"], ["velocity.y"]]);
  // Escape: nothing happens
  await page.mouse.move(...middle(await page.locator("tr[data-signal='position.y'] .who").boundingBox()));
  await page.mouse.down();
  await page.mouse.move(600, 700, { steps: 5 });
  await page.keyboard.press("Escape");
  await page.mouse.up();
  assert.deepEqual(await names(page), [["position.y", "position.y / 2"], ["velocity.y"]]);
  // by keys
  const key = async (signal, ...keys) => { await page.locator(`tr[data-signal='${signal}'] .swatch`).focus(); for (const each of keys) await page.keyboard.press(each); };
  await key("position.y / 2", "Alt+ArrowDown");
  assert.deepEqual(await names(page), [["position.y"], ["position.y / 2"], ["velocity.y"]]);
  await page.keyboard.press("Alt+ArrowDown"); // the focus has come along
  assert.deepEqual(await names(page), [["position.y"], ["velocity.y"], ["position.y / 2"]]);
  await page.keyboard.press("Alt+ArrowUp");
  await page.keyboard.press("Alt+ArrowUp");
  assert.deepEqual(await names(page), [["position.y", "position.y / 2"], ["velocity.y"]]);
  await page.evaluate(() => window.studio.scopes.add());
  await key("velocity.y", "Alt+ArrowRight");
  assert.deepEqual([await names(page, 0), await names(page, 1)], [[["position.y", "position.y / 2"]], [["velocity.y"]]]);
  await carry(page, "position.y / 2", page.locator(".scope").nth(1).locator(".panel"), 0.9);
  assert.deepEqual([await names(page, 0), await names(page, 1)], [[["position.y"]], [["velocity.y"], ["position.y / 2"]]]);
  // a reload finds the panels again
  await page.reload();
  await until(page, () => window.studio?.scopes.all.length === 2 && window.studio.scopes.all[1].panels.length === 2);
  assert.deepEqual([await names(page, 0), await names(page, 1)], [[["position.y"]], [["velocity.y"], ["position.y / 2"]]]);
});

onLoop("values are shown in another unit of the same quantity, in readings, axes and the table; another quantity is refused", async (page) => {
  await step(page, 300);
  const before = await page.evaluate(() => window.studio.scopes.active.panels[0].plot.scales.y.max), now = () => page.locator("tr[data-signal='position.y'] td.n").first().innerText();
  const metres = Number((await now()).replace("\u2212", "-"));
  const unit = page.getByLabel("Unit of position.y");
  await unit.fill("mm");
  await unit.press("Enter");
  await until(page, () => window.studio.scopes.active.panels[0].shownUnit.unit === "mm");
  const close = (a, b) => assert.ok(Math.abs(a - b) <= 1e-5 * Math.abs(b), `${a} and ${b}`);
  close(Number((await now()).replace("\u2212", "-")), metres * 1000);
  close(await page.evaluate(() => window.studio.scopes.active.panels[0].plot.scales.y.max), before * 1000);
  await unit.fill("N");
  await unit.press("Enter");
  await until(page, () => /'N' is a unit of another quantity than 'm'/.test(document.querySelector(".told").textContent));
  assert.equal(await unit.getAttribute("aria-invalid"), "true");
  await unit.press("Escape");
  assert.equal(await unit.inputValue(), "mm");
  const [saved] = await Promise.all([page.waitForEvent("download"), pressInScope(page, /^CSV/)]);
  const [head, ...rows] = readFileSync(await saved.path(), "utf8").trim().split("\n");
  assert.match(head, /position\.y \[mm\]/);
  close(Number(rows.at(-1).split(",")[1]), metres * 1000);
  await picture(page, "units");
  const { y: below } = await page.locator(".panel .plot").first().boundingBox(), field = await unit.boundingBox();
  assert.ok(field.y + field.height <= below + 1, "the field hides nothing of the curves");
  // zooming by the mouse is in what is seen
  await page.evaluate(() => window.studio.scopes.active.panels[0].stretch(0.5));
  assert.ok(await page.evaluate(() => { const { height, plot } = window.studio.scopes.active.panels[0]; return Math.abs(plot.scales.y.max / 1000 - height[1]) < 1e-12; }), "zoomed values stay in SI");
  await page.reload();
  await until(page, () => window.studio?.scopes.active?.panels[0]?.shownUnit.unit === "mm");
});

onLoop("a unit is kept while hilda is asked for it, refused once, and given up for the last one that was typed", async (page) => {
  const shown = () => page.evaluate(() => window.studio.scopes.active.panels[0].shownUnit.unit);
  await page.evaluate(() => { const scope = window.studio.scopes.active; void scope.panels[0].showIn("mm"); scope.group(scope.panels.map((each) => each.layout)); });
  await until(page, () => window.studio.scopes.active.panels[0].shownUnit.unit === "mm");
  await page.evaluate(async () => { // the reply about cm comes last
    const { session, scopes } = window.studio, [panel] = scopes.active.panels, ask = session.ask.bind(session);
    session.ask = async (op, body, ...rest) => { const reply = await ask(op, body, ...rest); if (body?.to === "cm") await new Promise((done) => setTimeout(done, 200)); return reply; };
    await Promise.all([panel.showIn("cm"), panel.showIn("km")]);
    session.ask = ask;
  });
  assert.equal(await shown(), "km");
  const asked = await page.evaluate(() => { const { session } = window.studio, ask = session.ask.bind(session), all = []; session.ask = (op, ...rest) => { all.push(op); return ask(op, ...rest); }; window.asked = all; return all.length; });
  assert.equal(asked, 0);
  const unit = page.getByLabel("Unit of position.y");
  await unit.fill("N");
  await unit.press("Enter");
  await page.getByLabel("Unit of velocity.y").focus(); // leaves the field
  await until(page, () => document.querySelector("[aria-invalid=true]") !== null);
  assert.equal(await page.evaluate(() => window.asked.filter((each) => each === "convert").length), 1);
  assert.equal(await shown(), "km");
});

onLoop("in four narrow scopes the value of a signal and its cross are in sight", async (page) => {
  await page.evaluate(() => { const { scopes } = window.studio; for (let i = 0; i < 3; ++i) { scopes.add(); scopes.take(["position.y"]); } });
  const cut = await page.evaluate(() => [...document.querySelectorAll(".scope")].slice(1).flatMap((scope) => [...scope.querySelectorAll(".readings .n, .readings button, .panel-tools input")].filter((each) => each.getBoundingClientRect().width && each.getBoundingClientRect().right > scope.getBoundingClientRect().right).map((each) => each.className || each.title)));
  assert.deepEqual(cut, []);
});

onLoop("limits of a signal come along into another scope", async (page) => {
  await page.evaluate(() => { const { scopes } = window.studio; scopes.active.limits.set({ signal: "velocity.y", lower: null, upper: 0.1, from: null, to: null }); scopes.add(); });
  await page.locator("tr[data-signal='velocity.y'] .swatch").focus();
  await page.keyboard.press("Alt+ArrowRight");
  assert.deepEqual(await page.evaluate(() => window.studio.scopes.all.map((each) => each.limits.all.map(({ signal, upper }) => [signal, upper]))), [[], [["velocity.y", 0.1]]]);
});

test("the difference of two temperatures is in K, not in degC", async () => {
  const where = folder();
  writeFileSync(join(where, "warm.xml"), `<diagram format="1" name="warm" period="1 ms">
  <block name="oven" type="sources/Constant" value="300 K"/>
</diagram>
`);
  const studio = await Studio.start(where, "warm.xml");
  try {
    const page = await studio.look({ width: 1440, height: 900 });
    await page.evaluate(() => window.studio.scopes.take(["oven.y"]));
    const run = async () => { await page.evaluate(() => window.studio.session.ask("step", { n: 5 })); await until(page, () => (window.studio.session.series.get("oven.y")?.end ?? 0) > 0.0035); };
    await run();
    await page.getByLabel("Unit of oven.y").fill("degC");
    await page.keyboard.press("Enter");
    const now = () => page.locator("tr[data-signal='oven.y'] td.n").first().innerText();
    await until(page, () => document.querySelector("tr[data-signal='oven.y'] td.n").textContent === "26.85");
    await page.evaluate(() => window.studio.session.ask("restart"));
    await until(page, () => window.studio.session.runs.list.length === 1);
    await run();
    await page.evaluate(() => window.studio.scopes.active.toggleDifference());
    await until(page, () => document.querySelector("tr[data-signal='oven.y'] td.n").textContent === "0");
    const [saved] = await Promise.all([page.waitForEvent("download"), pressInScope(page, /^CSV/)]);
    assert.match(readFileSync(await saved.path(), "utf8"), /^time \[s\],oven\.y - .* \[K\]\n0,0\n/);
    assert.equal(await now(), "0");
    assert.deepEqual(studio.problems, [], "the page has errors");
  } finally {
    await studio.stop();
  }
});

onLoop("a logarithmic axis shows decades, and what is not above 0 lies beneath it", async (page) => {
  await step(page, 400);
  const log = page.locator(".panel").first().getByRole("button", { name: /^Logarithmic axis/ });
  await log.focus();
  await page.keyboard.press("Enter");
  assert.equal(await log.getAttribute("aria-pressed"), "true");
  const { distribution, min, max, least } = await page.evaluate(() => {
    const panel = window.studio.scopes.active.panels[0], { y } = panel.plot.scales, series = window.studio.session.series.get("position.y");
    return { distribution: y.distr, min: y.min, max: y.max, least: Math.min(...[...series.values.subarray(0, series.count)].filter((each) => each > 0)) };
  });
  assert.equal(distribution, 3);
  assert.ok(min > 0 && max > min && min <= least, `${min} ${max} ${least}`);
  assert.ok(await page.evaluate(() => { // curves are where the axis says
    const panel = window.studio.scopes.active.panels[0], u = panel.plot, v = Math.sqrt(u.scales.y.min * u.scales.y.max);
    return Math.abs(panel.pixel(u, v) - (u.bbox.top + u.bbox.height / 2)) < 2 && panel.pixel(u, -1) > u.bbox.top + u.bbox.height;
  }));
  await picture(page, "log_axis");
  await page.reload();
  await until(page, () => window.studio?.scopes.active?.panels[0]?.logarithmic === true);
  await page.locator(".panel").first().getByRole("button", { name: /^Logarithmic axis/ }).click();
  assert.equal(await page.evaluate(() => window.studio.scopes.active.panels[0].plot.scales.y.distr), 1);
});

onLoop("signals of a scope are saved as a log, of a run and a time; the log has their samples", async (page, { where }) => {
  await step(page, 300);
  await page.evaluate(() => { const { session, scopes } = window.studio; scopes.active.toggle(session.express("position.y / 2")); });
  await pressInScope(page, /^MCAP/);
  const form = page.locator("form.log");
  await form.getByLabel("from").fill("0.1");
  await form.getByLabel("s to").fill("0.2");
  const [saved] = await Promise.all([page.waitForEvent("download"), form.getByRole("button", { name: "Save as MCAP" }).click()]);
  await saved.saveAs(join(where, "part.mcap"));
  await until(page, () => /2 signals are saved as a log; expressions are left out/.test(document.querySelector(".told").textContent));
  terminal(where, "export", "part.mcap", "--csv", "--out", "part.csv");
  const [head, ...rows] = readFileSync(join(where, "part.csv"), "utf8").trim().split("\n");
  assert.equal(head, "time [s],position.y [m],velocity.y [m/s]");
  assert.equal(rows.length, 101);
  const wanted = await page.evaluate(() => { const { series } = window.studio.session, p = series.get("position.y"), v = series.get("velocity.y"); return [...p.times.subarray(100, 201)].map((t, i) => [t, p.values[100 + i], v.values[100 + i]]); });
  rows.forEach((row, i) => assert.deepEqual(row.split(",").map(Number), wanted[i].map((each, k) => (k ? each : Number(each.toFixed(3)))), row));
  // it opens as a run with the same samples
  await page.evaluate(async (bytes) => window.studio.session.logs.open([new File([Uint8Array.from(atob(bytes), (each) => each.charCodeAt(0))], "part.mcap")]), readFileSync(join(where, "part.mcap")).toString("base64"));
  await until(page, () => window.studio.session.runs.list[0]?.series.get("velocity.y")?.count === 101);
  // of that run
  await form.getByLabel(/^signals of this scope/).selectOption({ label: "part.mcap" });
  await form.getByLabel("from").fill("0.15");
  await form.getByLabel("s to").fill("1");
  const [again] = await Promise.all([page.waitForEvent("download"), form.getByRole("button", { name: "Save as MCAP" }).click()]);
  await again.saveAs(join(where, "less.mcap"));
  terminal(where, "export", "less.mcap", "--csv", "--out", "less.csv");
  assert.equal(readFileSync(join(where, "less.csv"), "utf8").trim().split("\n").length, 52);
  // times that have nothing
  await form.getByLabel("from").fill("5");
  await form.getByLabel("s to").fill("6");
  await form.getByRole("button", { name: "Save as MCAP" }).click();
  assert.match(await form.locator(".refused").innerText(), /part\.mcap has no sample of these signals from 5 to 6 s/);
});

onLoop("a panel is made higher by its lower border, by keys too, and a layout keeps its height", async (page) => {
  await page.evaluate(() => window.studio.scopes.add());
  const grip = page.getByRole("separator", { name: "Height of the panel of position.y" }), tall = () => page.locator(".panel .plot").first().evaluate((each) => each.clientHeight);
  const before = await tall(), box = await grip.boundingBox();
  await page.mouse.move(box.x + 30, box.y + 3);
  await page.mouse.down();
  await page.mouse.move(box.x + 30, box.y + 43, { steps: 4 });
  await page.mouse.up();
  assert.equal(await tall(), before + 40);
  await grip.focus();
  await page.keyboard.press("ArrowUp");
  assert.equal(await tall(), before + 28);
  assert.equal(await grip.getAttribute("aria-valuenow"), String(before + 28));
  await page.reload();
  await until(page, () => window.studio?.scopes.all.length === 2 && window.studio.scopes.all[0].panels.length === 2);
  await until(page, (h) => document.querySelector(".panel .plot").clientHeight === h, before + 28);
  await grip.dblclick();
  assert.equal(await tall(), before);
});

onLoop("a scope is saved as SVG and PNG with title, axes, legend, cursors and limits", async (page) => {
  await step(page, 400);
  await page.evaluate(() => { const scope = window.studio.scopes.active; scope.whole(); scope.toggleCursors(); scope.moved(0, 0.1); scope.moved(1, 0.3); scope.limits.set({ signal: "position.y", lower: null, upper: 0.001, from: null, to: null }); });
  await page.locator("input[aria-label^='Unit']").first().fill("mm");
  await page.keyboard.press("Enter");
  await until(page, () => window.studio.scopes.active.panels[0].shownUnit.unit === "mm");
  const [saved] = await Promise.all([page.waitForEvent("download"), pressInScope(page, /^SVG/)]);
  assert.equal(saved.suggestedFilename(), "loop_scope_1.svg");
  const svg = readFileSync(await saved.path(), "utf8");
  const texts = [...svg.matchAll(/<text[^>]*>([^<]*)<\/text>/g)].map((each) => each[1]);
  assert.match(texts[0], /^loop, 0 to .* s {4}A 0.1 s, B 0.3 s, B \u2212 A 0.2 s$/);
  const at = async (t) => page.evaluate((when) => window.studio.session.series.get("position.y").read(when) * 1000, t);
  const read = texts.find((each) => each.startsWith("position.y [mm]:"));
  assert.ok(Math.abs(Number(/A (\S+),/.exec(read)[1].replace("\u2212", "-")) - (await at(0.1))) < 1e-4 * Math.abs(await at(0.1)), read);
  assert.ok(texts.includes("time [s]") && texts.includes("A") && texts.includes("B"), texts.join("|"));
  assert.ok(texts.filter((each) => /^\u2212?[\d.]+$/.test(each)).length >= 6, "numbers at the axes");
  const paths = [...svg.matchAll(/<path d="([^"]*)"[^>]*stroke="([^"]*)"/g)], pen = await page.evaluate(() => getComputedStyle(document.documentElement).getPropertyValue("--pen0").trim());
  const curve = paths.filter(([, d, ink]) => ink === pen && d.length > 400);
  assert.equal(curve.length, 2, "each panel has its curve as a line, not as a raster image");
  assert.doesNotMatch(svg, /<image|data:/);
  assert.match(svg, /stroke-dasharray/); // the limit
  const size = /width="(\d+)" height="(\d+)"/.exec(svg).slice(1).map(Number);
  const [picture_] = await Promise.all([page.waitForEvent("download"), pressInScope(page, /^PNG/)]);
  const png = readFileSync(await picture_.path());
  assert.deepEqual([png.readUInt32BE(16), png.readUInt32BE(20)], size);
  if (process.env.HILDA_PICTURES) { await saved.saveAs(join(process.env.HILDA_PICTURES, "scope.svg")); await picture_.saveAs(join(process.env.HILDA_PICTURES, "scope.png")); }
});
