// SPDX-License-Identifier: BSD-3-Clause
// What of the page can be reached, read and distinguished, by whom, and how wide the window is. studio.reach runs this by node --test.
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import test from "node:test";
import { hasElement, hasValue, lesson } from "./editing.mjs";
import { diagrams, folder, lessons, picture, pressInScope, still, Studio, terminal, until } from "./program.mjs";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** A chain of subsystems, seven deep. */
const deep = () => {
  const names = ["outermost", "actuators", "left_joint", "inner_loop", "velocity", "observer", "correction"];
  return ['<diagram format="1" name="nested" period="1 ms">', ...names.map((each) => `<subsystem name="${each}">`), '<block name="source" type="sources/Constant" value="0"/>', ...names.map(() => "</subsystem>"), "</diagram>", ""].join("\n");
};

const onReach = (name, files, words, body, size = { width: 1440, height: 900 }) => test(name, async () => {
  const where = folder();
  for (const [file, text] of Object.entries(files)) writeFileSync(join(where, file), text);
  const studio = await Studio.start(where, ...words);
  try {
    await body(await studio.look(size), studio);
    assert.deepEqual(studio.problems, [], "the page has errors");
  } finally {
    await studio.stop();
  }
});

/** Of these, those in whose middle something else lies, or nothing of the window. */
const hidden = (page, selector) => page.locator(selector).evaluateAll((all) => all.filter((each) => each.checkVisibility()).flatMap((each) => {
  const { left, top, width, height } = each.getBoundingClientRect(), at = document.elementFromPoint(left + width / 2, top + height / 2);
  return width > 0 && at && (each.contains(at) || at.contains(each)) ? [] : [`${each.getAttribute("aria-label") ?? each.className} at ${Math.round(left)}, ${Math.round(top)}`];
}));

onReach("every button of four scopes with cursors can be clicked, and names are read, from 1024 px on", { "first.xml": lesson }, ["first.xml"], async (page) => {
  await page.evaluate(() => { for (let i = 0; i < 3; ++i) window.studio.scopes.add(); });
  await page.evaluate(() => { for (const scope of window.studio.scopes.all) { scope.toggle(window.studio.session.scalars.keys().next().value); scope.toggleCursors(); } });
  for (const width of [1024, 1280, 1440, 1920]) {
    await page.setViewportSize({ width, height: 900 });
    assert.deepEqual(await hidden(page, ".scope > header button"), [], `${width} px`);
    const names = await page.locator(".scope .who").evaluateAll((all) => all.map((each) => each.clientWidth));
    assert.equal(names.length, 4);
    assert.ok(names.every((each) => each > 30), `at ${width} px names have ${names} px`);
  }
  await page.locator(".scope").nth(2).getByRole("button", { name: "Close this scope" }).click();
  assert.equal(await page.locator(".scope").count(), 3);
});

