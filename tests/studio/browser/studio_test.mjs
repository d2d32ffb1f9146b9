// SPDX-License-Identifier: BSD-3-Clause
// The page of hilda studio, as who sits before it: studio.browser runs this by node --test.
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import test from "node:test";
import { diagrams, folder, lessons, pressInScope, samples, stands, still, Studio, terminal, thousand, until } from "./program.mjs";

/** A test with its own studio and page. */
const onPage = (name, prepare, body, size) =>
  test(name, async () => {
    const { where, words } = prepare();
    const studio = await Studio.start(where, ...words);
    try {
      const page = await studio.look(size);
      await body(page, studio);
      assert.deepEqual(studio.problems, [], "the page has errors");
    } finally {
      await studio.stop();
    }
  });
const loop = () => ({ where: folder(join(lessons, "14-tune-live")), words: ["loop.xml"] });
const pida = () => ({ where: folder(), words: [join(diagrams, "pida.xml")] });
const runTo = async (page, time, tick) => {
  await page.selectOption("select[aria-label=Speed]", "0");
  await page.evaluate(() => document.activeElement.blur());
  await page.keyboard.press("g");
  await page.keyboard.type(String(time));
  await page.keyboard.press("Enter");
  await page.keyboard.press("Escape");
  await stands(page, tick);
};

onPage("draws the diagram as hilda draw does, at the same places", pida, async (page, { where }) => {
  terminal(where, "draw", join(diagrams, "pida.xml"), "-o", "pida.svg");
  const svg = readFileSync(join(where, "pida.svg"), "utf8"), number = (text, name) => Number(new RegExp(` ${name}="([-\\d.]+)"`).exec(text)[1]);
  const drawn = new Map([...svg.matchAll(/<title>([\w.]+)<\/title>\s*(<rect [^>]*>)/g)].map(([, path, rect]) => [path, ["x", "y", "width", "height"].map((each) => number(rect, each))]));
  const symbols = await page.evaluate(() => window.studio.session.hello.scene.symbols.map((s) => [s.path, s.x, s.y, s.width, s.height]));
  assert.ok(symbols.length >= 11 && drawn.size >= 11);
  const [first] = symbols, [dx, dy] = [drawn.get(first[0])[0] - first[1], drawn.get(first[0])[1] - first[2]];
  for (const [path, x, y, width, height] of symbols) {
    const there = drawn.get(path);
    assert.ok(there, `${path} is not in the picture`);
    for (const [i, value] of [x + dx, y + dy, width, height].entries()) assert.ok(Math.abs(there[i] - value) < 0.06, `${path}: ${there} and ${[x + dx, y + dy, width, height]}`);
  }
  const texts = await page.locator(".picture text").evaluateAll((all) => all.map((each) => each.textContent));
  for (const text of ["PhaseLead", "compensated", "stiffness 176.275 N/mm"]) assert.ok(texts.includes(text), text);
  assert.equal(await page.locator(".wire").count(), await page.evaluate(() => window.studio.session.hello.scene.wires.filter((each) => each.points.length > 1).length));
});

onPage("a click on a wire brings its signals into the scope, with every sample", loop, async (page) => {
  await page.locator(".wire[data-signals='velocity.y'] .grip").first().click({ force: true });
  await until(page, () => window.studio.scopes.active.names().includes("velocity.y"));
  await runTo(page, 0.4, 400);
  await until(page, () => (window.studio.session.series.get("velocity.y")?.count ?? 0) >= 400);
  const { count, end } = await samples(page, "velocity.y");
  assert.equal(count, 400);
  assert.ok(Math.abs(end - 0.399) < 1e-9, String(end));
  await until(page, () => document.querySelector("tr[data-signal='velocity.y'] .n").textContent !== "\u2013");
  assert.ok(await page.locator(".wire.scoped").count() > 0, "its wire has the curve's colour");
});

