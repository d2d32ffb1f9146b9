// SPDX-License-Identifier: BSD-3-Clause
// A drawing is tidied up, spread and looked over; a diagnostic is clicked and mended; texts stay on their symbols.
// studio.tidy runs this by node --test. HILDA_PICTURES=FOLDER leaves pictures there.
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import test from "node:test";
import { element, hasElement, hasValue, hasWire, onPage, text, view } from "./editing.mjs";
import { settled } from "./hand.mjs";
import { folder, picture, Studio, until } from "./program.mjs";


const heap = `<diagram format="1" name="heap" period="1 ms">
  <block name="wanted" type="sources/Step" time="0.1 s" before="0 m" after="1 m" ui.x="400" ui.y="300"/>
  <block name="error" type="math/Sum" signs="+-" ui.x="120" ui.y="240"/>
  <block name="gain" type="math/Gain" gain="60 N/m" ui.x="360" ui.y="210"/>
  <block name="inverse" type="math/Gain" gain="0.5 1/kg" ui.x="90" ui.y="90"/>
  <block name="speed" type="continuous/Integrator" ui.x="300" ui.y="60"/>
  <block name="place" type="continuous/Integrator" ui.x="240" ui.y="360"/>
  <block name="watch" type="math/Gain" gain="2" ui.x="30" ui.y="420"/>
  <connect from="wanted.y" to="error.u[0]"/>
  <connect from="place.y" to="error.u[1]"/>
  <connect from="error.y" to="gain.u"/>
  <connect from="gain.y" to="inverse.u"/>
  <connect from="inverse.y" to="speed.u"/>
  <connect from="speed.y" to="place.u"/>
  <connect from="place.y" to="watch.u"/>
</diagram>
`;
const symbols = (page) => page.evaluate(() => window.studio.diagram.symbols().map(({ symbol: { path, x, y, width, height } }) => ({ path, x, y, width, height })));
const overlaps = (all) => all.flatMap((a, i) => all.slice(i + 1).filter((b) => a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height).map((b) => `${a.path} ${b.path}`));
const begin = async (page) => {
  await page.keyboard.press("e");
  await page.locator(".palette [role=option]").first().waitFor();
  await until(page, () => document.querySelector(".symbol .body") !== null && window.studio.editor.document_.view !== null);
};
const choose = async (page, names) => {
  for (const [i, name] of names.entries()) await page.locator(`.symbol[data-path='${name}'] .body`).click({ modifiers: i ? ["Shift"] : [] });
};

