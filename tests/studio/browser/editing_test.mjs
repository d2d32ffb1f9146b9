// SPDX-License-Identifier: BSD-3-Clause
// Diagrams that are edited on the page, in Debian's Chromium: studio.editing runs this by node --test.
import assert from "node:assert/strict";
import { join } from "node:path";
import test from "node:test";
import { first, hasElement, hasValue, hasWire, Keyboard, lesson, meaning, Mouse, onPage, saved, text, view, whole } from "./editing.mjs";
import { diagrams, folder, still, Studio, terminal, until } from "./program.mjs";

const blocks = [
  ["sources/Step", "push", { time: "100 ms", after: "50 N" }], ["math/Sum", "force", { signs: "+-" }], ["math/Gain", "acceleration", { gain: "0.1 1/kg" }],
  ["discrete/DiscreteIntegrator", "velocity", {}], ["discrete/DiscreteIntegrator", "position", {}], ["math/Gain", "spring", { gain: "4 N/mm" }], ["discrete/Delay", "late", { delay: "5 ms" }],
];
const wires = [["push.y", "force.u[0]"], ["late.y", "force.u[1]"], ["force.y", "acceleration.u"], ["acceleration.y", "velocity.u"], ["velocity.y", "position.u"], ["position.y", "spring.u"], ["spring.y", "late.u"]];

onPage("lesson 01 is built by mouse alone", first, ["first.xml"], async (page, studio) => {
  const mouse = new Mouse(page);
  await mouse.begin();
  const places = [[60, 70], [170, 70], [300, 70], [420, 70], [560, 70], [560, 230], [300, 230]];
  for (const [i, [type, name, values]] of blocks.entries()) {
    await mouse.add(type, ...places[i], name);
    for (const [key, value] of Object.entries(values)) await mouse.set(name, key, value);
  }
  for (const [from, to] of wires) await mouse.connect(from, to);
  await until(page, () => window.studio.editor.document_.sound);
  await mouse.button("Save the diagram's files (Ctrl S)");
  await saved(page);
  assert.deepEqual(meaning(text(studio)), meaning(lesson));
  assert.match(text(studio), /name="push".* ui\.x="-?\d+" ui\.y="-?\d+"/);
  await page.screenshot({ path: "pictures/edited_by_mouse.png" });
  terminal(studio.where, "run", "first.xml", "--for", "1s", "--no-log");
});

onPage("lesson 01 is built by keyboard alone", first, ["first.xml"], async (page, studio) => {
  const keys = new Keyboard(page);
  await keys.begin();
  for (const [type, name, values] of blocks) {
    await keys.add(type, name);
    for (const [key, value] of Object.entries(values)) await keys.set(name, key, value);
  }
  for (const [from, to] of wires) await keys.connect(from, to);
  await until(page, () => window.studio.editor.document_.sound);
  await keys.press("Control+s");
  await saved(page);
  assert.deepEqual(text(studio).split("\n").filter(Boolean), lesson.split("\n").filter(Boolean), "to the byte, but for empty lines");
  await keys.press("Escape");
  await keys.press("Space");
  await until(page, () => window.studio.session.state.tick > 50);
  assert.equal(await page.evaluate(() => window.studio.session.blocks.has("spring")), true);
});

onPage("ports that cannot fit are grey before one lets go", whole, ["first.xml"], async (page, studio) => {
  const mouse = new Mouse(page);
  await page.keyboard.press("e");
  await hasWire(page, "late.y", "force.u[1]");
  await page.evaluate(() => window.studio.editor.document_.edit([["disconnect", "force.u[1]"]]));
  await until(page, () => document.querySelector(".knob.free[data-port='force.u[1]']") !== null);
  await page.mouse.move(...(await mouse.knob("velocity.y")));
  await page.mouse.down();
  await page.mouse.move(...(await mouse.knob("force.u[1]")), { steps: 4 });
  await until(page, () => document.querySelector(".knob[data-port='force.u[1]']").classList.contains("cannot"));
  await page.mouse.up();
  await until(page, () => /units differ|does not fit/.test(document.querySelector(".told").textContent));
  assert.ok(!(await view(page)).wires.some((each) => each.to === "force.u[1]"));
  await page.mouse.move(...(await mouse.knob("late.y")));
  await page.mouse.down();
  await page.mouse.move(...(await mouse.knob("force.u[1]")), { steps: 4 });
  await until(page, () => document.querySelector(".knob[data-port='force.u[1]']").classList.contains("fits"));
  await page.mouse.up();
  await hasWire(page, "late.y", "force.u[1]");
  await page.keyboard.press("Control+s");
  await saved(page);
  assert.deepEqual(meaning(text(studio)).sort(), meaning(lesson).sort());
});

onPage("a dragged block is pinned, and no other line of the file changes", whole, ["first.xml"], async (page, studio) => {
  await page.keyboard.press("e");
  await hasElement(page, "late");
  const box = await page.locator(".symbol[data-path=late]").boundingBox();
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width / 2 + 60, box.y + box.height / 2 + 40, { steps: 5 });
  await page.mouse.up();
  await until(page, () => window.studio.editor.document_.unsaved);
  await page.keyboard.press("Control+s");
  await saved(page);
  const before = lesson.split("\n"), after = text(studio).split("\n");
  assert.equal(before.length, after.length);
  assert.deepEqual(after.filter((line, i) => line !== before[i]).map((line) => /name="(\w+)".*ui\.x="-?\d+" ui\.y="-?\d+"/.exec(line)?.[1]), ["late"]);
});