onPage("a live parameter takes a text with any unit; what is refused is said beside it", loop, async (page) => {
  await page.locator(".symbol[data-path=controller]").click();
  const field = page.locator(".parameter[data-path='controller.kd']");
  await field.locator("input").first().fill("150 kg/s");
  await page.keyboard.press("Enter");
  await until(page, () => window.studio.session.parameters.get("controller.kd").value === 150);
  await field.locator("input").first().fill("3 N");
  await page.keyboard.press("Enter");
  await until(page, () => !document.querySelector("[data-path='controller.kd'] .refused").hidden);
  assert.match(await field.locator(".refused").innerText(), /it is in N, and a value in/);
  assert.equal(await page.evaluate(() => window.studio.session.parameters.get("controller.kd").value), 150);
  await page.keyboard.press("Escape");
  await field.locator("input[type=range]").fill("240");
  await until(page, () => Math.abs(window.studio.session.parameters.get("controller.kd").value - 240) < 1);
});

onPage("pauses, steps, goes back and to a time; what was before lies behind", loop, async (page) => {
  await page.locator(".wire[data-signals='velocity.y'] .grip").first().click({ force: true });
  await runTo(page, 0.5, 500);
  await page.keyboard.press(".");
  await stands(page, 501);
  await page.keyboard.press(",");
  await stands(page, 500);
  await page.keyboard.press("Shift+Comma");
  await stands(page, 0);
  assert.ok((await page.evaluate(() => window.studio.session.runs.list[0]?.series.get("velocity.y")?.count ?? 0)) >= 500);
  await page.keyboard.press("Shift+Period");
  await stands(page, 500);
  await page.selectOption("select[aria-label=Speed]", "1");
  await page.locator("body").press("Escape");
  await page.evaluate(() => document.activeElement.blur());
  await page.keyboard.press("Space");
  await until(page, () => window.studio.session.state.state === "running");
  await page.keyboard.press("Space");
  await until(page, () => window.studio.session.state.state === "paused");
});

onPage("a saved experiment gives the same bits in the terminal", loop, async (page, studio) => {
  const { where } = studio;
  await runTo(page, 0.6, 600);
  const reply = await page.evaluate(() => window.studio.session.ask("set", { settings: [{ path: "controller.kd", text: "300 N s/m" }, { path: "controller.kp", text: "3 N/mm" }] }));
  assert.equal(reply.ok, true, JSON.stringify(reply));
  await page.keyboard.press("Control+s");
  await until(page, () => document.querySelector(".saved code") !== null);
  const command = await page.locator(".saved code").innerText(), overlay = /--overlay (\S+)/.exec(command)[1];
  assert.match(readFileSync(join(where, overlay), "utf8"), /path="controller.kd" value="300 N s\/m" at="0.6 s"/);
  await runTo(page, 2, 2000);
  await page.evaluate(() => window.studio.scopes.take(["velocity.y"]));
  await until(page, () => (window.studio.session.series.get("velocity.y")?.end ?? 0) > 1.99);
  const here = await page.evaluate(() => { const { times, values, count } = window.studio.session.series.get("velocity.y"); return [...times.slice(0, count)].map((t, i) => [t, values[i]]); });
  terminal(where, ...command.split(" ").slice(1), "--log", "again.mcap");
  terminal(where, "export", "again.mcap", "velocity.y", "--csv", "-o", "again.csv");
  const rows = readFileSync(join(where, "again.csv"), "utf8").trim().split("\n").filter((line) => /^[\d.]/.test(line)).map((line) => line.split(",").map(Number));
  const there = new Map(rows.map(([t, v]) => [Math.round(t * 1000), v]));
  let compared = 0;
  for (const [t, v] of here) if (there.has(Math.round(t * 1000))) ++compared, assert.ok(Object.is(there.get(Math.round(t * 1000)), v), `t = ${t}: ${v}`);
  assert.ok(compared > 600, `${compared} samples compared`);
});