onReach("a scope's buttons stay in one line; those without room are in a menu, by mouse and by keys, from 800 px on", { "first.xml": lesson }, ["first.xml"], async (page) => {
  await page.evaluate(() => { const { scopes, session } = window.studio; scopes.active.toggle(session.scalars.keys().next().value); scopes.active.toggleCursors(); });
  const scope = page.locator(".scope").first(), more = scope.getByRole("button", { name: /^More/ }), menu = scope.locator(".overflow-menu");
  const all = await scope.locator("header button:not([aria-haspopup])").evaluateAll((each) => each.map((one) => one.textContent).sort());
  assert.equal(all.length, 16);
  const inLine = [];
  for (const width of [800, 1280, 1400, 1440, 1920]) {
    await page.setViewportSize({ width, height: 900 });
    await still(page, () => scope.locator("header").evaluate((each) => [each.clientWidth, each.querySelectorAll(".in-line > button").length]));
    await picture(page, `scope_${width}`, [width]);
    const { tops, over } = await scope.locator("header").evaluate((each) => ({ tops: [...new Set([...each.querySelectorAll("button")].filter((one) => one.checkVisibility()).map((one) => Math.round(one.getBoundingClientRect().top)))].length, over: each.scrollWidth - each.clientWidth }));
    assert.deepEqual([tops, over], [1, 0], `one line at ${width} px`);
    assert.deepEqual(await hidden(page, ".scope > header button"), [], `${width} px`);
    const seen = await scope.locator("header .in-line > button:not([aria-haspopup])").evaluateAll((each) => each.map((one) => one.textContent)), kept = await menu.locator("button").evaluateAll((each) => each.map((one) => one.textContent));
    assert.deepEqual([...seen, ...kept, "+", "\u00d7"].sort(), all, "each is in the line or in the menu");
    assert.equal(await more.count(), kept.length ? 1 : 0, `a menu only where it is required: ${width} px, ${kept}`);
    inLine.push(seen.length);
    if (!kept.length) continue;
    await more.click();
    assert.deepEqual(await hidden(page, ".overflow-menu button"), [], `the menu at ${width} px`);
    await page.keyboard.press("Escape");
    await until(page, () => document.querySelector(".scope [aria-haspopup]").getAttribute("aria-expanded") === "false");
  }
  assert.ok(inLine[0] < inLine[1] && inLine[1] <= inLine[2] && inLine[2] <= inLine[3] && inLine[3] <= inLine[4], `${inLine}`);
  // by keys: it opens with its first button, arrows move in it, Enter acts and closes it
  await page.setViewportSize({ width: 640, height: 900 });
  await still(page, () => menu.locator("button").count());
  await more.focus();
  await page.keyboard.press("Enter");
  const focused = () => page.evaluate(() => document.activeElement.textContent);
  await menu.locator("button").first().waitFor();
  const names = await menu.locator("button").allInnerTexts();
  assert.ok(names.includes("Statistics"), `${names}`);
  await until(page, (name) => document.activeElement.textContent === name, names[0]);
  await page.keyboard.press("ArrowDown");
  assert.equal(await focused(), names[1]);
  await page.keyboard.press("End");
  assert.equal(await focused(), "Layouts");
  for (let i = names.length - 1; i > names.indexOf("Statistics"); --i) await page.keyboard.press("ArrowUp");
  await page.keyboard.press("Enter");
  assert.equal(await page.evaluate(() => window.studio.scopes.active.statistics), true);
  await until(page, () => document.activeElement.matches(".scope [aria-haspopup]"));
}, { width: 1440, height: 900 });

onReach("all of the top can be clicked from 640 px on, seven levels deep too", { "nested.xml": deep() }, ["nested.xml"], async (page) => {
  for (const inside of ["", "outermost.actuators.left_joint.inner_loop.velocity.observer.correction"]) {
    await page.evaluate((path) => window.studio.diagram.go(path), inside);
    for (const width of [640, 800, 1000, 1280, 1920]) {
      await page.setViewportSize({ width, height: 700 });
      assert.deepEqual(await hidden(page, ".transport button, .transport input, .transport select, .clock, .actions button"), [], `${width} px`);
      const clock = await page.locator(".clock").boundingBox();
      assert.ok(clock.x >= 0 && clock.x + clock.width <= width, `the clock at ${width} px: ${JSON.stringify(clock)}`);
      assert.equal(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth), 0);
    }
  }
});

