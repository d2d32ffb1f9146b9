// SPDX-License-Identifier: BSD-3-Clause
// Notes and areas: written on the drawing, kept in the file, drawn by hilda draw too; an area moves what lies in it.
// studio.notes runs this by node --test. HILDA_PICTURES=FOLDER leaves pictures there.
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { element, hasElement, onPage, saved, text, view } from "./editing.mjs";
import { Hand, overlaps, settled } from "./hand.mjs";
import { picture, terminal, until } from "./program.mjs";

const loop = `<diagram format="1" name="loop" period="1 ms">
  <block name="wanted" type="sources/Step" time="0.1 s" before="0" after="1" ui.x="0" ui.y="48"/>
  <block name="error" type="math/Sum" signs="+-" ui.x="156" ui.y="60"/>
  <block name="gain" type="math/Gain" gain="4 1/s" ui.x="276" ui.y="54"/>
  <block name="plant" type="continuous/Integrator" ui.x="408" ui.y="48"/>
  <connect from="wanted.y" to="error.u[0]"/>
  <connect from="plant.y" to="error.u[1]"/>
  <connect from="error.y" to="gain.u"/>
  <connect from="gain.y" to="plant.u"/>
</diagram>
`;
const writing = (page) => until(page, () => document.activeElement?.closest(".write") !== null);
const written = (page) => until(page, () => document.querySelector(".write") === null);
const places = (page, names) => page.evaluate((all) => { const { origin, areas } = window.studio.editor.document_.view.scene, of = (n) => window.studio.diagram.symbols().find(({ symbol }) => symbol.path === n)?.symbol ?? areas.find((each) => each.path === n); return all.map((n) => { const { x, y } = of(n); return [x - origin.x, y - origin.y]; }); }, names);
const press = async (page, selector) => { const box = await page.locator(selector).boundingBox(); return [box.x + Math.min(12, box.width / 2), box.y + Math.min(9, box.height / 2)]; };

onPage("a note is written where it is dropped, and is in the file and in the drawings", { "loop.xml": loop }, ["loop.xml"], async (page, studio) => {
  const hand = new Hand(page);
  await hand.begin();
  await hand.drop("note", 300, 330);
  await writing(page);
  await page.keyboard.type("**Why** this gain: see [the report](https://example.org/r)");
  await page.keyboard.press("Shift+Enter");
  await page.keyboard.type("- the plant is slow & <stiff>");
  await page.keyboard.press("Enter");
  await hasElement(page, "note");
  await written(page);
  await settled(page);
  const found = await page.evaluate(() => window.studio.diagram.symbols().find(({ symbol }) => symbol.kind === "note").symbol);
  assert.deepEqual(found.lines.flatMap(({ pieces }) => pieces.filter((each) => each.bold || each.link).map((each) => each.text)), ["Why", "the report"]);
  assert.ok(found.lines.some(({ pieces }) => pieces[0].text.startsWith("•")));
  assert.deepEqual(await overlaps(page), []);
  await picture(page, "note");
  // other words by a double click; Esc leaves them
  await page.locator(".symbol.note .body").dblclick();
  await writing(page);
  await page.keyboard.press("Control+a");
  await page.keyboard.type("nothing of it");
  await page.keyboard.press("Escape");
  await written(page);
  assert.ok((await element(page, "note")).attributes.text.startsWith("**Why** this gain"));
  await page.locator(".symbol.note .body").dblclick();
  await writing(page);
  await page.keyboard.press("Control+End");
  await page.keyboard.type(", it **is**");
  await page.keyboard.press("Enter");
  await until(page, () => window.studio.editor.document_.called("note").attributes.text.endsWith("it **is**"));
  await written(page);
  // by the sheet too, which has several lines
  await page.locator(".symbol.note .body").click();
  await until(page, () => document.querySelector("#edit-text")?.tagName === "TEXTAREA" && document.querySelector("#edit-text").value.includes("\n- the plant"));
  await hand.drag("note", 60, 30);
  await until(page, (n) => Number(window.studio.editor.document_.called(n).attributes["ui.x"]) > 0, "note");
  await page.keyboard.press("Control+s");
  await saved(page);
  const file = text(studio, "loop.xml"), [line] = file.split("\n").filter((each) => each.includes("<note"));
  assert.match(line, /<note name="note" text="\*\*Why\*\* this gain: see \[the report\]\(https:\/\/example.org\/r\)&#10;- the plant is slow &amp; &lt;stiff>, it \*\*is\*\*" ui.x="-?\d+" ui.y="-?\d+"\/>/);
  assert.equal(file.replace(line + "\n", "").replace(/\n\n<\/diagram>/, "\n</diagram>"), loop, "the rest keeps every byte");
  terminal(studio.where, "check", "loop.xml");
  terminal(studio.where, "draw", "loop.xml", "-o", "loop.svg");
  const svg = readFileSync(join(studio.where, "loop.svg"), "utf8");
  assert.ok(svg.includes(">Why<") && svg.includes('href="https://example.org/r"') && svg.includes("&lt;stiff&gt;"), svg.slice(0, 2000));
  // gone, and back
  await page.locator(".symbol.note .body").click();
  await page.keyboard.press("Delete");
  await until(page, () => document.querySelector(".symbol.note") === null);
  await page.keyboard.press("Control+z");
  await until(page, () => document.querySelector(".symbol.note") !== null);
});