onPage("works by keys alone", loop, async (page) => {
  await page.keyboard.press("F6");
  assert.equal(await page.evaluate(() => document.activeElement.classList.contains("symbol")), true);
  const seen = new Set();
  for (const key of ["ArrowRight", "ArrowRight", "ArrowDown", "ArrowLeft", "ArrowUp", "ArrowRight"]) {
    seen.add(await page.evaluate(() => document.activeElement.dataset.path));
    await page.keyboard.press(key);
  }
  assert.ok(seen.size >= 3, [...seen].join(" "));
  await page.keyboard.press("/");
  await page.keyboard.type("velocity");
  await until(page, () => document.querySelector("[role=option][aria-selected=true]")?.textContent.includes("velocity.y"));
  await page.keyboard.press("Enter");
  await until(page, () => window.studio.scopes.active.names().includes("velocity.y"));
  await page.keyboard.press("/");
  await page.keyboard.type("controller.kd");
  await until(page, () => [...document.querySelectorAll("[role=option]")].some((each) => each.textContent.includes("parameter")));
  while (!(await page.evaluate(() => document.querySelector("[role=option][aria-selected=true]").textContent.startsWith("parameter")))) await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await until(page, () => document.activeElement.id === "parameter-controller.kd");
  await page.keyboard.press("Control+a");
  await page.keyboard.type("120 N s/m");
  await page.keyboard.press("Enter");
  await until(page, () => window.studio.session.parameters.get("controller.kd").value === 120);
  await page.keyboard.press("Escape");
  await page.keyboard.press("Shift+Period");
  await stands(page, 500);
  await page.keyboard.press("?");
  assert.equal(await page.locator("dialog.sheet[open]").count(), 1);
  await page.keyboard.press("Escape");
  const outline = await page.evaluate(() => { const b = document.querySelector(".actions button"); b.focus(); return getComputedStyle(b).outlineStyle; });
  assert.notEqual(outline, "none", "focus is seen");
});

onPage("a subsystem opens in place, or as a page with a way back", pida, async (page) => {
  const before = await page.locator(".symbol").count();
  await page.evaluate(() => window.studio.diagram.toggle("rig"));
  await until(page, (n) => document.querySelectorAll(".symbol").length > n, before);
  assert.equal(await page.locator(".symbol[data-path='rig.sensor']").count(), 1);
  await page.evaluate(() => window.studio.diagram.toggle("rig"));
  await until(page, (n) => document.querySelectorAll(".symbol").length === n, before);
  await page.locator(".symbol[data-path=rig] .body").dblclick();
  await until(page, () => document.querySelector(".crumbs").innerText.includes("rig"));
  assert.equal(await page.locator(".symbol[data-path='rig.sensor']").count(), 1);
  await page.locator(".crumbs button").first().click();
  await until(page, (n) => document.querySelectorAll(".symbol").length === n, before);
});

onPage("contacts and figures of merit grow while it runs", pida, async (page) => {
  await page.keyboard.press("2");
  await runTo(page, 1, 1000);
  await until(page, () => document.querySelectorAll("table[data-table=contacts] tbody tr").length === 1);
  await runTo(page, 3, 3000);
  await until(page, () => document.querySelectorAll("table[data-table=contacts] tbody tr").length === 2);
  const row = await page.locator("table[data-table=contacts] tbody tr").first().innerText();
  assert.match(row, /0\.771/);
  assert.match(row, /1\.165/);
});

onPage("what is pointed at tells name, unit and value", loop, async (page) => {
  await runTo(page, 0.4, 400);
  const wire = await page.locator(".wire[data-signals='position.y'] .line").first().evaluate((path) => {
    const p = path.getPointAtLength(path.getTotalLength() / 2), m = path.getScreenCTM();
    return [p.x * m.a + m.e, p.y * m.d + m.f];
  });
  await page.mouse.move(...wire);
  await until(page, () => !document.querySelector(".hover").hidden && /\d/.test(document.querySelector(".hover .value").textContent));
  const text = await page.locator(".hover").innerText();
  assert.match(text, /position\.y/);
  assert.match(text, /mm|m$/m);
  await page.keyboard.down("Shift");
  await page.mouse.click(...wire);
  await page.keyboard.up("Shift");
  await until(page, () => /\d/.test(document.querySelector(".pin text")?.textContent ?? ""));
  const pinned = await page.locator(".pin text").first().textContent();
  await page.evaluate(() => document.activeElement.blur());
  await page.keyboard.press("Shift+Period");
  await until(page, (before) => document.querySelector(".pin text").textContent !== before, pinned);
  await page.locator(".symbol[data-path=controller] .port-grip[data-signals='late.y']").hover();
  await until(page, () => /late\.y/.test(document.querySelector(".hover").innerText));
});