onPage("an edit makes nothing anew that it does not mean", whole, ["first.xml"], async (page) => {
  await page.keyboard.press("e");
  await hasElement(page, "late");
  await page.evaluate(() => { for (const each of document.querySelectorAll(".diagram .symbol, .diagram .net, .diagram .knob")) each.wasThere = true; });
  const fresh = (kind) => page.evaluate((k) => [...document.querySelectorAll(`.diagram ${k}`)].filter((each) => !each.wasThere).map((each) => each.dataset.path ?? each.dataset.port ?? ""), kind);
  const edited = (...operation) => page.evaluate((o) => window.studio.editor.document_.edit([o]), operation);
  await edited("set", "spring.gain=5 N/mm");
  await until(page, () => document.querySelector(".symbol[data-path=spring]").textContent.includes("5 N/mm"));
  assert.deepEqual([await fresh(".symbol"), await fresh(".net"), await fresh(".knob")], [["spring"], [], []]);
  await edited("disconnect", "late.y", "force.u[1]");
  await until(page, () => document.querySelector(".knob.free[data-port='force.u[1]']") !== null);
  await page.locator(".symbol[data-path=late].unfinished, .symbol[data-path=force].unfinished").first().waitFor();
  await page.keyboard.press("Control+z");
  await until(page, () => document.querySelector(".unfinished, .wrong, title.finding") === null);
});

onPage("keystrokes in a parameter are checked before anything is taken", whole, ["first.xml"], async (page) => {
  await page.keyboard.press("e");
  await hasElement(page, "spring");
  await page.locator(".symbol[data-path=spring]").click();
  const field = page.locator("#edit-gain");
  await field.fill("4 V");
  await until(page, () => !document.querySelector("[data-attribute=gain] .refused").hidden);
  assert.equal(await page.evaluate(() => window.studio.editor.document_.unsaved), false);
  await field.fill("5 N/mm");
  await until(page, () => document.querySelector("[data-attribute=gain] .refused").hidden);
  await page.keyboard.press("Enter");
  await hasValue(page, "spring", "gain", "5 N/mm");
});

onPage("groups, goes inside, extracts, duplicates; markup stays text; nothing outside of the folder is written", whole, ["first.xml"], async (page, studio) => {
  const edit = (...operations) => page.evaluate((o) => window.studio.editor.document_.edit(o), operations);
  await page.keyboard.press("e");
  await hasElement(page, "late");
  await page.locator(".symbol[data-path=spring]").click();
  await page.locator(".symbol[data-path=late]").click({ modifiers: ["Shift"] });
  await page.keyboard.press("Control+g");
  await page.locator("dialog[open] input").fill("contact");
  await page.keyboard.press("Enter");
  await hasElement(page, "contact");
  await page.locator(".symbol[data-path=contact]").dblclick();
  await until(page, () => window.studio.editor.document_.view.inside === "contact" && window.studio.editor.document_.view.elements.some((each) => each.name === "late"));
  await page.locator(".symbol[data-path='contact.late']").click();
  await page.locator("#edit-delay").fill("6 ms");
  await page.keyboard.press("Enter");
  await hasValue(page, "late", "delay", "6 ms");
  await page.locator(".crumbs button").first().click();
  await until(page, () => window.studio.editor.document_.view.inside === "");
  for (const file of ["/tmp/hilda_evil.xml", "../evil.xml"]) assert.equal((await edit(["extract", "contact", "to", file])).ok, false, file);
  assert.equal((await edit(["add", "math/Gain", "<img src=x onerror=alert(1)>", "gain=1"])).ok, false);
  assert.equal((await edit(["add", "math/Gain", "odd", "gain=1", 'doc=<img src=x onerror="document.title=1"><script>document.title=2</script>'])).ok, true);
  await page.locator(".symbol[data-path=odd]").click();
  assert.equal(await page.locator(".edit-sheet img, .edit-sheet script").count(), 0);
  assert.match(await page.title(), /: first: hilda studio$/);
  await page.keyboard.press("Control+d");
  await hasElement(page, "odd2");
  assert.equal((await edit(["remove", "odd", "odd2"], ["extract", "contact", "to", "contact.xml"])).ok, true);
  await page.evaluate(() => document.activeElement.blur());
  await page.keyboard.press("Control+s");
  await saved(page);
  assert.match(text(studio, "contact.xml"), /delay="6 ms"/);
  assert.match(text(studio), /src="contact.xml"/);
  assert.match(terminal(studio.where, "check", "first.xml"), /sound/);
});

test("the editor holds its place from 1280 px to 4K, dark and light", async () => {
  const studio = await Studio.start(folder(), join(diagrams, "pida.xml"));
  try {
    for (const [width, height] of [[1280, 800], [3840, 2160]])
      for (const scheme of ["light", "dark"]) {
        const page = await studio.look({ width, height }, scheme);
        await page.keyboard.press("e");
        await hasElement(page, "lead");
        await page.locator(".symbol[data-path=lead]").click();
        await still(page, () => page.locator(".edit-bar").boundingBox());
        await page.screenshot({ path: `pictures/edit_${width}_${scheme}.png` });
        const over = await page.evaluate(() => [document.documentElement.scrollWidth - innerWidth, document.documentElement.scrollHeight - innerHeight]);
        assert.deepEqual(over, [0, 0]);
        const cut = await page.evaluate(() => { const bar = document.querySelector(".edit-bar").getBoundingClientRect(); return [...document.querySelectorAll(".edit-bar button")].filter((b) => b.getBoundingClientRect().right > bar.right + 1).length; });
        assert.equal(cut, 0);
        assert.deepEqual(studio.problems, []);
        await page.close();
      }
  } finally {
    await studio.stop();
  }
});