onPage("y tidies all up along the flow as one step; a part stays where it was; gaps become equal", { "heap.xml": heap }, ["heap.xml"], async (page, studio) => {
  await begin(page);
  await hasElement(page, "watch");
  await picture(page, "heap");
  const before = (await view(page)).elements.map((each) => [each.name, each.attributes["ui.x"], each.attributes["ui.y"]]);
  await page.locator(".picture").click({ position: { x: 8, y: 8 } });
  await page.keyboard.press("y");
  await until(page, () => window.studio.editor.document_.called("wanted").attributes["ui.x"] !== "400");
  await until(page, () => { const at = (n) => window.studio.diagram.symbols().find(({ symbol }) => symbol.path === n).symbol; return at("wanted").x < at("error").x; });
  await picture(page, "heap_tidy");
  const all = await symbols(page), x = (name) => all.find((each) => each.path === name).x, middle = (name) => { const s = all.find((each) => each.path === name); return s.y + s.height / 2; };
  const flow = ["wanted", "error", "gain", "inverse", "speed", "place", "watch"];
  for (let i = 1; i < flow.length; ++i) assert.ok(x(flow[i - 1]) < x(flow[i]), `${flow[i - 1]} stands left of ${flow[i]}`);
  assert.deepEqual(overlaps(all), []);
  const straight = await page.evaluate(() => window.studio.editor.document_.view.scene.wires.filter((each) => each.points.length === 2).length);
  assert.ok(straight >= 5, `${straight} of 7 wires run straight`);
  assert.ok(Math.abs(middle("gain") - middle("inverse")) <= 6);
  await page.keyboard.press("Control+z"); // all of it at once
  await until(page, () => window.studio.editor.document_.called("wanted").attributes["ui.x"] === "400");
  assert.deepEqual((await view(page)).elements.map((each) => [each.name, each.attributes["ui.x"], each.attributes["ui.y"]]), before);
  // a part of it
  await until(page, () => !window.studio.editor.document_.state.undo);
  await choose(page, ["inverse", "speed", "place"]);
  await page.getByRole("button", { name: /^Tidy up/ }).click();
  await until(page, () => window.studio.editor.document_.called("inverse").attributes["ui.x"] !== "90");
  for (const name of ["wanted", "error", "gain", "watch"]) assert.deepEqual([name, (await element(page, name)).attributes["ui.x"], (await element(page, name)).attributes["ui.y"]], before.find((each) => each[0] === name), "it was not selected");
  await settled(page);
  assert.deepEqual(overlaps(await symbols(page)), []);
  // equal gaps
  await choose(page, ["gain", "inverse", "speed", "place"]);
  await page.getByRole("button", { name: "Equal gaps from left to right in the selection" }).click();
  const gaps = () => page.evaluate(() => { const all = window.studio.diagram.symbols().map(({ symbol }) => symbol).filter(({ path }) => ["gain", "inverse", "speed", "place"].includes(path)).sort((a, b) => a.x - b.x); return all.slice(1).map((each, i) => each.x - all[i].x - all[i].width); });
  for (let looks = 0; looks < 60 && Math.max(...(await gaps())) - Math.min(...(await gaps())) > 12; ++looks) await page.waitForTimeout(50);
  const found = await gaps();
  assert.ok(Math.max(...found) - Math.min(...found) <= 12 && Math.min(...found) >= 12, `gaps of ${found}`);
  assert.equal(text(studio, "heap.xml"), heap, "nothing is written before it is saved");
});

test("beyond two screens a small picture shows what is in sight, and moves it by mouse and by keys", async () => {
  const where = folder(), chain = [...Array(40).keys()], blocks = chain.map((i) => `<block name="c${i}" type="${i ? "math/Gain" : "sources/Constant"}" ${i ? 'gain="2"' : 'value="1"'} ui.x="${(i % 8) * 300}" ui.y="${Math.floor(i / 8) * 240}"/>`);
  writeFileSync(join(where, "long.xml"), ['<diagram format="1" name="long" period="1 ms">', ...blocks, ...chain.slice(1).map((i) => `<connect from="c${i - 1}.y" to="c${i}.u"/>`), "</diagram>", ""].join("\n"));
  const studio = await Studio.start(where, "long.xml");
  try {
    const page = await studio.look({ width: 1280, height: 720 }, "light", false), map = page.locator(".minimap");
    await map.waitFor();
    await picture(page, "minimap");
    const place = () => page.evaluate(() => { const { x, y, scale } = window.studio.diagram.view; return { x, y, scale }; });
    const frame = () => page.locator(".minimap .frame").evaluate((each) => ["x", "y", "width", "height"].map((name) => Number(each.getAttribute(name))));
    await map.focus();
    const first = await place(), width = await page.evaluate(() => document.querySelector(".diagram").clientWidth);
    await page.keyboard.press("ArrowRight");
    assert.equal((await place()).x, first.x - width / 4);
    const { x, y, scale } = await place();
    assert.deepEqual((await frame()).slice(0, 2).map(Math.round), [-x / scale, -y / scale].map(Math.round));
    const box = await page.locator(".minimap svg").boundingBox();
    await page.mouse.move(box.x + 10, box.y + 10);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2, { steps: 3 });
    await page.mouse.up();
    const middle = await page.evaluate(() => { const { clientWidth: w, clientHeight: h } = document.querySelector(".diagram"), { x, y, scale } = window.studio.diagram.view, { viewBox: { baseVal: all } } = document.querySelector(".minimap svg"); return [(w / 2 - x) / scale / all.width, (h / 2 - y) / scale / all.height]; });
    assert.ok(middle.every((each) => Math.abs(each - 0.5) < 0.02), `the middle stands at ${middle}`);
    await page.getByRole("button", { name: /^Fit/ }).click();
    await map.waitFor({ state: "hidden" }); // all of it is in sight
    assert.deepEqual(studio.problems, []);
  } finally {
    await studio.stop();
  }
});