onPage("what is written while the file changes stays, and letters are no commands", { "loop.xml": loop.replace("</diagram>", '  <note name="why" text="as it was" ui.x="0" ui.y="200"/>\n</diagram>') }, ["loop.xml"], async (page, studio) => {
  const hand = new Hand(page);
  await hand.begin();
  await hasElement(page, "why");
  await page.locator(".symbol.note .body").dblclick();
  await writing(page);
  await page.keyboard.press("Control+a");
  await page.keyboard.type("a text of my");
  writeFileSync(join(studio.where, "loop.xml"), text(studio, "loop.xml").replace("as it was", "theirs").replace('gain="4 1/s"', 'gain="5 1/s"'));
  await until(page, () => document.querySelector(".write .elsewhere")?.textContent.includes("the file now says theirs"));
  await page.keyboard.type(" own");
  assert.equal(await page.evaluate(() => document.activeElement.value), "a text of my own");
  await page.keyboard.press("Enter");
  await until(page, () => window.studio.editor.document_.called("why").attributes.text === "a text of my own");
  await written(page);
});

onPage("an area is made around what is selected, and moves it along; one undo takes all of it back", { "loop.xml": loop }, ["loop.xml"], async (page, studio) => {
  const hand = new Hand(page);
  await hand.begin();
  await hasElement(page, "plant");
  await page.locator(".symbol[data-path=gain] .body").click();
  await page.locator(".symbol[data-path=plant] .body").click({ modifiers: ["Shift"] });
  await page.keyboard.press("a");
  await page.keyboard.type("area");
  await until(page, () => document.querySelector(".palette [aria-selected=true]")?.dataset.type === "area");
  await page.keyboard.press("Enter");
  await writing(page);
  await page.keyboard.type("Plant and its gain");
  await page.keyboard.press("Enter");
  await hasElement(page, "area");
  await written(page);
  await settled(page);
  await picture(page, "area");
  const inside = await page.evaluate(() => { const [a] = window.studio.editor.document_.view.scene.areas; return window.studio.diagram.symbols().map(({ symbol: s }) => s).filter((s) => s.x > a.x && s.y > a.y && s.x + s.width < a.x + a.width && s.y + s.height < a.y + a.height).map((s) => s.path).sort(); });
  assert.deepEqual(inside, ["gain", "plant"]);
  const names = ["wanted", "error", "gain", "plant", "area"], before = await places(page, names);
  const [x, y] = await press(page, ".area .hold");
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x + 40, y + 30, { steps: 3 });
  await page.mouse.move(x + 90, y + 120, { steps: 3 });
  await page.mouse.up();
  await until(page, (was) => Number(window.studio.editor.document_.called("area").attributes["ui.y"]) > was, before[4][1]);
  await settled(page);
  const after = await places(page, names), by = after.map(([ax, ay], i) => [ax - before[i][0], ay - before[i][1]]);
  assert.deepEqual(by.slice(0, 2), [[0, 0], [0, 0]], "what stands outside stays");
  assert.ok(by[4][0] > 30 && by[4][1] > 30);
  assert.deepEqual(by[2], by[4]);
  assert.deepEqual(by[3], by[4]);
  await picture(page, "area_moved");
  await page.keyboard.press("Control+z");
  await until(page, (was) => Number(window.studio.editor.document_.called("area").attributes["ui.y"]) === was, before[4][1]);
  await settled(page);
  assert.deepEqual(await places(page, names), before);
  // larger by its corner
  const size = await page.evaluate(() => window.studio.editor.document_.view.scene.areas[0].width), corner = await page.locator(".area .handle").boundingBox();
  await page.mouse.move(corner.x + corner.width - 3, corner.y + corner.height - 3);
  await page.mouse.down();
  await page.mouse.move(corner.x + 60, corner.y + 40, { steps: 4 });
  await page.mouse.up();
  await until(page, (was) => window.studio.editor.document_.view.scene.areas[0].width > was, size);
  await page.locator(".area .hold").dblclick();
  await writing(page);
  await page.keyboard.press("Control+a");
  await page.keyboard.type("Plant");
  await page.keyboard.press("Enter");
  await until(page, () => document.querySelector(".area .title")?.textContent === "Plant");
  await page.keyboard.press("Control+s");
  await saved(page);
  assert.match(text(studio, "loop.xml"), /<area name="area" title="Plant" ui.x="-?\d+" ui.y="-?\d+" ui.width="\d+" ui.height="\d+"\/>/);
  terminal(studio.where, "draw", "loop.xml", "-o", "loop.svg");
  assert.ok(readFileSync(join(studio.where, "loop.svg"), "utf8").includes(">Plant<"));
  assert.equal((await view(page)).elements.filter((each) => each.kind === "area").length, 1);
});