onReach("no two buttons have one name; a diagnostic is clicked; the palette begins with sources; a subsystem's parameters stand beside it", { "first.xml": lesson.replace("</diagram>", `  <subsystem name="part">
    <parameter name="strength" value="2 N/mm" doc="Of the spring"/>
    <block name="held" type="sources/Constant" value="0"/>
  </subsystem>
</diagram>`) }, ["first.xml"], async (page) => {
  await page.locator(".symbol[data-path=part] .body").click();
  assert.equal(await page.locator("[id='parameter-part.strength']").count(), 1, "its parameter is beside");
  await page.keyboard.press("e");
  await hasElement(page, "late");
  const rooms = await page.locator(".palette .group").allInnerTexts();
  assert.deepEqual(rooms.slice(0, 3).map((each) => each.toLowerCase()), ["diagram", "sources", "math"]);
  await page.locator(".symbol[data-path=late] .body").click();
  assert.equal(await page.locator("#tab-edit").getAttribute("aria-selected"), "true", "its sheet comes");
  await page.locator("#edit-delay").fill("0.5 ms"); // no whole tick
  await page.locator("#edit-delay").press("Enter");
  await hasValue(page, "late", "delay", "0.5 ms");
  const names = await page.locator("button:visible, [role=tab]:visible").evaluateAll((all) => all.filter((each) => !each.closest(".keypad, .port-row, .palette, [hidden]")).map((each) => each.getAttribute("aria-label") ?? each.textContent.trim()));
  assert.deepEqual(names.filter((each, i) => names.indexOf(each) !== i), []);
  const words = await page.locator("button:visible, [role=tab]:visible").evaluateAll((all) => all.filter((each) => !each.closest(".keypad, .port-row, .palette")).map((each) => each.innerText.trim()).filter((each) => /\w\w/.test(each)));
  assert.deepEqual(words.filter((each, i) => words.indexOf(each) !== i), [], "what is read on them, too");
  await page.locator(".symbol[data-path=spring] .body").click();
  await page.keyboard.press("4");
  await page.locator(".problem.error button.place").first().click();
  await until(page, () => document.querySelector(".edit-sheet h2")?.textContent === "late");
  // a wire is chosen by a click while one edits, and goes into the scope by Ctrl
  assert.match(await page.locator(".scope .empty").first().innerText(), /Ctrl click while one edits/);
  await page.evaluate(() => window.studio.scopes.active.names().forEach((each) => window.studio.scopes.active.toggle(each)));
  await page.locator(".wire .grip").first().click({ force: true, modifiers: ["Control"] });
  await until(page, () => window.studio.scopes.active.names().length > 0);
});

onReach("a reload finds scopes, speed and place again", { "nested.xml": deep() }, ["nested.xml"], async (page) => {
  const signal = await page.evaluate(() => window.studio.session.scalars.keys().next().value);
  await page.evaluate((name) => { window.studio.scopes.add(); window.studio.scopes.take([name]); return window.studio.diagram.go("outermost.actuators"); }, signal);
  await page.selectOption("select[aria-label=Speed]", "0.1");
  await page.reload();
  await until(page, () => window.studio?.session.hello !== null && window.studio.scopes.all.length === 2);
  assert.deepEqual(await page.evaluate(() => window.studio.scopes.all.map((each) => each.names())), [[], [signal]]);
  assert.equal(await page.locator("select[aria-label=Speed]").inputValue(), "0.1");
  await until(page, () => document.querySelector(".symbol[data-path='outermost.actuators.left_joint']") !== null);
});

const kelvin = '<diagram format="1" name="bath" period="1 ms">\n<block name="bath" type="sources/Sine" bias="293.15 K" amplitude="1e-9 K" frequency="2 Hz"/>\n</diagram>\n';
onReach("a scope shows one sample as a dot, and 293.15 K with a nK about it as a wave", { "bath.xml": kelvin }, ["bath.xml"], async (page) => {
  const inked = () => page.evaluate(() => {
    const { plot } = window.studio.scopes.active.panels[0], { bbox: b, ctx } = plot, { data } = ctx.getImageData(b.left, b.top, b.width, b.height), rows = new Set();
    ctx.save();
    ctx.fillStyle = getComputedStyle(document.querySelector("tr[data-signal] .swatch")).getPropertyValue("--pen");
    const pen = [1, 3, 5].map((i) => parseInt(ctx.fillStyle.slice(i, i + 2), 16));
    ctx.restore();
    for (let i = 0; i < data.length; i += 4) if (pen.every((each, k) => Math.abs(data[i + k] - each) < 30)) rows.add(Math.floor(i / 4 / Math.round(b.width)));
    return rows.size / b.height;
  });
  await page.evaluate(() => window.studio.scopes.take(["bath.y"]));
  await page.keyboard.press(".");
  await until(page, () => (window.studio.session.series.get("bath.y")?.count ?? 0) > 0);
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  assert.ok((await inked()) > 0, "one sample is seen");
  await page.evaluate(() => window.studio.session.ask("run", { until: 1, speed: 0 }));
  await until(page, () => (window.studio.session.series.get("bath.y")?.count ?? 0) >= 1000);
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  assert.ok((await inked()) > 0.6, "the wave fills the plot");
  assert.equal(await page.locator(".counted").innerText(), "293.15 K +");
});

