// SPDX-License-Identifier: BSD-3-Clause
// Two modes side by side on the page, and edits on either side, by mouse and by keys: studio.modes runs this by node --test.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import test from "node:test";
import { hasElement, hasValue, hasWire, Mouse, onPage, saved, text } from "./editing.mjs";
import { folder, lessons, still, Studio, until } from "./program.mjs";

const inline = readFileSync(join(process.env.SOURCES, "tests/studio/two_modes.xml"), "utf8"); // the one of modes_test.cpp
const symbol = (page, path) => page.locator(`.symbol[data-path='${path}']`);
const inside = (page, path) => until(page, (p) => window.studio.editor.document_.view?.inside === p, path);
const differing = (page) => page.locator(".symbol.differs").evaluateAll((all) => all.map((each) => each.dataset.path).sort());

onPage("two variants stand side by side, what differs is marked, and either is edited by mouse", { "modes.xml": inline }, ["modes.xml"], async (page, studio) => {
  await page.keyboard.press("e");
  await hasElement(page, "push");
  await symbol(page, "rig").click();
  await page.getByRole("button", { name: "Two modes side by side (m)" }).click();
  await symbol(page, "rig@late.later").waitFor();
  assert.equal(await page.locator(".symbol.open").count(), 2);
  assert.deepEqual(await differing(page), ["rig@late.later", "rig@late.spring", "rig@sim.spring"]);
  assert.match(await symbol(page, "rig@late.spring").locator("title.finding").textContent(), /gain "2 mm\/N", there "1 mm\/N"/);
  assert.equal(await page.locator(".wire.differs").count(), 3, "one to the port here, two through the delay there");
  assert.deepEqual(await page.locator(".difference-row").evaluateAll((all) => all.filter((each) => each.dataset.mode === "late" && !each.textContent.includes("\u2192")).map((each) => each.dataset.path)), ["rig@late.spring", "rig@late.later"]);
  await symbol(page, "rig@late.spring").locator(".body").click();
  await inside(page, "rig@late");
  await page.locator("#edit-gain").fill("1 mm/N");
  await page.keyboard.press("Enter");
  await hasValue(page, "spring", "gain", "1 mm/N");
  await until(page, () => document.querySelectorAll(".symbol.differs").length === 1); // they are alike now
  await symbol(page, "rig@sim.spring").locator(".body").click();
  await inside(page, "rig@sim");
  await page.locator("#edit-gain").fill("7 mm/N");
  await page.keyboard.press("Enter");
  await until(page, () => document.querySelectorAll(".symbol.differs").length === 3);
  await page.getByRole("button", { name: "Letters and digits to click" }).click();
  const mouse = new Mouse(page), late = await still(page, () => symbol(page, "rig@late").boundingBox()), box = await page.locator(".diagram").boundingBox();
  await mouse.add("math/Abs", late.x - box.x + late.width / 2, late.y - box.y + late.height - 24, "size");
  await inside(page, "rig@late"); // where it was dropped
  await page.locator(".edit-bar").getByRole("button", { name: "Save the diagram's files (Ctrl S)" }).click();
  await saved(page);
  const [sim, other] = text(studio, "modes.xml").split('mode="late"');
  assert.match(sim, /gain="7 mm\/N"/);
  assert.doesNotMatch(sim, /size/);
  assert.match(other, /gain="1 mm\/N"/);
  assert.match(other, /<block name="size" type="math\/Abs"/);
  await page.getByRole("button", { name: "Two modes side by side (m)" }).click();
  await until(page, () => document.querySelectorAll(".symbol.open").length === 0 && document.querySelectorAll(".differs").length === 0);
});

onPage("by keys alone: side by side, across, a wire and a value there, and back", { "modes.xml": inline }, ["modes.xml"], async (page, studio) => {
  const press = (key) => page.keyboard.press(key);
  await press("e");
  await hasElement(page, "push");
  const focused = () => page.evaluate(() => document.activeElement?.dataset?.path ?? "");
  for (let i = 0; i < 6 && !(await focused()); ++i) await press("F6");
  for (let i = 0; i < 6 && (await focused()) !== "rig"; ++i) await press(i < 3 ? "ArrowRight" : "ArrowLeft");
  await press("Enter");
  await until(page, () => document.querySelector(".symbol.selected[data-path=rig]") !== null);
  await press("m");
  await symbol(page, "rig@late.later").waitFor();
  await until(page, () => document.activeElement?.dataset?.path === "rig@sim.spring");
  await press("x");
  await inside(page, "rig@late");
  assert.equal(await focused(), "rig@late.spring", "its twin");
  await press("/");
  await page.keyboard.type("rig@late.later");
  await until(page, () => [...document.querySelectorAll("[role=option]")].some((each) => each.textContent.includes("rig@late.later")));
  await press("Enter");
  await until(page, () => document.querySelector(".symbol.selected[data-path='rig@late.later']") !== null);
  await press("Delete");
  await until(page, () => !window.studio.editor.document_.view.elements.some((each) => each.name === "later"));
  await press("c");
  for (const port of ["spring.y", "way"]) {
    await until(page, (p) => [...document.querySelectorAll("dialog[open] [role=option]")].some((each) => each.dataset.value === p), port);
    await page.keyboard.type(port);
    await until(page, (p) => document.querySelector("dialog[open] [aria-selected=true]")?.dataset.value === p, port);
    await press("Enter");
  }
  await hasWire(page, "spring.y", "way");
  await until(page, () => window.studio.editor.document_.sound);
  assert.deepEqual(await differing(page), ["rig@late.spring", "rig@sim.spring"]);
  await press("m");
  await until(page, () => document.querySelectorAll(".symbol.open").length === 0);
  await press("Control+s");
  await saved(page);
  assert.doesNotMatch(text(studio, "modes.xml"), /later/);
  for (let i = 0; i < 2; ++i) await press("Control+z");
  await press("Control+s");
  await until(page, () => !window.studio.editor.document_.unsaved && window.studio.editor.document_.states[0].redo);
  assert.equal(text(studio, "modes.xml"), inline);
});

test("rigs that are files: each side is its own document, and the whole diagram stands side by side", async () => {
  const where = folder(join(lessons, "03-subsystems-and-rigs")), studio = await Studio.start(where, "loop.xml");
  try {
    const page = await studio.look({ width: 1440, height: 900 }), before = (file) => readFileSync(join(lessons, "03-subsystems-and-rigs", file), "utf8");
    await page.keyboard.press("e");
    await hasElement(page, "body");
    await page.keyboard.press("m");
    await symbol(page, "@late.rig").waitFor();
    assert.deepEqual(await differing(page), ["@late.rig", "@sim.rig"]);
    await symbol(page, "@late.rig").locator(".body").first().dblclick(); // both sides go inside
    await symbol(page, "rig@late.robot").waitFor();
    assert.ok((await differing(page)).includes("rig@late.robot"));
    await symbol(page, "rig@late.robot").locator(".body").click();
    await inside(page, "rig@late");
    await page.locator("#edit-delay").fill("12 ms");
    await page.keyboard.press("Enter");
    await hasValue(page, "robot", "delay", "12 ms");
    await page.keyboard.press("Control+s");
    await saved(page);
    assert.equal(text(studio, "rigs/late_robot.xml"), before("rigs/late_robot.xml").replace('delay="${response_delay}"', 'delay="12 ms"'));
    for (const same of ["loop.xml", "rigs/wall.xml"]) assert.equal(text(studio, same), before(same));
    assert.deepEqual(studio.problems, []);
  } finally {
    await studio.stop();
  }
});