const wrong = `<diagram format="1" name="wrong" period="1 ms">
  <block name="wave" type="sources/Sine" amplitude="1 N" frequency="2 Hz"/>
  <block name="spring" type="math/Gain" gian="2 mm/N"/>
  <block name="twice" type="math/Gain" gain="2"/>
  <connect from="wawe.y" to="spring.u"/>
  <connect from="spring.y" to="twice.u"/>
</diagram>
`;
onPage("a diagnostic opens the sheet at its attribute, and is mended by a click where the help names the word", { "wrong.xml": wrong }, ["wrong.xml"], async (page) => {
  await begin(page);
  await page.keyboard.press("4");
  await page.locator(".problem .fix").first().waitFor();
  await picture(page, "fixes");
  await page.locator(".problem:has(button:text-is(\"Write 'gain'\")) button.place").click();
  await until(page, () => document.activeElement.id === "edit-gian");
  await page.keyboard.press("Escape");
  await page.locator("#tab-problems").click();
  await page.getByRole("button", { name: "Write 'gain'" }).click();
  await hasValue(page, "spring", "gain", "2 mm/N");
  await page.getByRole("button", { name: "Write 'wave" }).click();
  await hasWire(page, "wave.y", "spring.u");
  await until(page, () => window.studio.editor.document_.sound);
  assert.equal(await page.locator(".problem.error").count(), 0);
  await page.keyboard.press("Escape");
});

const loop = `<diagram format="1" name="loop" period="1 ms">
  <block name="wanted" type="sources/Constant" value="1"/>
  <block name="error" type="math/Sum" signs="+-"/>
  <block name="gain" type="math/Gain" gain="0.5"/>
  <connect from="wanted.y" to="error.u[0]"/>
  <connect from="gain.y" to="error.u[1]"/>
  <connect from="error.y" to="gain.u"/>
</diagram>
`;
onPage("an algebraic loop gets a UnitDelay by a click", { "loop.xml": loop }, ["loop.xml"], async (page) => {
  await page.locator("#tab-problems").click();
  await page.getByRole("button", { name: /^Insert a UnitDelay/ }).click();
  await hasElement(page, "unit_delay");
  await until(page, () => window.studio.editor.document_.sound);
  await until(page, () => document.querySelector(".edit-sheet h2")?.textContent === "unit_delay");
  assert.equal((await view(page)).wires.length, 4);
});

const damped = `<diagram format="1" name="damped" period="1 ms">
  <block name="wave" type="sources/Sine" amplitude="1 m/s" frequency="2 Hz"/>
  <block name="damper" type="math/Gain" gain="60 N s/m"/>
  <block name="smooth" type="discrete/LowPass" cutoff="12 Hz"/>
  <connect from="wave.y" to="damper.u"/>
  <connect from="damper.y" to="smooth.u"/>
</diagram>
`;
onPage("values in use are no wider than their symbols", { "damped.xml": damped }, ["damped.xml"], async (page) => {
  await until(page, () => document.querySelectorAll(".symbol").length === 3);
  const settings = [{ path: "damper.gain", text: "212.34567 N s/m" }, { path: "smooth.cutoff", text: "234.5678 Hz" }];
  for (const each of settings) assert.equal(await page.evaluate(async (one) => (await window.studio.session.ask("set", { settings: [one] }, true)).error, each), undefined);
  await until(page, () => document.querySelectorAll(".symbol .in-file").length === 2);
  await picture(page, "in_use");
  const lines = await page.evaluate(() => [...document.querySelectorAll(".symbol")].flatMap((symbol) => [...symbol.querySelectorAll(":scope > .detail")].filter((each) => each.querySelector(".used, .in-file")).map((each) => {
    const text = each.getBBox(), body = symbol.querySelector(".body").getBBox();
    return { text: each.textContent, inside: text.x >= -1 && text.x + text.width <= body.width + 1 };
  })));
  assert.deepEqual(lines.filter((each) => !each.inside), []);
  assert.deepEqual(lines.map((each) => each.text).filter((each) => /212.34567 N s\/m|234.5678 Hz|60 N s\/m|12 Hz/.test(each)).length, lines.length);
});