test("axe finds nothing, dark and light, looking, editing and with two scopes", async () => {
  const studio = await Studio.start(folder(diagrams), "pida.xml");
  try {
    terminal(studio.where, "run", "pida.xml", "--for", "20 ms", "--log", "before.mcap");
    const log = readFileSync(join(studio.where, "before.mcap")).toString("base64");
    for (const scheme of ["light", "dark"]) {
      const page = await studio.look({ width: 1280, height: 800 }, scheme);
      await page.context().addInitScript({ content: axe });
      await page.reload();
      await until(page, () => window.studio?.session.hello !== null && window.studio.diagram.symbols().length > 0);
      await page.evaluate(() => window.studio.diagram.view.fit());
      await page.evaluate(() => { window.studio.scopes.add(); window.studio.scopes.take(["commanded_tip.velocity[0]"]); window.studio.scopes.active.toggleCursors(); });
      const check = async (what) => {
        await page.evaluate(() => Promise.allSettled(document.getAnimations().map((each) => each.finished))); // a message that fades is faint
        const found = await page.evaluate(async () => (await window.axe.run(document, { resultTypes: ["violations"] })).violations.map((each) => `${each.id}: ${each.nodes.slice(0, 4).map((node) => `${node.target.join(" ")} ${node.any.map((one) => one.message).join("; ")}`).join(" | ")}`));
        assert.deepEqual(found, [], `${scheme}, ${what}`);
      };
      await page.locator(".symbol[data-path=lead] .body").click();
      await check("looking");
      await page.evaluate((text) => window.studio.session.logs.open([new File([Uint8Array.from(atob(text), (each) => each.charCodeAt(0))], "before.mcap")]), log);
      await page.getByRole("tab", { name: "Runs" }).click();
      await page.locator(".runs summary").first().click();
      await pressInScope(page, /^Alarms/);
      await page.getByLabel("alarm when").first().fill("commanded_tip.velocity[0] > 1 [m/s]");
      await page.keyboard.press("Enter");
      await page.locator("[data-alarm]").waitFor();
      await page.locator(".scope").first().getByRole("button", { name: /^More/ }).click();
      await check("a menu of a scope's buttons");
      await page.keyboard.press("Escape");
      await check("a log among the runs, and an alarm");
      await page.getByRole("button", { name: /^Tree/ }).click();
      await page.keyboard.press("ArrowDown");
      await check("the tree of the model");
      await page.getByRole("button", { name: /^Tree/ }).click();
      await page.locator(".symbol[data-path=lead] .body").click();
      await page.keyboard.press("e");
      await page.locator(".palette [role=option]").first().waitFor();
      await page.locator(".symbol[data-path=lead] .body").click();
      await check("editing");
      await page.close();
    }
    const page = await studio.look();
    await page.emulateMedia({ forcedColors: "active" });
    const seen = await page.evaluate(() => { const style = getComputedStyle(document.querySelector("[role=tab][aria-selected=true]")); return [style.outlineStyle, document.querySelectorAll("h1").length]; });
    assert.deepEqual(seen, ["solid", 1]);
    const border = page.locator(".splitter").first(), before = await border.getAttribute("aria-valuenow");
    await border.focus();
    await page.keyboard.press("ArrowRight");
    assert.notEqual(await border.getAttribute("aria-valuenow"), before);
    assert.equal(await border.evaluate((each) => getComputedStyle(each).outlineStyle), "solid");
  } finally {
    await studio.stop();
  }
});