test("a broken diagram opens with its diagnostics, and is drawn once it is mended", async () => {
  const where = folder(join(lessons, "14-tune-live")), file = join(where, "loop.xml"), good = readFileSync(file, "utf8");
  writeFileSync(file, good.replace('type="discrete/Pid"', 'type="discrete/Pidd"'));
  const studio = await Studio.start(where, "loop.xml");
  try {
    const page = await studio.look();
    await until(page, () => document.querySelectorAll(".problem.error").length > 0);
    assert.match(await page.locator(".problem").first().innerText(), /loop\.xml:\d+/);
    assert.match(await page.locator(".problem").first().innerText(), /discrete\/Pid/);
    writeFileSync(file, good);
    await until(page, () => document.querySelector(".symbol[data-path=controller]") !== null);
    assert.deepEqual(studio.problems, []);
  } finally {
    await studio.stop();
  }
});

const runaway = `<diagram format="1" name="runaway" period="1 ms">
  <block name="kick" type="sources/Constant" value="1"/>
  <block name="sum" type="math/Sum" signs="++"/>
  <block name="amplifier" type="math/Gain" gain="1.5"/>
  <block name="late" type="discrete/UnitDelay"/>
  <connect from="kick.y" to="sum.u[0]"/>
  <connect from="late.y" to="sum.u[1]"/>
  <connect from="sum.y" to="amplifier.u"/>
  <connect from="amplifier.y" to="late.u"/>
</diagram>
`;
const away = () => {
  const where = folder();
  writeFileSync(join(where, "runaway.xml"), runaway);
  return { where, words: ["runaway.xml", "--for", "10 s"] };
};
onPage("a run that fails says so, and marks the block", away, async (page) => {
  await page.selectOption("select[aria-label=Speed]", "0");
  await page.evaluate(() => document.activeElement.blur());
  await page.keyboard.press("Space");
  await until(page, () => document.querySelector(".transport").dataset.state === "failed");
  assert.match(await page.locator(".remark").innerText(), /amplifier|sum|late|finite|inf/);
  await until(page, () => document.querySelectorAll(".symbol[data-mark=failed]").length === 1);
  await page.evaluate(() => window.studio.scopes.take(["amplifier.y"]));
  await until(page, () => window.studio.scopes.active.panels[0].plot.scales.y.max > 1e20);
  assert.ok(await page.evaluate(() => window.studio.scopes.active.panels[0].plot.scales.y.max < 1e31), "what has run away leaves the axis its figures");
  const inked = await page.evaluate(() => {
    const { plot } = window.studio.scopes.active.panels[0], { bbox, ctx } = plot, { data } = ctx.getImageData(plot.valToPos(1, "x", true), bbox.top, 40, bbox.height);
    ctx.save();
    ctx.fillStyle = getComputedStyle(document.querySelector("tr[data-signal='amplifier.y'] .swatch")).getPropertyValue("--pen");
    const pen = [1, 3, 5].map((i) => parseInt(ctx.fillStyle.slice(i, i + 2), 16));
    ctx.restore();
    let found = 0;
    for (let i = 0; i < data.length; i += 4) found += Number(pen.every((each, k) => Math.abs(data[i + k] - each) < 30));
    return found;
  });
  assert.equal(inked, 0, "at 1 s the curve is far above");
  await page.keyboard.press("Shift+Comma");
  await until(page, () => window.studio.session.state.state === "paused" && document.querySelectorAll(".symbol[data-mark=failed]").length === 0);
});

onPage("a right click on a subsystem writes a plugin that is to stand in for it", () => ({ where: folder(diagrams), words: ["pida.xml"] }), async (page, { where }) => {
  await page.locator(".symbol[data-path=rig] .body").click({ button: "right" });
  const dialog = page.getByRole("dialog", { name: "New plugin from a subsystem" });
  await dialog.getByRole("textbox").fill("2fast");
  await page.keyboard.press("Enter");
  await until(page, () => document.querySelector(".new-plugin .said").textContent.includes("is not a name for a plugin"));
  await dialog.getByRole("textbox").fill("my_rig");
  await page.keyboard.press("Enter");
  await until(page, () => document.querySelector(".new-plugin .said").textContent.includes("my_rig_test.cpp"));
  assert.match(readFileSync(join(where, "my_rig", "my_rig.cpp"), "utf8"), /Input<Pose> command_pose/);
  await page.keyboard.press("Escape");
  assert.equal(await dialog.isVisible(), false);
  await page.locator(".symbol[data-path=rig]").focus();
  await page.keyboard.press("w");
  assert.equal(await dialog.isVisible(), true, "by a key");
});