test("the first view can be read; Fit shows all of it without texts that are too small", async () => {
  const studio = await Studio.start(folder(), join(diagrams, "pida.xml"));
  try {
    for (const [width, height] of [[1280, 720], [1440, 900], [1920, 1080]]) {
      const page = await studio.look({ width, height }, "light", false);
      const heights = () => page.evaluate(() => {
        const scale = document.querySelector(".picture > g").getCTM().a;
        return [...document.querySelectorAll(".picture text")].filter((each) => each.checkVisibility() && each.textContent).map((each) => ({ text: each.textContent, px: parseFloat(getComputedStyle(each).fontSize) * scale, port: each.matches(".port, .part") }));
      });
      await until(page, () => document.querySelectorAll(".picture text").length > 40);
      const first = await heights();
      assert.ok(first.length > 40 && first.every((each) => each.px > 8.9 || each.text.length === 0), JSON.stringify(first.filter((each) => each.px <= 8.9).slice(0, 5)));
      await page.getByRole("button", { name: /^Fit/ }).click();
      const outside = await page.evaluate(() => {
        const box = document.querySelector(".diagram").getBoundingClientRect();
        return [...document.querySelectorAll(".symbol .body")].map((each) => each.getBoundingClientRect()).filter((each) => each.left < box.left || each.right > box.right || each.top < box.top || each.bottom > box.bottom).length;
      });
      assert.equal(outside, 0);
      assert.ok((await heights()).filter((each) => each.port).every((each) => each.px > 5.5));
      await page.close();
    }
  } finally {
    await studio.stop();
  }
});

test("blocks that were used last and favourites are listed first, over a reload too; what is kept wrongly harms nothing", async () => {
  const studio = await Studio.start(folder(join(lessons, "01-first-diagram")), "first.xml");
  try {
    const page = await studio.look(), groups = () => page.locator(".palette .group").allInnerTexts(), input = page.locator(".palette input");
    const listed = (n) => page.evaluate((count) => [...document.querySelectorAll(".palette [role=option]")].slice(0, count).map((each) => each.dataset.type), n);
    const empty = async () => { await input.fill(""); await until(page, () => document.querySelectorAll(".palette .group").length > 3); };
    const begin = async () => { await page.evaluate(() => window.studio.editor.toggle()); await page.locator(".palette [role=option]").first().waitFor(); };
    await begin();
    assert.equal((await groups())[0].toLowerCase(), "diagram");
    for (const [word, count] of [["Gain", 1], ["Abs", 2]]) {
      await input.fill(word);
      await input.press("Enter");
      await until(page, (n) => window.studio.editor.document_.view.elements.filter((each) => /math\/(Gain|Abs)/.test(each.type)).length >= n, count);
      await page.keyboard.press("Escape");
    }
    await empty();
    assert.deepEqual([(await groups())[0].toLowerCase(), ...(await listed(2))], ["used last", "math/Abs", "math/Gain"]);
    const favour = page.getByRole("button", { name: /^Favourite/ });
    await input.fill("Pulse");
    await until(page, () => document.querySelector(".palette [aria-selected=true]")?.dataset.type === "sources/Pulse");
    assert.equal(await favour.getAttribute("aria-pressed"), "false");
    await favour.click();
    assert.equal(await favour.getAttribute("aria-pressed"), "true");
    await page.reload();
    await until(page, () => window.studio?.session.hello != null);
    if (!(await page.locator(".palette").isVisible())) await begin();
    await empty();
    assert.deepEqual((await groups()).slice(0, 2).map((each) => each.toLowerCase()), ["favourites", "used last"]);
    assert.deepEqual(await listed(3), ["sources/Pulse", "math/Abs", "math/Gain"]);
    assert.equal(await page.locator(".palette [data-type='sources/Pulse']").count(), 2, "it is in its room, too");
    await page.locator(".palette [data-type='sources/Pulse']").first().click();
    await favour.click();
    await until(page, () => document.querySelector(".palette .group").textContent === "used last");
    await page.evaluate(() => localStorage.setItem("hilda palette", '{"favourites": [7, "no/Such"], "recent": {"a": 1}}'));
    await input.fill("x");
    await empty();
    assert.equal((await groups())[0].toLowerCase(), "diagram");
    await page.evaluate(() => localStorage.setItem("hilda palette", "{"));
    await input.fill("x");
    await empty();
    assert.equal((await groups())[0].toLowerCase(), "diagram");
    assert.deepEqual(studio.problems, [], "the page has errors");
  } finally {
    await studio.stop();
  }
});

onReach("the model is a tree: opened by keys, searched, and what is chosen in it is shown in the drawing, also under edit", { "nested.xml": deep().replace("</diagram>", '<block name="free" type="sources/Clock"/>\n</diagram>') }, ["nested.xml"], async (page) => {
  const items = () => page.locator(".model-tree [role=treeitem] .name").allInnerTexts(), focused = () => page.evaluate(() => document.activeElement.dataset.path);
  await page.locator(".diagram").click({ position: { x: 5, y: 5 } });
  await page.keyboard.press("o");
  assert.equal(await page.evaluate(() => document.activeElement.getAttribute("aria-label")), "Search the tree");
  assert.deepEqual(await items(), ["outermost", "free"]);
  await page.keyboard.press("ArrowDown");
  for (const key of ["ArrowRight", "ArrowRight", "ArrowRight"]) await page.keyboard.press(key);
  assert.deepEqual([await items(), await focused()], [["outermost", "actuators", "left_joint", "free"], "outermost.actuators"]);
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("ArrowLeft");
  assert.equal(await focused(), "outermost", "from a closed one to its owner");
  await page.keyboard.press("ArrowLeft");
  assert.deepEqual(await items(), ["outermost", "free"]);
  await page.keyboard.press("End");
  assert.equal(await focused(), "free");
  await page.keyboard.press("Enter");
  await until(page, () => window.studio.diagram.chosen === "free");
  await until(page, () => document.activeElement.dataset.path === "free" && document.activeElement.role === "treeitem");
  await page.getByLabel("Search the tree").fill("clock");
  assert.deepEqual(await items(), ["free"], "types are searched, too");
  await page.getByLabel("Search the tree").fill("source");
  assert.deepEqual(await items(), ["outermost", "actuators", "left_joint", "inner_loop", "velocity", "observer", "correction", "source", "free"]);
  await page.locator(".model-tree [role=treeitem] .name", { hasText: "source" }).click();
  await until(page, () => window.studio.diagram.chosen?.endsWith("correction.source") && document.querySelector(".symbol.chosen") !== null);
  await picture(page, "tree");
  assert.deepEqual(await page.evaluate(() => [...document.querySelectorAll(".model-tree .name")].filter((each) => each.scrollWidth > each.clientWidth + 1).map((each) => each.textContent)), [], "types are cut, and not names");
  await page.evaluate(() => window.studio.editor.toggle());
  await until(page, () => window.studio.editor.document_.view !== null);
  await page.locator(".model-tree [role=treeitem] .name", { hasText: "observer" }).click();
  await until(page, () => window.studio.editor.selection.paths.has("outermost.actuators.left_joint.inner_loop.velocity.observer"));
  await page.getByLabel("Search the tree").fill("nothing like it");
  assert.match(await page.locator(".model-tree ul").innerText(), /Nothing has such a name/);
  await page.getByRole("button", { name: /^Tree/ }).click();
  assert.equal(await page.locator(".model-tree").isVisible(), false);
});