onPage("a diagram of a thousand blocks opens, and each of them can be found", thousand, async (page) => {
  await until(page, () => document.querySelectorAll(".symbol").length === 1000);
  await page.keyboard.press("/");
  await page.keyboard.type("c19_49");
  await until(page, () => document.querySelector("[role=option][aria-selected=true]")?.textContent.includes("c19_49"));
  await page.keyboard.press("Enter");
  await until(page, () => window.studio.scopes.active.names().includes("c19_49.y"));
  await runTo(page, 0.5, 500);
  await until(page, () => (window.studio.session.series.get("c19_49.y")?.count ?? 0) === 500);
});

onPage("of a million samples no peak is lost at any span, and a curve that is scrolled stays as it is", loop, async (page) => {
  const wrong = await page.evaluate(() => {
    const series = new (window.studio.session.seriesOf("made").constructor)(), times = new Float64Array(1e6), values = new Float64Array(1e6);
    let seed = 1, kind = 0;
    const next = () => (seed = (seed * 48271) % 2147483647) / 2147483647;
    for (let i = 0; i < 1e6; ++i) {
      if (i % 1000 === 0) kind = Math.floor(next() * 4); // noise, a plane, nothing but single peaks, and no numbers
      times[i] = i * 1e-3;
      values[i] = kind === 0 ? next() : kind === 1 ? 0.5 : kind === 2 ? Number(next() > 0.999) : NaN;
    }
    for (let i = 0; i < 1e6; i += 777) series.append(times.subarray(i, i + 777), values.subarray(i, i + 777));
    const bars = (t0, t1) => { const all = []; series.view(t0, t1, 900, (t, v) => all.push([t, v, v]), (...bar) => all.push(bar)); return all; };
    for (const width of [1.2, 3, 17, 123.4, 800]) {
      const all = bars(100, 100 + width), there = new Map(bars(100 + width / 3, 100 + width * 4 / 3).map((bar) => [bar[0], bar]));
      if (all.length < 500 || all.length > 4 * 900) return `${all.length} bars in ${width} s`;
      let met = 0;
      for (let k = 1; k + 2 < all.length; ++k) {
        const part = values.subarray(Math.round(all[k][0] * 1000), Math.round(all[k + 1][0] * 1000)).filter((v) => v === v);
        const low = part.length ? part.reduce((a, b) => Math.min(a, b)) : NaN, high = part.length ? part.reduce((a, b) => Math.max(a, b)) : NaN;
        if (!Object.is(all[k][1], low) || !Object.is(all[k][2], high)) return `${all[k]} of ${width} s: ${low} ${high}`;
        const moved = there.get(all[k][0]);
        if (moved && ++met && (!Object.is(moved[1], low) || !Object.is(moved[2], high)) && k > all.length / 3 + 2) return `${moved} was ${all[k]}`;
      }
      if (met < all.length / 2) return `${met} of ${all.length} bars are there when it has moved`;
    }
    return "";
  });
  assert.equal(wrong, "");
});

onPage("a scope zooms, has cursors, waits for a trigger and gives its numbers", loop, async (page, { where }) => {
  await page.evaluate(() => window.studio.scopes.active.names().forEach((name) => window.studio.scopes.active.toggle(name)));
  await page.evaluate(() => window.studio.scopes.take(["position.y"]));
  await runTo(page, 1.5, 1500);
  await until(page, () => (window.studio.session.series.get("position.y")?.end ?? 0) > 1.49);
  const range = () => page.evaluate(() => [...window.studio.scopes.active.range]);
  const box = await page.locator(".u-over").first().boundingBox(), at = (x, y) => [box.x + x * box.width, box.y + y * box.height];
  await pressInScope(page, /whole run/);
  const whole = await range();
  await page.mouse.move(...at(0.25, 0.5));
  await page.mouse.down();
  await page.mouse.move(...at(0.5, 0.5), { steps: 6 });
  await page.mouse.up();
  const zoomed = await range();
  assert.ok(zoomed[1] - zoomed[0] < 0.35 * (whole[1] - whole[0]), `${whole} to ${zoomed}`);
  await page.mouse.wheel(60, 0);
  await until(page, (from) => window.studio.scopes.active.range[0] > from, zoomed[0]);
  const moved = await range();
  assert.ok(Math.abs(moved[1] - moved[0] - (zoomed[1] - zoomed[0])) < 1e-9, "a wheel that turns sideways moves and does not zoom");
  const high = () => page.evaluate(() => { const { min, max } = window.studio.scopes.active.panels[0].plot.scales.y; return max - min; });
  const before = await high();
  await page.mouse.move(...at(0.5, 0.5));
  await page.keyboard.down("Shift");
  await page.mouse.wheel(0, -400);
  await page.keyboard.up("Shift");
  await until(page, (h) => { const { min, max } = window.studio.scopes.active.panels[0].plot.scales.y; return max - min < 0.8 * h; }, before);
  await pressInScope(page, /cursors/);
  const [a, b] = await page.evaluate(() => window.studio.scopes.active.cursors);
  const expected = await page.evaluate(([t0, t1]) => { const s = window.studio.session.series.get("position.y"); return s.read(t1) - s.read(t0); }, [a, b]);
  const told = Number((await page.locator("tr[data-signal='position.y'] .c").nth(2).innerText()).replace("\u2212", "-").replace("\u2212", "-"));
  assert.ok(Math.abs(told - expected) <= 1e-5 * Math.max(1e-9, Math.abs(expected)) + 1e-12, `${told} ${expected}`);
  const [download] = await Promise.all([page.waitForEvent("download"), pressInScope(page, /as numbers/)]);
  await download.saveAs(join(where, "seen.csv"));
  const rows = readFileSync(join(where, "seen.csv"), "utf8").trim().split("\n");
  assert.match(rows[0], /^time \[s\],position\.y \[m\]$/);
  assert.ok(Math.abs(rows.length - 1 - (zoomed[1] - zoomed[0]) * 1000) <= 3, `${rows.length} rows of ${zoomed}`);
  const [picture] = await Promise.all([page.waitForEvent("download"), pressInScope(page, /as a picture/)]);
  await picture.saveAs(join(where, "seen.png"));
  assert.equal(readFileSync(join(where, "seen.png")).subarray(1, 4).toString(), "PNG");
  await page.keyboard.press("Home");
  await stands(page, 0);
  await pressInScope(page, /an edge/);
  await page.locator(".trigger").getByLabel("Level, SI").fill("0.005");
  await page.locator(".trigger").getByLabel("Mode").selectOption("normal");
  await page.locator(".trigger").getByRole("button", { name: "Set" }).click();
  await until(page, () => window.studio.scopes.active.trigger !== null);
  await runTo(page, 1.5, 1500);
  await until(page, () => /caught at/.test(document.querySelector(".scope .span").textContent));
  const caught = await page.evaluate(() => { const s = window.studio.scopes.active, x = s.source("position.y").now, t = s.range[0] + s.trigger.pre; return [x.read(t - 0.002), x.read(t + 0.001)]; });
  assert.ok(caught[0] < 0.005 && caught[1] >= 0.005, String(caught));
});

test("holds its place from 1280 px to 4K, dark and light", async () => {
  const studio = await Studio.start(folder(), join(diagrams, "pida.xml"));
  try {
    for (const [width, height] of [[1280, 800], [1920, 1080], [3840, 2160]])
      for (const scheme of ["light", "dark"]) {
        const page = await studio.look({ width, height }, scheme);
        await still(page, () => page.locator(".symbol").first().boundingBox());
        await page.screenshot({ path: `pictures/pida_${width}_${scheme}.png` });
        const over = await page.evaluate(() => [document.documentElement.scrollWidth - innerWidth, document.documentElement.scrollHeight - innerHeight]);
        assert.deepEqual(over, [0, 0]);
        const inside = await page.evaluate(() => { const d = document.querySelector(".diagram").getBoundingClientRect(); return [...document.querySelectorAll(".symbol")].every((s) => { const b = s.getBoundingClientRect(); return b.left >= d.left && b.right <= d.right && b.top >= d.top && b.bottom <= d.bottom; }); });
        assert.ok(inside, `at ${width} the whole diagram is in sight`);
        const dark = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
        assert.equal(dark === "rgb(255, 255, 255)", scheme === "light", dark);
        assert.deepEqual(studio.problems, []);
        await page.close();
      }
  } finally {
    await studio.stop();
  }
});
